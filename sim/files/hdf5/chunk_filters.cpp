#include "sim/files/hdf5/chunk_filters.h"

#include <hdf5.h>
#include <zlib.h>

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

namespace pericenter {
namespace {

constexpr std::uint64_t kChecksumBytes = 4;  ///< size of a Fletcher-32 checksum

/// Bytes of a zlib stream (RFC 1950) up to its end or its first error, or `limit` if there are more.
std::uint64_t inflated_size(std::vector<std::uint8_t>& stored, std::uint64_t limit) {
  z_stream stream = {};
  if (inflateInit(&stream) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> end(&stream, inflateEnd);
  stream.next_in = stored.data();
  stream.avail_in = static_cast<uInt>(stored.size());  // chunks are smaller than 4 GiB
  std::array<std::uint8_t, 1 << 15> part;
  int result = Z_OK;
  while (result == Z_OK && stream.total_out < limit) {
    stream.next_out = part.data();
    stream.avail_out = static_cast<uInt>(part.size());
    result = inflate(&stream, Z_NO_FLUSH);
  }
  return std::min<std::uint64_t>(stream.total_out, limit);
}

/// Reads a chunk as it is stored; negative on an error. HDF5 2.0 added the size of the buffer.
herr_t read_chunk(Hdf5Id dataset, const hsize_t* start, std::vector<std::uint8_t>& stored) {
  std::uint32_t skipped_filters = 0;
#if H5_VERSION_GE(2, 0, 0)
  std::size_t size = stored.size();
  return H5Dread_chunk2(dataset, H5P_DEFAULT, start, &skipped_filters, stored.data(), &size);
#else
  return H5Dread_chunk(dataset, H5P_DEFAULT, start, &skipped_filters, stored.data());
#endif
}

/// Names by the registry of filters (github.com/HDFGroup/hdf5_plugins, docs/RegisteredFilterPlugins.md).
constexpr std::array<std::pair<int, const char*>, 14> kFilterNames = {{{H5Z_FILTER_DEFLATE, "gzip"},
                                                                       {H5Z_FILTER_SZIP, "szip"},
                                                                       {307, "bzip2"},
                                                                       {32000, "LZF"},
                                                                       {32001, "Blosc"},
                                                                       {32004, "LZ4"},
                                                                       {32008, "bitshuffle"},
                                                                       {32013, "ZFP"},
                                                                       {32015, "Zstandard"},
                                                                       {32017, "SZ"},
                                                                       {32018, "FCIDECOMP"},
                                                                       {32024, "SZ3"},
                                                                       {32026, "Blosc2"},
                                                                       {32028, "SPERR"}}};

}  // namespace

Hdf5ChunkFilters::Hdf5ChunkFilters(Hdf5Id creation) {
  const int count = std::max(0, H5Pget_nfilters(creation));
  for (int k = 0; k < count; ++k) {
    unsigned flags = 0;
    std::size_t values = 0;
    filters_.push_back(
        H5Pget_filter2(creation, static_cast<unsigned>(k), &flags, &values, nullptr, 0, nullptr, nullptr));
  }
}

std::optional<std::uint64_t> Hdf5ChunkFilters::size(Hdf5Id dataset, const StoredChunk& chunk,
                                                    std::uint64_t limit) const {
  bool deflated = false;
  std::uint64_t checksum = 0;
  for (std::size_t k = 0; k < filters_.size(); ++k) {
    if (k < 32 && (chunk.skipped >> k & 1) != 0) continue;
    if (filters_[k] == H5Z_FILTER_SHUFFLE) continue;
    if (filters_[k] == H5Z_FILTER_FLETCHER32) {
      checksum = kChecksumBytes;
    } else if (filters_[k] == H5Z_FILTER_DEFLATE) {
      deflated = true;
    } else {
      return std::nullopt;
    }
  }
  if (!deflated) return std::min(limit, chunk.bytes - std::min(chunk.bytes, checksum));
  std::vector<std::uint8_t> stored(chunk.bytes);
  const std::array<hsize_t, 2> start = {chunk.start[0], chunk.start[1]};
  if (read_chunk(dataset, start.data(), stored) < 0) return std::nullopt;
  return inflated_size(stored, limit);
}

std::string Hdf5ChunkFilters::missing() const {
  for (const int filter : filters_) {
    if (H5Zfilter_avail(filter) > 0) continue;
    const auto known = std::ranges::find(kFilterNames, filter, &std::pair<int, const char*>::first);
    return std::string(known != kFilterNames.end() ? known->second : "an unknown method") + " (HDF5 filter " +
           std::to_string(filter) + ")";
  }
  return {};
}

}  // namespace pericenter

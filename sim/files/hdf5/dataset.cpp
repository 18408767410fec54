#include "sim/files/hdf5/dataset.h"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sim/files/snapshot.h"

namespace pericenter {
namespace {

constexpr std::uint64_t kMaxCompression = 1000;  ///< maximum size of a dataset relative to its file
bool has_numbers(const Hdf5Handle& data) {
  const Hdf5Handle type(H5Dget_type(data.get()), H5Tclose);
  const H5T_class_t kind = type ? H5Tget_class(type.get()) : H5T_NO_CLASS;
  return kind == H5T_FLOAT || kind == H5T_INTEGER;
}

constexpr const char* kIncomplete = "is not complete: the program that wrote the file was interrupted";

}  // namespace

Hdf5Dataset::Hdf5Dataset(const Hdf5File& part, const Hdf5Handle& group, std::string name, std::uint64_t columns)
    : name_(std::move(name)), columns_(columns) {
  if (!has_hdf5_link(group.get(), name_)) return;
  const Hdf5Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  data_ = open_hdf5_dataset(group.get(), name_, access.get());
  if (!data_) fail("cannot be opened: " + Hdf5Session::reason());
  check_type();
  measure(part);
  if (chunk_bytes_ == 0) return;
  // Chunks are decompressed as a whole; the default cache of the library is too small for those of SWIFT.
  H5Pset_chunk_cache(access.get(), 521, 2 * chunk_bytes_, 1);
  data_ = {};
  data_ = open_hdf5_dataset(group.get(), name_, access.get());
  if (!data_) fail("cannot be opened: " + Hdf5Session::reason());
}

bool Hdf5Dataset::has_values(const Hdf5Handle& group, const std::string& name) {
  const Hdf5Handle data = open_hdf5_dataset(group.get(), name, H5P_DEFAULT);
  if (!data) return false;
  const Hdf5Handle creation(H5Dget_create_plist(data.get()), H5Pclose);
  if (H5Pget_layout(creation.get()) == H5D_VIRTUAL) return true;
  const Hdf5Handle space(H5Dget_space(data.get()), H5Sclose);
  return H5Sget_simple_extent_npoints(space.get()) > 0;
}

std::uint64_t Hdf5Dataset::columns_in(const Hdf5Handle& dataset) {
  if (!dataset || !has_numbers(dataset)) return 0;
  const Hdf5Handle creation(H5Dget_create_plist(dataset.get()), H5Pclose);
  if (H5Pget_layout(creation.get()) == H5D_VIRTUAL || H5Pget_external_count(creation.get()) != 0) return 0;
  const Hdf5Handle space(H5Dget_space(dataset.get()), H5Sclose);
  std::array<hsize_t, 2> extent = {0, 1};
  const int rank = space ? H5Sget_simple_extent_ndims(space.get()) : -1;
  if (rank != 1 && rank != 2) return 0;
  H5Sget_simple_extent_dims(space.get(), extent.data(), nullptr);
  return extent[1];
}

void Hdf5Dataset::check_type() const {
  if (!has_numbers(data_)) fail("does not contain numbers");
}

void Hdf5Dataset::measure(const Hdf5File& part) {
  // The library opens other files as soon as it measures a dataset that is stored in them.
  const Hdf5Handle creation(H5Dget_create_plist(data_.get()), H5Pclose);
  const H5D_layout_t layout = H5Pget_layout(creation.get());
  if (layout == H5D_VIRTUAL) {
    fail("is stored in other files, because this file is only an index. Open the first of them, such as NAME.0.hdf5");
  }
  if (H5Pget_external_count(creation.get()) != 0) fail("is stored in another file, which is not supported");
  const Hdf5Handle space(H5Dget_space(data_.get()), H5Sclose);
  rank_ = space ? H5Sget_simple_extent_ndims(space.get()) : -1;
  std::array<hsize_t, 2> extent = {0, 1};
  if (rank_ != (columns_ > 1 ? 2 : 1) && rank_ != 2) fail("has " + std::to_string(rank_) + " dimensions");
  H5Sget_simple_extent_dims(space.get(), extent.data(), nullptr);
  if (extent[1] != columns_) {
    fail("has " + std::to_string(extent[1]) + " columns instead of " + std::to_string(columns_));
  }
  rows_ = extent[0];
  const std::uint64_t max_bytes = std::min(kMaxHdf5Bytes, kMaxCompression * std::max<std::uint64_t>(part.size, 1024));
  if (rows_ > max_bytes / (columns_ * sizeof(double))) {
    fail("declares " + std::to_string(rows_) + " rows, more than a file of " + std::to_string(part.size) +
         " bytes can hold");
  }
  if (layout == H5D_CHUNKED) measure_chunks(creation, max_bytes);
}

void Hdf5Dataset::measure_chunks(const Hdf5Handle& creation, std::uint64_t max_bytes) {
  std::array<hsize_t, 2> chunk = {0, 1};
  if (H5Pget_chunk(creation.get(), rank_, chunk.data()) != rank_ || chunk[0] == 0 || chunk[1] == 0)
    fail("has invalid chunks");
  const Hdf5Handle type(H5Dget_type(data_.get()), H5Tclose);
  chunk_bytes_ = chunk[0] * chunk[1] * H5Tget_size(type.get());
  if (chunk_bytes_ > max_bytes) fail("has chunks larger than a file of this size can hold");
  chunk_rows_ = chunk[0];
  chunk_columns_ = chunk[1];
  filters_ = Hdf5ChunkFilters(creation.get());
}

void Hdf5Dataset::require_written() const {
  if (rows_ == 0) return;
  if (chunk_bytes_ == 0) {
    H5D_space_status_t status = H5D_SPACE_STATUS_ERROR;
    if (H5Dget_space_status(data_.get(), &status) < 0 || status != H5D_SPACE_STATUS_ALLOCATED) fail(kIncomplete);
    return;
  }
  for (std::uint64_t row = 0; row < rows_; row += chunk_rows_) {
    for (std::uint64_t column = 0; column < columns_; column += chunk_columns_) require_chunk(row, column);
  }
}

void Hdf5Dataset::require_chunk(std::uint64_t row, std::uint64_t column) const {
  const std::array<hsize_t, 2> offset = {row, column};
  unsigned skipped = 0;
  haddr_t address = HADDR_UNDEF;
  hsize_t size = 0;
  const bool found = H5Dget_chunk_info_by_coord(data_.get(), offset.data(), &skipped, &address, &size) >= 0;
  if (!found || address == HADDR_UNDEF || size == 0) fail(kIncomplete);
  const std::uint64_t found_bytes =
      filters_.size(data_.get(), {{row, column}, size, skipped}, chunk_bytes_).value_or(chunk_bytes_);
  if (found_bytes < chunk_bytes_) {
    fail("has a chunk of " + std::to_string(found_bytes) + " bytes instead of " + std::to_string(chunk_bytes_) +
         " at row " + std::to_string(row) + ": the file is damaged");
  }
}

void Hdf5Dataset::require_rows(std::uint64_t count) const {
  if (rows_ == count) return;
  fail("has " + std::to_string(rows_) + " rows, but Coordinates has " + std::to_string(count));
}

void Hdf5Dataset::read(std::uint64_t first, std::uint64_t count, std::vector<double>& out) const {
  out.resize(count * columns_);
  read_as(H5T_NATIVE_DOUBLE, first, count, out.data());
}

void Hdf5Dataset::read(std::uint64_t first, std::uint64_t count, std::vector<std::uint64_t>& out) const {
  out.resize(count * columns_);
  // The library would convert each negative number to 0.
  read_as(has_sign() ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64, first, count, out.data());
}

std::uint64_t Hdf5Dataset::read_ids(std::uint64_t first, std::uint64_t count, std::vector<std::uint64_t>& out) const {
  read(first, count, out);
  if (!has_sign()) return 0;
  return static_cast<std::uint64_t>(std::ranges::count_if(out, [](std::uint64_t id) { return id >> 63 != 0; }));
}

/// Whether values are signed integers or floating-point numbers.
bool Hdf5Dataset::has_sign() const {
  const Hdf5Handle type(H5Dget_type(data_.get()), H5Tclose);
  return H5Tget_class(type.get()) != H5T_INTEGER || H5Tget_sign(type.get()) == H5T_SGN_2;
}

void Hdf5Dataset::read_as(Hdf5Id type, std::uint64_t first, std::uint64_t count, void* out) const {
  const std::array<hsize_t, 2> start = {first, 0}, extent = {count, columns_};
  const Hdf5Handle there(H5Dget_space(data_.get()), H5Sclose);
  const Hdf5Handle here(H5Screate_simple(rank_, extent.data(), nullptr), H5Sclose);
  if (H5Sselect_hyperslab(there.get(), H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr) < 0 ||
      H5Dread(data_.get(), type, here.get(), there.get(), H5P_DEFAULT, out) < 0) {
    if (const std::string filter = filters_.missing(); !filter.empty()) {
      fail("is compressed with " + filter + ", which this machine does not have. Convert the file where it was made: " +
           "h5repack -f GZIP=4 FILE NEW_FILE; or install the filter and set HDF5_PLUGIN_PATH");
    }
    fail("cannot be read from row " + std::to_string(first) + " on: the file is damaged or truncated");
  }
}

void Hdf5Dataset::fail(const std::string& what) const {
  throw InputError("dataset " + name_ + " " + what + ".");
}

}  // namespace pericenter

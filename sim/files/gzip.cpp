#include "sim/files/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <string>

#include "sim/core/host_memory.h"

namespace pericenter {
namespace {

constexpr std::size_t kPortion = 1 << 20;
constexpr double kMostPerByte = 100;
constexpr double kSmallFile = 1 << 20;  // bytes that are always accepted
constexpr double kMemoryShare = 0.5;

class Inflater {
 public:
  Inflater() {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  z_stream& operator*() { return stream_; }

 private:
  z_stream stream_ = {};
};

std::size_t limit_for(std::size_t packed) {
  const double memory = available_memory();
  const double limit = std::max(kMostPerByte * static_cast<double>(packed), kSmallFile);
  return static_cast<std::size_t>(memory > 0 ? std::min(limit, kMemoryShare * memory) : limit);
}

}  // namespace

bool is_gzip(Bytes bytes) {
  return bytes.size() > 2 && bytes[0] == 0x1f && bytes[1] == 0x8b && bytes[2] == 8;
}

std::vector<std::uint8_t> gunzip(Bytes bytes, const Progress& progress) {
  Inflater inflater;
  z_stream& stream = *inflater;
  const std::size_t limit = limit_for(bytes.size());
  std::vector<std::uint8_t> contents;
  std::size_t read = 0;
  for (int state = Z_OK; state != Z_STREAM_END || is_gzip(bytes.subspan(read));) {
    if (state == Z_STREAM_END) inflateReset(&stream);
    if (progress && !progress(static_cast<double>(read) / static_cast<double>(bytes.size()))) throw SceneCancelled{};
    const std::size_t had = contents.size(), in = std::min(bytes.size() - read, kPortion);
    contents.resize(had + kPortion);
    stream.next_in = const_cast<Bytef*>(bytes.data() + read);
    stream.avail_in = static_cast<uInt>(in);
    stream.next_out = contents.data() + had;
    stream.avail_out = kPortion;
    state = inflate(&stream, Z_NO_FLUSH);
    read += in - stream.avail_in;
    contents.resize(had + kPortion - stream.avail_out);
    if (contents.size() > limit)
      throw InputError("The gzip file unpacks to more than " + std::to_string(limit >> 20) +
                       " MiB, which is too much. Unpack it with gunzip and open the result.");
    if (state == Z_BUF_ERROR || (state == Z_OK && read == bytes.size() && stream.avail_out > 0))
      throw InputError("The gzip file is truncated. Copy it again.");
    if (state != Z_OK && state != Z_STREAM_END)
      throw InputError("The gzip file is damaged: " + std::string(stream.msg ? stream.msg : "no valid data") +
                       ". Copy it again.");
  }
  return contents;
}

}  // namespace pericenter

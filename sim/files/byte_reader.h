#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "sim/files/snapshot.h"

namespace pericenter {

/// Reads numbers of either byte order from a block of bytes.
class ByteReader {
 public:
  ByteReader(Bytes bytes, std::endian order) : bytes_(bytes), order_(order) {}

  std::size_t size() const { return bytes_.size(); }
  Bytes bytes() const { return bytes_; }
  std::endian order() const { return order_; }
  bool holds(std::size_t offset, std::size_t count) const {
    return offset <= bytes_.size() && count <= bytes_.size() - offset;
  }

  /// Requires holds(offset, sizeof(Number)).
  template <class Number>
  Number at(std::size_t offset) const {
    static_assert(sizeof(Number) == 4 || sizeof(Number) == 8);
    using Bits = std::conditional_t<sizeof(Number) == 4, std::uint32_t, std::uint64_t>;
    Bits bits;
    std::memcpy(&bits, bytes_.data() + offset, sizeof bits);
    return std::bit_cast<Number>(order_ != std::endian::native ? swap(bits) : bits);
  }

 private:
  static constexpr std::uint32_t swap(std::uint32_t x) {
    return x >> 24 | (x >> 8 & 0xFF00u) | (x << 8 & 0xFF0000u) | x << 24;
  }
  static constexpr std::uint64_t swap(std::uint64_t x) {
    return std::uint64_t(swap(static_cast<std::uint32_t>(x))) << 32 | swap(static_cast<std::uint32_t>(x >> 32));
  }

  Bytes bytes_;
  std::endian order_;
};

/// "big endian" or "little endian".
inline const char* order_name(std::endian order) {
  return order == std::endian::big ? "big endian" : "little endian";
}

}  // namespace pericenter

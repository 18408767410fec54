#pragma once

#include <cstdint>

namespace pericenter {

/// The hash FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo 1991) over words of any size.
class Fnv1a {
 public:
  void add(std::uint64_t word) { value_ = (value_ ^ word) * 0x100000001b3u; }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

}  // namespace pericenter

#pragma once

#include <cstdint>
#include <string>

namespace pericenter {

/// "1 body" or "12 bodies".
inline std::string counted_bodies(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " body" : " bodies");
}

}  // namespace pericenter

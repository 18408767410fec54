#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "sim/core/bodies.h"

namespace pericenter {

// Other codes keep nothing of a body but its ID, and SWIFT takes collisionless bodies of one type only. IDs of exported
// bodies therefore hold the tag, so that a snapshot that comes back shows who is from which galaxy. They are positive
// as signed numbers, too: bits 0-39 have the body's place and one, bits 40-55 the tag, bits 56-62 a mark.
inline constexpr std::uint64_t kMarkedId = std::uint64_t(0x50) << 56;

constexpr std::uint64_t marked_id(std::size_t place, std::uint32_t tag) {
  return kMarkedId | std::uint64_t(tag & 0xFFFFu) << 40 | (place + 1);
}
/// nullopt when the ID was not made by marked_id().
constexpr std::optional<std::uint32_t> tag_of_id(std::uint64_t id) {
  if (id >> 56 != kMarkedId >> 56) return std::nullopt;
  return static_cast<std::uint32_t>(id >> 40 & 0xFFFFu);
}

}  // namespace pericenter

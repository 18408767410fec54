#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "sim/core/bodies.h"

namespace pericenter {

// Other codes preserve only the ID of a body, and SWIFT accepts only one type of collisionless bodies. IDs of exported
// bodies therefore contain the tag, so that snapshots of those codes still show the galaxies. Bits 0-39 are the index
// of the body plus one, bits 40-55 the tag, bits 56-62 a mark; the sign bit is 0.
inline constexpr std::uint64_t kMarkedId = std::uint64_t(0x50) << 56;

constexpr std::uint64_t marked_id(std::size_t index, std::uint32_t tag) {
  return kMarkedId | std::uint64_t(tag & 0xFFFFu) << 40 | (index + 1);
}
/// Index of the body whose marked_id() this is; other IDs give any number.
constexpr std::size_t index_of_id(std::uint64_t id) {
  return static_cast<std::size_t>((id & 0xFF'FFFF'FFFFu) - 1);
}
/// nullopt if the ID is not from marked_id().
constexpr std::optional<std::uint32_t> tag_of_id(std::uint64_t id) {
  if (id >> 56 != kMarkedId >> 56) return std::nullopt;
  return static_cast<std::uint32_t>(id >> 40 & 0xFFFFu);
}

}  // namespace pericenter

#pragma once

#include <cstdint>

namespace pericenter {

/// Bodies in tree order.
struct BodyRange {
  std::uint32_t begin, end;

  constexpr std::uint32_t size() const { return end - begin; }
};

/// Whether one of several devices, each of which computes the forces on one part of the bodies, processes a node with
/// the bodies `node`: leaves of its part, and all cells that contain them. With `whole_leaves`, a leaf belongs to the
/// part in which it begins, so that no two devices process the same; otherwise to all parts that have bodies of it.
constexpr bool processes(const BodyRange& part, bool whole_leaves, const BodyRange& node, bool is_leaf) {
  const std::uint32_t first = whole_leaves && is_leaf ? part.begin : 0;
  return node.begin >= first && node.begin < part.end && node.end > part.begin;
}

}  // namespace pericenter

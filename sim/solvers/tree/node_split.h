#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/core/parallel.h"
#include "sim/solvers/tree/tree_view.h"

namespace pericenter {

/// Distribution of the bodies of a node to its children.
template <int Dim>
struct NodeSplit {
  std::array<std::uint32_t, 1u << Dim> ends = {};  ///< end of the bodies of each child, in child order
  std::uint8_t children = 0;                       ///< number of non-empty children; 0: leaf
  std::uint8_t level = 0;                          ///< level of the cell that is split
};

/// Appends the children of the last generation; siblings are adjacent. `splits` has one element per node of that
/// generation, which is at the end of `nodes`.
template <class Real, int Dim>
void add_children(const std::vector<NodeSplit<Dim>>& splits, std::vector<TreeNode<Real, Dim>>& nodes,
                  std::vector<std::uint8_t>& levels) {
  const std::size_t first = nodes.size() - splits.size();
  std::size_t total = nodes.size();
  for (std::size_t i = 0; i < splits.size(); ++i) {
    if (splits[i].children == 0) continue;
    nodes[first + i].first_child = static_cast<std::uint32_t>(total);
    total += splits[i].children;
  }
  nodes.resize(total);
  levels.resize(total);
  parallel_chunks(0, splits.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (splits[i].children == 0) continue;
      const TreeNode<Real, Dim>& node = nodes[first + i];
      std::uint32_t child = node.first_child, at = node.begin;
      for (const std::uint32_t child_end : splits[i].ends) {
        if (child_end == at) continue;
        levels[child] = static_cast<std::uint8_t>(splits[i].level + 1);
        nodes[child] = {{}, 0, 0, child + 1, at, child_end};
        at = child_end;
        ++child;
      }
      nodes[child - 1].next = node.next;
    }
  });
}

}  // namespace pericenter

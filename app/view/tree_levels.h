#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sim/core/tree_box.h"

namespace pericenter::app {

/// The cells of one level of a tree.
struct TreeLevel {
  int level = 0;
  std::size_t cells = 0;
  float least_edge = 0, largest_edge = 0;  ///< longest edge of the smallest and of the largest cell, in scene units
};

/// What the tree overlay shows.
struct TreeLevels {
  std::vector<TreeLevel> levels = {};  ///< ascending, without empty ones
  bool complete = true;                ///< all cells of these levels were counted
};

/// Counts cells. `limit`: request::ShowTree::limit, which the simulation stops at.
TreeLevels levels_of(std::span<const TreeBox> cells, std::size_t limit);

}  // namespace pericenter::app

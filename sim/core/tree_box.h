#pragma once

namespace pericenter {

/// One cell of a tree for drawing: a box (a cube in an octree) and its depth, 0 at the root.
struct TreeBox {
  float center[3] = {};
  float half_width[3] = {};
  int level = 0;
};

}  // namespace pericenter

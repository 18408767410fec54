#pragma once

namespace pericenter {

/// One cell of a tree as the picture shows it: a box, that of an octree a cube, with its depth, 0 at the root.
struct TreeBox {
  float center[3] = {};
  float half_width[3] = {};
  int level = 0;
};

}  // namespace pericenter

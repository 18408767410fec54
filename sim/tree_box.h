#pragma once

namespace pericenter {

/// One cell of a tree as the picture shows it: a cube (a square in 2D) with its depth, 0 at the root.
struct TreeBox {
  float center[3] = {};
  float half_width = 0;
  int level = 0;
};

}  // namespace pericenter

#pragma once

#include <vector>

#include "render/frame.h"
#include "sim/core/tree_box.h"

namespace pericenter::app {

/// A tree cell in the format of the renderer.
render::Box render_box(const TreeBox& cell);
std::vector<render::Box> render_boxes(const std::vector<TreeBox>& cells);

}  // namespace pericenter::app

#include "app/overlay/tree_boxes.h"

#include <algorithm>

namespace pericenter::app {

render::Box render_box(const TreeBox& cell) {
  const auto& [center, half_width, level] = cell;
  return {{center[0], center[1], center[2]}, {half_width[0], half_width[1], half_width[2]}, level};
}

std::vector<render::Box> render_boxes(const std::vector<TreeBox>& cells) {
  std::vector<render::Box> boxes(cells.size());
  std::transform(cells.begin(), cells.end(), boxes.begin(), render_box);
  return boxes;
}

}  // namespace pericenter::app

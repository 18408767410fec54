#include "app/view/tree_levels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace pericenter::app {
namespace {

constexpr double kLevelSeconds = 1, kFadeSeconds = 0.6;

}  // namespace

TreeLevels levels_of(std::span<const TreeBox> cells, std::size_t limit) {
  std::map<int, TreeLevel> found;
  for (const auto& [center, half_width, level] : cells) {
    const float edge = 2 * std::max({half_width[0], half_width[1], half_width[2]});
    const auto [row, is_new] = found.try_emplace(level, TreeLevel{level, 0, edge, edge});
    TreeLevel& of = row->second;
    ++of.cells;
    of.least_edge = std::min(of.least_edge, edge);
    of.largest_edge = std::max(of.largest_edge, edge);
  }
  TreeLevels result{.complete = cells.size() < limit};
  for (const auto& [level, of] : found) result.levels.push_back(of);
  return result;
}

void TreeDescent::start(int first, int last, double now) {
  running_ = last >= first;
  first_ = first;
  last_ = last;
  started_ = now_ = now;
  depth_ = 0;
}

void TreeDescent::advance(double now, bool steps, std::optional<double> video) {
  // A video begins at 0 again.
  if (video && video_) started_ += now - now_ - std::max(*video - *video_, 0.0);
  now_ = now;
  video_ = video;
  if (!running_) return;
  const double seconds = std::max(now - started_, 0.0), level = std::floor(seconds / kLevelSeconds);
  if (level > last_ - first_) return stop();
  const double share = steps ? 1 : std::min((seconds - level * kLevelSeconds) / kFadeSeconds, 1.0);
  depth_ = static_cast<float>(level + share * share * (3 - 2 * share));
}

int TreeDescent::level() const {
  return first_ + std::max(0, static_cast<int>(std::ceil(depth_)) - 1);
}

float TreeDescent::revealed() const {
  return running_ ? static_cast<float>(first_) + depth_ : std::numeric_limits<float>::infinity();
}

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

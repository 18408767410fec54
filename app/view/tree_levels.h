#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "render/frame.h"
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

/// Shows the levels of the tree one after another, a second each: the descent of a tree walk from the root to the
/// leaves. A function of the times that it is given.
class TreeDescent {
 public:
  /// Begins with `first`, or ends at once if `last` is above it; `now` in seconds.
  void start(int first, int last, double now);
  /// All levels are shown again.
  void stop() { running_ = false; }
  bool running() const { return running_; }

  /// Once per frame. With `steps`, levels appear at once instead of fading in. While a video is recorded, its seconds
  /// count instead of `now`.
  void advance(double now, bool steps, std::optional<double> video = {});

  /// The level that appeared last; only while it runs.
  int level() const;
  /// render::BoxSettings::revealed; infinite unless it runs.
  float revealed() const;

 private:
  bool running_ = false;
  int first_ = 0, last_ = 0;
  double started_ = 0, now_ = 0;
  std::optional<double> video_;  ///< video time at `now_`
  float depth_ = 0;              ///< levels that are shown, beginning with `first_`
};

/// A tree cell in the format of the renderer.
render::Box render_box(const TreeBox& cell);
std::vector<render::Box> render_boxes(const std::vector<TreeBox>& cells);

}  // namespace pericenter::app

#pragma once

#include <optional>

namespace pericenter::app {

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

}  // namespace pericenter::app

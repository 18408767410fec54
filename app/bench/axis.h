#pragma once

#include <string>
#include <vector>

namespace pericenter::app {

struct Tick {
  double value = 0;
  std::string label;  ///< empty: a thin line of the grid
};

/// An axis of a plot: where its values lie, and its ticks.
class AxisScale {
 public:
  /// Holds all `values`; on a linear axis also 0. There may be none.
  AxisScale(const std::vector<double>& values, bool logarithmic);

  /// 0 at the first end, 1 at the last.
  double position(double value) const;
  /// Whether the value can be drawn at all.
  bool shows(double value) const;
  const std::vector<Tick>& ticks() const { return ticks_; }

 private:
  void make_linear(double most);
  void make_logarithmic(double least, double most);

  bool logarithmic_;
  double first_ = 0, last_ = 1;
  std::vector<Tick> ticks_;
};

}  // namespace pericenter::app

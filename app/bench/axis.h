#pragma once

#include <string>
#include <vector>

namespace pericenter::app {

struct Tick {
  double value = 0;
  std::string label;  ///< empty: a minor grid line
};

/// Scale and ticks of a plot axis.
class AxisScale {
 public:
  /// Covers all `values`, and 0 on a linear axis. `values` may be empty.
  AxisScale(const std::vector<double>& values, bool logarithmic);

  /// Position of a value, 0 at the start of the axis, 1 at the end.
  double position(double value) const;
  /// Whether the value can be drawn.
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

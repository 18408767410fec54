#pragma once

#include <string>
#include <vector>

#include "app/plots/plot.h"

namespace pericenter::app {

/// The range itself, or one around it that can be drawn: finite, not empty, and positive on a logarithmic axis.
PlotRange valid_range(PlotRange range, bool logarithmic);

/// Maps the values of an axis to shares of its length.
class PlotScale {
 public:
  PlotScale(PlotRange range, bool logarithmic);

  const PlotRange& range() const { return range_; }
  bool logarithmic() const { return logarithmic_; }
  /// Whether this value has a place on the axis, inside or outside its range.
  bool can_show(double value) const;
  /// 0 at the lower end, 1 at the upper end; beyond that outside. Requires can_show().
  double share(double value) const;
  double value(double share) const;

 private:
  double transformed(double value) const;

  PlotRange range_;
  bool logarithmic_;
  double low_, length_;  // transformed
};

struct Tick {
  double value = 0;
  std::string label;  ///< empty: a minor tick
};

struct Ticks {
  std::vector<Tick> ticks;  ///< ascending, within the range
  int exponent = 0;         ///< the labels are in units of 10^exponent
};

/// At most about `most` labelled ticks: multiples of 1, 2 or 5 times a power of ten, or powers of ten on a logarithmic
/// axis of a decade or more.
Ticks ticks_of(const PlotScale& scale, int most);

/// "kpc", or "1e-8 kpc" if the labels have an exponent.
std::string unit_text(const std::string& unit, int exponent);

/// A value beside a curve: "0.3071" or "6.90e-5".
std::string value_text(double value);

}  // namespace pericenter::app

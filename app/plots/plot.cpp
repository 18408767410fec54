#include "app/plots/plot.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/plots/plot_scale.h"

namespace pericenter::app {
namespace {

constexpr double kMargin = 0.06;    // space above and below the values, as a fraction of their range
constexpr double kFlattest = 2e-3;  // smallest relative range of a linear axis: labels stay short

/// The smallest range that contains all values added so far.
struct PlotExtent {
  double low = std::numeric_limits<double>::infinity(), high = -low;

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return low > high; }
};

bool is_plotted(double value, bool logarithmic) {
  return std::abs(value) <= kLargestPlotted && (!logarithmic || value > 0);
}

/// Indices [first, last) of the points in a range of x.
struct Span {
  std::size_t first, last;
};
Span points_in(const std::vector<double>& x, PlotRange range) {
  const auto low = std::lower_bound(x.begin(), x.end(), range.low), high = std::upper_bound(low, x.end(), range.high);
  return {static_cast<std::size_t>(low - x.begin()), static_cast<std::size_t>(high - x.begin())};
}

void add_curve(const Curve& curve, PlotRange x, bool logarithmic, PlotExtent& extent) {
  const Span span = points_in(curve.x, x);
  for (std::size_t k = span.first; k < span.last; ++k)
    if (is_plotted(curve.y[k], logarithmic)) extent.add(curve.y[k]);
  for (const double edge : {x.low, x.high})
    if (const auto value = value_at(curve, edge); value && is_plotted(*value, logarithmic)) extent.add(*value);
}

void add_bands(const Plot& plot, PlotRange x, PlotExtent& extent) {
  for (std::size_t k = 0; k < plot.band_x.size(); ++k) {
    if (!x.contains(plot.band_x[k])) continue;
    double sum = 0;
    for (const Band& band : plot.bands) sum += is_plotted(band.y[k], false) ? band.y[k] : 0;
    extent.add(sum);
  }
  if (!plot.bands.empty() && !plot.y.logarithmic) extent.add(0);
}

PlotRange with_margin(PlotExtent extent, const PlotAxis& axis) {
  if (axis.logarithmic) {
    const double low = std::log10(extent.low), high = std::log10(extent.high);
    const double margin = std::max(kMargin * (high - low), (1 - (high - low)) / 2);  // the axis spans at least a decade
    return {std::pow(10, std::max(low - margin, -300.0)), std::pow(10, std::min(high + margin, 300.0))};
  }
  if (axis.from_zero) extent.add(0);
  const double largest = std::max(std::abs(extent.low), std::abs(extent.high));
  const double least = largest > 0 ? kFlattest * largest : 1;
  const double margin = std::max(kMargin * (extent.high - extent.low), (least - (extent.high - extent.low)) / 2);
  const bool stands_on_zero = extent.low == 0 && extent.high > 0;
  return {stands_on_zero ? 0 : extent.low - margin, extent.high + margin};
}

}  // namespace

std::string title_of(const PlotAxis& axis) {
  return axis.unit.empty() ? axis.name : axis.name + " [" + axis.unit + "]";
}

bool has_data(const Plot& plot) {
  const auto any = [&](const std::vector<double>& values) {
    return std::ranges::any_of(values, [&](double value) { return is_plotted(value, plot.y.logarithmic); });
  };
  return std::ranges::any_of(plot.curves, [&](const Curve& curve) { return any(curve.y); }) ||
         std::ranges::any_of(plot.bands, [&](const Band& band) { return any(band.y); });
}

PlotRange fitted_x(const Plot& plot) {
  PlotExtent extent;
  const auto add = [&](const std::vector<double>& values) {
    for (const double value : values)
      if (is_plotted(value, plot.x.logarithmic)) extent.add(value);
  };
  for (const Curve& curve : plot.curves) add(curve.x);
  add(plot.band_x);
  for (const PlotDot& dot : plot.dots) add({dot.x});
  return extent.empty() ? PlotRange{} : valid_range({extent.low, extent.high}, plot.x.logarithmic);
}

PlotRange fitted_y(const Plot& plot, PlotRange x) {
  if (plot.y.range) return valid_range(*plot.y.range, plot.y.logarithmic);
  PlotExtent extent;
  for (const Curve& curve : plot.curves) add_curve(curve, x, plot.y.logarithmic, extent);
  add_bands(plot, x, extent);
  for (const PlotDot& dot : plot.dots)
    if (is_plotted(dot.y, plot.y.logarithmic)) extent.add(dot.y);
  for (const double level : plot.levels)
    if (!extent.empty() && is_plotted(level, plot.y.logarithmic)) extent.add(level);
  if (extent.empty()) return plot.y.logarithmic ? PlotRange{0.1, 10} : PlotRange{};
  if (!plot.zones.empty()) extent.add(plot.zones.front().y.high);  // how far below it the values are
  return valid_range(with_margin(extent, plot.y), plot.y.logarithmic);
}

std::optional<double> value_at(const Curve& curve, double x) {
  const auto right = std::lower_bound(curve.x.begin(), curve.x.end(), x);
  if (right == curve.x.end()) return std::nullopt;
  const std::size_t k = static_cast<std::size_t>(right - curve.x.begin());
  const auto known = [&](double value) { return is_plotted(value, false) ? std::optional(value) : std::nullopt; };
  if (*right == x) return known(curve.y[k]);
  if (k == 0) return std::nullopt;
  const double share = (x - curve.x[k - 1]) / (curve.x[k] - curve.x[k - 1]);
  return known(curve.y[k - 1] * (1 - share) + curve.y[k] * share);
}

std::optional<double> value_at(const Plot& plot, const Band& band, double x) {
  const auto right = std::upper_bound(plot.band_x.begin(), plot.band_x.end(), x);
  if (right == plot.band_x.begin()) return std::nullopt;
  const double value = band.y[static_cast<std::size_t>(right - plot.band_x.begin()) - 1];
  return is_plotted(value, false) ? std::optional(value) : std::nullopt;
}

}  // namespace pericenter::app

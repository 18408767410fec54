#include "app/plots/plot_scale.h"

#include <algorithm>
#include <cmath>

#include "app/base/format.h"

namespace pericenter::app {
namespace {

constexpr double kSmallest = 1e-300;  // smallest value on a logarithmic axis
constexpr double kRounding = 1e-9;    // tolerance of tick positions, in steps

/// 1, 2 or 5 times a power of ten, not below `step`.
double nice_step(double step) {
  const double power = std::pow(10, std::floor(std::log10(step)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (step <= factor * power * (1 + kRounding)) return factor * power;
  return 10 * power;
}

/// The common exponent of labels that would otherwise have many zeros.
int label_exponent(PlotRange range) {
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  if (!(largest > 0)) return 0;
  const int exponent = static_cast<int>(std::floor(std::log10(largest)));
  return exponent >= 5 || exponent < -3 ? exponent : 0;
}

Ticks linear_ticks(PlotRange range, int most) {
  Ticks result;
  result.exponent = label_exponent(range);
  const double step = nice_step(range.high / most - range.low / most), power = std::pow(10, result.exponent);
  const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step / power) - kRounding)), 0, 12);
  const double first = std::ceil(range.low / step - kRounding), last = std::floor(range.high / step + kRounding);
  for (double k = first; k <= last && result.ticks.size() <= static_cast<std::size_t>(2 * most); ++k)
    result.ticks.push_back({k * step, text("%.*f", k == 0 ? 0 : decimals, k == 0 ? 0.0 : k * step / power)});
  return result;
}

std::string decade_label(double factor, int decade) {
  const double value = factor * std::pow(10, decade);
  return decade >= -3 && decade <= 4 ? text("%g", value) : text("%ge%d", factor, decade);
}

Ticks decades(PlotRange range, int most) {
  const double low = std::log10(range.low), high = std::log10(range.high);
  const int first = static_cast<int>(std::floor(low)), last = static_cast<int>(std::floor(high + kRounding));
  const int stride = std::max(1, (last - first + most) / most);
  const bool few = high - low < 2 && most >= 6;  // room for labels at 2 and 5
  Ticks result;
  for (int decade = first; decade <= last; ++decade) {
    if (decade % stride != 0) continue;
    for (int factor = 1; factor <= (stride == 1 ? 9 : 1); ++factor) {
      const double value = factor * std::pow(10, decade), place = std::log10(value);
      if (place < low - kRounding || place > high + kRounding) continue;
      const bool labelled = factor == 1 || (few && (factor == 2 || factor == 5));
      result.ticks.push_back({value, labelled ? decade_label(factor, decade) : ""});
    }
  }
  return result;
}

}  // namespace

PlotRange valid_range(PlotRange range, bool logarithmic) {
  const double lowest = logarithmic ? kSmallest : -kLargestPlotted;
  const auto limited = [&](double value, double fallback) {
    return std::isnan(value) ? fallback : std::clamp(value, lowest, kLargestPlotted);
  };
  range = {limited(range.low, logarithmic ? 0.1 : 0), limited(range.high, 1)};
  if (range.low > range.high) std::swap(range.low, range.high);
  if (logarithmic && range.high < range.low * (1 + 1e-6))
    return {std::max(range.low / 3, kSmallest), std::min(std::max(range.high * 3, 10 * kSmallest), kLargestPlotted)};
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  if (logarithmic || range.high - range.low > 1e-9 * largest) return range;
  const double half = largest > 1e-290 ? 0.01 * largest : 0.5;
  return {range.low - half, range.high + half};
}

PlotScale::PlotScale(PlotRange range, bool logarithmic)
    : range_(valid_range(range, logarithmic)),
      logarithmic_(logarithmic),
      low_(transformed(range_.low)),
      length_(transformed(range_.high) - low_) {}

double PlotScale::transformed(double value) const {
  return logarithmic_ ? std::log10(value) : value;
}

bool PlotScale::can_show(double value) const {
  return std::abs(value) <= kLargestPlotted && (!logarithmic_ || value > 0);
}

double PlotScale::share(double value) const {
  return (transformed(value) - low_) / length_;
}

double PlotScale::value(double share) const {
  const double at = low_ + share * length_;
  return logarithmic_ ? std::pow(10, at) : at;
}

Ticks ticks_of(const PlotScale& scale, int most) {
  const PlotRange range = scale.range();
  most = std::max(most, 1);
  if (scale.logarithmic() && range.high >= 10 * range.low * (1 - kRounding)) return decades(range, most);
  return linear_ticks(range, most);
}

std::string unit_text(const std::string& unit, int exponent) {
  if (exponent == 0) return unit;
  return text("1e%d", exponent) + (unit.empty() ? "" : " " + unit);
}

std::string value_text(double value) {
  std::string number = text("%.4g", value);
  const std::size_t exponent = number.find('e');
  if (exponent == number.npos) return number;
  number = text("%.2e", value);
  const std::size_t zero = number.find_first_not_of("+-", number.find('e') + 1);
  if (number[zero] == '0') number.erase(zero, 1);
  return number;
}

}  // namespace pericenter::app

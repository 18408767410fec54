#include "app/bench/axis.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/base/format.h"

namespace pericenter::app {
namespace {

constexpr int kMaxDecadesWithMinorLabels = 2;
constexpr double kTickRounding = 1e-9;

/// Label of a power of ten.
std::string power_of_ten(int exponent) {
  static constexpr std::array<const char*, 10> kRaised = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  if (exponent >= -2 && exponent <= 3) return text("%g", std::pow(10, exponent));
  std::string label = exponent < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(std::abs(exponent))) label += kRaised[static_cast<std::size_t>(digit - '0')];
  return label;
}

/// 1, 2 or 5 times a power of ten.
struct RoundNumber {
  int factor = 1, exponent = 0;

  double value() const { return factor * std::pow(10, exponent); }
  RoundNumber next() const {
    return factor == 5 ? RoundNumber{1, exponent + 1} : RoundNumber{factor == 1 ? 2 : 5, exponent};
  }
};

/// The largest round number not above `number`.
RoundNumber round_down(double number) {
  RoundNumber round{1, static_cast<int>(std::floor(std::log10(number) + kTickRounding))};
  while (round.next().value() <= number * (1 + kTickRounding)) round = round.next();
  return round;
}

}  // namespace

AxisScale::AxisScale(const std::vector<double>& values, bool logarithmic) : logarithmic_(logarithmic) {
  double low = INFINITY, high = 0;
  for (const double value : values) {
    if (!shows(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  const bool empty = !(high > 0);
  if (logarithmic)
    make_logarithmic(empty ? 1 : low, empty ? 10 : high);
  else
    make_linear(empty ? 1 : high);
}

bool AxisScale::shows(double value) const {
  return std::isfinite(value) && (logarithmic_ ? value > 0 : value >= 0);
}

double AxisScale::position(double value) const {
  return ((logarithmic_ ? std::log10(value) : value) - first_) / (last_ - first_);
}

void AxisScale::make_linear(double high) {
  double step = round_down(high / 5).value();
  if (high / step > 8) step = round_down(high / 5).next().value();
  const int steps = static_cast<int>(std::ceil(high / step * (1 - kTickRounding)));
  last_ = steps * step;
  for (int k = 0; k <= steps; ++k) ticks_.push_back({k * step, text("%g", k * step)});
}

void AxisScale::make_logarithmic(double low, double high) {
  RoundNumber round = round_down(low);
  first_ = std::log10(round.value());
  const bool between = std::log10(high / low) <= kMaxDecadesWithMinorLabels;
  for (;; round = round.next()) {
    const bool labelled = round.factor == 1 || between;
    const std::string factor = round.factor == 1 ? "" : text("%d·", round.factor);
    const bool plain = round.exponent >= -2 && round.exponent <= 3;
    const std::string label = plain ? text("%g", round.value()) : factor + power_of_ten(round.exponent);
    ticks_.push_back({round.value(), labelled ? label : ""});
    if (ticks_.size() > 1 && round.value() >= high * (1 - kTickRounding)) break;
  }
  last_ = std::log10(round.value());
}

}  // namespace pericenter::app

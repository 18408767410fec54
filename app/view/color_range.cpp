#include "app/view/color_range.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace pericenter::app {
namespace {

constexpr double kGravity = 4.30091e-3;  // pc (km/s)^2 per mass of the sun
constexpr double kAuPerParsec = 206264.8, kMyrSeconds = 3.15576e13;
constexpr double kManyAus = 1000, kFastMyr = 1e-3;  // scene units below these are shown in solar-system units
constexpr double kKnown = kNoScalar + 1;
constexpr double kOutside = 0.05;  // tolerated excess, as a share of the range
constexpr double kShrunk = 0.45;   // the range is refitted if the values use a smaller fraction of it

/// Scene unit of mass in solar masses: with G = 1, a circular orbit of radius 1 around it has speed 1.
double mass_of(const Units& units) {
  return units.velocity_kms * units.velocity_kms * units.length_kpc * 1000 / kGravity;
}

/// The smallest of 1, 2 and 5 times a power of ten from `min` on.
double round_step(double min) {
  const double power = std::pow(10, std::floor(std::log10(min)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= min * 0.999) return factor * power;
  return 10 * power;
}

ScalarScale density_scale(const Units& units, int dimension) {
  if (units.length_kpc <= 0 || units.velocity_kms <= 0) return {"Density", "", 1, 1e-9, 1e6};
  const double parsec = units.length_kpc * 1000, au = parsec * kAuPerParsec;
  if (au < kManyAus)
    return {"Density", dimension == 2 ? "M☉/AU²" : "M☉/AU³", mass_of(units) / std::pow(au, dimension), 1e-18, 1e6};
  return {"Density", dimension == 2 ? "M☉/pc²" : "M☉/pc³", mass_of(units) / std::pow(parsec, dimension), 1e-9, 1e6};
}

/// Title, unit and limits.
ScalarScale linear_scale_of(Scalar scalar, const Units& units, int dimension) {
  const bool physical = units.velocity_kms > 0 && units.time_myr > 0;
  switch (scalar) {
    case Scalar::speed:
      if (!physical) return {"Speed", "", 1, 0, 10};
      return {"Speed", "km/s", units.velocity_kms, 0, 2000};
    case Scalar::acceleration:
      if (!physical) return {"Acceleration", "", 1, 1e-6, 1e6};
      if (units.time_myr < kFastMyr)
        return {"Acceleration", "m/s²", units.velocity_kms * 1000 / (units.time_myr * kMyrSeconds), 1e-12, 1e6};
      return {"Acceleration", "km/s/Myr", units.velocity_kms / units.time_myr, 1e-6, 1e6};
    case Scalar::density:
      return density_scale(units, dimension);
    case Scalar::interactions:
      return {"Interactions", "per body", 1, 1, 1e9};
    case Scalar::force_error:
    case Scalar::field:
      break;
  }
  return {"Relative force error", "", 1, 1e-12, 10};
}

ScalarScale field_scale(const FieldScale& found) {
  const auto& [field, logarithmic, low, high] = found;
  ScalarScale scale{field.name, field.unit, 1, low, high, logarithmic};
  if (logarithmic) return scale;
  scale.factor = high - low;
  scale.offset = low;
  return scale;
}

}  // namespace

Scalar scalar_of(render::ColorMode mode) {
  if (mode == render::ColorMode::type) return Scalar::field;
  return static_cast<Scalar>(static_cast<int>(mode) - static_cast<int>(render::ColorMode::speed));
}

request::ShowScalar shown_by(const ViewSettings& view) {
  const render::ColorMode mode = view.image.color;
  return {scalar_of(mode), mode == render::ColorMode::type ? kTypeField : view.field};
}

double ScalarScale::shown(double stored) const {
  return logarithmic ? stored + std::log10(factor) : offset + stored * factor;
}

double ScalarScale::stored(double shown) const {
  return logarithmic ? shown - std::log10(factor) : (shown - offset) / factor;
}

ScalarScale scale_of(Scalar scalar, const SessionState& state) {
  if (scalar == Scalar::field) return field_scale(state.field.value_or(FieldScale{}));
  ScalarScale scale = linear_scale_of(scalar, state.units, state.config.dimension);
  scale.logarithmic = is_logarithmic(scalar);
  return scale;
}

std::optional<ColorRange> range_of(const render::StarSample& sample, bool with_halo) {
  std::vector<float> known;
  for (const render::SampledStar& star : sample.stars) {
    const bool seen = with_halo || component_of(star.tag) != Component::halo;
    if (seen && std::isfinite(star.scalar) && star.scalar > kKnown) known.push_back(star.scalar);
  }
  if (known.empty()) return std::nullopt;
  const auto percentile = [&](double share) {
    const auto at = known.begin() + std::lround(share * static_cast<double>(known.size() - 1));
    std::nth_element(known.begin(), at, known.end());
    return *at;
  };
  return ColorRange{.low = percentile(0.02), .high = percentile(0.98)};
}

ColorRange rounded(const ColorRange& found, const ScalarScale& scale) {
  double low = scale.shown(found.low), high = scale.shown(found.high);
  if (!scale.logarithmic && low >= 0 && low < 0.3 * high) low = 0;
  const double span = high - low;
  double step = scale.logarithmic ? (span > 4 ? 1 : 0.5) : 1;
  const double largest = std::max(std::abs(low), std::abs(high));
  if (!scale.logarithmic && largest > 0) step = round_step(std::max(span / 5, largest / 100));
  // The slack keeps an end that is on a step already.
  low = step * std::floor(low / step + 1e-4);
  high = std::max(step * std::ceil(high / step - 1e-4), low + step);
  return {.low = static_cast<float>(scale.stored(low)), .high = static_cast<float>(scale.stored(high))};
}

void fit_range(const render::StarSample& sample, const ScalarScale& scale, render::ImageSettings& image) {
  const std::optional<ColorRange> found = range_of(sample, image.show_halo);
  if (!found) return;
  const ColorRange wanted = rounded(*found, scale);
  const double span = static_cast<double>(image.high) - image.low, outside = kOutside * span;
  const bool holds = found->low >= image.low - outside && found->high <= image.high + outside;
  if (holds && span > 0 && wanted.high - wanted.low >= kShrunk * span) return;
  image.low = wanted.low;
  image.high = wanted.high;
}

}  // namespace pericenter::app

#include "sim/scenes/model/asteroid_belt.h"

#include <array>
#include <cmath>
#include <numbers>

namespace pericenter {
namespace {

using std::numbers::pi;

/// Density of semi-major axes of the main belt, linear between these points, after JPL's histogram
/// (https://ssd.jpl.nasa.gov/diagrams/mb_hist.html): Kirkwood gaps at the resonances 4:1, 3:1, 5:2, 7:3 and 2:1.
constexpr std::array<std::array<double, 2>, 41> kBelt = {
    {{2.06, 0},    {2.12, 0.03}, {2.16, 0.15}, {2.20, 0.50}, {2.25, 0.62}, {2.30, 0.65}, {2.35, 0.70},
     {2.40, 0.72}, {2.44, 0.50}, {2.48, 0.15}, {2.495, 0},   {2.508, 0},   {2.52, 0.22}, {2.55, 0.75},
     {2.60, 0.95}, {2.65, 0.85}, {2.70, 0.80}, {2.75, 0.88}, {2.78, 0.90}, {2.81, 0.25}, {2.82, 0.01},
     {2.83, 0.01}, {2.84, 0.40}, {2.86, 0.50}, {2.91, 0.50}, {2.94, 0.30}, {2.955, 0.1}, {2.96, 0.10},
     {2.98, 0.50}, {3.02, 0.72}, {3.06, 0.78}, {3.10, 0.88}, {3.15, 1.00}, {3.19, 0.55}, {3.23, 0.10},
     {3.26, 0.02}, {3.29, 0.01}, {3.35, 0.03}, {3.42, 0.04}, {3.50, 0.01}, {3.70, 0}}};

double belt_density(double a) {
  std::size_t next = 1;
  while (next + 1 < kBelt.size() && kBelt[next][0] < a) ++next;
  const auto [a0, low] = kBelt[next - 1];
  const auto [a1, high] = kBelt[next];
  return low + (high - low) * (a - a0) / (a1 - a0);
}

}  // namespace

double ElementSampler::angle() {
  return uniform(0, 2 * pi);
}

double ElementSampler::rayleigh(double mode, double most) {
  for (;;) {
    const double value = mode * std::sqrt(-2 * std::log(random_.uniform()));
    if (value < most) return value;
  }
}

double ElementSampler::belt_axis() {
  for (;;) {
    const double a = uniform(kBelt.front()[0], kBelt.back()[0]);
    if (random_.uniform() < belt_density(a)) return a;
  }
}

double ElementSampler::magnitude(double peak) {
  constexpr double kRise = 0.45, kFall = 0.9;
  const bool bright = random_.uniform() < kFall / (kRise + kFall);
  const double decades = -std::log10(random_.uniform());
  return bright ? peak - decades / kRise : peak + decades / kFall;
}

SmallBodyOrbit with_random_longitudes(ElementSampler& sample, double a, double e, double degrees) {
  return {.a = a,
          .e = e,
          .inclination = degrees * pi / 180,
          .node = sample.angle(),
          .perihelion = sample.angle(),
          .longitude = sample.angle()};
}

SmallBodyOrbit main_belt(ElementSampler& sample) {
  for (;;) {
    const double a = sample.belt_axis(), e = sample.rayleigh(0.115, 0.4);
    if (a * (1 - e) > kMarsAphelion) return with_random_longitudes(sample, a, e, sample.rayleigh(6.5, 33));
  }
}

KeplerOrbit kepler_orbit(const SmallBodyOrbit& orbit, int dimension) {
  const double pericenter = orbit.perihelion_distance();
  const double anomaly = std::remainder(orbit.longitude - orbit.perihelion, 2 * pi);
  return {.pericenter = pericenter,
          .eccentricity = orbit.e,
          .inclination = dimension == 2 ? 0 : orbit.inclination,
          .node = orbit.node,
          .pericenter_argument = orbit.perihelion - orbit.node,
          .time = time_of_mean_anomaly(anomaly, pericenter, orbit.e, 1)};
}

}  // namespace pericenter

#include "sim/scenes/model/orbit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace pericenter {
namespace {

constexpr int kMaxIterations = 60;
constexpr double kParabola = 1e-8;  // closer to 1 the other formulas suffer from cancellation

bool is_parabola(double eccentricity) {
  return std::abs(eccentricity - 1) < kParabola;
}

/// Newton's method from a start at which it converges monotonically.
template <class Step>
double newton(double x, const Step& step) {
  for (int k = 0; k < kMaxIterations; ++k) {
    const double change = step(x);
    x -= change;
    if (std::abs(change) <= 1e-15 * std::abs(x)) break;
  }
  return x;
}

// E - e sin E = anomaly, in [0, pi]: the left side is convex there.
double elliptic_anomaly(double e, double anomaly) {
  return newton(std::min(std::numbers::pi, anomaly + e),
                [&](double x) { return (x - e * std::sin(x) - anomaly) / (1 - e * std::cos(x)); });
}

// e sinh H - H = anomaly >= 0.
double hyperbolic_anomaly(double e, double anomaly) {
  return newton(std::asinh(anomaly / e),
                [&](double x) { return (e * std::sinh(x) - x - anomaly) / (e * std::cosh(x) - 1); });
}

/// Semi-major axis and mean motion of an ellipse or a hyperbola.
struct Conic {
  double axis, motion;
};
Conic conic(const EncounterOrbit& orbit, double total_mass) {
  const double axis = orbit.pericenter / std::abs(1 - orbit.eccentricity);
  return {axis, std::sqrt(total_mass / (axis * axis * axis))};
}

/// Barker's equation reads d + d^3/3 = time / this, where d is the tangent of half the true anomaly.
double parabolic_time(const EncounterOrbit& orbit, double total_mass) {
  return std::sqrt(2 * orbit.pericenter * orbit.pericenter * orbit.pericenter / total_mass);
}

RelativeState parabolic_state(const EncounterOrbit& orbit, double total_mass, double time) {
  const double half = 1.5 * std::abs(time) / parabolic_time(orbit, total_mass);
  const double s = std::cbrt(half + std::sqrt(half * half + 1));
  const double d = std::copysign(s - 1 / s, time);
  const double speed = std::sqrt(2 * total_mass / orbit.pericenter) / (1 + d * d);
  return {Vec3{1 - d * d, 2 * d, 0} * orbit.pericenter, Vec3{-d, 1, 0} * speed};
}

}  // namespace

double apocenter(const EncounterOrbit& orbit) {
  const double e = orbit.eccentricity;
  return e < 1 ? orbit.pericenter * (1 + e) / (1 - e) : std::numeric_limits<double>::infinity();
}

RelativeState state_at(const EncounterOrbit& orbit, double total_mass, double time) {
  const double e = orbit.eccentricity;
  if (is_parabola(e)) return parabolic_state(orbit, total_mass, time);
  const auto [axis, motion] = conic(orbit, total_mass);
  const double minor = axis * std::sqrt(std::abs(1 - e * e));
  if (e < 1) {
    const double mean = std::remainder(motion * time, 2 * std::numbers::pi);
    const double anomaly = std::copysign(elliptic_anomaly(e, std::abs(mean)), mean);
    const double c = std::cos(anomaly), s = std::sin(anomaly), rate = motion / (1 - e * c);
    return {{axis * (c - e), minor * s, 0}, {-axis * s * rate, minor * c * rate, 0}};
  }
  const double anomaly = std::copysign(hyperbolic_anomaly(e, std::abs(motion * time)), time);
  const double c = std::cosh(anomaly), s = std::sinh(anomaly), rate = motion / (e * c - 1);
  return {{axis * (e - c), minor * s, 0}, {-axis * s * rate, minor * c * rate, 0}};
}

double time_to_pericenter(const EncounterOrbit& orbit, double total_mass) {
  const double e = orbit.eccentricity, r = orbit.separation;
  if (orbit.pericenter == 0) return std::sqrt(2 * r * r * r / total_mass) / 3;
  constexpr double kSlack = 1e-9;  // allows for rounding at the pericentre and the apocentre
  if (!(r >= orbit.pericenter * (1 - kSlack) && r <= apocenter(orbit) * (1 + kSlack)))
    throw std::invalid_argument("the orbit never reaches this separation");
  if (is_parabola(e)) {
    const double d = std::sqrt(std::max(r / orbit.pericenter - 1, 0.0));
    return parabolic_time(orbit, total_mass) * (d + d * d * d / 3);
  }
  const auto [axis, motion] = conic(orbit, total_mass);
  if (e == 0) return 0;
  if (e < 1) {
    const double anomaly = std::acos(std::clamp((1 - r / axis) / e, -1.0, 1.0));
    return (anomaly - e * std::sin(anomaly)) / motion;
  }
  const double anomaly = std::acosh(std::max((1 + r / axis) / e, 1.0));
  return (e * std::sinh(anomaly) - anomaly) / motion;
}

}  // namespace pericenter

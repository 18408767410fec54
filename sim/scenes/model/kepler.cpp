#include "sim/scenes/model/kepler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace pericenter {
namespace {

using std::numbers::pi;

/// Stumpff functions c0 to c3 of x: cosine, sine and the remainders of their series, continued to negative x.
struct Stumpff {
  double c0, c1, c2, c3;
};

Stumpff stumpff(double x) {
  if (std::abs(x) < 1) {
    // The closed forms lose digits here; nine terms of the series give full precision.
    double c2 = 0, c3 = 0;
    for (int k = 8; k >= 0; --k) {
      c2 = (1 - x * c2) / ((2 * k + 1) * (2 * k + 2));
      c3 = (1 - x * c3) / ((2 * k + 2) * (2 * k + 3));
    }
    return {1 - x * c2, 1 - x * c3, c2, c3};
  }
  const double root = std::sqrt(std::abs(x));
  if (x > 0) {
    const double half = std::sin(root / 2), sine = std::sin(root);
    return {std::cos(root), sine / root, 2 * half * half / x, (root - sine) / (x * root)};
  }
  const double half = std::sinh(root / 2), sine = std::sinh(root);
  return {std::cosh(root), sine / root, -2 * half * half / x, (root - sine) / (x * root)};
}

/// Kepler's equation in the universal variable s, ds = dt / r.
class UniversalOrbit {
 public:
  UniversalOrbit(double pericenter, double eccentricity, double mu)
      : q_(pericenter), e_(eccentricity), mu_(mu), beta_(mu * (1 - eccentricity) / pericenter) {}

  double radius(double s) const { return q_ + mu_ * e_ * s * s * stumpff(beta_ * s * s).c2; }
  double time(double s) const { return s * (q_ + mu_ * e_ * s * s * stumpff(beta_ * s * s).c3); }

  // For a time of at least 0, on an ellipse up to half a period. The time is convex in s there, so Newton's method
  // decreases monotonically from any start beyond the root.
  double variable(double time) const {
    double s = beyond(time);
    for (int step = 0; step < 200; ++step) {
      const double next = s - (this->time(s) - time) / radius(s);
      if (!(next < s)) break;
      s = next;
    }
    return std::max(s, 0.0);
  }

  double period() const {
    return beta_ > 0 ? 2 * pi * mu_ / std::pow(beta_, 1.5) : std::numeric_limits<double>::infinity();
  }

  // In the plane of the orbit, with the pericentre on +x.
  RelativeState state(double s) const {
    const Stumpff c = stumpff(beta_ * s * s);
    const double g1 = s * c.c1, g2 = s * s * c.c2, r = q_ + mu_ * e_ * g2;
    const double speed = std::sqrt(mu_ * (1 + e_) / q_);  // speed at the pericentre
    return {{q_ - mu_ * g2, speed * q_ * g1, 0}, {-mu_ * g1 / r, speed * q_ * c.c0 / r, 0}};
  }

 private:
  double beyond(double time) const {
    double s = time / q_;
    // c3 is at least 1/pi^2 up to half a period, and at least 1/6 on a hyperbola.
    if (e_ > 0) s = std::min(s, std::cbrt((beta_ > 0 ? pi * pi : 6) * time / (mu_ * e_)));
    if (beta_ > 0) s = std::min(s, pi / std::sqrt(beta_));
    if (const double root = std::sqrt(-beta_); beta_ < 0) s = std::min(s, std::asinh(time * root / q_) / root);
    return s;
  }

  double q_, e_, mu_, beta_;
};

Vec3 rotated(const Vec3& v, const KeplerOrbit& orbit) {
  const auto about_z = [](const Vec3& a, double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    return Vec3{c * a[0] - s * a[1], s * a[0] + c * a[1], a[2]};
  };
  const Vec3 flat = about_z(v, orbit.pericenter_argument);
  const Vec3 tilted = {flat[0], std::cos(orbit.inclination) * flat[1], std::sin(orbit.inclination) * flat[1]};
  return about_z(tilted, orbit.node);
}

}  // namespace

RelativeState kepler_state(const KeplerOrbit& orbit, double mu) {
  const UniversalOrbit universal(orbit.pericenter, orbit.eccentricity, mu);
  const double time = std::remainder(orbit.time, universal.period());
  const RelativeState flat = universal.state(std::copysign(universal.variable(std::abs(time)), time));
  return {rotated(flat.position, orbit), rotated(flat.velocity, orbit)};
}

double time_of_mean_anomaly(double mean_anomaly, double pericenter, double eccentricity, double mu) {
  return mean_anomaly / std::sqrt(mu) * std::pow(pericenter / std::abs(1 - eccentricity), 1.5);
}

std::optional<double> estimated_mass_kg(const SmallBody& body) {
  constexpr double kDefaultAlbedo = 0.14;  // used in the definition of potentially hazardous asteroids
  const double albedo = body.albedo && *body.albedo > 0 ? *body.albedo : kDefaultAlbedo;
  const bool measured = body.diameter_km && *body.diameter_km > 0;
  if (!measured && !body.absolute_magnitude) return std::nullopt;
  const double diameter_km =
      measured ? *body.diameter_km : 1329 / std::sqrt(albedo) * std::pow(10, -0.2 * *body.absolute_magnitude);
  const double density = albedo < 0.1 ? 1380 : albedo <= 0.2 ? 2710 : 5320;  // kg/m^3 of types C, S and M
  return pi / 6 * density * std::pow(1000 * diameter_km, 3);
}

}  // namespace pericenter

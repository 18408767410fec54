#include "sim/scenes/model/disc.h"

#include <math.h>

#include <stdexcept>
#include <string>

#include "sim/core/display_units.h"
#include "sim/core/parallel.h"

namespace pericenter {
namespace {

using std::numbers::pi;
constexpr double kEdge = 12;        // outer radius of the disc; contains 1 - 7e-5 of the mass
constexpr double kWaveStep = 0.05;  // wave numbers up to 40 give errors below 0.5 %
constexpr int kWaveSteps = 800;
constexpr double kMaxRadius = 100;  // K0 underflows beyond
constexpr double kRadiusStep = 0.05;

// exp(-k sqrt(d^2 + softening^2)), averaged over the vertical distance d of two bodies whose heights follow
// sech^2(z/z0): in units of z0/2 the density of d is e^d ((d - 2) e^d + d + 2) / (e^d - 1)^3 for d > 0, and symmetric.
double mean_attenuation(double k, double height, double softening) {
  if (height == 0) return std::exp(-k * softening);
  constexpr double kStep = 0.2, kLast = 30;
  double sum = 0;
  for (double d = 0.5 * kStep; d < kLast; d += kStep) {
    const double e = std::exp(d), gap = std::expm1(d);
    const double density = e * ((d - 2) * e + d + 2) / (gap * gap * gap);
    sum += density * std::exp(-k * std::hypot(0.5 * height * d, softening));
  }
  return 2 * kStep * sum;
}

Table mass_table() {
  std::vector<double> shares, radii;
  const double whole = 1 - (1 + kEdge) * std::exp(-kEdge);
  for (int i = 0; i <= 1200; ++i) {
    radii.push_back(kEdge * i / 1200);
    shares.push_back((1 - (1 + radii.back()) * std::exp(-radii.back())) / whole);
  }
  return Table(std::move(shares), std::move(radii));
}

ArmsView view_of(const ArmsModel& arms) {
  if (arms.number < 0 || arms.number > kMaxArms)
    throw std::invalid_argument("the number of spiral arms must be between 0 and " + std::to_string(kMaxArms) +
                                ", not " + std::to_string(arms.number));
  if (!(arms.pitch >= 1 && arms.pitch <= 90))
    throw std::invalid_argument("the pitch angle of spiral arms must be between 1 and 90 degrees, not " +
                                three_digits(arms.pitch));
  return {.number = arms.number, .tangent = std::tan(arms.pitch * pi / 180)};
}

}  // namespace

double disc_sphere_density(double r, int dimension) {
  if (r > kMaxRadius) return 0;
  return dimension == 2 ? std::cyl_bessel_k(0.0, r) / (2 * pi * pi) : std::exp(-r) / (4 * pi * r);
}

DiscGravity::DiscGravity(double height, double softening)
    : weights_(parallel_values(kWaveSteps + 1, [&](std::size_t i) {
        const double k = kWaveStep * static_cast<double>(i), q = 1 + k * k;
        const double simpson = i == kWaveSteps ? 1 : (i % 2 == 1 ? 4 : 2);  // the integrand is 0 at k = 0
        return simpson * kWaveStep / 3 * k / (q * std::sqrt(q)) * mean_attenuation(k, height, softening);
      })) {}

double DiscGravity::circular_speed_squared(double r) const {
  double sum = 0;
  for (int i = 1; i <= kWaveSteps; ++i) sum += weights_[i] * ::j1(kWaveStep * i * r);
  return r * sum;
}

Disc::Disc(const DiscModel& model, const ShellGravity& spheroids, double softening)
    : mass_(model.mass),
      height_(spheroids.dimension() == 2 ? 0 : model.height),
      arms_(view_of(model.arms)),
      radius_(mass_table()) {
  if (mass_ == 0) return;
  const DiscGravity own(height_, softening);
  const auto radii_of_grid = radial_grid();
  std::vector<double> forces =
      parallel_values(radii_of_grid.size(), [&](std::size_t i) { return spheroids.force(radii_of_grid[i]); });
  const Table force({radii_of_grid.begin(), radii_of_grid.end()}, std::move(forces));
  // Bodies above the plane are farther from the centre, and only a part of the attraction is radial.
  const auto spheroid_part = [&](double r) {
    constexpr int kHeights = 8;
    double sum = 0;
    for (int i = 0; i < kHeights; ++i) {
      const double z = height_ * std::atanh((i + 0.5) / kHeights);
      const double distance = std::hypot(r, z);
      sum += distance > 0 ? force(distance) * r * r / distance : 0;
    }
    return sum / kHeights;
  };
  std::vector<double> radii;
  for (double r = 0; r < kEdge + 2 * kRadiusStep; r += kRadiusStep) radii.push_back(r);
  const std::vector<double> squared = parallel_values(radii.size(), [&](std::size_t i) {
    return mass_ * own.circular_speed_squared(radii[i]) + spheroid_part(radii[i]);
  });
  // kappa^2 / (4 Omega^2) = 1/2 + (d ln v_c^2 / d ln R) / 4, clamped at solid-body rotation.
  std::vector<double> ratio(radii.size(), 1.0), speed(radii.size(), 0.0);
  for (std::size_t i = 1; i < radii.size(); ++i) {
    const std::size_t after = std::min(i + 1, radii.size() - 1);
    const double slope = (squared[after] - squared[i - 1]) / (radii[after] - radii[i - 1]);
    ratio[i] = std::clamp(0.5 + 0.25 * radii[i] * slope / squared[i], 0.25, 1.0);
    speed[i] = std::sqrt(squared[i]);
  }
  circular_speed_ = Table(radii, std::move(speed));
  epicyclic_ratio_ = Table(std::move(radii), std::move(ratio));

  const double at = model.reference_radius;
  const double kappa = 2 * std::sqrt(epicyclic_ratio_(at)) * circular_speed_(at) / at;
  central_sigma_ = model.toomre_q * 3.36 * mass_ * unit_surface_density(at) / kappa / disc_sigma_profile(at);
}

}  // namespace pericenter

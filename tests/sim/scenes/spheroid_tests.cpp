#include "sim/scenes/model/spheroid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/core/random.h"

namespace pericenter {
namespace {

using std::numbers::pi;
// With a cutoff that is too far out to matter.
constexpr SphereModel kAlone = {1, 1, 600};

std::vector<double> potential_of(const SphereModel& model, double softening, int dimension) {
  const ShellGravity gravity(shell_masses([&](double r) { return model.density(r); }), softening, dimension);
  std::vector<double> result;
  for (const double r : radial_grid()) result.push_back(gravity.potential(r));
  return result;
}

std::vector<double> density_of(const SphereModel& model) {
  std::vector<double> result;
  for (const double r : radial_grid()) result.push_back(model.density(r));
  return result;
}

// Hernquist 1990, equation 10, for M = a = G = 1.
double hernquist_radial_dispersion_squared(double r) {
  return r * std::pow(1 + r, 3) * std::log((1 + r) / r) -
         r / (12 * (1 + r)) * (25 + 52 * r + 42 * r * r + 12 * r * r * r);
}

// Hernquist 1990, equation 17, for M = a = G = 1.
double hernquist_distribution(double energy) {
  const double q = std::sqrt(energy), q2 = energy;
  return 1 / (8 * std::sqrt(2.0) * std::pow(pi, 3)) * std::pow(1 - q2, -2.5) *
         (3 * std::asin(q) + q * std::sqrt(1 - q2) * (1 - 2 * q2) * (8 * q2 * q2 - 8 * q2 - 3));
}

TEST(ShellGravity, UnsoftenedMatchesHernquist) {
  const ShellGravity gravity(shell_masses([](double r) { return kAlone.density(r); }), 0, 3);
  for (const double r : {0.05, 0.3, 1.0, 4.0, 20.0}) {
    EXPECT_NEAR(gravity.potential(r) * (1 + r), 1, 0.004) << r;
    EXPECT_NEAR(gravity.force(r) * (1 + r) * (1 + r), 1, 0.02) << r;
  }
}

TEST(ShellGravity, ForceIsTheGradientOfThePotential) {
  for (const int dimension : {2, 3}) {
    const ShellGravity gravity(shell_masses([](double r) { return kAlone.density(r); }), 0.1, dimension);
    for (const double r : {0.02, 0.3, 1.0, 4.0, 20.0}) {
      const double h = 1e-4 * r;
      EXPECT_NEAR(gravity.force(r), (gravity.potential(r - h) - gravity.potential(r + h)) / (2 * h), 1e-5) << r;
    }
  }
}

// Reference: individual bodies of the sphere with the softening of the solvers.
TEST(ShellGravity, MatchesSoftenedBodies) {
  constexpr double kSoftening = 0.2;
  const SphereModel model = {1, 0.5, 20};
  const auto masses = shell_masses([&](double r) { return model.density(r); });
  for (const int dimension : {2, 3}) {
    const ShellGravity gravity(masses, kSoftening, dimension);
    const Spheroid spheroid(model, potential_of(model, kSoftening, dimension), dimension);
    for (const double r : {0.2, 0.7, 3.0}) {
      double sum = 0;
      constexpr int kBodies = 100'000;
      Random random(7);
      for (int i = 0; i < kBodies; ++i) {
        const double distance = spheroid.view().radius((i + 0.5) / kBodies);
        Vec3 d = random.direction() * distance;
        if (dimension == 2) d[2] = 0;
        d[0] -= r;
        sum += spheroid.mass() / kBodies / std::sqrt(dot(d, d) + kSoftening * kSoftening);
      }
      EXPECT_NEAR(sum / gravity.potential(r), 1, 0.005) << "r " << r << ", dimension " << dimension;
    }
  }
}

TEST(Eddington, MatchesHernquist) {
  const auto potential = potential_of(kAlone, 0, 3);
  const auto f = isotropic_distribution(density_of(kAlone), potential, 3);
  for (std::size_t i = 100; i + 250 < f.size(); i += 50) {
    EXPECT_NEAR(f[i] / hernquist_distribution(potential[i]), 1, 0.02) << "r " << radial_grid()[i];
  }
}

TEST(Eddington, IsNowhereNegative) {
  for (const int dimension : {2, 3}) {
    for (const double softening : {0.02, 0.1}) {
      const SphereModel halo = {20, 13.4, 80};
      const auto f = isotropic_distribution(density_of(halo), potential_of(halo, softening, dimension), dimension);
      EXPECT_GE(*std::min_element(f.begin(), f.end()), -1e-12);
    }
  }
}

TEST(Spheroid, SpeedsMatchHernquistDispersion) {
  const Spheroid spheroid(kAlone, potential_of(kAlone, 0, 3), 3);
  for (const double r : {0.1, 0.5, 1.0, 3.0, 10.0}) {
    double sum = 0;
    constexpr int kSteps = 2000;
    for (int i = 0; i < kSteps; ++i) sum += std::pow(spheroid.view().speed(r, (i + 0.5) / kSteps), 2);
    EXPECT_NEAR(sum / kSteps / (3 * hernquist_radial_dispersion_squared(r)), 1, 0.02) << r;
  }
}

TEST(Spheroid, NoSpeedEscapes) {
  const auto potential = potential_of(kAlone, 0.05, 3);
  const Spheroid spheroid(kAlone, potential, 3);
  for (std::size_t i = 0; i < 700; i += 7) {
    EXPECT_LE(spheroid.view().speed(radial_grid()[i], 1 - 1e-15), std::sqrt(2 * potential[i]) * 1.001);
  }
}

TEST(Spheroid, RadiiMatchTheMassProfile) {
  const Spheroid spheroid(kAlone, potential_of(kAlone, 0, 3), 3);
  for (const double u : {0.01, 0.1, 0.25, 0.5, 0.8}) {
    const double root = std::sqrt(u * spheroid.mass());
    EXPECT_NEAR(spheroid.view().radius(u), root / (1 - root), 0.01 * root / (1 - root)) << u;
  }
}

}  // namespace
}  // namespace pericenter

#include "sim/solvers/fmm/expansion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace pericenter {
namespace {

constexpr double kSoftening = 0.3;

template <int Dim>
struct Mass {
  double x[Dim];
  double m;
};
template <int Dim>
using Masses = std::vector<Mass<Dim>>;

/// Points within `size` of the origin along each axis, far from spherical; their centre of mass is the origin.
template <int Dim>
Masses<Dim> cluster(double size) {
  Masses<Dim> masses;
  for (int i = 0; i < 7; ++i) {
    Mass<Dim> mass{{}, 1.0 + i};
    for (int k = 0; k < Dim; ++k) mass.x[k] = size * std::sin(2.3 * i * i + 1.7 * k + 0.4);
    masses.push_back(mass);
  }
  for (int k = 0; k < Dim; ++k) {
    double first = 0, all = 0;
    for (const auto& mass : masses) first += mass.m * mass.x[k], all += mass.m;
    for (auto& mass : masses) mass.x[k] -= first / all;
  }
  return masses;
}

/// Acceleration and, as last element, potential at `at` of masses about `center`.
template <int Dim>
std::array<double, Dim + 1> direct(const Masses<Dim>& masses, const double (&center)[Dim], const double (&at)[Dim]) {
  std::array<double, Dim + 1> sum{};
  for (const auto& mass : masses) {
    double d[Dim], r2 = kSoftening * kSoftening;
    for (int k = 0; k < Dim; ++k) {
      d[k] = center[k] + mass.x[k] - at[k];
      r2 += d[k] * d[k];
    }
    for (int k = 0; k < Dim; ++k) sum[k] += mass.m * d[k] / (r2 * std::sqrt(r2));
    sum[Dim] -= mass.m / std::sqrt(r2);
  }
  return sum;
}

template <int Dim, int P>
struct Multipoles {
  double of[kMultipoles<Dim, P>] = {};
};
template <int Dim, int P>
Multipoles<Dim, P> multipoles_of(const Masses<Dim>& masses) {
  Multipoles<Dim, P> result;
  for (const auto& mass : masses) add_mass_point<Dim, P>(mass.x, mass.m, result.of);
  return result;
}

struct Errors {
  double force = 0, potential = 0;
};

/// Largest relative errors of the field of a cluster at the points of another cluster of the same size.
template <int Dim, int P>
Errors far_errors(double size) {
  const Masses<Dim> sources = cluster<Dim>(size), targets = cluster<Dim>(0.8 * size);
  const Multipoles<Dim, P> multipoles = multipoles_of<Dim, P>(sources);
  const double offset[] = {2.1, -1.7, 1.3};
  double d[Dim], origin[Dim] = {}, r2 = kSoftening * kSoftening;
  for (int k = 0; k < Dim; ++k) {
    d[k] = offset[k];
    r2 += d[k] * d[k];
  }
  double locals[kLocals<Dim, P>] = {};
  add_far_field<Dim, P, true>(d, 1 / std::sqrt(r2), multipoles.of, locals);
  Errors worst;
  for (const auto& target : targets) {
    double at[Dim], force[Dim + 1] = {}, error = 0, length = 0;
    for (int k = 0; k < Dim; ++k) at[k] = d[k] + target.x[k];
    add_field_at<Dim, P, true>(target.x, locals, force);
    const auto exact = direct<Dim>(sources, origin, at);
    for (int k = 0; k < Dim; ++k) {
      error += (force[k] - exact[k]) * (force[k] - exact[k]);
      length += exact[k] * exact[k];
    }
    worst.force = std::max(worst.force, std::sqrt(error / length));
    worst.potential = std::max(worst.potential, std::abs(force[Dim] / exact[Dim] - 1));
  }
  return worst;
}

template <int Dim, int P>
void expect_order() {
  SCOPED_TRACE(testing::Message() << Dim << "D, order " << P);
  const Errors coarse = far_errors<Dim, P>(0.2), fine = far_errors<Dim, P>(0.1), finest = far_errors<Dim, P>(0.05);
  // Sizes are a fifteenth of the distance, so that each order reduces the error by that factor.
  EXPECT_LE(coarse.force, 3 * std::pow(0.15, P));
  // Without moments of degree P, which only the potential needs.
  EXPECT_LE(coarse.potential, 3 * std::pow(0.15, P));
  for (const auto& [larger, smaller] : {std::pair(coarse, fine), std::pair(fine, finest)}) {
    EXPECT_NEAR(std::log2(larger.force / smaller.force), P, 0.35);
    EXPECT_NEAR(std::log2(larger.potential / smaller.potential), P, 0.4);
  }
}

TEST(Expansion, ConvergesWithItsOrder) {
  expect_order<2, 3>();
  expect_order<2, 4>();
  expect_order<2, 5>();
  expect_order<3, 3>();
  expect_order<3, 4>();
  expect_order<3, 5>();
}

template <int Dim, int P>
void expect_exact_shifts() {
  SCOPED_TRACE(testing::Message() << Dim << "D, order " << P);
  // Two children whose common centre of mass is the origin.
  const Masses<Dim> child = cluster<Dim>(0.4);
  const double shift[] = {0.9, -0.6, 0.5};
  Masses<Dim> all;
  Multipoles<Dim, P> shifted;
  for (const double side : {-1.0, 1.0}) {
    double y[Dim];
    for (int k = 0; k < Dim; ++k) y[k] = side * shift[k];
    add_child_multipoles<Dim, P>(y, multipoles_of<Dim, P>(child).of, shifted.of);
    for (auto mass : child) {
      for (int k = 0; k < Dim; ++k) mass.x[k] += y[k];
      all.push_back(mass);
    }
  }
  const Multipoles<Dim, P> whole = multipoles_of<Dim, P>(all);
  for (int i = 0; i < kMultipoles<Dim, P>; ++i) EXPECT_NEAR(shifted.of[i], whole.of[i], 1e-12) << i;

  double parent[kLocals<Dim, P>], moved[kLocals<Dim, P>] = {}, x[Dim], there[Dim], here[Dim];
  for (int i = 0; i < kLocals<Dim, P>; ++i) parent[i] = std::cos(1.3 * i * i);
  for (int k = 0; k < Dim; ++k) {
    x[k] = shift[k];
    there[k] = 0.3 - 0.2 * k;
    here[k] = x[k] + there[k];
  }
  add_parent_field<Dim, P, true>(x, parent, moved);
  double wanted[Dim + 1] = {}, got[Dim + 1] = {};
  add_field_at<Dim, P, true>(here, parent, wanted);
  add_field_at<Dim, P, true>(there, moved, got);
  for (int k = 0; k <= Dim; ++k) EXPECT_NEAR(got[k], wanted[k], 1e-13) << k;
}

TEST(Expansion, ShiftsAreExact) {
  expect_exact_shifts<2, 3>();
  expect_exact_shifts<2, 4>();
  expect_exact_shifts<2, 5>();
  expect_exact_shifts<3, 3>();
  expect_exact_shifts<3, 4>();
  expect_exact_shifts<3, 5>();
}

/// Largest difference that the basic components alone make to the field of a cluster, relative to its largest component
/// of the same degree; the distance is 3.
template <int P>
std::array<double, P + 1> harmonic_differences(double softening) {
  Multipoles<3, P> multipoles = multipoles_of<3, P>(cluster<3>(0.5));
  const double d[] = {2.1, -1.7, 1.3}, inverse = 1 / std::sqrt(8.99 + softening * softening);
  double exact[kLocals<3, P>] = {}, got[kLocals<3, P>] = {};
  add_far_field<3, P, true>(d, inverse, multipoles.of, exact);
  fold_multipoles<P>(multipoles.of);
  // The others are not read.
  for (int i = kHarmonicMultipoles<P>; i < kMultipoles<3, P>; ++i)
    multipoles.of[kHarmonicFirst<P>[static_cast<std::size_t>(i)]] = NAN;
  add_harmonic_far_field<P, true>(d, inverse, softening * softening, multipoles.of, got);
  complete_harmonic<P>(got);
  std::array<double, P + 1> difference{}, largest{};
  for (int i = 0; i < kLocals<3, P>; ++i) {
    const auto degree = static_cast<std::size_t>(monomial<3>(i).degree());
    difference[degree] = std::max(difference[degree], std::abs(got[i] - exact[i]));
    largest[degree] = std::max(largest[degree], std::abs(exact[i]));
  }
  for (std::size_t degree = 0; degree <= P; ++degree) difference[degree] /= largest[degree];
  return difference;
}

template <int P>
void expect_harmonic() {
  SCOPED_TRACE(testing::Message() << "order " << P);
  for (const double difference : harmonic_differences<P>(0)) EXPECT_LE(difference, 1e-14);
  // Derivatives of degree 2 and 3 are exact at any softening. The rest grows with the square of the softening.
  const auto small = harmonic_differences<P>(0.003), larger = harmonic_differences<P>(0.03);
  EXPECT_LE(small[1], P == 3 ? 1e-14 : 1e-7);
  EXPECT_LE(*std::ranges::max_element(small), P == 3 ? 1e-14 : 3e-5);
  if (P > 3) {
    EXPECT_NEAR(larger[1] / small[1], 100, 1);
    EXPECT_NEAR(larger[P] / small[P], 100, 1);
  }

  const Multipoles<3, P> before = multipoles_of<3, P>(cluster<3>(1));
  Multipoles<3, P> after = before;
  fold_multipoles<P>(after.of);
  unfold_multipoles<P>(after.of);
  for (int i = 0; i < kMultipoles<3, P>; ++i) EXPECT_NEAR(after.of[i], before.of[i], 1e-14) << i;

  // A harmonic field has no traces.
  const double d[] = {1.1, -0.7, 0.9}, inverse = 1 / std::sqrt(2.51);
  double field[kLocals<3, P>] = {}, reduced[kLocals<3, P>] = {};
  add_far_field<3, P, true>(d, inverse, before.of, field);
  add_far_field<3, P, true>(d, inverse, before.of, reduced);
  reduce_to_traces<P>(reduced);
  for (int i = 0; i < kLocals<3, P>; ++i) {
    EXPECT_NEAR(reduced[i], is_basic(monomial<3>(i)) ? field[i] : 0, 1e-12) << i;
  }
  complete_harmonic<P>(reduced);
  for (int i = 0; i < kLocals<3, P>; ++i) EXPECT_NEAR(reduced[i], field[i], 1e-12) << i;
}

TEST(Expansion, HarmonicKernelNeedsOnlyBasicComponents) {
  EXPECT_EQ(kHarmonicMultipoles<5>, 23);
  expect_harmonic<3>();
  expect_harmonic<4>();
  expect_harmonic<5>();
}

TEST(Expansion, MonomialIndicesAreUnique) {
  EXPECT_EQ(monomials_up_to<3>(5), 56);
  EXPECT_EQ(monomials_up_to<2>(5), 21);
  for (int i = 0; i < 56; ++i) EXPECT_EQ(monomial_index<3>(monomial<3>(i)), i);
  for (int i = 0; i < 21; ++i) EXPECT_EQ(monomial_index<2>(monomial<2>(i)), i);
}

}  // namespace
}  // namespace pericenter

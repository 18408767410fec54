#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

// Opening criterion of cell-cell interactions; constexpr, so that SIMD code and CUDA kernels can use it.
namespace pericenter {

/// Powers of two that scale lengths and masses of a tree to the middle of the exponent range, so that high powers of
/// distances neither overflow nor underflow in any scene units. Exact in floating point.
template <class Real>
struct CellUnits {
  Real length = 1, mass = 1;
  Real acceleration = 1, potential = 1;  ///< factors for the results

  /// Units for bodies in a cube of this side.
  static CellUnits of(double side, double softening, double all_mass) {
    const auto power = [](double size, int wanted) {
      int exponent = 0;
      if (size > 0 && std::isfinite(size)) std::frexp(size, &exponent);
      return std::ldexp(1.0, std::clamp(wanted - exponent, -100, 40));
    };
    const double length = power(std::max(side, softening), 10), mass = power(all_mass, 0);
    return {static_cast<Real>(length), static_cast<Real>(mass), static_cast<Real>(length * length / mass),
            static_cast<Real>(length / mass)};
  }
};

/// Expansions do not converge beyond this theta.
inline constexpr double kMaxCellTheta = 1;
/// Number of body pairs that cost as much as one cell-cell interaction; cells with fewer pairs interact body by body.
inline constexpr std::uint32_t kPairsOfCell = 24;

/// Factors for the radii of an inner cell, as a target and as a source, if cells are opened by angle. Nine tenths of
/// the error come from the expansion about the target, and one with many bodies is evaluated once for all of them, so
/// that a smaller error costs little per body.
template <class Real>
struct CellWeights {
  Real target = 1, source = 1;
};
/// On the CPU. Measured with Plummer spheres, uniform cubes and two galaxies of 200,000 to 400,000 bodies: 3 to 6 %
/// less work at equal mean error and 1 to 6 % at an equal 99th percentile; with 1.1 and 1.3, 1.15 and 1.3 or a third
/// step no more.
template <class Real>
constexpr CellWeights<Real> cpu_weights(std::uint32_t bodies) {
  return {bodies <= 64 ? Real(1) : bodies <= 512 ? Real(1.1) : Real(1.25), 1};
}
/// On CUDA, if weighs_cells(). Measured on an H200 with a million bodies, at equal mean error: a uniform cube takes 8 %
/// less time than with cpu_weights(), a Plummer sphere and two galaxies the same. 100,000 bodies take 4 % more than
/// without, because each generation of targets waits for the one before.
template <class Real>
constexpr CellWeights<Real> cuda_weights(std::uint32_t bodies) {
  if (bodies <= 64) return {1, 1};
  return bodies <= 512 ? CellWeights<Real>{Real(1.05), Real(1.05)} : CellWeights<Real>{Real(1.15), Real(1.1)};
}
template <class Real>
constexpr CellWeights<Real> no_weights(std::uint32_t) {
  return {};
}

/// Two cells interact if the spheres around both are small compared with the distance of their centres: b_1 + b_2 <
/// theta d (Dehnen 2002, doi:10.1006/jcph.2002.7026, equation 2). In CellUnits.
///
/// Opening::error uses the largest theta, and requires that the truncation error of order p is small compared with the
/// acceleration a of the target (after Dehnen 2014, doi:10.1186/s40668-014-0001-7). A source of mass m contributes
/// about m / d^2 ((b_1 + b_2) / d)^p. The error from the expansion about the target does not shrink when sources are
/// opened: all sources on one side, which together attract about as strongly as a, contribute a fraction of a (b /
/// d)^p, with b of the target.
template <class Real>
struct CellCriterion {
  Real theta_squared, softening_squared;
  Real allowed = 0;           ///< error over acceleration; 0: angle criterion only
  Real together_squared = 0;  ///< (kTogether / allowed)^2
  int order = 0;

  static constexpr CellCriterion of(double theta, Real softening) {
    const auto capped = static_cast<Real>(std::min(theta, kMaxCellTheta));
    return {capped * capped, softening * softening};
  }
  /// `accuracy`: as in Params; `order`: 3 to 5; `dimension`: 2 or 3.
  static constexpr CellCriterion of_error(double accuracy, int order, int dimension, Real softening) {
    CellCriterion rule = of(kMaxCellTheta, softening);
    const double allowed = kErrorOfAccuracy[dimension - 2][order - 3] * accuracy, together = kTogether / allowed;
    rule.allowed = static_cast<Real>(allowed);
    rule.together_squared = static_cast<Real>(together * together);
    rule.order = order;
    return rule;
  }

  /// About the largest theta at which all that this accepts would be accepted by angle.
  double angle() const {
    if (!by_error()) return std::sqrt(static_cast<double>(theta_squared));
    return 2 / std::pow(static_cast<double>(together_squared), 0.5 / order);
  }
  constexpr bool by_error() const { return allowed > 0; }
  /// Factor for the errors of a target with this acceleration; scaled errors below 1 are accepted.
  constexpr Real strictness(Real acceleration) const { return 1 / (allowed * acceleration); }

  /// `radii`: b_1 + b_2, a scalar or a SIMD vector. True, or all ones, if the cell is accepted.
  template <class T>
  constexpr auto accepts(T radii, T distance_squared) const {
    // Outside this range powers of distances overflow or underflow in single precision; bodies interact pairwise.
    constexpr Real kNearest = Real(1e-6), kFarthest = Real(1e12);
    const T within = distance_squared * theta_squared, softened = distance_squared + softening_squared;
    return (radii * radii < within) & (softened > kNearest) & (softened < kFarthest);
  }

  /// Whether the softening is so small beside the distance that the kernel is taken as harmonic
  /// (add_harmonic_far_field() in expansion.h). Measured with 200,000 bodies of a Plummer sphere and of two galaxies at
  /// theta 0.9 and softenings of 0.02 to 0.1 scale lengths, mean errors are at most 2.3 % larger for it; from 10, 8 and
  /// 6 softening lengths on they would be 8, 12 and 28 % larger.
  template <class T>
  constexpr auto is_harmonic(T distance_squared) const {
    constexpr Real kSofteningLengths = 14;
    return distance_squared > kSofteningLengths * kSofteningLengths * softening_squared;
  }

  /// Whether cells that the angle criterion accepts pass the error criterion. `nearness`: 1 / (d^2 + eps^2); `radius`:
  /// of the target, 0 for a body.
  template <class T>
  constexpr auto is_exact(T radii, T nearness, T masses, Real radius, Real strictness) const {
    const T both = radii * radii * nearness, own = radius * radius * nearness;
    const T alone = masses * nearness * strictness;
    return alone * alone * to_order(both) + together_squared * to_order(own) < Real(1);
  }

  /// x^order
  template <class T>
  constexpr T to_order(T x) const {
    T power = x * x * x;
    if (order > 3) power = power * x;
    if (order > 4) power = power * x;
    return power;
  }

  // Measured with 1e4 to 1e6 bodies of a Plummer sphere, two galaxies, a galaxy and a uniform cube: with these factors
  // the mean error is 0.45 to 1.8 times the accuracy from 1e-3 down to 3e-4. Larger accuracies are not always reached,
  // because theta limits them: at 1e-2 the error is 0.6 to 1.6 times that with order 3, 0.3 to 0.9 with 4, and 0.15 to
  // 0.6 with 5. In 2D order 3 can be off by a factor of three, the others by two.
  static constexpr double kErrorOfAccuracy[2][3] = {{1.5, 3.5, 4}, {5, 7, 9}};  ///< [2D, 3D][order 3, 4, 5]
  static constexpr double kTogether = 0.2;
};

/// Adds the acceleration from a mass at this distance to `acceleration`, unless the distance is below a millionth of
/// the cube (1000 in CellUnits).
template <class Real, int Dim>
constexpr void add_rough_acceleration(const Real (&distance)[Dim], Real mass, Real softening_squared,
                                      Real (&acceleration)[Dim]) {
  Real squared = softening_squared + Real(1e-6);
  for (int k = 0; k < Dim; ++k) squared += distance[k] * distance[k];
  const Real strength = mass / (squared * std::sqrt(squared));
  for (int k = 0; k < Dim; ++k) acceleration[k] += strength * distance[k];
}

}  // namespace pericenter

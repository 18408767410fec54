#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

// Which cells of a tree act on which as wholes; constexpr, so that vector units and CUDA kernels can follow it.
namespace pericenter {

/// Powers of two that bring the lengths and masses of a tree to the middle of what numbers of this precision hold: the
/// high powers of distances neither overflow nor vanish, whatever the units of the scene are. They round nothing.
template <class Real>
struct CellUnits {
  Real length = 1, mass = 1;
  Real acceleration = 1, potential = 1;  ///< what they are multiplied with in the end

  /// For bodies in a cube of this side.
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

/// Expansions converge no farther, whatever theta may be.
inline constexpr double kMostCellTheta = 1;
/// Pairs of bodies that cost as much as one cell that acts on another: fewer interact one by one.
inline constexpr std::uint32_t kPairsOfCell = 24;

/// A cell acts on another when the spheres around both are small against the distance of their centres: b + b < theta
/// d (Dehnen 2002, doi:10.1006/jcph.2002.7026, equation 2). In CellUnits.
template <class Real>
struct CellRule {
  Real theta_squared, softening_squared;

  static constexpr CellRule of(double theta, Real softening) {
    const auto capped = static_cast<Real>(std::min(theta, kMostCellTheta));
    return {capped * capped, softening * softening};
  }

  /// `radii`: b + b; a number, or a vector of them as `T`. True, or all ones, where the cell is accepted.
  template <class T>
  constexpr auto accepts(T radii, T distance_squared) const {
    // Powers of distances beyond these overflow or vanish in single precision; bodies then act one by one.
    constexpr Real kNearest = Real(1e-6), kFarthest = Real(1e12);
    const T within = distance_squared * theta_squared, softened = distance_squared + softening_squared;
    return (radii * radii < within) & (softened > kNearest) & (softened < kFarthest);
  }
};

}  // namespace pericenter

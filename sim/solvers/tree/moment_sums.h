#pragma once

#include <algorithm>

#include "sim/solvers/simd/pair_kernels.h"
#include "sim/solvers/tree/tree_view.h"

// Moments of a cell from its bodies or children; constexpr, so that CUDA kernels can call them.
namespace pericenter {

/// Accumulates mass, centre of mass and second moments of point masses or cells, in double precision.
template <int Dim>
struct MomentSums {
  double mass = 0;
  double first[Dim] = {};
  double second[kMomentCount<Dim>] = {};

  constexpr void add_mass(double m, const double (&x)[Dim]) {
    mass += m;
    for (int k = 0; k < Dim; ++k) first[k] += m * x[k];
  }
  /// `x` relative to the centre of mass.
  constexpr void add_second(double m, const double (&x)[Dim]) {
    int at = 0;
    for (int i = 0; i < Dim; ++i) {
      for (int j = i; j < Dim; ++j) second[at++] += 3 * m * x[i] * x[j];
    }
  }
};

template <class Real, int Dim>
constexpr Real longest_side(const Bounds<Real, Dim>& bounds) {
  Real side = 0;
  for (int k = 0; k < Dim; ++k) side = std::max(side, bounds.high[k] - bounds.low[k]);
  return side;
}

/// The size of a cell that theta is compared with: the longest side of the tight bounds or, if `cell_side` is not 0,
/// the side of the cell. Bodies outside the cube of the keys extend beyond their cell. 0 if all bodies coincide.
template <class Real, int Dim>
constexpr Real opening_size(const Bounds<Real, Dim>& bounds, double cell_side) {
  const Real longest = longest_side(bounds);
  return longest > 0 ? std::max(longest, static_cast<Real>(cell_side)) : 0;
}

/// Centre of mass, or the middle of the bounds if there is no mass or all bodies coincide, where it must be exact.
template <class Real, int Dim>
constexpr void set_center(const MomentSums<Dim>& sums, const Bounds<Real, Dim>& bounds, Real (&center)[Dim]) {
  const bool massive = sums.mass != 0 && longest_side(bounds) > 0;
  for (int k = 0; k < Dim; ++k) {
    center[k] =
        massive ? static_cast<Real>(sums.first[k] / sums.mass) : bounds.low[k] + (bounds.high[k] - bounds.low[k]) / 2;
  }
}

}  // namespace pericenter

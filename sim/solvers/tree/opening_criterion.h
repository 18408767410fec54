#pragma once

#include <algorithm>
#include <limits>

#include "sim/solvers/tree/moment_sums.h"
#include "sim/solvers/tree/tree_view.h"

namespace pericenter {

/// Opening criterion of single-body walks: the smallest squared distance between a body and the centre of mass of a
/// cell at which the cell is not opened. It means size / distance < theta and that no cell acts on its own bodies
/// (Salmon and Warren 1994, doi:10.1006/jcph.1994.1050, describe the errors otherwise). `size`: opening_size(). A cell
/// of coincident bodies is one point at any theta. constexpr, so that CUDA kernels can call it.
template <class Real, int Dim>
constexpr Real opening_squared(const Real (&center)[Dim], const Bounds<Real, Dim>& bounds, Real size, double theta) {
  if (!(size > 0)) return 0;
  if (!(theta > 0)) return std::numeric_limits<Real>::infinity();
  Real farthest_squared = 0;
  for (int k = 0; k < Dim; ++k) {
    const Real reach = std::max(center[k] - bounds.low[k], bounds.high[k] - center[k]);
    farthest_squared += reach * reach;
  }
  // Slightly beyond the farthest corner, so that rounding never accepts a body there.
  const Real reach = size / static_cast<Real>(theta);
  return std::max(farthest_squared * Real(1.0001), reach * reach);
}

/// Instead of opening_squared(), for a leaf that acts as one point at any distance, also on its own bodies.
template <class Real>
inline constexpr Real kNeverOpened = -1;

/// Squared distance of a point from a box, 0 inside.
template <class Real, int Dim>
constexpr Real squared_distance(const Real (&point)[Dim], const Bounds<Real, Dim>& box) {
  Real sum = 0;
  for (int k = 0; k < Dim; ++k) {
    const Real outside = std::max(Real(0), std::max(box.low[k] - point[k], point[k] - box.high[k]));
    sum += outside * outside;
  }
  return sum;
}

/// Opening criterion of group walks: whether a cell of this size is accepted for all bodies of a group at once. The
/// distance is that of the group's box (Barnes 1990, doi:10.1016/0021-9991(90)90232-P). `holds_group`: the bodies of
/// the group are in the cell.
template <class Real>
constexpr bool accepts_for_group(Real size, bool holds_group, Real theta_squared, Real distance_squared) {
  return !holds_group && size * size < theta_squared * distance_squared;
}

}  // namespace pericenter

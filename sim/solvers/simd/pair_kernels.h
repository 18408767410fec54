#pragma once

#include <cstddef>

#include "sim/core/config.h"

namespace pericenter {

/// Lists of sources are padded to a multiple of this many (with zero masses), whatever the instruction set.
inline constexpr std::size_t kSourcePadding = 16;

/// Independent second moments of a cell: xx, xy, yy in the plane; xx, xy, xz, yy, yz, zz in space.
template <int Dim>
inline constexpr int kMomentCount = Dim*(Dim + 1) / 2;

/// Coordinates beyond this are clamped before forces are computed, so that squared distances stay finite.
template <class Real>
inline constexpr Real kFarthest = sizeof(Real) == 4 ? Real(1e15) : Real(1e120);

/// Smallest squared softening that keeps 1/r^3 finite; a body on top of its target then gives exactly 0.
template <class Real>
inline constexpr Real kTinySquare = sizeof(Real) == 4 ? Real(1e-20) : Real(1e-180);

/// Point masses; `count` is a multiple of kSourcePadding.
template <class Real, int Dim>
struct PointList {
  const Real* position[Dim];
  const Real* mass;
  std::size_t count;
};

/// Cells with three times the second moments about their centres of mass, 3 sum m x_i x_j.
template <class Real, int Dim>
struct CellList {
  const Real* position[Dim];
  const Real* mass;
  const Real* moment[kMomentCount<Dim>];
  std::size_t count;
};

/// Bodies to accelerate. Results are added. A kernel leaves alone what it does not compute, and that may be null.
template <class Real, int Dim>
struct TargetBlock {
  const Real* position[Dim];
  Real* acceleration[Dim];
  Real* potential;
  std::size_t count;
};

/// Softened interactions (G = 1) of lists with targets: a = sum m d / (d^2 + eps^2)^(3/2), phi = -sum m / (d^2 +
/// eps^2)^(1/2).
///
/// A source at the place of its target gives no force; its potential counts unless eps = 0. Reciprocal square roots are
/// good to 1e-6 in float. Cells add the second-order term of the expansion of the same softened potential.
///
/// Accelerations and potentials have kernels of their own: in a common one the compiler rounds accelerations otherwise
/// than in one without potentials, and a look at the energy would change the run.
template <class Real, int Dim>
struct PairKernels {
  using Points = void (*)(const PointList<Real, Dim>&, const TargetBlock<Real, Dim>&, Real softening_squared);
  using Cells = void (*)(const CellList<Real, Dim>&, const TargetBlock<Real, Dim>&, Real softening_squared);
  Points points, point_potentials;
  Cells cells, cell_potentials;
};

/// The kernels for one instruction set (`best`: the widest that runs here).
template <class Real, int Dim>
const PairKernels<Real, Dim>& pair_kernels(Simd simd);

}  // namespace pericenter

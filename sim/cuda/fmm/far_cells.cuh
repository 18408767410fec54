#pragma once

#include "sim/cuda/tree/device_tree.cuh"
#include "sim/solvers/fmm/cell_opening_criterion.h"
#include "sim/solvers/fmm/expansion.h"

namespace pericenter {

/// A cell as tested by the cell walk; lengths in cell_unit().
template <class Real>
struct alignas(8 * sizeof(Real)) FarCell {
  Real x, y, z;            ///< centre of mass and of the expansion
  Real radius;             ///< maximum distance of a body of the cell from the centre
  Real mass;               ///< times the gravitational constant
  std::uint32_t children;  ///< NodeLinks::children
  std::uint32_t begin, end;
};

/// Expansion of a cell: centre, mass, then the higher multipoles, padded to whole words of 16 bytes. In single
/// precision the number of words is odd, so lanes that read one record each from shared memory have no bank conflicts.
template <class Real, int P>
inline constexpr int kSourceStride = (3 + kMultipoles<3, P> + 16 / int(sizeof(Real)) - 1) / (16 / int(sizeof(Real))) *
                                     (16 / int(sizeof(Real)));

/// The cells of a tree, one element per node.
template <class Real>
struct FarCells {
  FarCell<Real>* cell;
  Real* source;  ///< kSourceStride per cell
};

/// Factor that scales lengths before expansions are computed: CellUnits::length. Masses are not scaled here.
template <class Real>
__device__ __forceinline__ Real cell_unit(const TreeStatus& status, const Softening<Real>& softening) {
  int exponent = 0;
  frexp(fmax(status.cube_side, double(softening.length)), &exponent);
  return static_cast<Real>(ldexp(1.0, max(-100, min(40, 10 - exponent))));
}

/// Sets tree.bounds, in cell_unit(), and `cells` for expansions of order P, from the leaves to the root. Times
/// Stage::moments.
template <class Real, int P>
void enqueue_far_cells(const DeviceTree<Real>& tree, const FarCells<Real>& cells, const Softening<Real>& softening,
                       std::uint32_t count, Grid grid, StageEvents& events);

}  // namespace pericenter

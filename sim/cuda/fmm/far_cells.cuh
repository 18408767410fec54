#pragma once

#include "sim/cuda/tree/device_tree.cuh"
#include "sim/solvers/fmm/cell_rule.h"
#include "sim/solvers/fmm/expansion.h"

namespace pericenter {

/// A cell as the walk of cells tests it; lengths in cell_unit().
template <class Real>
struct alignas(8 * sizeof(Real)) FarCell {
  Real x, y, z;            ///< centre of mass, about which the cell is expanded
  Real radius;             ///< no body of the cell is farther from there
  Real mass;               ///< times the gravitational constant
  std::uint32_t children;  ///< as NodeLinks has them
  std::uint32_t begin, end;
};

/// What a cell acts with: centre, mass, and then the other multipoles; padded to whole words of 16 bytes. In single
/// precision their number is odd, so that lanes that read a record each from shared memory meet in no bank.
template <class Real, int P>
inline constexpr int kSourceStride = (3 + kMultipoles<3, P> + 16 / int(sizeof(Real)) - 1) / (16 / int(sizeof(Real))) *
                                     (16 / int(sizeof(Real)));

/// The cells of a tree, one element a node.
template <class Real>
struct FarCells {
  FarCell<Real>* cell;
  Real* source;  ///< kSourceStride a cell
};

/// What lengths are multiplied with before expansions are made of them: CellUnits::length, of which masses have no need
/// of their own here.
template <class Real>
__device__ __forceinline__ Real cell_unit(const TreeStatus& status, const Softening<Real>& softening) {
  int exponent = 0;
  frexp(fmax(status.cube_side, double(softening.length)), &exponent);
  return static_cast<Real>(ldexp(1.0, max(-100, min(40, 10 - exponent))));
}

/// Sets tree.bounds, in cell_unit(), and `cells` for expansions of order P, from the leaves towards the root. Marks
/// Stage::moments.
template <class Real, int P>
void enqueue_far_cells(const DeviceTree<Real>& tree, const FarCells<Real>& cells, const Softening<Real>& softening,
                       std::uint32_t count, Grid grid, StageEvents& events);

}  // namespace pericenter

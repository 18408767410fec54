#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/solvers/fmm/cell_opening_criterion.h"
#include "sim/solvers/simd/pair_kernels.h"

namespace pericenter {

/// Values that are read at once from the records of cells.
inline constexpr std::size_t kRecordPadding = 4;
/// Where the multipoles begin in a record.
inline constexpr std::size_t kCenterRoom = 4;

/// Cells that act: of each its centre, and from kCenterRoom on its multipoles (expansion.h), in the order and form of
/// ExpansionKernels::folded. Records are `stride` numbers long, a multiple of kRecordPadding. `cell` is readable up to
/// the next multiple of kSourcePadding.
template <class Real>
struct FarSources {
  const Real* records;
  std::size_t stride;
  const std::uint32_t* cell;
  std::size_t count;
};

/// A cell and its children, whose centres lie next to each other and are readable kSourcePadding beyond the last.
template <class Real, int Dim>
struct SiblingCells {
  Real center[Dim];  ///< centre of the parent
  const Real* child_center[Dim];
  std::size_t count;  ///< number of children
};

/// Numbers in all expansions of one order.
struct ExpansionSize {
  int multipoles, locals;
};

/// Distance between records.
constexpr std::size_t record_stride(const ExpansionSize& size) {
  return kCenterRoom +
         (static_cast<std::size_t>(size.multipoles) + kRecordPadding - 1) / kRecordPadding * kRecordPadding;
}

/// Adds the field of cells to the locals about `center`.
template <class Real>
using FarKernel = void (*)(const FarSources<Real>&, const Real* center, Real softening_squared, Real* locals);
template <class Real>
struct FarKernels {
  FarKernel<Real> fields, field_potentials;
  /// For separations that are CellCriterion::is_harmonic.
  FarKernel<Real> harmonic_fields, harmonic_potentials;
};

/// Expansions of one order, in CellUnits. What has a name with `potential` sets or adds psi, locals[0], alone; all
/// others leave it alone. Both read the same numbers, so that a look at the energy does not change the run.
template <class Real, int Dim>
struct ExpansionKernels {
  ExpansionSize size;
  bool folded;  ///< multipoles in records are folded, in the order of kHarmonicFirst

  /// Sets the multipoles of bodies, in units of the scene, about `center`; returns the square of the largest distance
  /// from it. They are readable kSourcePadding beyond the last.
  Real (*body_multipoles)(const PointList<Real, Dim>&, const CellUnits<Real>&, const Real* center, Real* multipoles);
  /// Sets those of a parent from those of its children, which lie in records as FarSources has them.
  void (*child_multipoles)(const SiblingCells<Real, Dim>&, const FarSources<Real>& children, Real* multipoles);
  FarKernels<Real> far;
  /// Sets the locals of children, `size.locals` apart, to the field of their parent.
  void (*inherited_fields)(const SiblingCells<Real, Dim>&, const Real* locals, Real* of_children);
  void (*inherited_potentials)(const SiblingCells<Real, Dim>&, const Real* locals, Real* of_children);
  /// Adds the field to bodies, in units of the scene; their count is a multiple of kSourcePadding.
  void (*accelerations)(const Real* locals, const Real* center, const CellUnits<Real>&, const TargetBlock<Real, Dim>&);
  void (*potentials)(const Real* locals, const Real* center, const CellUnits<Real>&, const TargetBlock<Real, Dim>&);
};

/// Orders of expansions that there are kernels for.
inline constexpr int kMinOrder = 3, kMaxOrder = 5;

/// The kernels for one instruction set (`best`: the widest that runs here).
template <class Real, int Dim>
const ExpansionKernels<Real, Dim>& expansion_kernels(Simd simd, int order);

}  // namespace pericenter

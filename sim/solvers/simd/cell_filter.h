#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/core/config.h"
#include "sim/solvers/fmm/cell_opening_criterion.h"

namespace pericenter {

/// Arrays of cells are readable this far beyond their ends, and lists are written so far.
inline constexpr std::size_t kCellSlack = 16;

/// All cells of a tree as sources, in CellUnits.
template <class Real, int Dim>
struct CellRow {
  const Real* center[Dim];
  /// Radius of the sphere around the bodies of a cell; with a minus sign in leaves, NaN where there is no mass.
  const Real* reach;
  const Real* mass;
  const std::uint32_t* first_child;
  const std::uint8_t* child_count;  ///< 0 in leaves
};

/// Some of them. Those that a leaf leaves have `cell` only.
template <class Real, int Dim>
struct UndecidedCells {
  Real* center[Dim];
  Real* reach;
  Real* mass;  ///< set where the rule goes by errors
  std::uint32_t* cell;
  std::size_t count = 0;
};

/// The cell that others shall act on.
template <class Real, int Dim>
struct CellTarget {
  Real center[Dim];
  Real radius;
  Real opens;       ///< sources that reach farther are opened; -0.0 in a leaf, which opens all that are not leaves
  Real strictness;  ///< CellCriterion::strictness
  CellCriterion<Real> rule;

  bool is_leaf() const { return __builtin_signbit(opens); }
};

/// Where sources go. Each list has `room` elements, and slack.
template <class Real, int Dim>
struct ClassifiedCells {
  UndecidedCells<Real, Dim> left;  ///< neither accepted nor opened
  std::uint32_t* accepted;         ///< those that are not harmonic
  std::uint32_t* harmonic;         ///< accepted too: CellCriterion::is_harmonic
  std::uint32_t* to_open;
  std::size_t accepted_count = 0, harmonic_count = 0, to_open_count = 0, room = 0;
  std::size_t tested = 0;  ///< cells of the filtered list that have been tested
  std::size_t opened = 0;  ///< cells of `to_open` whose children have been tested
  std::uint64_t visits = 0;
};

/// Filters a list, and the children of what it opens, until it is done (true) or a list is full. Cells without mass are
/// left out.
template <class Real, int Dim>
using CellFilter = bool (*)(const CellTarget<Real, Dim>&, const UndecidedCells<Real, Dim>& list,
                            const CellRow<Real, Dim>& all, ClassifiedCells<Real, Dim>&);

/// The one for an instruction set. All give the same classification.
template <class Real, int Dim>
CellFilter<Real, Dim> cell_filter(Simd simd);

}  // namespace pericenter

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/solvers/fmm/cell_tree.h"

namespace pericenter {

/// A growing list of cells.
template <class Real, int Dim>
class CellBuffer {
 public:
  CellBuffer() { grow(kFirstRoom); }
  CellBuffer(CellBuffer&&) noexcept = default;
  CellBuffer& operator=(CellBuffer&&) noexcept = default;

  void clear() { undecided_.count = 0; }
  void push(std::uint32_t cell, const CellRow<Real, Dim>& row);
  void grow(std::size_t capacity);
  std::size_t capacity() const { return capacity_; }
  const UndecidedCells<Real, Dim>& undecided() const { return undecided_; }
  UndecidedCells<Real, Dim>& undecided() { return undecided_; }

 private:
  static constexpr std::size_t kFirstRoom = 512;

  std::size_t capacity_ = 0;
  std::vector<Real> numbers_[Dim + 2];
  std::vector<std::uint32_t> cells_;
  UndecidedCells<Real, Dim> undecided_;
};

/// Data that a target cell passes to its children: the field of all cells that interact with it, and the list of
/// undecided cells.
template <class Real, int Dim>
struct CellField {
  CellBuffer<Real, Dim> left;
  std::vector<Real> locals;
  std::vector<Real> of_children;  ///< the same field about the centre of each child
  std::uint64_t acted = 0;        ///< number of cells that interact with it or with one of its ancestors

  const Real* of_child(std::size_t child) const { return &of_children[child * locals.size()]; }
};

/// Cells that act on a target.
struct ActingCells {
  std::vector<std::uint32_t> cell;  ///< readable up to the next multiple of kSourcePadding beyond `count`
  std::size_t count = 0;
};

/// Finds the interactions of target cells. One object per thread.
///
/// Each target classifies the undecided cells of its parent: cells that the rule accepts interact through expansions;
/// larger cells are opened (in a leaf, all cells that can be); the rest remains undecided for the children, or
/// interacts body by body in a leaf. The lists are those of the dual tree walk of Dehnen (2002,
/// doi:10.1006/jcph.2002.7026), one-sided, so that no cell is written by two tasks.
template <class Real, int Dim>
class CellWalk {
 public:
  CellWalk(const CellTree<Real, Dim>& cells, CellFilter<Real, Dim> filter, const CellCriterion<Real>& rule)
      : cells_(cells), filter_(filter), rule_(rule) {}

  /// Sets `left` to the undecided cells, and the cells that act.
  void resolve(std::uint32_t cell, const UndecidedCells<Real, Dim>& of_parent, CellBuffer<Real, Dim>& left);
  /// Cells that interact with the last target through expansions: those near it in softening lengths,
  const ActingCells& accepted() const { return accepted_; }
  /// and those for which the kernel is harmonic.
  const ActingCells& harmonic() const { return harmonic_; }
  std::size_t acting_count() const { return accepted_.count + harmonic_.count; }
  /// Accepted cells of a leaf with so few bodies that pairwise interactions are cheaper.
  const std::vector<std::uint32_t>& small() const { return small_; }
  std::uint64_t visits() const { return visits_; }

 private:
  void part_small(std::uint32_t leaf, ActingCells& acting);

  const CellTree<Real, Dim>& cells_;
  const CellFilter<Real, Dim> filter_;
  const CellCriterion<Real> rule_;
  ActingCells accepted_, harmonic_;
  std::vector<std::uint32_t> to_open_, small_;
  std::uint64_t visits_ = 0;
};

}  // namespace pericenter

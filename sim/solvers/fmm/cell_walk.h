#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/core/work_counts.h"
#include "sim/solvers/fmm/cell_tree.h"

namespace pericenter {

/// A list of cells that grows.
template <class Real, int Dim>
class CellBuffer {
 public:
  CellBuffer() { grow(kFirstRoom); }
  CellBuffer(CellBuffer&&) = default;
  CellBuffer& operator=(CellBuffer&&) = default;

  void clear() { undecided_.count = 0; }
  void push(std::uint32_t cell, const CellRow<Real, Dim>& row);
  void grow(std::size_t room);
  std::size_t room() const { return room_; }
  const UndecidedCells<Real, Dim>& undecided() const { return undecided_; }
  UndecidedCells<Real, Dim>& undecided() { return undecided_; }

 private:
  static constexpr std::size_t kFirstRoom = 512;

  std::size_t room_ = 0;
  std::vector<Real> numbers_[Dim + 2];
  std::vector<std::uint32_t> cells_;
  UndecidedCells<Real, Dim> undecided_;
};

/// What a target cell hands down: the field of all cells that act on it as wholes, and the list of those that may act
/// on its children.
template <class Real, int Dim>
struct CellField {
  CellBuffer<Real, Dim> left;
  std::vector<Real> locals;
  std::vector<Real> of_children;  ///< the same field about the centre of each child
  std::uint64_t acted = 0;        ///< cells that act on it, or on a cell that it lies in

  const Real* of_child(std::size_t child) const { return &of_children[child * locals.size()]; }
};

/// Finds what acts on one cell after the other. One a thread.
///
/// A cell goes through what its parent has left: what the rule accepts acts on it as a whole; what reaches farther than
/// it does is opened, and in a leaf all that can be; the rest is left to its children, or acts body by body on those of
/// a leaf. The lists are those of Dehnen's mutual walk (2002, doi:10.1006/jcph.2002.7026), seen from one side: no cell
/// is written by two tasks.
template <class Real, int Dim>
class CellWalk {
 public:
  CellWalk(const CellTree<Real, Dim>& cells, CellFilter<Real, Dim> filter, const CellRule<Real>& rule)
      : cells_(cells), filter_(filter), rule_(rule) {}

  /// Sets `left` to what is left of the list, and accepted().
  void resolve(std::uint32_t cell, const UndecidedCells<Real, Dim>& of_parent, CellBuffer<Real, Dim>& left);
  /// Cells that act on the last one as wholes; readable up to the next multiple of kSourcePadding.
  const std::vector<std::uint32_t>& accepted() const { return accepted_; }
  /// How many those are.
  std::size_t accepted_count() const { return accepted_count_; }
  /// In a leaf: those that the rule accepts, but that have so few bodies that these act one by one.
  const std::vector<std::uint32_t>& small() const { return small_; }
  std::uint64_t visits() const { return visits_; }

 private:
  void part_small(std::uint32_t leaf);

  const CellTree<Real, Dim>& cells_;
  const CellFilter<Real, Dim> filter_;
  const CellRule<Real> rule_;
  std::vector<std::uint32_t> accepted_, to_open_, small_;
  std::size_t accepted_count_ = 0;
  std::uint64_t visits_ = 0;
};

}  // namespace pericenter

#include "sim/solvers/fmm/cell_walk.h"

#include <algorithm>

namespace pericenter {

template <class Real, int Dim>
void CellBuffer<Real, Dim>::grow(std::size_t capacity) {
  capacity_ = capacity;
  for (auto& component : numbers_) component.resize(capacity + kCellSlack);
  cells_.resize(capacity + kCellSlack);
  for (int k = 0; k < Dim; ++k) undecided_.center[k] = numbers_[k].data();
  undecided_.reach = numbers_[Dim].data();
  undecided_.mass = numbers_[Dim + 1].data();
  undecided_.cell = cells_.data();
}

template <class Real, int Dim>
void CellBuffer<Real, Dim>::push(std::uint32_t cell, const CellRow<Real, Dim>& row) {
  if (undecided_.count == capacity_) grow(2 * capacity_);
  for (int k = 0; k < Dim; ++k) undecided_.center[k][undecided_.count] = row.center[k][cell];
  undecided_.reach[undecided_.count] = row.reach[cell];
  undecided_.mass[undecided_.count] = row.mass[cell];
  undecided_.cell[undecided_.count++] = cell;
}

template <class Real, int Dim>
void CellWalk<Real, Dim>::resolve(std::uint32_t cell, const UndecidedCells<Real, Dim>& of_parent,
                                  CellBuffer<Real, Dim>& left) {
  left.clear();
  const CellTarget<Real, Dim> target = cells_.target(cell, rule_);
  ClassifiedCells<Real, Dim> classified{left.undecided(), nullptr, nullptr, nullptr};
  for (bool done = false; !done;) {
    classified.room = left.capacity();
    for (auto* list : {&accepted_.cell, &harmonic_.cell, &to_open_}) list->resize(classified.room + kCellSlack);
    classified.accepted = accepted_.cell.data();
    classified.harmonic = harmonic_.cell.data();
    classified.to_open = to_open_.data();
    done = filter_(target, of_parent, cells_.row(), classified);
    left.undecided().count = classified.left.count;
    if (done) break;
    left.grow(2 * left.capacity());
    classified.left = left.undecided();
  }
  visits_ += classified.visits;
  accepted_.count = classified.accepted_count;
  harmonic_.count = classified.harmonic_count;
  small_.clear();
  for (ActingCells* acting : {&accepted_, &harmonic_}) {
    if (cells_.is_leaf(cell)) part_small(cell, *acting);
    std::fill_n(acting->cell.begin() + static_cast<std::ptrdiff_t>(acting->count), kCellSlack, 0u);
  }
}

template <class Real, int Dim>
void CellWalk<Real, Dim>::part_small(std::uint32_t leaf, ActingCells& acting) {
  const std::uint32_t most = (kPairsOfCell - 1) / cells_.bodies(leaf).count;
  if (most < 2) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < acting.count; ++i) {
    if (cells_.bodies(acting.cell[i]).count <= most) {
      small_.push_back(acting.cell[i]);
    } else {
      acting.cell[kept++] = acting.cell[i];
    }
  }
  acting.count = kept;
}

#define PERICENTER_INSTANTIATE(Real, Dim) \
  template class CellBuffer<Real, Dim>;   \
  template class CellWalk<Real, Dim>;
PERICENTER_INSTANTIATE(float, 2)
PERICENTER_INSTANTIATE(float, 3)
PERICENTER_INSTANTIATE(double, 2)
PERICENTER_INSTANTIATE(double, 3)
#undef PERICENTER_INSTANTIATE

}  // namespace pericenter

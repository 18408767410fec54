#include "sim/solvers/fmm/near_field.h"

#include <algorithm>
#include <cstring>

#include "sim/solvers/cpu_solver.h"

namespace pericenter {
namespace {

template <class Real>
void copy_block(const Real* from, Real* to) {
  std::memcpy(to, from, kSourcePadding * sizeof(Real));
}

}  // namespace

template <class Real, int Dim>
void NearField<Real, Dim>::set_targets(const CellBodies& leaf) {
  target_count_ = leaf.count;
  point_count_ = sources_ = 0;
  const std::size_t padded_size = padded(target_count_, kSourcePadding);
  for (int k = 0; k < Dim; ++k) {
    const auto x = tree_.position[k].subspan(leaf.begin, target_count_);
    target_position_[k].assign(x.begin(), x.end());
    target_position_[k].resize(padded_size, x.back());
  }
  for (auto& result : results_) result.assign(padded_size, Real(0));
}

template <class Real, int Dim>
void NearField<Real, Dim>::add_sources(const CellBodies& cell) {
  const std::size_t count = cell.coincide ? 1 : cell.count;
  sources_ += count;
  for (std::size_t done = 0; done < count;) {
    if (point_count_ == kPoints) flush();
    const std::size_t now = std::min({count - done, kPoints - point_count_, kSourcePadding});
    const std::size_t at = cell.begin + done;
    for (int k = 0; k < Dim; ++k) copy_block(tree_.position[k].data() + at, point_position_[k] + point_count_);
    copy_block(tree_.mass.data() + at, point_mass_ + point_count_);
    point_count_ += now;
    done += now;
  }
  if (!cell.coincide) return;
  double mass = 0;
  for (std::uint32_t i = 0; i < cell.count; ++i) mass += static_cast<double>(tree_.mass[cell.begin + i]);
  point_mass_[point_count_ - 1] = static_cast<Real>(mass);
}

template <class Real, int Dim>
void NearField<Real, Dim>::flush() {
  const std::size_t padded_size = padded(point_count_, kSourcePadding);
  for (std::size_t i = point_count_; i < padded_size; ++i) {
    for (int k = 0; k < Dim; ++k) point_position_[k][i] = 0;
    point_mass_[i] = 0;
  }
  PointList<Real, Dim> list{{}, point_mass_, padded_size};
  for (int k = 0; k < Dim; ++k) list.position[k] = point_position_[k];
  TargetBlock<Real, Dim> block = targets();
  block.count = target_count_;
  kernels_.points(list, block, softening_squared_);
  if (with_potential_) kernels_.point_potentials(list, block, softening_squared_);
  point_count_ = 0;
}

template <class Real, int Dim>
TargetBlock<Real, Dim> NearField<Real, Dim>::targets() {
  TargetBlock<Real, Dim> block{{}, {}, results_[Dim].data(), results_[Dim].size()};
  for (int k = 0; k < Dim; ++k) {
    block.position[k] = target_position_[k].data();
    block.acceleration[k] = results_[k].data();
  }
  return block;
}

template class NearField<float, 2>;
template class NearField<float, 3>;
template class NearField<double, 2>;
template class NearField<double, 3>;

}  // namespace pericenter

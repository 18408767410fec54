#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/solvers/fmm/cell_tree.h"
#include "sim/solvers/simd/pair_kernels.h"
#include "sim/solvers/tree/tree_view.h"

namespace pericenter {

/// Forces of bodies on those of one leaf, one by one. One a thread.
template <class Real, int Dim>
class NearSum {
 public:
  NearSum(const TreeView<Real, Dim>& tree, const PairKernels<Real, Dim>& kernels, Real softening_squared,
          bool with_potential)
      : tree_(tree), kernels_(kernels), softening_squared_(softening_squared), with_potential_(with_potential) {}

  /// Begins with the bodies of a leaf.
  void set_targets(const CellBodies& leaf);
  /// Adds all bodies of a cell; those that coincide are one point, of all their mass.
  void add_sources(const CellBodies& cell);
  /// Evaluates what was added since the last time.
  void flush();

  /// The results so far, to be added to; their count is a multiple of kSourcePadding.
  TargetBlock<Real, Dim> targets();
  Real acceleration(int k, std::size_t i) const { return results_[k][i]; }
  Real potential(std::size_t i) const { return results_[Dim][i]; }
  /// Pairs of bodies since set_targets(), for each target.
  std::uint64_t sources() const { return sources_; }

 private:
  static constexpr std::size_t kPoints = 1024;  ///< a list that fits the first-level cache

  const TreeView<Real, Dim>& tree_;
  const PairKernels<Real, Dim>& kernels_;
  const Real softening_squared_;
  const bool with_potential_;
  std::size_t target_count_ = 0, point_count_ = 0;
  std::uint64_t sources_ = 0;
  std::vector<Real> target_position_[Dim];
  std::vector<Real> results_[Dim + 1];
  // Copies go in whole blocks, the last of which may be empty but for one body.
  Real point_position_[Dim][kPoints + kSourcePadding], point_mass_[kPoints + kSourcePadding];
};

}  // namespace pericenter

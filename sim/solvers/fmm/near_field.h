#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/solvers/fmm/cell_tree.h"
#include "sim/solvers/simd/pair_kernels.h"
#include "sim/solvers/tree/tree_view.h"

namespace pericenter {

/// Near field (P2P) of one leaf. One object per thread.
template <class Real, int Dim>
class NearField {
 public:
  NearField(const TreeView<Real, Dim>& tree, const PairKernels<Real, Dim>& kernels, Real softening_squared,
            bool with_potential)
      : tree_(tree), kernels_(kernels), softening_squared_(softening_squared), with_potential_(with_potential) {}

  /// Starts a new sum over the bodies of a leaf.
  void set_targets(const CellBodies& leaf);
  /// Adds all bodies of a cell; coincident bodies become one point mass.
  void add_sources(const CellBodies& cell);
  /// Loads the bodies of a cell into the cache.
  void prefetch(const CellBodies& cell) const {
    constexpr std::size_t kLine = 64 / sizeof(Real);
    for (std::size_t i = cell.begin; i < cell.begin + cell.count; i += kLine) {
      for (int k = 0; k < Dim; ++k) __builtin_prefetch(&tree_.position[k][i]);
      __builtin_prefetch(&tree_.mass[i]);
    }
  }
  /// Evaluates the sources added since the last flush.
  void flush();

  /// Current results, to which more may be added; padded to a multiple of kSourcePadding.
  TargetBlock<Real, Dim> targets();
  Real acceleration(int k, std::size_t i) const { return results_[k][i]; }
  Real potential(std::size_t i) const { return results_[Dim][i]; }
  /// Sources per target since set_targets().
  std::uint64_t sources() const { return sources_; }

 private:
  static constexpr std::size_t kPoints = 1024;  ///< a list that fits the L1 cache

  const TreeView<Real, Dim>& tree_;
  const PairKernels<Real, Dim>& kernels_;
  const Real softening_squared_;
  const bool with_potential_;
  std::size_t target_count_ = 0, point_count_ = 0;
  std::uint64_t sources_ = 0;
  std::vector<Real> target_position_[Dim];
  std::vector<Real> results_[Dim + 1];
  // Padded, because bodies are copied in whole blocks.
  Real point_position_[Dim][kPoints + kSourcePadding], point_mass_[kPoints + kSourcePadding];
};

}  // namespace pericenter

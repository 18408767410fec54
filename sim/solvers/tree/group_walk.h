#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/core/work_counts.h"
#include "sim/solvers/simd/pair_kernels.h"
#include "sim/solvers/tree/tree_view.h"

namespace pericenter {

/// Bodies that lie together and share one walk.
template <class Real, int Dim>
struct BodyGroup {
  std::uint32_t begin, end;
  Bounds<Real, Dim> bounds;
};

/// Cuts the bodies of a tree into groups of at most `group_size`: whole cells, with neighbouring cells of one parent
/// joined unless it has many bodies more (kMaxParentRatio).
template <class Real, int Dim>
std::vector<BodyGroup<Real, Dim>> make_groups(const TreeView<Real, Dim>& tree, std::uint32_t group_size);

struct WalkSettings {
  double theta = 0.7;
  double softening = 0;
  Multipole multipole = Multipole::quadrupole;
  bool with_potential = false;
};

/// One group's walk: lists of far cells and near bodies, evaluated as they fill. One a thread.
///
/// A cell is accepted when size / distance < theta, from its centre of mass to the nearest point of the group (Barnes
/// 1990, doi:10.1016/0021-9991(90)90232-P), and never when it holds the group. Bodies that all coincide are one point
/// at any theta.
template <class Real, int Dim>
class GroupWalk {
 public:
  GroupWalk(const TreeView<Real, Dim>& tree, const PairKernels<Real, Dim>& kernels, const WalkSettings& settings);

  /// Forces on the bodies of `group`. `results(i)` afterwards holds those of body group.begin + i.
  WorkCounts run(const BodyGroup<Real, Dim>& group);

  Real acceleration(int k, std::size_t i) const { return results_[k][i]; }
  Real potential(std::size_t i) const { return results_[Dim][i]; }

 private:
  void set_targets(const BodyGroup<Real, Dim>& group);
  void add_point(const Real (&position)[Dim], Real mass);
  void add_bodies(std::uint32_t begin, std::uint32_t end);
  void add_cell(std::uint32_t node);
  void flush_points();
  void flush_cells();
  TargetBlock<Real, Dim> targets();

  static constexpr std::size_t kPoints = 1024, kCells = 512;  ///< lists that fit the first-level cache

  const TreeView<Real, Dim>& tree_;
  const PairKernels<Real, Dim>& kernels_;
  const WalkSettings settings_;
  WorkCounts counts_;
  std::size_t target_count_ = 0, point_count_ = 0, cell_count_ = 0;
  std::vector<Real> target_position_[Dim];
  std::vector<Real> results_[Dim + 1];
  Real point_position_[Dim][kPoints], point_mass_[kPoints];
  Real cell_position_[Dim][kCells], cell_mass_[kCells], cell_moment_[kMomentCount<Dim>][kCells];
};

}  // namespace pericenter

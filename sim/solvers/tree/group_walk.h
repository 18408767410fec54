#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/core/work_counts.h"
#include "sim/solvers/simd/pair_kernels.h"
#include "sim/solvers/tree/tree_view.h"

namespace pericenter {

/// Adjacent bodies that share one walk.
template <class Real, int Dim>
struct BodyGroup {
  std::uint32_t begin, end;
  Bounds<Real, Dim> bounds;
};

/// Cuts the bodies of a tree into groups of at most `group_size`: whole cells; neighbouring cells are joined unless
/// their parent has many more bodies (kMaxParentRatio).
template <class Real, int Dim>
std::vector<BodyGroup<Real, Dim>> make_groups(const TreeView<Real, Dim>& tree, std::uint32_t group_size);

struct WalkSettings {
  double theta = 0.7;
  double softening = 0;
  Multipole multipole = Multipole::quadrupole;
  bool with_potential = false;
  bool leaf_points = false;  ///< LeafForce::point; single-body walks only
};

/// Walk of one group: lists of distant cells and nearby bodies, evaluated when full. One object per thread.
///
/// A cell is accepted if size / distance < theta, from its centre of mass to the nearest point of the group (Barnes
/// 1990, doi:10.1016/0021-9991(90)90232-P), and never if it contains the group. A cell of coincident bodies is one
/// point at any theta.
template <class Real, int Dim>
class GroupWalk {
 public:
  GroupWalk(const TreeView<Real, Dim>& tree, const PairKernels<Real, Dim>& kernels, const WalkSettings& settings);

  /// Computes the forces on the bodies of `group`; acceleration(k, i) and potential(i) return those of body
  /// group.begin + i.
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

  static constexpr std::size_t kPoints = 1024, kCells = 512;  ///< lists that fit the L1 cache

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

#include "sim/solvers/tree/group_walk.h"

#include <algorithm>
#include <utility>

#include "sim/solvers/cpu_solver.h"
#include "sim/solvers/tree/opening_criterion.h"

namespace pericenter {
namespace {

template <class Real, int Dim>
Bounds<Real, Dim> bounds_of(const TreeView<Real, Dim>& tree, std::uint32_t begin, std::uint32_t end) {
  Bounds<Real, Dim> bounds;
  for (int k = 0; k < Dim; ++k) {
    const auto [low, high] = std::minmax_element(tree.position[k].begin() + begin, tree.position[k].begin() + end);
    bounds.low[k] = *low;
    bounds.high[k] = *high;
  }
  return bounds;
}

template <class Real, int Dim>
void join(Bounds<Real, Dim>& bounds, const Bounds<Real, Dim>& other) {
  for (int k = 0; k < Dim; ++k) {
    bounds.low[k] = std::min(bounds.low[k], other.low[k]);
    bounds.high[k] = std::max(bounds.high[k], other.high[k]);
  }
}

/// Cuts the bodies of consecutive cells into groups.
template <class Real, int Dim>
class GroupMaker {
 public:
  GroupMaker(const TreeView<Real, Dim>& tree, std::uint32_t group_size) : tree_(tree), group_size_(group_size) {}

  /// Adds all bodies of a node whose parent has `bodies_of_parent` bodies.
  void add(std::uint32_t index, std::uint32_t bodies_of_parent) {
    const TreeNode<Real, Dim>& node = tree_.nodes[index];
    const std::uint32_t bodies = node.end - node.begin;
    if (bodies > group_size_) {
      node.first_child != 0 ? add_children(node) : add_pieces(node);
      can_join_ = false;
    } else if (can_join_ && bodies_of_parent <= kMaxParentRatio * group_size_ &&
               open_bodies() + bodies <= group_size_) {
      groups.back().end = node.end;
      join(groups.back().bounds, tree_.bounds[index]);
    } else {
      groups.push_back({node.begin, node.end, tree_.bounds[index]});
      can_join_ = true;
    }
  }

  std::vector<BodyGroup<Real, Dim>> groups;

 private:
  std::uint32_t open_bodies() const { return groups.back().end - groups.back().begin; }

  void add_children(const TreeNode<Real, Dim>& node) {
    can_join_ = false;
    for (std::uint32_t child = node.first_child; child != node.next; child = tree_.nodes[child].next) {
      add(child, node.end - node.begin);
    }
  }

  void add_pieces(const TreeNode<Real, Dim>& leaf) {
    for (std::uint32_t begin = leaf.begin; begin < leaf.end; begin += group_size_) {
      const std::uint32_t end = std::min(begin + group_size_, leaf.end);
      groups.push_back({begin, end, bounds_of(tree_, begin, end)});
    }
  }

  const TreeView<Real, Dim>& tree_;
  const std::uint32_t group_size_;
  bool can_join_ = false;  ///< the last group has siblings of the next node
};

}  // namespace

template <class Real, int Dim>
std::vector<BodyGroup<Real, Dim>> make_groups(const TreeView<Real, Dim>& tree, std::uint32_t group_size) {
  GroupMaker<Real, Dim> maker(tree, group_size);
  if (!tree.nodes.empty()) maker.add(0, 0);
  return std::move(maker.groups);
}

template <class Real, int Dim>
GroupWalk<Real, Dim>::GroupWalk(const TreeView<Real, Dim>& tree, const PairKernels<Real, Dim>& kernels,
                                const WalkSettings& settings)
    : tree_(tree), kernels_(kernels), settings_(settings) {}

template <class Real, int Dim>
WorkCounts GroupWalk<Real, Dim>::run(const BodyGroup<Real, Dim>& group) {
  counts_ = {};
  set_targets(group);
  const Real theta_squared = static_cast<Real>(settings_.theta * settings_.theta);
  for (std::uint32_t i = 0; i != kNoNode;) {
    const TreeNode<Real, Dim>& node = tree_.nodes[i];
    ++counts_.node_visits;
    const bool holds_group = node.begin <= group.begin && group.end <= node.end;
    if (node.size == 0) {
      add_point(node.center_of_mass, tree_.moments[i].mass);
      i = node.next;
    } else if (accepts_for_group(node.size, holds_group, theta_squared,
                                 squared_distance(node.center_of_mass, group.bounds))) {
      add_cell(i);
      i = node.next;
    } else if (node.first_child == 0) {
      add_bodies(node.begin, node.end);
      i = node.next;
    } else {
      i = node.first_child;
    }
  }
  flush_points();
  flush_cells();
  if (settings_.with_potential) {
    for (std::uint32_t i = group.begin; i < group.end; ++i) {
      results_[Dim][i - group.begin] -= self_potential(tree_.mass[i], static_cast<Real>(settings_.softening));
    }
  }
  return counts_;
}

template <class Real, int Dim>
void GroupWalk<Real, Dim>::set_targets(const BodyGroup<Real, Dim>& group) {
  target_count_ = group.end - group.begin;
  for (int k = 0; k < Dim; ++k) {
    const auto x = tree_.position[k].subspan(group.begin, target_count_);
    target_position_[k].assign(x.begin(), x.end());
  }
  for (auto& result : results_) result.assign(target_count_, Real(0));
}

template <class Real, int Dim>
void GroupWalk<Real, Dim>::add_point(const Real (&position)[Dim], Real mass) {
  if (point_count_ == kPoints) flush_points();
  for (int k = 0; k < Dim; ++k) point_position_[k][point_count_] = position[k];
  point_mass_[point_count_++] = mass;
}

template <class Real, int Dim>
void GroupWalk<Real, Dim>::add_bodies(std::uint32_t begin, std::uint32_t end) {
  while (begin < end) {
    if (point_count_ == kPoints) flush_points();
    const std::size_t count = std::min<std::size_t>(end - begin, kPoints - point_count_);
    for (int k = 0; k < Dim; ++k) std::copy_n(&tree_.position[k][begin], count, point_position_[k] + point_count_);
    std::copy_n(&tree_.mass[begin], count, point_mass_ + point_count_);
    point_count_ += count;
    begin += static_cast<std::uint32_t>(count);
  }
}

template <class Real, int Dim>
void GroupWalk<Real, Dim>::add_cell(std::uint32_t node) {
  const TreeNode<Real, Dim>& cell = tree_.nodes[node];
  const NodeMoments<Real, Dim>& moments = tree_.moments[node];
  if (settings_.multipole == Multipole::monopole) {
    // A monopole is evaluated as a body and counted as a cell.
    add_point(cell.center_of_mass, moments.mass);
    counts_.cell_interactions += target_count_;
    counts_.body_interactions -= target_count_;
    return;
  }
  if (cell_count_ == kCells) flush_cells();
  for (int k = 0; k < Dim; ++k) cell_position_[k][cell_count_] = cell.center_of_mass[k];
  for (int k = 0; k < kMomentCount<Dim>; ++k) cell_moment_[k][cell_count_] = moments.moment[k];
  cell_mass_[cell_count_++] = moments.mass;
}

template <class Real, int Dim>
TargetBlock<Real, Dim> GroupWalk<Real, Dim>::targets() {
  TargetBlock<Real, Dim> block{{}, {}, results_[Dim].data(), results_[Dim].size()};
  for (int k = 0; k < Dim; ++k) {
    block.position[k] = target_position_[k].data();
    block.acceleration[k] = results_[k].data();
  }
  return block;
}

template <class Real, int Dim>
void GroupWalk<Real, Dim>::flush_points() {
  counts_.body_interactions += point_count_ * target_count_;
  const Real nowhere[Dim] = {};
  while (point_count_ % kSourcePadding != 0) add_point(nowhere, 0);
  PointList<Real, Dim> list{{}, point_mass_, point_count_};
  for (int k = 0; k < Dim; ++k) list.position[k] = point_position_[k];
  const Real softening = static_cast<Real>(settings_.softening);
  kernels_.points(list, targets(), softening * softening);
  if (settings_.with_potential) kernels_.point_potentials(list, targets(), softening * softening);
  point_count_ = 0;
}

template <class Real, int Dim>
void GroupWalk<Real, Dim>::flush_cells() {
  counts_.cell_interactions += cell_count_ * target_count_;
  for (; cell_count_ % kSourcePadding != 0; ++cell_count_) {
    // Pads with the last position: at a target without softening, powers of 1/R would overflow.
    for (int k = 0; k < Dim; ++k) cell_position_[k][cell_count_] = cell_position_[k][cell_count_ - 1];
    for (int k = 0; k < kMomentCount<Dim>; ++k) cell_moment_[k][cell_count_] = 0;
    cell_mass_[cell_count_] = 0;
  }
  CellList<Real, Dim> list{{}, cell_mass_, {}, cell_count_};
  for (int k = 0; k < Dim; ++k) list.position[k] = cell_position_[k];
  for (int k = 0; k < kMomentCount<Dim>; ++k) list.moment[k] = cell_moment_[k];
  const Real softening = static_cast<Real>(settings_.softening);
  kernels_.cells(list, targets(), softening * softening);
  if (settings_.with_potential) kernels_.cell_potentials(list, targets(), softening * softening);
  cell_count_ = 0;
}

#define PERICENTER_INSTANTIATE(Real, Dim)                                                            \
  template std::vector<BodyGroup<Real, Dim>> make_groups(const TreeView<Real, Dim>&, std::uint32_t); \
  template class GroupWalk<Real, Dim>;
PERICENTER_INSTANTIATE(float, 2)
PERICENTER_INSTANTIATE(float, 3)
PERICENTER_INSTANTIATE(double, 2)
PERICENTER_INSTANTIATE(double, 3)
#undef PERICENTER_INSTANTIATE

}  // namespace pericenter

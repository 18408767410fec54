#include "sim/solvers/tree/tree_builder.h"

#include <algorithm>

#include "sim/core/huge_pages.h"
#include "sim/core/stage_clock.h"
#include "sim/solvers/cpu_solver.h"
#include "sim/solvers/parallel_loops.h"
#include "sim/solvers/tree/moment_sums.h"

namespace pericenter {

template <class Real, int Dim>
void TreeBuilder<Real, Dim>::build(const BodyArrays<Real, Dim>& bodies, Real gravity, StageTimings& timings) {
  nodes_.clear();
  levels_.clear();
  generations_.assign(1, 0);
  {
    const StageClock clock(timings, Stage::bounds);
    cube_ = key_cube(bodies, parallel_);
  }
  {
    const StageClock clock(timings, Stage::keys);
    resize_scattered(order_, bodies.size());
    make_keys(bodies);
  }
  if (!order_.empty()) link(timings);
  {
    const StageClock clock(timings, Stage::sort);
    gather(bodies, gravity);
  }
  {
    const StageClock clock(timings, Stage::build);
    find_parents();
  }
  const StageClock clock(timings, Stage::moments);
  moments_.resize(nodes_.size());
  bounds_.resize(nodes_.size());
  make_moments();
}

template <class Real, int Dim>
void TreeBuilder<Real, Dim>::make_keys(const BodyArrays<Real, Dim>& bodies) {
  const KeyGrid<Dim> grid(cube_);
  parallel_chunks(parallel_, Tasks::independent, 0, bodies.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      Real position[Dim];
      for (int k = 0; k < Dim; ++k) position[k] = bodies.position[k][i];
      order_[i] = {grid.key(position), static_cast<std::uint32_t>(i)};
    }
  });
}

template <class Real, int Dim>
void TreeBuilder<Real, Dim>::gather(const BodyArrays<Real, Dim>& bodies, Real gravity) {
  constexpr std::size_t kAhead = 40;
  const std::size_t padded_size = bodies.size() + kSourcePadding;
  for (auto& component : position_) resize_scattered(component, padded_size);
  resize_scattered(mass_, padded_size);
  resize_scattered(records_, bodies.size());
  parallel_chunks(parallel_, Tasks::independent, 0, bodies.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const Source<Real, Dim> source = source_of(bodies, i, gravity);
      for (int k = 0; k < Dim; ++k) records_[i].vector[k] = source.position[k];
      records_[i].number = source.mass;
    }
  });
  parallel_chunks(parallel_, Tasks::independent, 0, bodies.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      __builtin_prefetch(&records_[order_[std::min(i + kAhead, last - 1)].index]);
      const BodyRecord<Real, Dim>& record = records_[order_[i].index];
      for (int k = 0; k < Dim; ++k) position_[k][i] = record.vector[k];
      mass_[i] = record.number;
    }
  });
}

template <class Real, int Dim>
void TreeBuilder<Real, Dim>::find_parents() {
  parents_.resize(nodes_.size());
  if (!parents_.empty()) parents_[0] = kNoNode;
  parallel_chunks(parallel_, Tasks::independent, 0, nodes_.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      if (nodes_[i].first_child == 0) continue;
      for (std::uint32_t child = nodes_[i].first_child; child != nodes_[i].next; child = nodes_[child].next) {
        parents_[child] = static_cast<std::uint32_t>(i);
      }
    }
  });
}

template <class Real, int Dim>
TreeView<Real, Dim> TreeBuilder<Real, Dim>::view() const {
  TreeView<Real, Dim> view{nodes_, parents_, moments_, bounds_, {}, {mass_.data(), size()}, generations_};
  for (int k = 0; k < Dim; ++k) view.position[k] = {position_[k].data(), size()};
  return view;
}

template <class Real, int Dim>
std::vector<std::uint32_t> TreeBuilder<Real, Dim>::insertion_order() const {
  const std::span<const KeyIndex> bodies = inserted();
  std::vector<std::uint32_t> place(bodies.size()), order(bodies.size());
  parallel_chunks(parallel_, Tasks::independent, 0, bodies.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) place[original(i)] = static_cast<std::uint32_t>(i);
  });
  parallel_chunks(parallel_, Tasks::independent, 0, bodies.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) order[i] = place[bodies[i].index];
  });
  return order;
}

template <class Real, int Dim>
void TreeBuilder<Real, Dim>::boxes(int first_level, int last_level, std::size_t limit,
                                   std::vector<TreeBox>& out) const {
  for (std::size_t i = 0; i < nodes_.size() && limit > 0; ++i) {
    const int level = levels_[i];
    if (level < first_level || level > last_level) continue;
    out.push_back(box(i));
    --limit;
  }
}

template <class Real, int Dim>
TreeBox TreeBuilder<Real, Dim>::box(std::size_t node) const {
  return cell_box(cube_, order_[nodes_[node].begin].key, levels_[node]);
}

template <class Real, int Dim>
int TreeBuilder<Real, Dim>::levels() const {
  return nodes_.empty() ? 0 : 1 + *std::max_element(levels_.begin(), levels_.end());
}

template <class Real, int Dim>
void TreeBuilder<Real, Dim>::make_moments() {
  for (std::size_t generation = generations_.size() - 1; generation > 0; --generation) {
    parallel_chunks<kCellChunk>(parallel_, Tasks::independent, generations_[generation - 1], generations_[generation],
                                [&](std::size_t begin, std::size_t end) {
                                  for (std::size_t i = begin; i < end; ++i) {
                                    const auto node = static_cast<std::uint32_t>(i);
                                    nodes_[i].first_child == 0 ? leaf_moments(node) : inner_moments(node);
                                  }
                                });
  }
}

/// The size of a node whose bounds are known. The smallest cell of a chain counts: it is one level above the children.
template <class Real, int Dim>
Real TreeBuilder<Real, Dim>::size_of(std::uint32_t index) const {
  if (cell_size_ == CellSize::box) return opening_size(bounds_[index], 0);
  const std::uint32_t child = nodes_[index].first_child;
  return opening_size(bounds_[index], cell_side(cube_.side, child == 0 ? levels_[index] : levels_[child] - 1));
}

template <class Real, int Dim>
void TreeBuilder<Real, Dim>::leaf_moments(std::uint32_t index) {
  TreeNode<Real, Dim>& node = nodes_[index];
  Bounds<Real, Dim>& bounds = bounds_[index];
  MomentSums<Dim> sums;
  for (int k = 0; k < Dim; ++k) bounds.low[k] = bounds.high[k] = position_[k][node.begin];
  for (std::uint32_t i = node.begin; i < node.end; ++i) {
    double x[Dim];
    for (int k = 0; k < Dim; ++k) {
      bounds.low[k] = std::min(bounds.low[k], position_[k][i]);
      bounds.high[k] = std::max(bounds.high[k], position_[k][i]);
      x[k] = static_cast<double>(position_[k][i]);
    }
    sums.add_mass(static_cast<double>(mass_[i]), x);
  }
  node.size = size_of(index);
  set_center(sums, bounds, node.center_of_mass);
  for (std::uint32_t i = node.begin; second_moments_ && i < node.end; ++i) {
    double x[Dim];
    for (int k = 0; k < Dim; ++k) x[k] = static_cast<double>(position_[k][i] - node.center_of_mass[k]);
    sums.add_second(static_cast<double>(mass_[i]), x);
  }
  moments_[index].mass = static_cast<Real>(sums.mass);
  for (int k = 0; k < kMomentCount<Dim>; ++k) moments_[index].moment[k] = static_cast<Real>(sums.second[k]);
}

template <class Real, int Dim>
void TreeBuilder<Real, Dim>::inner_moments(std::uint32_t index) {
  TreeNode<Real, Dim>& node = nodes_[index];
  Bounds<Real, Dim>& bounds = bounds_[index];
  MomentSums<Dim> sums;
  bounds = bounds_[node.first_child];
  for (std::uint32_t child = node.first_child; child != node.next; child = nodes_[child].next) {
    double x[Dim];
    for (int k = 0; k < Dim; ++k) {
      bounds.low[k] = std::min(bounds.low[k], bounds_[child].low[k]);
      bounds.high[k] = std::max(bounds.high[k], bounds_[child].high[k]);
      x[k] = static_cast<double>(nodes_[child].center_of_mass[k]);
    }
    sums.add_mass(static_cast<double>(moments_[child].mass), x);
  }
  node.size = size_of(index);
  set_center(sums, bounds, node.center_of_mass);
  for (std::uint32_t child = node.first_child; second_moments_ && child != node.next; child = nodes_[child].next) {
    double x[Dim];
    for (int k = 0; k < Dim; ++k) x[k] = static_cast<double>(nodes_[child].center_of_mass[k] - node.center_of_mass[k]);
    sums.add_second(static_cast<double>(moments_[child].mass), x);
    for (int k = 0; k < kMomentCount<Dim>; ++k) sums.second[k] += static_cast<double>(moments_[child].moment[k]);
  }
  moments_[index].mass = static_cast<Real>(sums.mass);
  for (int k = 0; k < kMomentCount<Dim>; ++k) moments_[index].moment[k] = static_cast<Real>(sums.second[k]);
}

template class TreeBuilder<float, 2>;
template class TreeBuilder<float, 3>;
template class TreeBuilder<double, 2>;
template class TreeBuilder<double, 3>;

}  // namespace pericenter

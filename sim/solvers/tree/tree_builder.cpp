#include "sim/solvers/tree/tree_builder.h"

#include <algorithm>

#include "sim/core/parallel.h"
#include "sim/core/stage_clock.h"
#include "sim/solvers/cpu_solver.h"

namespace pericenter {

template <class Real, int Dim>
void TreeBuilder<Real, Dim>::build(const BodyArrays<Real, Dim>& bodies, Real gravity, StageTimings& timings) {
  nodes_.clear();
  levels_.clear();
  generations_.assign(1, 0);
  {
    const StageClock clock(timings, Stage::bounds);
    cube_ = key_cube(bodies);
  }
  {
    const StageClock clock(timings, Stage::keys);
    order_.resize(bodies.size());
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
  parallel_chunks(0, bodies.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      Real position[Dim];
      for (int k = 0; k < Dim; ++k) position[k] = bodies.position[k][i];
      order_[i] = {grid.key(position), static_cast<std::uint32_t>(i)};
    }
  });
}

template <class Real, int Dim>
void TreeBuilder<Real, Dim>::gather(const BodyArrays<Real, Dim>& bodies, Real gravity) {
  constexpr std::size_t kAhead = 16;
  const std::size_t padded_size = bodies.size() + kSourcePadding;
  for (auto& component : position_) component.resize(padded_size);
  mass_.resize(padded_size);
  records_.resize(bodies.size());
  parallel_chunks(0, bodies.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const Source<Real, Dim> source = source_of(bodies, i, gravity);
      for (int k = 0; k < Dim; ++k) records_[i].vector[k] = source.position[k];
      records_[i].number = source.mass;
    }
  });
  parallel_chunks(0, bodies.size(), [&](std::size_t first, std::size_t last) {
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
  parallel_chunks(0, nodes_.size(), [&](std::size_t first, std::size_t last) {
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
  parallel_chunks(0, bodies.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) place[original(i)] = static_cast<std::uint32_t>(i);
  });
  parallel_chunks(0, bodies.size(), [&](std::size_t first, std::size_t last) {
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

template class TreeBuilder<float, 2>;
template class TreeBuilder<float, 3>;
template class TreeBuilder<double, 2>;
template class TreeBuilder<double, 3>;

}  // namespace pericenter

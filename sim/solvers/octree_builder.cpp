#include "sim/solvers/octree_builder.h"

#include <algorithm>

#include "sim/parallel.h"
#include "sim/solvers/cpu_solver.h"
#include "sim/solvers/morton.h"

namespace pericenter {

template <class Real, int Dim>
void OctreeBuilder<Real, Dim>::build(const BodyArrays<Real, Dim>& bodies, Real gravity, StageTimings& timings) {
  {
    const StageClock clock(timings, Stage::bounds);
    cube_ = key_cube(bodies);
  }
  {
    const StageClock clock(timings, Stage::keys);
    make_keys(bodies);
  }
  {
    const StageClock clock(timings, Stage::sort);
    radix_sort(order_, sort_scratch_);
    gather(bodies, gravity);
  }
  {
    const StageClock clock(timings, Stage::build);
    link();
  }
  const StageClock clock(timings, Stage::moments);
  make_moments();
}

template <class Real, int Dim>
void OctreeBuilder<Real, Dim>::make_keys(const BodyArrays<Real, Dim>& bodies) {
  order_.resize(bodies.size());
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
void OctreeBuilder<Real, Dim>::gather(const BodyArrays<Real, Dim>& bodies, Real gravity) {
  for (auto& component : position_) component.resize(bodies.size());
  mass_.resize(bodies.size());
  parallel_chunks(0, bodies.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const Source<Real, Dim> source = source_of(bodies, order_[i].index, gravity);
      for (int k = 0; k < Dim; ++k) position_[k][i] = source.position[k];
      mass_[i] = source.mass;
    }
  });
}

template <class Real, int Dim>
void OctreeBuilder<Real, Dim>::link() {
  nodes_.clear();
  levels_.assign(1, 0);
  generations_.assign(1, 0);
  if (order_.empty()) return;
  nodes_.push_back({{}, 0, 0, kNoNode, 0, static_cast<std::uint32_t>(order_.size())});
  for (std::size_t first = 0; first < nodes_.size();) {
    const std::size_t last = nodes_.size();
    generations_.push_back(last);
    split_generation(first, last);
    first = last;
  }
}

template <class Real, int Dim>
void OctreeBuilder<Real, Dim>::split_generation(std::size_t first, std::size_t last) {
  constexpr unsigned kChildren = 1u << Dim;
  using Ends = std::array<std::uint32_t, kChildren>;
  struct Split {
    Ends ends;
    std::uint8_t children = 0, level = 0;
  };
  std::vector<Split> splits(last - first);
  parallel_chunks(first, last, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const TreeNode<Real, Dim>& node = nodes_[i];
      const int level = common_level<Dim>(order_[node.begin].key, order_[node.end - 1].key);
      if (node.end - node.begin <= leaf_size_ || level == kKeyLevels<Dim>) continue;
      Split& split = splits[i - first];
      split.level = static_cast<std::uint8_t>(level);
      std::uint32_t at = node.begin;
      for (unsigned child = 0; child < kChildren; ++child) {
        const auto after =
            std::partition_point(order_.begin() + at, order_.begin() + node.end,
                                 [&](const KeyIndex& item) { return morton_digit<Dim>(item.key, level) <= child; });
        const auto child_end = static_cast<std::uint32_t>(after - order_.begin());
        if (child_end > at) ++split.children;
        split.ends[child] = at = child_end;
      }
    }
  });
  std::size_t total = last;
  for (std::size_t i = first; i < last; ++i) {
    const std::size_t children = splits[i - first].children;
    nodes_[i].first_child = children > 0 ? static_cast<std::uint32_t>(total) : 0;
    total += children;
  }
  nodes_.resize(total);
  levels_.resize(total);
  parallel_chunks(first, last, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (nodes_[i].first_child == 0) continue;
      std::uint32_t child = nodes_[i].first_child, at = nodes_[i].begin;
      for (const std::uint32_t child_end : splits[i - first].ends) {
        if (child_end == at) continue;
        levels_[child] = static_cast<std::uint8_t>(splits[i - first].level + 1);
        nodes_[child] = {{}, 0, 0, child + 1, at, child_end};
        at = child_end;
        ++child;
      }
      nodes_[child - 1].next = nodes_[i].next;
    }
  });
}

template <class Real, int Dim>
TreeView<Real, Dim> OctreeBuilder<Real, Dim>::view() const {
  TreeView<Real, Dim> view{nodes_, moments_, bounds_, {}, mass_};
  for (int k = 0; k < Dim; ++k) view.position[k] = position_[k];
  return view;
}

template <class Real, int Dim>
void OctreeBuilder<Real, Dim>::boxes(int first_level, int last_level, std::size_t limit,
                                     std::vector<TreeBox>& out) const {
  for (std::size_t i = 0; i < nodes_.size() && limit > 0; ++i) {
    const int level = levels_[i];
    if (level < first_level || level > last_level) continue;
    out.push_back(cell_box(cube_, order_[nodes_[i].begin].key, level));
    --limit;
  }
}

template <class Real, int Dim>
int OctreeBuilder<Real, Dim>::levels() const {
  return nodes_.empty() ? 0 : 1 + *std::max_element(levels_.begin(), levels_.end());
}

template class OctreeBuilder<float, 2>;
template class OctreeBuilder<float, 3>;
template class OctreeBuilder<double, 2>;
template class OctreeBuilder<double, 3>;

}  // namespace pericenter

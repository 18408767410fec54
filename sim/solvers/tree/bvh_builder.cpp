#include <algorithm>
#include <bit>
#include <span>

#include "sim/core/space_filling_curves.h"
#include "sim/core/stage_clock.h"
#include "sim/solvers/parallel_loops.h"
#include "sim/solvers/tree/tree_builder.h"

namespace pericenter {
namespace {

/// Balanced binary hierarchy over the bodies in Hilbert order, built level by level; boxes may overlap.
///
/// Node i of a level has the bodies i * size to (i + 1) * size, where size is a power of two; the last node of a level
/// may have fewer.
template <class Real, int Dim>
class BvhBuilder final : public TreeBuilder<Real, Dim> {
 public:
  TreeBox box(std::size_t node) const override { return bounds_box(this->bounds_[node], this->levels_[node]); }

 private:
  void make_keys(const BodyArrays<Real, Dim>& bodies) override;
  void link(StageTimings& timings) override;
  void halve(std::size_t index, std::size_t first_child);

  std::vector<KeyIndex> sort_scratch_;
};

template <class Real, int Dim>
void BvhBuilder<Real, Dim>::make_keys(const BodyArrays<Real, Dim>& bodies) {
  const KeyGrid<Dim> grid(this->cube_);
  parallel_chunks(this->parallel_, Tasks::independent, 0, bodies.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      Real position[Dim];
      for (int k = 0; k < Dim; ++k) position[k] = bodies.position[k][i];
      std::uint32_t cell[Dim] = {};
      grid.find_cell(position, cell);
      this->order_[i] = {hilbert_key<Dim>(cell), static_cast<std::uint32_t>(i)};
    }
  });
}

template <class Real, int Dim>
void BvhBuilder<Real, Dim>::link(StageTimings& timings) {
  {
    const StageClock clock(timings, Stage::sort);
    if (this->parallel_ == Parallel::standard) {
      standard_sort(this->order_);
    } else {
      radix_sort(this->order_, sort_scratch_);
    }
  }
  const StageClock clock(timings, Stage::build);
  const auto count = static_cast<std::uint32_t>(this->order_.size());
  this->nodes_.resize(2 * std::size_t(count) - 1);
  this->levels_.resize(this->nodes_.size());
  this->nodes_[0] = {{}, 0, 0, kNoNode, 0, count};
  for (std::size_t first = 0, last = 1; first < last;) {
    this->generations_.push_back(last);
    // No node is larger than its left neighbour, so the leaves of a generation are its last nodes.
    const auto generation = std::span(this->nodes_).subspan(first, last - first);
    const auto leaves = std::partition_point(generation.begin(), generation.end(),
                                             [](const auto& node) { return node.end - node.begin > 1; });
    const auto inner = static_cast<std::size_t>(leaves - generation.begin());
    parallel_chunks(this->parallel_, Tasks::independent, first, first + inner, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) halve(i, last + 2 * (i - first));
    });
    first = last;
    last += 2 * inner;
  }
}

/// Creates the two children of a node; chains of single children are skipped.
template <class Real, int Dim>
void BvhBuilder<Real, Dim>::halve(std::size_t index, std::size_t first_child) {
  TreeNode<Real, Dim>& node = this->nodes_[index];
  const auto left = static_cast<std::uint32_t>(first_child), right = left + 1;
  const std::uint32_t bodies = node.end - node.begin;
  const std::uint32_t middle = node.begin + std::bit_ceil(bodies) / 2;
  node.first_child = left;
  this->nodes_[left] = {{}, 0, 0, right, node.begin, middle};
  this->nodes_[right] = {{}, 0, 0, node.next, middle, node.end};
  const auto height = [](std::size_t count) { return std::bit_width(count - 1); };
  const auto level = height(this->order_.size()) - height(bodies) + 1;
  this->levels_[left] = this->levels_[right] = static_cast<std::uint8_t>(level);
}

}  // namespace

extern const SolverFactory<TreeBuilder> kBvhTree = solver_factory<TreeBuilder, BvhBuilder>();

}  // namespace pericenter

#include <algorithm>

#include "sim/core/parallel.h"
#include "sim/core/space_filling_curves.h"
#include "sim/core/stage_clock.h"
#include "sim/solvers/tree/node_split.h"
#include "sim/solvers/tree/tree_builder.h"

namespace pericenter {
namespace {

/// The children of a cell are the runs of sorted Morton keys with the same next digit (Warren and Salmon 1993,
/// doi:10.1145/169627.169640).
template <class Real, int Dim>
class SortedBuilder : public TreeBuilder<Real, Dim> {
 public:
  explicit SortedBuilder(const Config&) : SortedBuilder(kLeafSize) {}
  explicit SortedBuilder(std::uint32_t leaf_size) : leaf_size_{.bodies = leaf_size} {}

 protected:
  /// Leaf size in a tree of `count` bodies.
  virtual LeafSize leaf_size(std::size_t /*count*/) const { return leaf_size_; }

 private:
  void link(StageTimings& timings) override;
  NodeSplit<Dim> split(const TreeNode<Real, Dim>& node) const;

  const LeafSize leaf_size_;
  std::vector<KeyIndex> sort_scratch_;
};

template <class Real, int Dim>
void SortedBuilder<Real, Dim>::link(StageTimings& timings) {
  {
    const StageClock clock(timings, Stage::sort);
    radix_sort(this->order_, sort_scratch_);
  }
  const StageClock clock(timings, Stage::build);
  auto& nodes = this->nodes_;
  this->levels_.assign(1, 0);
  nodes.assign(1, {{}, 0, 0, kNoNode, 0, static_cast<std::uint32_t>(this->order_.size())});
  std::vector<NodeSplit<Dim>> splits;
  for (std::size_t first = 0; first < nodes.size(); first = this->generations_.back()) {
    const std::size_t last = nodes.size();
    this->generations_.push_back(last);
    splits.resize(last - first);
    parallel_chunks<kCellChunk>(first, last, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) splits[i - first] = split(nodes[i]);
    });
    add_children(splits, nodes, this->levels_);
  }
}

template <class Real, int Dim>
NodeSplit<Dim> SortedBuilder<Real, Dim>::split(const TreeNode<Real, Dim>& node) const {
  const auto& order = this->order_;
  NodeSplit<Dim> split;
  const int level = common_level<Dim>(order[node.begin].key, order[node.end - 1].key);
  if (node.end - node.begin <= leaf_size(order.size()).at(level) || level == kKeyLevels<Dim>) return split;
  split.level = static_cast<std::uint8_t>(level);
  std::uint32_t at = node.begin;
  for (unsigned child = 0; child < split.ends.size(); ++child) {
    const auto after = std::partition_point(order.begin() + at, order.begin() + node.end, [&](const KeyIndex& item) {
      return morton_digit<Dim>(item.key, level) <= child;
    });
    const auto child_end = static_cast<std::uint32_t>(after - order.begin());
    if (child_end > at) ++split.children;
    split.ends[child] = at = child_end;
  }
  return split;
}

}  // namespace

/// Uses the leaf size for cell-cell interactions, whose expansions replace the second moments.
template <class Real, int Dim>
class CoarseBuilder final : public SortedBuilder<Real, Dim> {
 public:
  explicit CoarseBuilder(const Config& config) : SortedBuilder<Real, Dim>(config), backend_(config.backend) {
    this->second_moments_ = false;
  }

 private:
  LeafSize leaf_size(std::size_t count) const override { return coarse_leaf_sizes(backend_, count); }

  const Backend backend_;
};

extern const SolverFactory<TreeBuilder> kSortedTree = solver_factory<TreeBuilder, SortedBuilder>();
extern const SolverFactory<TreeBuilder> kCoarseTree = solver_factory<TreeBuilder, CoarseBuilder>();

template <class Real, int Dim>
std::unique_ptr<TreeBuilder<Real, Dim>> make_sorted_builder(std::uint32_t leaf_size) {
  return std::make_unique<SortedBuilder<Real, Dim>>(leaf_size);
}
template std::unique_ptr<TreeBuilder<float, 2>> make_sorted_builder(std::uint32_t);
template std::unique_ptr<TreeBuilder<float, 3>> make_sorted_builder(std::uint32_t);
template std::unique_ptr<TreeBuilder<double, 2>> make_sorted_builder(std::uint32_t);
template std::unique_ptr<TreeBuilder<double, 3>> make_sorted_builder(std::uint32_t);

}  // namespace pericenter

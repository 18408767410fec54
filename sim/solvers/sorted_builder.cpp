#include <algorithm>

#include "sim/parallel.h"
#include "sim/solvers/morton.h"
#include "sim/solvers/tree_builder.h"

namespace pericenter {
namespace {

/// A cell's children are the runs of its sorted Morton keys that share the next digit (Warren and Salmon 1993,
/// doi:10.1145/169627.169640).
template <class Real, int Dim>
class SortedBuilder final : public TreeBuilder<Real, Dim> {
 public:
  explicit SortedBuilder(const Config&) : SortedBuilder(kLeafSize) {}
  explicit SortedBuilder(std::uint32_t leaf_size) : leaf_size_(leaf_size) {}

 private:
  void link(StageTimings& timings) override;
  void split_generation(std::size_t first, std::size_t last);

  const std::uint32_t leaf_size_;
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
  this->generations_.assign(1, 0);
  nodes.assign(1, {{}, 0, 0, kNoNode, 0, static_cast<std::uint32_t>(this->order_.size())});
  for (std::size_t first = 0; first < nodes.size();) {
    const std::size_t last = nodes.size();
    this->generations_.push_back(last);
    split_generation(first, last);
    first = last;
  }
}

template <class Real, int Dim>
void SortedBuilder<Real, Dim>::split_generation(std::size_t first, std::size_t last) {
  constexpr unsigned kChildren = 1u << Dim;
  using Ends = std::array<std::uint32_t, kChildren>;
  struct Split {
    Ends ends;
    std::uint8_t children = 0, level = 0;
  };
  std::vector<Split> splits(last - first);
  parallel_chunks(first, last, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const TreeNode<Real, Dim>& node = this->nodes_[i];
      const int level = common_level<Dim>(this->order_[node.begin].key, this->order_[node.end - 1].key);
      if (node.end - node.begin <= leaf_size_ || level == kKeyLevels<Dim>) continue;
      Split& split = splits[i - first];
      split.level = static_cast<std::uint8_t>(level);
      std::uint32_t at = node.begin;
      for (unsigned child = 0; child < kChildren; ++child) {
        const auto after =
            std::partition_point(this->order_.begin() + at, this->order_.begin() + node.end,
                                 [&](const KeyIndex& item) { return morton_digit<Dim>(item.key, level) <= child; });
        const auto child_end = static_cast<std::uint32_t>(after - this->order_.begin());
        if (child_end > at) ++split.children;
        split.ends[child] = at = child_end;
      }
    }
  });
  std::size_t total = last;
  for (std::size_t i = first; i < last; ++i) {
    const std::size_t children = splits[i - first].children;
    this->nodes_[i].first_child = children > 0 ? static_cast<std::uint32_t>(total) : 0;
    total += children;
  }
  this->nodes_.resize(total);
  this->levels_.resize(total);
  parallel_chunks(first, last, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (this->nodes_[i].first_child == 0) continue;
      std::uint32_t child = this->nodes_[i].first_child, at = this->nodes_[i].begin;
      for (const std::uint32_t child_end : splits[i - first].ends) {
        if (child_end == at) continue;
        this->levels_[child] = static_cast<std::uint8_t>(splits[i - first].level + 1);
        this->nodes_[child] = {{}, 0, 0, child + 1, at, child_end};
        at = child_end;
        ++child;
      }
      this->nodes_[child - 1].next = this->nodes_[i].next;
    }
  });
}

}  // namespace

extern const Makers<TreeBuilder> kSortedTree;
const Makers<TreeBuilder> kSortedTree = makers_of<TreeBuilder, SortedBuilder>();

template <class Real, int Dim>
std::unique_ptr<TreeBuilder<Real, Dim>> make_sorted_builder(std::uint32_t leaf_size) {
  return std::make_unique<SortedBuilder<Real, Dim>>(leaf_size);
}
template std::unique_ptr<TreeBuilder<float, 2>> make_sorted_builder(std::uint32_t);
template std::unique_ptr<TreeBuilder<float, 3>> make_sorted_builder(std::uint32_t);
template std::unique_ptr<TreeBuilder<double, 2>> make_sorted_builder(std::uint32_t);
template std::unique_ptr<TreeBuilder<double, 3>> make_sorted_builder(std::uint32_t);

}  // namespace pericenter

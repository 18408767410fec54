#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/solvers/parallel_loops.h"
#include "sim/solvers/tree/insertion_tree.h"
#include "sim/solvers/tree/node_split.h"
#include "sim/solvers/tree/tree_builder.h"

namespace pericenter {

/// Base of the builders that insert bodies: memory for an InsertionTree, and its conversion to nodes.
template <class Real, int Dim>
class ChildArrayTreeBuilder : public TreeBuilder<Real, Dim> {
 public:
  std::span<const KeyIndex> inserted() const override { return inserted_; }

 protected:
  using Tree = InsertionTree<Dim>;

  /// Sets order_, nodes_, levels_ and generations_. `insert(tree)` must insert bodies 0 to order_.size() - 1, as
  /// numbered by the current order_. Bodies of one leaf end up in input order.
  ///
  /// The number of groups depends on the bodies only, not on the order of insertion. If the pool is too small, it is
  /// enlarged and all bodies are inserted again; at kMaxGroups bodies share leaves.
  template <class Insert>
  void link_slots(int depth, const Insert& insert);

 private:
  static constexpr std::uint32_t kSlots = 1u << Dim;  ///< slots in a group
  /// Limit of the 32-bit slot indices.
  static constexpr std::size_t kMaxGroups = 0xFFFFFFFFu >> Dim;

  void clear(std::size_t groups);
  std::uint32_t used_groups() const;
  void count_bodies();
  void arrive(std::uint32_t group, std::uint32_t slots);
  std::uint32_t bodies_in(std::uint32_t content) const;
  void link_nodes();
  NodeSplit<Dim> split(std::size_t node);
  void fill_leaf(const TreeNode<Real, Dim>& node, std::uint32_t first_body);
  void pass_contents(std::size_t node);

  std::vector<KeyIndex> inserted_;  ///< the bodies in the numbering of the tree
  std::vector<std::uint64_t> key_;
  std::vector<std::uint32_t> next_in_leaf_;
  std::vector<std::uint32_t> slot_;
  std::vector<std::uint32_t> parent_, group_bodies_, arrivals_;  ///< one per group
  std::uint32_t groups_used_ = 0;
  std::vector<std::uint32_t> content_;  ///< content of the slot of each node
};

template <class Real, int Dim>
template <class Insert>
void ChildArrayTreeBuilder<Real, Dim>::link_slots(int depth, const Insert& insert) {
  const std::size_t count = this->order_.size();
  inserted_.swap(this->order_);
  this->order_.resize(count);
  key_.resize(count);
  next_in_leaf_.resize(count);
  parallel_chunks(this->parallel_, Tasks::independent, 0, count, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) key_[i] = inserted_[i].key;
  });
  // N random keys make N / ln(2^Dim) inner cells, at any density (Knuth, The Art of Computer Programming, section 6.3):
  // 0.72 N in 2D, 0.48 N in 3D. Only pairs much closer than their neighbours need more, up to kKeyLevels each.
  std::size_t groups = std::max(parent_.size(), std::min(count + kKeyLevels<Dim>, kMaxGroups));
  for (;;) {
    clear(groups);
    insert(Tree{slot_.data(), parent_.data(), next_in_leaf_.data(), &groups_used_, static_cast<std::uint32_t>(groups),
                key_.data(), depth});
    if (groups_used_ <= groups || groups == kMaxGroups) break;
    groups = std::min(2 * groups, kMaxGroups);
  }
  count_bodies();
  link_nodes();
}

/// Allocates `groups` groups; only those of the last tree have to be cleared.
template <class Real, int Dim>
void ChildArrayTreeBuilder<Real, Dim>::clear(std::size_t groups) {
  const std::size_t used_slots = slot_.empty() ? 0 : Tree::first_slot(used_groups());
  parallel_chunks(this->parallel_, Tasks::independent, 0, used_slots, [&](std::size_t first, std::size_t last) {
    std::fill(&slot_[first], &slot_[first] + (last - first), Tree::kEmpty);
  });
  slot_.resize(1 + groups * kSlots, Tree::kEmpty);
  parent_.resize(groups);
  groups_used_ = 0;
}

template <class Real, int Dim>
std::uint32_t ChildArrayTreeBuilder<Real, Dim>::used_groups() const {
  return static_cast<std::uint32_t>(std::min<std::size_t>(groups_used_, parent_.size()));
}

/// Sets group_bodies_, from the leaves up.
template <class Real, int Dim>
void ChildArrayTreeBuilder<Real, Dim>::count_bodies() {
  group_bodies_.resize(used_groups());
  arrivals_.assign(used_groups(), 0);
  parallel_chunks(this->parallel_, Tasks::coupled, 0, used_groups(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const auto group = static_cast<std::uint32_t>(i);
      const std::uint32_t* const slot = &slot_[Tree::first_slot(group)];
      const auto known =
          std::count_if(slot, slot + kSlots, [](std::uint32_t content) { return !Tree::is_group(content); });
      if (known > 0) arrive(group, static_cast<std::uint32_t>(known));
    }
  });
}

/// Reports that the body counts of `slots` more slots of `group` are known. The last reporting thread sums them and
/// continues with the parent.
template <class Real, int Dim>
void ChildArrayTreeBuilder<Real, Dim>::arrive(std::uint32_t group, std::uint32_t slots) {
  while (std::atomic_ref(arrivals_[group]).fetch_add(slots, std::memory_order_acq_rel) + slots == kSlots) {
    std::uint32_t bodies = 0;
    for (std::uint32_t s = 0; s < kSlots; ++s) bodies += bodies_in(slot_[Tree::first_slot(group) + s]);
    group_bodies_[group] = bodies;
    if (parent_[group] == 0) return;
    group = (parent_[group] - 1) >> Dim;
    slots = 1;
  }
}

template <class Real, int Dim>
std::uint32_t ChildArrayTreeBuilder<Real, Dim>::bodies_in(std::uint32_t content) const {
  if (content == Tree::kEmpty) return 0;
  if (Tree::is_group(content)) return group_bodies_[content];
  std::uint32_t bodies = 0;
  for (std::uint32_t body = content & ~Tree::kBody; body != Tree::kNoBody; body = next_in_leaf_[body]) ++bodies;
  return bodies;
}

template <class Real, int Dim>
void ChildArrayTreeBuilder<Real, Dim>::link_nodes() {
  this->nodes_.assign(1, {{}, 0, 0, kNoNode, 0, static_cast<std::uint32_t>(inserted_.size())});
  this->levels_.assign(1, 0);
  content_.assign(1, slot_[0]);
  std::vector<NodeSplit<Dim>> splits;
  for (std::size_t first = 0; first < this->nodes_.size(); first = this->generations_.back()) {
    const std::size_t last = this->nodes_.size();
    this->generations_.push_back(last);
    splits.resize(last - first);
    parallel_chunks(this->parallel_, Tasks::independent, first, last, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) splits[i - first] = split(i);
    });
    add_children(splits, this->nodes_, this->levels_);
    content_.resize(this->nodes_.size());
    parallel_chunks(this->parallel_, Tasks::independent, first, last, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) pass_contents(i);
    });
  }
}

/// Follows a chain of cells with one child to a cell with several children, or to a leaf, whose bodies it sets.
template <class Real, int Dim>
NodeSplit<Dim> ChildArrayTreeBuilder<Real, Dim>::split(std::size_t node) {
  NodeSplit<Dim> split;
  split.level = this->levels_[node];
  std::uint32_t& content = content_[node];
  for (; Tree::is_group(content); ++split.level) {
    const std::uint32_t* const slot = &slot_[Tree::first_slot(content)];
    split.children = static_cast<std::uint8_t>(kSlots - std::count(slot, slot + kSlots, Tree::kEmpty));
    if (split.children > 1) {
      std::uint32_t at = this->nodes_[node].begin;
      for (std::uint32_t s = 0; s < kSlots; ++s) split.ends[s] = at += bodies_in(slot[s]);
      return split;
    }
    content = *std::find_if(slot, slot + kSlots, [](std::uint32_t child) { return child != Tree::kEmpty; });
  }
  split.children = 0;
  fill_leaf(this->nodes_[node], content & ~Tree::kBody);
  return split;
}

template <class Real, int Dim>
void ChildArrayTreeBuilder<Real, Dim>::fill_leaf(const TreeNode<Real, Dim>& node, std::uint32_t first_body) {
  KeyIndex* const begin = &this->order_[node.begin];
  KeyIndex* end = begin;
  for (std::uint32_t body = first_body; body != Tree::kNoBody; body = next_in_leaf_[body]) *end++ = inserted_[body];
  std::sort(begin, end, [](const KeyIndex& a, const KeyIndex& b) { return a.index < b.index; });
}

template <class Real, int Dim>
void ChildArrayTreeBuilder<Real, Dim>::pass_contents(std::size_t node) {
  std::uint32_t child = this->nodes_[node].first_child;
  if (child == 0) return;
  const std::uint32_t* const slot = &slot_[Tree::first_slot(content_[node])];
  for (std::uint32_t s = 0; s < kSlots; ++s) {
    if (slot[s] != Tree::kEmpty) content_[child++] = slot[s];
  }
}

}  // namespace pericenter

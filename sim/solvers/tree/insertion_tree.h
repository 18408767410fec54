#pragma once

#include <cstdint>

#include "sim/core/space_filling_curves.h"

namespace pericenter {

/// A tree for insertion of bodies by one or several threads. Slot 0 is the root; the children of a cell are a group of
/// 2^Dim consecutive slots from a pool.
template <int Dim>
struct InsertionTree {
  std::uint32_t* slot;          ///< 1 + 2^Dim * groups slots; initially kEmpty
  std::uint32_t* parent;        ///< slot of the cell of each group
  std::uint32_t* next_in_leaf;  ///< another body in the same leaf, or kNoBody, for each body
  std::uint32_t* groups_used;   ///< initially 0; may exceed `groups`
  std::uint32_t groups;         ///< size of the pool; when it is exhausted, bodies share leaves
  const std::uint64_t* key;     ///< Morton key per body
  int depth;                    ///< levels below the root, at most kKeyLevels<Dim>; bodies share leaves of the last

  // Content of a slot: empty, locked, the first body of a leaf, or a group of children.
  static constexpr std::uint32_t kEmpty = 0xFFFFFFFFu, kLocked = 0xFFFFFFFEu, kBody = 0x80000000u;
  static constexpr std::uint32_t kNoBody = 0xFFFFFFFFu;

  static constexpr bool is_group(std::uint32_t content) { return (content & kBody) == 0; }
  static constexpr std::uint32_t first_slot(std::uint32_t group) { return 1 + (group << Dim); }
  constexpr std::uint32_t slot_of(std::uint32_t group, std::uint32_t body, int level) const {
    return first_slot(group) + morton_digit<Dim>(key[body], level);
  }
};

/// Current position of a body on its way down.
struct InsertionCursor {
  std::uint32_t slot = 0;
  int level = 0;
};

/// Moves `body` down from its current position. Returns whether it was inserted; if not, another thread has locked the
/// slot, and the caller should retry later.
///
/// A leaf has one body, or several with equal keys, in a cell of the last level, or after the pool was exhausted. The
/// cells do not depend on the order of insertion unless the pool is exhausted. `Atomics` has load (acquire),
/// compare_exchange (acquire), store (release) and add (relaxed, returns the old value), all static.
template <class Atomics, int Dim>
constexpr bool try_insert(const InsertionTree<Dim>& tree, std::uint32_t body, InsertionCursor& at) {
  using Tree = InsertionTree<Dim>;
  for (;;) {
    std::uint32_t& slot = tree.slot[at.slot];
    const std::uint32_t content = Atomics::load(slot);
    if (content == Tree::kLocked) return false;
    if (Tree::is_group(content)) {
      at = {tree.slot_of(content, body, at.level), at.level + 1};
      continue;
    }
    if (!Atomics::compare_exchange(slot, content, Tree::kLocked)) return false;
    if (content == Tree::kEmpty) {
      tree.next_in_leaf[body] = Tree::kNoBody;
      Atomics::store(slot, Tree::kBody | body);
      return true;
    }
    const std::uint32_t other = content & ~Tree::kBody;
    const bool must_share = at.level == tree.depth || tree.key[other] == tree.key[body];
    const std::uint32_t group = must_share ? tree.groups : Atomics::add(*tree.groups_used, 1);
    if (group >= tree.groups) {
      tree.next_in_leaf[body] = other;
      Atomics::store(slot, Tree::kBody | body);
      return true;
    }
    tree.parent[group] = at.slot;
    // All bodies of the old leaf have the same key and stay together.
    tree.slot[tree.slot_of(group, other, at.level)] = content;
    Atomics::store(slot, group);
  }
}

/// Sorts the linked list that starts at body `first` by body index, with a merge sort. Returns its new first body.
constexpr std::uint32_t sorted_list(std::uint32_t* next, std::uint32_t first) {
  constexpr std::uint32_t kEnd = InsertionTree<3>::kNoBody;
  for (std::uint32_t run = 1;; run *= 2) {
    std::uint32_t rest = first, last = kEnd, merges = 0;
    for (; rest != kEnd; ++merges) {
      // The runs a and b are adjacent; merged, they follow `last`.
      std::uint32_t a = rest, b = rest, left_in_a = 0, left_in_b = run;
      for (; left_in_a < run && b != kEnd; ++left_in_a) b = next[b];
      while (left_in_a > 0 || (left_in_b > 0 && b != kEnd)) {
        const bool from_a = left_in_a > 0 && (left_in_b == 0 || b == kEnd || a < b);
        const std::uint32_t body = from_a ? a : b;
        (from_a ? a : b) = next[body];
        --(from_a ? left_in_a : left_in_b);
        (last == kEnd ? first : next[last]) = body;
        last = body;
      }
      rest = b;
    }
    next[last] = kEnd;
    if (merges <= 1) return first;
  }
}

}  // namespace pericenter

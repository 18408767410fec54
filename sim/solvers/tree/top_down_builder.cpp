#include <algorithm>
#include <array>

#include "sim/core/parallel.h"
#include "sim/core/stage_clock.h"
#include "sim/solvers/tree/node_split.h"
#include "sim/solvers/tree/tree_builder.h"

namespace pericenter {
namespace {

/// Large nodes are counted and distributed in pieces by several threads.
constexpr std::uint32_t kPiece = 1 << 14;
constexpr std::uint32_t kMaxPieces = 64;

/// Top-down construction: counts the bodies per child, then distributes them.
template <class Real, int Dim>
class TopDownBuilder final : public TreeBuilder<Real, Dim> {
 private:
  void link(StageTimings& timings) override;
  NodeSplit<Dim> split(const TreeNode<Real, Dim>& node);
  std::uint64_t differing_bits(const TreeNode<Real, Dim>& node) const;
  void deal_out(const TreeNode<Real, Dim>& node, NodeSplit<Dim>& split);

  std::vector<KeyIndex> dealt_;
};

/// The bodies of a node in pieces that do not depend on the number of threads.
class Pieces {
 public:
  Pieces(std::uint32_t begin, std::uint32_t end)
      : begin_(begin), end_(end), size_(std::max(kPiece, (end - begin + kMaxPieces - 1) / kMaxPieces)) {}

  std::uint32_t count() const { return (end_ - begin_ + size_ - 1) / size_; }

  /// Calls function(piece, begin, end) for each piece.
  template <class Function>
  void for_each(const Function& function) const {
    if (count() == 1) return function(0u, begin_, end_);
    tbb::parallel_for(0u, count(), [&](std::uint32_t piece) {
      const std::uint32_t first = begin_ + piece * size_;
      function(piece, first, std::min(first + size_, end_));
    });
  }

 private:
  const std::uint32_t begin_, end_, size_;
};

template <class Real, int Dim>
void TopDownBuilder<Real, Dim>::link(StageTimings& timings) {
  const StageClock clock(timings, Stage::build);
  auto& nodes = this->nodes_;
  nodes.assign(1, {{}, 0, 0, kNoNode, 0, static_cast<std::uint32_t>(this->order_.size())});
  this->levels_.assign(1, 0);
  dealt_.resize(this->order_.size());
  std::vector<NodeSplit<Dim>> splits;
  for (std::size_t first = 0; first < nodes.size(); first = this->generations_.back()) {
    const std::size_t last = nodes.size();
    this->generations_.push_back(last);
    splits.resize(last - first);
    tbb::parallel_for(first, last, [&](std::size_t i) { splits[i - first] = split(nodes[i]); });
    add_children(splits, nodes, this->levels_);
  }
}

/// Sorts the bodies of a node by child. Splits the smallest cell that contains them.
template <class Real, int Dim>
NodeSplit<Dim> TopDownBuilder<Real, Dim>::split(const TreeNode<Real, Dim>& node) {
  NodeSplit<Dim> split;
  const std::uint64_t differing = node.end - node.begin > 1 ? differing_bits(node) : 0;
  if (differing == 0) return split;
  split.level = static_cast<std::uint8_t>(common_level<Dim>(0, differing));
  deal_out(node, split);
  return split;
}

/// Bits that differ between keys of a node.
template <class Real, int Dim>
std::uint64_t TopDownBuilder<Real, Dim>::differing_bits(const TreeNode<Real, Dim>& node) const {
  std::array<std::uint64_t, kMaxPieces> differing = {};
  const std::uint64_t key = this->order_[node.begin].key;
  Pieces(node.begin, node.end).for_each([&](std::uint32_t piece, std::uint32_t begin, std::uint32_t end) {
    std::uint64_t bits = 0;
    for (std::uint32_t i = begin; i < end; ++i) bits |= this->order_[i].key ^ key;
    differing[piece] = bits;
  });
  std::uint64_t bits = 0;
  for (const std::uint64_t of_piece : differing) bits |= of_piece;
  return bits;
}

/// Stable counting sort of the bodies by child.
template <class Real, int Dim>
void TopDownBuilder<Real, Dim>::deal_out(const TreeNode<Real, Dim>& node, NodeSplit<Dim>& split) {
  constexpr unsigned kChildren = 1u << Dim;
  const Pieces pieces(node.begin, node.end);
  const int level = split.level;
  std::array<std::array<std::uint32_t, kChildren>, kMaxPieces> place;
  pieces.for_each([&](std::uint32_t piece, std::uint32_t begin, std::uint32_t end) {
    place[piece].fill(0);
    for (std::uint32_t i = begin; i < end; ++i) ++place[piece][morton_digit<Dim>(this->order_[i].key, level)];
  });
  std::uint32_t at = node.begin;
  for (unsigned child = 0; child < kChildren; ++child) {
    const std::uint32_t begin = at;
    for (std::uint32_t piece = 0; piece < pieces.count(); ++piece) {
      const std::uint32_t bodies = place[piece][child];
      place[piece][child] = at;
      at += bodies;
    }
    split.ends[child] = at;
    if (at > begin) ++split.children;
  }
  pieces.for_each([&](std::uint32_t piece, std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t i = begin; i < end; ++i) {
      dealt_[place[piece][morton_digit<Dim>(this->order_[i].key, level)]++] = this->order_[i];
    }
  });
  pieces.for_each([&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
    std::copy(&dealt_[begin], &dealt_[begin] + (end - begin), &this->order_[begin]);
  });
}

}  // namespace

extern const SolverFactory<TreeBuilder> kTopDownTree = solver_factory<TreeBuilder, TopDownBuilder>();

}  // namespace pericenter

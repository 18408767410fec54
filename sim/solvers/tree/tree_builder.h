#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/core/body_arrays.h"
#include "sim/core/config.h"
#include "sim/core/radix_sort.h"
#include "sim/core/stage_timings.h"
#include "sim/core/tree_box.h"
#include "sim/solvers/registry.h"
#include "sim/solvers/solver_factory.h"
#include "sim/solvers/tree/key_cube.h"
#include "sim/solvers/tree/tree_view.h"

namespace pericenter {

/// Position and mass of a body, or acceleration and potential. Scattered accesses to bodies load one cache line per
/// record instead of one per component.
template <class Real, int Dim>
struct BodyRecord {
  Real vector[Dim], number;
};

/// Builds a tree over bodies on the CPU. Derived classes find the cells; this class computes tree order, moments and
/// boxes. A chain of cells with one child is one node.
///
/// Keys only assign bodies to cells. Sizes are at least those of the tight bounds, so a body far outside the cube of
/// the keys costs time but no accuracy.
template <class Real, int Dim>
class TreeBuilder {
 public:
  virtual ~TreeBuilder() = default;

  /// What TreeNode::size of the next trees is.
  void set_cell_size(CellSize size) { cell_size_ = size; }
  /// What runs the loops of the next builds.
  void set_parallel(Parallel how) { parallel_ = how; }
  /// Builds the tree for the current positions; masses are multiplied by `gravity`.
  void build(const BodyArrays<Real, Dim>& bodies, Real gravity, StageTimings& timings);

  TreeView<Real, Dim> view() const;
  /// Index in `bodies` of the `i`-th body in tree order.
  std::uint32_t original(std::size_t i) const { return order_[i].index; }
  std::size_t size() const { return order_.size(); }
  /// The bodies in the order in which they were inserted; empty for builders that do not insert.
  virtual std::span<const KeyIndex> inserted() const { return {}; }
  /// The tree indices of inserted(), without another sort.
  std::vector<std::uint32_t> insertion_order() const;
  /// The cube of the root.
  const KeyCube<Dim>& cube() const { return cube_; }
  /// One record per body in input order, free for other use until the next build.
  std::span<BodyRecord<Real, Dim>> records() { return records_; }

  /// Appends the boxes of levels first..last, at most `limit`.
  void boxes(int first_level, int last_level, std::size_t limit, std::vector<TreeBox>& out) const;
  /// The box of a node for drawing; by default its cell, a cube.
  virtual TreeBox box(std::size_t node) const;
  int levels() const;

 protected:
  using Node = TreeNode<Real, Dim>;

  /// Sets the keys of order_, which is in input order; by default Morton keys.
  virtual void make_keys(const BodyArrays<Real, Dim>& bodies);
  /// Sorts order_ into tree order and sets nodes_ (links and body ranges), levels_ and generations_. There is at least
  /// one body. Times its work as Stage::sort and Stage::build.
  virtual void link(StageTimings& timings) = 0;
  /// Sets bounds, centres and moments of all nodes; by default from the last generation to the first.
  virtual void make_moments();

  void leaf_moments(std::uint32_t node);
  void inner_moments(std::uint32_t node);  ///< the moments of its children must be known

  Parallel parallel_ = Parallel::own;
  KeyCube<Dim> cube_;
  std::vector<KeyIndex> order_;
  std::vector<Node> nodes_;
  std::vector<std::uint8_t> levels_;      ///< level of the cell of each node; 0 at the root
  std::vector<std::uint32_t> parents_;    ///< parent of each node, kNoNode for the root; derived from nodes_
  std::vector<std::size_t> generations_;  ///< first node of each generation, and the end
  std::vector<NodeMoments<Real, Dim>> moments_;
  std::vector<Bounds<Real, Dim>> bounds_;
  std::array<std::vector<Real>, Dim> position_;
  std::vector<Real> mass_;
  bool second_moments_ = true;  ///< NodeMoments::moment is set; otherwise it is 0

 private:
  void gather(const BodyArrays<Real, Dim>& bodies, Real gravity);
  void find_parents();
  Real size_of(std::uint32_t node) const;

  CellSize cell_size_ = CellSize::box;
  std::vector<BodyRecord<Real, Dim>> records_;
};

/// Octree of sorted Morton keys with at most `leaf_size` bodies per leaf.
template <class Real, int Dim>
std::unique_ptr<TreeBuilder<Real, Dim>> make_sorted_builder(std::uint32_t leaf_size);

/// The tree builder of the solver of `config`, which must have a tree.
template <class Real, int Dim>
std::unique_ptr<TreeBuilder<Real, Dim>> make_tree_builder(const Config& config) {
  auto builder = find_solver(config.solver)->tree->template make<Real, Dim>(config);
  builder->set_cell_size(cell_size(config));
  builder->set_parallel(parallel_loops(config));
  return builder;
}

}  // namespace pericenter

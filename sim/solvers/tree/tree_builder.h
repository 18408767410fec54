#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
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

/// Builds a tree over bodies, on the CPU. Builders differ in how they find its cells; bodies in tree order, moments and
/// boxes are the same for all. A chain of cells with one child is one node.
///
/// The keys only decide which bodies make a cell: sizes and opening use tight bounds, so that a body far outside the
/// cube of the keys costs time but no accuracy.
template <class Real, int Dim>
class TreeBuilder {
 public:
  virtual ~TreeBuilder() = default;

  /// Builds the tree of the bodies where they are now; masses are multiplied by `gravity`.
  void build(const BodyArrays<Real, Dim>& bodies, Real gravity, StageTimings& timings);

  TreeView<Real, Dim> view() const;
  /// Place in `bodies` of the body that is `i`-th in tree order.
  std::uint32_t original(std::size_t i) const { return order_[i].index; }
  std::size_t size() const { return order_.size(); }
  /// The cube that the root divides.
  const KeyCube<Dim>& cube() const { return cube_; }

  /// Appends the boxes of levels first..last, up to `limit` of them.
  void boxes(int first_level, int last_level, std::size_t limit, std::vector<TreeBox>& out) const;
  /// What the picture shows of a node; this one gives its cell, a cube.
  virtual TreeBox box(std::size_t node) const;
  int levels() const;

 protected:
  using Node = TreeNode<Real, Dim>;

  /// Sets the keys of order_, which has the bodies as they were given; these are Morton keys.
  virtual void make_keys(const BodyArrays<Real, Dim>& bodies);
  /// Puts order_ into tree order and sets nodes_ (links and bodies of each), levels_ and generations_. There are
  /// bodies. Times its work as Stage::sort and Stage::build.
  virtual void link(StageTimings& timings) = 0;
  /// Sets bounds, centres and moments of all nodes; this one goes from the last generation to the first.
  virtual void make_moments();

  void leaf_moments(std::uint32_t node);
  void inner_moments(std::uint32_t node);  ///< its children have theirs

  KeyCube<Dim> cube_;
  std::vector<KeyIndex> order_;
  std::vector<Node> nodes_;
  std::vector<std::uint8_t> levels_;      ///< of the cell that each node is, or was made in; 0 at the root
  std::vector<std::uint32_t> parents_;    ///< of each node, kNoNode of the root; follows from nodes_
  std::vector<std::size_t> generations_;  ///< first node of each generation, and the end
  std::vector<NodeMoments<Real, Dim>> moments_;
  std::vector<Bounds<Real, Dim>> bounds_;
  std::array<std::vector<Real>, Dim> position_;
  std::vector<Real> mass_;

 private:
  void gather(const BodyArrays<Real, Dim>& bodies, Real gravity);
  void find_parents();
};

/// Octree of sorted Morton keys whose leaves have up to `leaf_size` bodies.
template <class Real, int Dim>
std::unique_ptr<TreeBuilder<Real, Dim>> make_sorted_builder(std::uint32_t leaf_size);

/// The one that the solver of `config`, which has a tree, is made with.
template <class Real, int Dim>
std::unique_ptr<TreeBuilder<Real, Dim>> make_tree_builder(const Config& config) {
  return find_solver(config.solver)->tree->template make<Real, Dim>(config);
}

}  // namespace pericenter

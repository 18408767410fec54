#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/body_arrays.h"
#include "sim/solvers/key_cube.h"
#include "sim/solvers/radix_sort.h"
#include "sim/solvers/tree_view.h"
#include "sim/stage_timings.h"
#include "sim/tree_box.h"

namespace pericenter {

/// Octree (quadtree in 2D) with leaf buckets: bodies are sorted by Morton key, and a cell's children are the runs of
/// its keys that share the next digit (Warren and Salmon 1993, doi:10.1145/169627.169640). A chain of cells with one
/// child is one node.
///
/// The keys only decide the order: sizes and opening use tight bounds, so that a body far outside the cube of the keys
/// costs time but no accuracy.
template <class Real, int Dim>
class OctreeBuilder {
 public:
  explicit OctreeBuilder(std::uint32_t leaf_size) : leaf_size_(leaf_size) {}

  /// Builds the tree of the bodies where they are now; masses are multiplied by `gravity`.
  void build(const BodyArrays<Real, Dim>& bodies, Real gravity, StageTimings& timings);

  TreeView<Real, Dim> view() const;
  /// Place in `bodies` of the body that is `i`-th in tree order.
  std::uint32_t original(std::size_t i) const { return order_[i].index; }
  std::size_t size() const { return mass_.size(); }

  /// Appends the cells of levels first..last as cubes, up to `limit` of them.
  void boxes(int first_level, int last_level, std::size_t limit, std::vector<TreeBox>& out) const;
  int levels() const;

 private:
  void make_keys(const BodyArrays<Real, Dim>& bodies);
  void gather(const BodyArrays<Real, Dim>& bodies, Real gravity);
  void link();
  void split_generation(std::size_t first, std::size_t last);
  void make_moments();
  void leaf_moments(std::uint32_t node);
  void inner_moments(std::uint32_t node);

  std::uint32_t leaf_size_;
  KeyCube<Dim> cube_;
  std::vector<KeyIndex> order_, sort_scratch_;
  std::array<std::vector<Real>, Dim> position_;
  std::vector<Real> mass_;
  std::vector<TreeNode<Real, Dim>> nodes_;
  std::vector<NodeMoments<Real, Dim>> moments_;
  std::vector<Bounds<Real, Dim>> bounds_;
  std::vector<std::uint8_t> levels_;      ///< of the cell that each node is, or was made in; 0 at the root
  std::vector<std::size_t> generations_;  ///< first node of each generation, and the end
};

}  // namespace pericenter

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/core/solver_options.h"
#include "sim/solvers/tree/group_walk.h"

namespace pericenter {

/// What a walk adds up for one body.
template <class Real, int Dim>
struct BodyForce {
  Real acceleration[Dim] = {};
  Real potential = 0;  ///< always, so that the acceleration has the same bits whether it is wanted or not
};

/// Walks of single bodies, by the opening rule of opening_squared() and the law of PairKernels. All kinds visit the
/// same nodes in the same order and give the same bits. One for all threads.
template <class Real, int Dim>
class BodyWalk {
 public:
  /// `kind` is neither Walk::group nor Walk::warp. What the view shows must live as long as this.
  BodyWalk(const TreeView<Real, Dim>& tree, Walk kind, const WalkSettings& settings);

  /// The force on the `i`-th body of the tree; adds to `work` what that took.
  BodyForce<Real, Dim> run(std::uint32_t i, WorkCounts& work) const;

 private:
  /// A node as a walk reads it: half a line of the cache in single precision.
  struct Cell {
    Real center[Dim];      ///< of mass
    Real opening_squared;  ///< 0 where all bodies coincide
    Real mass;
    std::uint32_t first;   ///< child of an inner node, body of a leaf
    std::uint32_t next;    ///< the node after this one's subtree, kNoNode after the last
    std::uint32_t bodies;  ///< of a leaf; 0 in an inner node
  };
  // Where a walk goes from a node: down to its children, or past it.
  struct SkipPath;
  struct ClimbPath;
  struct StackPath;

  template <class Path>
  BodyForce<Real, Dim> run_along(Path path, std::uint32_t i, WorkCounts& work) const;
  void add_point(const Real (&d)[Dim], Real distance_squared, Real mass, BodyForce<Real, Dim>& force) const;
  void add_bodies(const Cell& leaf, const Real (&target)[Dim], BodyForce<Real, Dim>& force) const;
  void add_cell(std::uint32_t node, const Real (&d)[Dim], Real distance_squared, BodyForce<Real, Dim>& force) const;

  const TreeView<Real, Dim> tree_;
  const Walk kind_;
  const bool quadrupoles_;
  const Real softening_;
  const Real softening_squared_;  ///< at least kTinySquare
  const Real excluded_;           ///< a point of no larger softened square has no potential
  const std::unique_ptr<Cell[]> cells_;
};

/// Places in the tree of the bodies, in the order in which they are to walk. `original[i]` is the place in which body i
/// of the tree was given. Order::regular: along x within rows of y within planes of z, of a grid of about one cell a
/// body. Order::shuffled: the same permutation of the places given every time.
template <class Real, int Dim>
std::vector<std::uint32_t> walk_order(const TreeView<Real, Dim>& tree, const std::vector<std::uint32_t>& original,
                                      Order order);

}  // namespace pericenter

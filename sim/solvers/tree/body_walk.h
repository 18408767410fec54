#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/core/solver_options.h"
#include "sim/solvers/tree/group_walk.h"

namespace pericenter {

/// Force on one body.
template <class Real, int Dim>
struct BodyForce {
  Real acceleration[Dim] = {};
  Real potential = 0;  ///< always computed, so that the acceleration has the same bits with and without it
};

/// Bodies that walk together with Walk::vote, as many as the lanes of a warp.
inline constexpr std::uint32_t kVoters = 32;

/// Walks with the opening criterion of opening_squared() for each body and the force law of PairKernels. All kinds of
/// single-body walks visit the same nodes in the same order and give the same bits. Threads share one object.
template <class Real, int Dim>
class BodyWalk {
 public:
  /// `kind` is neither Walk::group nor Walk::warp. `tree` must outlive this object.
  BodyWalk(const TreeView<Real, Dim>& tree, Walk kind, const WalkSettings& settings);

  /// The force on the `i`-th body of the tree; adds its operations to `work`.
  BodyForce<Real, Dim> run(std::uint32_t i, WorkCounts& work) const;
  /// Walk::vote: adds to `forces` those on `bodies`, at most kVoters, which all open a node if one of them must.
  void run(std::span<const std::uint32_t> bodies, BodyForce<Real, Dim>* forces, WorkCounts& work) const;

 private:
  /// Node layout for walks: half a cache line in single precision.
  struct Cell {
    Real center[Dim];      ///< centre of mass
    Real opening_squared;  ///< 0 if all bodies coincide; kNeverOpened
    Real mass;
    std::uint32_t first;   ///< first child of an inner node, first body of a leaf
    std::uint32_t next;    ///< the node after the subtree, kNoNode after the last
    std::uint32_t bodies;  ///< number of bodies in a leaf; 0 in an inner node
  };
  // Navigation from a node: down to its children, or past it.
  struct SkipPath;
  struct ClimbPath;
  struct StackPath;

  template <class Path>
  BodyForce<Real, Dim> run_along(Path path, std::uint32_t i, WorkCounts& work) const;
  bool must_open(const Cell& cell, std::uint32_t i) const;
  void add_all(std::uint32_t node, bool opens, std::uint32_t i, BodyForce<Real, Dim>& force) const;
  void add_point(const Real (&d)[Dim], Real distance_squared, Real mass, BodyForce<Real, Dim>& force) const;
  void add_bodies(const Cell& leaf, const Real (&target)[Dim], BodyForce<Real, Dim>& force) const;
  void add_cell(std::uint32_t node, const Real (&d)[Dim], Real distance_squared, BodyForce<Real, Dim>& force) const;
  /// The potential of a body in its own leaf, as a part of one point at this distance.
  Real potential_in_point(Real distance_squared, Real mass) const;

  const TreeView<Real, Dim> tree_;
  const Walk kind_;
  const bool quadrupoles_;
  const bool leaf_points_;
  const Real softening_;
  const Real softening_squared_;  ///< never below kTinySquare
  const Real excluded_;           ///< points with at most this softened squared distance have no potential
  const std::unique_ptr<Cell[]> cells_;
};

/// Tree indices of the bodies in walk order. `original[i]` is the input index of body i of the tree. Order::regular:
/// along x within rows of y within planes of z, of a grid with about one cell per body. Order::shuffled: always the
/// same permutation of the input order. Not for Order::morton10, see TreeBuilder::insertion_order().
template <class Real, int Dim>
std::vector<std::uint32_t> walk_order(const TreeView<Real, Dim>& tree, const std::vector<std::uint32_t>& original,
                                      Order order);

}  // namespace pericenter

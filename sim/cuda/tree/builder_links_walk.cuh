#pragma once

#include "sim/cuda/kernels/lane_walker.cuh"
#include "sim/cuda/tree/device_tree.cuh"
#include "sim/solvers/tree/moment_sums.h"
#include "sim/solvers/tree/opening_criterion.h"

// Inner nodes and walks of trees with Links::own.
namespace pericenter {

/// One element per inner node. Only the first two arrays are read by every walk.
template <class Real>
struct BuilderLinkNodes {
  Vec4<Real>* center = nullptr;          ///< centre of mass; w: mass times the gravitational constant
  Real* opening = nullptr;               ///< opening_squared()
  CellMoments<Real>* moments = nullptr;  ///< null: monopoles only
  Bounds<Real, 3>* bounds = nullptr;     ///< used by the parents only

  void cut(ArenaLayout& cutter, std::size_t nodes, bool quadrupoles) {
    center = cutter.cut<Vec4<Real>>(nodes);
    opening = cutter.cut<Real>(nodes);
    if (quadrupoles) moments = cutter.cut<CellMoments<Real>>(nodes);
    bounds = cutter.cut<Bounds<Real, 3>>(nodes);
  }
  __device__ __forceinline__ CellMoments<Real> moments_at(std::uint32_t node) const { return moments[node]; }
};

/// A body or a child as part of a node.
template <class Real>
struct NodePart {
  Vec4<Real> point;  ///< w: mass
  Bounds<Real, 3> bounds;
  std::uint32_t node;  ///< kNoNode for a body
};

template <class Real>
__device__ NodePart<Real> part_of_body(const Vec4<Real>& x) {
  return {x, {{x.x, x.y, x.z}, {x.x, x.y, x.z}}, kNoNode};
}
template <class Real>
__device__ NodePart<Real> part_of_node(const BuilderLinkNodes<Real>& nodes, std::uint32_t node) {
  return {nodes.center[node], nodes.bounds[node], node};
}

/// Sets the second moments of a node; `sums` has its mass.
template <class Real, class ForEachPart>
__device__ void set_node_moments(const BuilderLinkNodes<Real>& nodes, std::uint32_t node, MomentSums<3>& sums,
                                 const ForEachPart& for_each_part) {
  const Vec4<Real> center = nodes.center[node];
  for_each_part([&](const NodePart<Real>& part) {
    sums.add_second(static_cast<double>(part.point.w),
                    {static_cast<double>(part.point.x - center.x), static_cast<double>(part.point.y - center.y),
                     static_cast<double>(part.point.z - center.z)});
    if (part.node == kNoNode) return;
    const CellMoments<Real> own = nodes.moments[part.node];
    const Real second[6] = {own.xx, own.xy, own.xz, own.yy, own.yz, own.zz};
    for (int k = 0; k < 6; ++k) sums.second[k] += static_cast<double>(second[k]);
  });
  Real second[6];
  for (int k = 0; k < 6; ++k) second[k] = static_cast<Real>(sums.second[k]);
  nodes.moments[node] = {second[0],
                         second[1],
                         second[2],
                         second[3],
                         second[4],
                         second[5],
                         Real(0.5) * (second[0] + second[3] + second[5]),
                         static_cast<Real>(sums.mass)};
}

/// Sets a node. for_each_part(f) calls f(part) for every body or child in it, always in the same order. `side` of the
/// cell is compared with `theta`; 0 stands for the longest side of the box around the bodies, which is never larger,
/// except in a cell with bodies beyond the border of the cube of the keys.
template <class Real, class ForEachPart>
__device__ void set_node(const BuilderLinkNodes<Real>& nodes, std::uint32_t node, double theta, double side,
                         const ForEachPart& for_each_part) {
  Bounds<Real, 3> bounds = no_bounds<Real>();
  MomentSums<3> sums;
  for_each_part([&](const NodePart<Real>& part) {
    join(bounds, part.bounds);
    sums.add_mass(
        static_cast<double>(part.point.w),
        {static_cast<double>(part.point.x), static_cast<double>(part.point.y), static_cast<double>(part.point.z)});
  });
  Real center[3];
  set_center(sums, bounds, center);
  nodes.center[node] = {center[0], center[1], center[2], static_cast<Real>(sums.mass)};
  nodes.opening[node] = opening_squared(center, bounds, opening_size(bounds, side), theta);
  nodes.bounds[node] = bounds;
  if (nodes.moments != nullptr) set_node_moments(nodes, node, sums, for_each_part);
}

template <class Real>
struct BuilderLinkTask {
  BuilderLinkNodes<Real> nodes;
  WalkTargets<Real> targets;
};

inline constexpr unsigned kBuilderLinkThreads = 128;

/// A LaneWalker that loads inner nodes by their number.
template <bool WithPotential, bool Quadrupoles, class Real>
class BuilderLinkWalker : public LaneWalker<WithPotential, Quadrupoles, Real> {
 public:
  __device__ BuilderLinkWalker(const BuilderLinkTask<Real>& task, std::uint32_t walk)
      : LaneWalker<WithPotential, Quadrupoles, Real>(task.targets, walk), nodes_(task.nodes) {}

  /// Adds the force of an inner node, unless its children must be visited; returns whether they must.
  __device__ __forceinline__ bool opens(std::uint32_t node) {
    const Vec4<Real> center = nodes_.center[node];  // one load
    return !this->try_accept(center, nodes_.opening[node], nodes_, node);
  }

 private:
  const BuilderLinkNodes<Real>& nodes_;
};

/// One thread per body. links.walk(walker) visits the nodes.
template <bool WithPotential, bool Quadrupoles, class Links, class Real>
__global__ void __launch_bounds__(kBuilderLinkThreads)
    builder_link_walk_kernel(const BuilderLinkTask<Real> task, const Links links) {
  BuilderLinkWalker<WithPotential, Quadrupoles, Real> walker(task, blockIdx.x * kBuilderLinkThreads + threadIdx.x);
  if (walker.walks()) links.walk(walker);
  walker.finish(task.targets, warp_max(walker.visits()));
}

/// Enqueues the walks. Times Stage::walk.
template <class Links, class Real>
void enqueue_builder_link_walk(const BuilderLinkTask<Real>& task, const Links& links, bool with_potential,
                               StageEvents& events) {
  const DeviceStageClock clock(events, Stage::walk);
  const auto kernel = task.nodes.moments != nullptr
                          ? (with_potential ? builder_link_walk_kernel<true, true, Links, Real>
                                            : builder_link_walk_kernel<false, true, Links, Real>)
                          : (with_potential ? builder_link_walk_kernel<true, false, Links, Real>
                                            : builder_link_walk_kernel<false, false, Links, Real>);
  launch(kernel, per_element(task.targets.bodies.count, kBuilderLinkThreads), events.stream(), task, links);
}

}  // namespace pericenter

#pragma once

#include <cstdint>

#include "sim/core/config.h"
#include "sim/cuda/kernels/pair_force.cuh"
#include "sim/cuda/kernels/warp.cuh"
#include "sim/cuda/kernels/work_counts.cuh"
#include "sim/cuda/simulation/cuda_solver.cuh"

// Walks of single bodies, one per lane. How nodes are linked and loaded is up to the kernel.
namespace pericenter {

/// The bodies that need a force, and what all their walks have in common.
template <class Real>
struct WalkTargets {
  WalkTargets(const DeviceBodies<Real>& all, const std::uint32_t* list, const Params& params, WorkCounts* counts)
      : bodies(all),
        order(list),
        gravity(static_cast<Real>(params.gravity)),
        softening(make_softening<Real>(params.softening)),
        work(counts) {}

  DeviceBodies<Real> bodies;
  const std::uint32_t* order;  ///< body of the i-th walk; null: the i-th body
  Real gravity;
  Softening<Real> softening;
  WorkCounts* work;  ///< output
};

/// The state of one lane during a walk: the target, the sum of the forces, and the counts. Bodies and moments come from
/// `data`, with for_each_body(first, count, f) and, for quadrupoles, moments_at(node).
template <bool WithPotential, bool Quadrupoles, class Real>
class LaneWalker {
 public:
  static constexpr bool kWithPotential = WithPotential;

  /// The walk number `walk`; a lane beyond the last one has no body.
  __device__ __forceinline__ LaneWalker(const WalkTargets<Real>& targets, std::uint32_t walk)
      : softening_(targets.softening), walks_(walk < targets.bodies.count) {
    if (!walks_) return;
    body_ = targets.order != nullptr ? targets.order[walk] : walk;
    target_ = gravity_source(targets.bodies.position[body_], targets.gravity);
  }
  /// The walk of `body`, whose gravity_source() is `target`.
  __device__ __forceinline__ LaneWalker(const Vec4<Real>& target, std::uint32_t body, const Softening<Real>& softening)
      : softening_(softening), walks_(true), body_(body), target_(target) {}

  /// Whether this lane has a body.
  __device__ bool walks() const { return walks_; }
  __device__ const Vec4<Real>& target() const { return target_; }
  __device__ void count_visit() { ++visits_; }

  /// Whether a node is too near to act as a whole, by its opening_squared().
  __device__ __forceinline__ bool must_open(const Vec4<Real>& center, Real opening) const {
    const Real x = center.x - target_.x, y = center.y - target_.y, z = center.z - target_.z;
    // Explicit fma() throughout, so that all kernels round the same way; a plain product could be shared with later
    // code.
    return fma(x, x, fma(y, y, fma(z, z, Real(0)))) < opening;
  }

  /// Adds node `at` (w: mass) as a whole.
  template <class Data>
  __device__ __forceinline__ void add_node(const Vec4<Real>& center, Real opening, const Data& data, std::uint32_t at) {
    const bool point = opening == 0;
    ++(point ? bodies_ : cells_);
    if constexpr (Quadrupoles) {
      if (!point) {
        add_cell<WithPotential>(CellSource<Real>{center, data.moments_at(at)}, target_, softening_, sum_);
        return;
      }
    }
    add_point<WithPotential>(center, target_, softening_, sum_);
  }

  /// Adds node `at` as a whole unless it must be opened; returns whether it was added.
  template <class Data>
  __device__ __forceinline__ bool try_accept(const Vec4<Real>& center, Real opening, const Data& data,
                                             std::uint32_t at) {
    if (must_open(center, opening)) return false;
    add_node(center, opening, data, at);
    return true;
  }

  __device__ __forceinline__ void add_body(const Vec4<Real>& source) {
    ++bodies_;
    add_point<WithPotential>(source, target_, softening_, sum_);
  }
  template <class Data>
  __device__ __forceinline__ void add_bodies(const Data& data, std::uint32_t first, std::uint32_t count) {
    data.for_each_body(first, count,
                       [&](const Vec4<Real>& source) { add_point<WithPotential>(source, target_, softening_, sum_); });
    bodies_ += count;
  }

  /// Visits a WalkNode, `opens`: the decision whether to open it. Returns whether its children must be visited.
  template <class Node, class Data>
  __device__ __forceinline__ bool visit(const Node& node, bool opens, const Data& data, std::uint32_t at) {
    count_visit();
    if (!opens) {
      add_node(node.center(), node.opening, data, at);
      return false;
    }
    add_bodies(data, node.first, node.bodies);
    return node.bodies == 0;
  }

  /// Writes the result of this lane, if it has a body. `own` is the potential of the target in its own field.
  __device__ __forceinline__ void store(const DeviceBodies<Real>& bodies, Real own) {
    if (!walks_) return;
    if constexpr (WithPotential) sum_.w -= own;
    bodies.acceleration[body_] = sum_;
    if (bodies.interactions != nullptr) bodies.interactions[body_] = bodies_ + cells_;
  }
  __device__ std::uint32_t visits() const { return visits_; }
  /// The counts of this lane in a warp whose longest walk has `steps` visits.
  __device__ WorkCounts work(std::uint32_t steps) const {
    return {bodies_, cells_, visits_, static_cast<std::uint64_t>(kWarp) * steps};
  }
  /// Writes the results and the counts of a warp. All lanes must call it.
  __device__ __forceinline__ void finish(const WalkTargets<Real>& targets, std::uint32_t steps) {
    store(targets.bodies, own_potential(target_.w, softening_));
    add_work_of_lanes(work(steps), *targets.work);
  }

 private:
  const Softening<Real>& softening_;
  const bool walks_;
  std::uint32_t body_ = 0;
  Vec4<Real> target_ = {}, sum_ = {};
  std::uint32_t visits_ = 0, bodies_ = 0, cells_ = 0;
};

/// A path along the links past each subtree.
struct SkipPath {
  SkipPath() = default;
  __device__ explicit SkipPath(const void* /*links*/) {}
  __device__ std::uint32_t down(std::uint32_t, std::uint32_t first) { return first; }
  __device__ std::uint32_t past(std::uint32_t, std::uint32_t next) { return next; }
};

/// Walks along a path through the WalkNodes that node_at(i) loads. Returns the visits of the longest walk of the warp,
/// all of whose lanes must call it.
template <class Path, class Walker, class NodeAt, class Data>
__device__ __forceinline__ std::uint32_t walk_alone(Path path, Walker& walker, const NodeAt& node_at,
                                                    const Data& data) {
  for (std::uint32_t at = walker.walks() ? 0 : kNoNode; at != kNoNode;) {
    const auto node = node_at(at);
    at = walker.visit(node, walker.must_open(node.center(), node.opening), data, at) ? path.down(at, node.first)
                                                                                     : path.past(at, node.next);
  }
  return warp_max(walker.visits());
}

}  // namespace pericenter

#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "sim/cuda/kernels/pair_force.cuh"
#include "sim/cuda/kernels/warp.cuh"
#include "sim/cuda/runtime/device_buffer.cuh"

// Common code of the walks of the hybrid solvers: one thread per body, monopoles.
namespace pericenter {

/// The work counters of a lane; see WorkCounts.
struct LaneCounts {
  unsigned long long body_interactions = 0, cell_interactions = 0, node_visits = 0, lane_slots = 0;
};

/// The counts of one evaluation on the device, and their host copy.
class WalkTally {
 public:
  WalkTally() : counts_(1), copy_(1) { *copy_.data() = {}; }
  static constexpr std::size_t kBytes = sizeof(LaneCounts);

  /// Enqueues setting all counts to 0.
  LaneCounts* start(cudaStream_t stream) {
    PERICENTER_CUDA_CHECK(cudaMemsetAsync(counts_.data(), 0, kBytes, stream));
    return counts_.data();
  }
  /// Enqueues the download.
  void fetch(cudaStream_t stream) {
    PERICENTER_CUDA_CHECK(cudaMemcpyAsync(copy_.data(), counts_.data(), kBytes, cudaMemcpyDeviceToHost, stream));
  }
  WorkCounts work() const {
    const LaneCounts& counts = *copy_.data();
    return {counts.body_interactions, counts.cell_interactions, counts.node_visits, counts.lane_slots};
  }

 private:
  DeviceBuffer<LaneCounts> counts_;
  PinnedBuffer<LaneCounts> copy_;
};

/// The walk of one body.
template <bool WithPotential, class Real>
class Walker {
 public:
  __device__ __forceinline__ Walker(const Vec4<Real>& target, const Softening<Real>& softening)
      : target_(target), softening_(softening), own_potential_(own_potential(target.w, softening)) {}
  static constexpr bool kWithPotential = WithPotential;

  /// Adds a node (w: mass) as a whole if it is far enough by opening_squared(); returns whether it was added.
  __device__ __forceinline__ bool try_accept(const Vec4<Real>& node, Real opening) {
    ++visits_;
    const Real x = node.x - target_.x, y = node.y - target_.y, z = node.z - target_.z;
    // Explicit fma(), so that every kernel rounds the same way. A plain z * z could be shared with add_point() and then
    // round differently.
    const Real distance_squared = fma(x, x, fma(y, y, fma(z, z, Real(0))));
    if (!(distance_squared >= opening)) return false;
    add_point<WithPotential>(node, target_, softening_, sum_);
    const bool cell = opening != 0;
    cells_ += cell ? 1 : 0;
    bodies_ += cell ? 0 : 1;
    return true;
  }

  /// Adds `count` bodies of a near leaf, starting at `first`.
  __device__ __forceinline__ void add_bodies(const Vec4<Real>* body, std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t i = first; i < first + count; ++i) {
      const Vec4<Real> source = body[i];  // one load
      add_point<WithPotential>(source, target_, softening_, sum_);
    }
    bodies_ += count;
  }

  /// The target is part of a leaf that acted as one point: its own potential is that of its mass at this point.
  __device__ __forceinline__ void add_self_leaf(const Vec4<Real>& point) {
    const Real x = point.x - target_.x, y = point.y - target_.y, z = point.z - target_.z;
    const Real r2 = x * x + (y * y + (z * z + softening_.squared));
    own_potential_ = r2 > softening_.excluded ? -target_.w * inverse_root(r2) : Real(0);
  }

  /// The result: acceleration and potential.
  __device__ __forceinline__ Vec4<Real> force() const {
    Vec4<Real> force = sum_;
    if constexpr (WithPotential) force.w -= own_potential_;
    return force;
  }
  /// Adds all counts except lane_slots.
  __device__ __forceinline__ void count(LaneCounts& counts) const {
    counts.body_interactions += bodies_;
    counts.cell_interactions += cells_;
    counts.node_visits += visits_;
  }
  __device__ __forceinline__ std::uint32_t visits() const { return visits_; }
  __device__ __forceinline__ std::uint32_t interactions() const { return bodies_ + cells_; }

 private:
  const Vec4<Real> target_;
  const Softening<Real> softening_;
  Real own_potential_;
  Vec4<Real> sum_ = {};
  std::uint32_t visits_ = 0, bodies_ = 0, cells_ = 0;
};

/// Lane slots of walks that run together: every lane takes as long as the longest walk. All lanes must take part.
__device__ __forceinline__ unsigned long long slots_of_warp(std::uint32_t visits) {
  return static_cast<unsigned long long>(kWarp) * warp_max(visits);
}

/// Adds the counts of a warp; `lane_slots` is equal in all lanes. All lanes must take part.
__device__ __forceinline__ void add_counts(const LaneCounts& counts, LaneCounts& all) {
  const unsigned long long bodies = warp_sum(counts.body_interactions), cells = warp_sum(counts.cell_interactions);
  const unsigned long long visits = warp_sum(counts.node_visits);
  if (warp_lane() != 0) return;
  atomicAdd(&all.body_interactions, bodies);
  atomicAdd(&all.cell_interactions, cells);
  atomicAdd(&all.node_visits, visits);
  atomicAdd(&all.lane_slots, counts.lane_slots);
}

}  // namespace pericenter

#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "sim/solvers/tree/tree_view.h"

// Warp collectives. All lanes must take part, except in functions with a mask.
namespace pericenter {

inline constexpr unsigned kWarp = 32;
inline constexpr unsigned kAllLanes = 0xFFFFFFFFu;

__device__ __forceinline__ unsigned warp_lane() {
  return threadIdx.x % kWarp;
}
// Number of lanes in `mask` below this lane, above it, and not above it.
__device__ __forceinline__ unsigned lanes_below(unsigned mask) {
  return static_cast<unsigned>(__popc(mask & ~(kAllLanes << warp_lane())));
}
__device__ __forceinline__ unsigned lanes_above(unsigned mask) {
  return static_cast<unsigned>(__popc(mask & (kAllLanes - 1) << warp_lane()));
}
__device__ __forceinline__ unsigned lanes_up_to(unsigned mask) {
  return static_cast<unsigned>(__popc(mask & ~((kAllLanes - 1) << warp_lane())));
}

/// Inclusive prefix sum over groups of `Lanes` neighbouring lanes.
template <unsigned Lanes = kWarp>
__device__ __forceinline__ std::uint32_t sum_up_to_lane(std::uint32_t x) {
  for (unsigned offset = 1; offset < Lanes; offset *= 2) {
    const std::uint32_t below = __shfl_up_sync(kAllLanes, x, offset, Lanes);
    if (warp_lane() % Lanes >= offset) x += below;
  }
  return x;
}

/// Mask of the lanes in `mask` with the same `x`; all lanes in `mask` must call this.
__device__ __forceinline__ unsigned lanes_like(std::uint32_t x, unsigned mask) {
#if __CUDA_ARCH__ >= 700
  return __match_any_sync(mask, x);
#else
  unsigned like = 0;
  for (unsigned left = mask; left != 0;) {
    const unsigned same = __ballot_sync(mask, x == __shfl_sync(mask, x, __ffs(left) - 1));
    if ((same >> warp_lane() & 1u) != 0) like = same;
    left &= ~same;
  }
  return like;
#endif
}

/// Adds 1 to counter[i] for each lane in `mask`, all of which must call this. `i` is per lane; lanes with the same `i`
/// are combined into one atomic. Returns the count before this lane.
__device__ __forceinline__ std::uint32_t count_up(std::uint32_t* counter, std::uint32_t i, unsigned mask) {
  const unsigned like = lanes_like(i, mask);
  const int leader = __ffs(like) - 1;
  std::uint32_t before = 0;
  if (static_cast<int>(warp_lane()) == leader) before = atomicAdd(counter + i, static_cast<unsigned>(__popc(like)));
  return __shfl_sync(mask, before, leader) + lanes_below(like);
}

/// Increments a counter and returns its old value, the same in all lanes.
__device__ __forceinline__ std::uint32_t next_ticket(std::uint32_t* counter) {
  std::uint32_t ticket = 0;
  if (warp_lane() == 0) ticket = atomicAdd(counter, 1u);
  return __shfl_sync(kAllLanes, ticket, 0);
}

// Sum over all lanes, returned in each lane.
__device__ __forceinline__ unsigned long long warp_sum(unsigned long long x) {
  for (unsigned offset = kWarp / 2; offset > 0; offset /= 2) x += __shfl_xor_sync(kAllLanes, x, offset);
  return x;
}
__device__ __forceinline__ std::uint32_t warp_max(std::uint32_t x) {
  for (unsigned offset = kWarp / 2; offset > 0; offset /= 2) x = max(x, __shfl_xor_sync(kAllLanes, x, offset));
  return x;
}

__device__ __forceinline__ unsigned warp_or(unsigned x) {
#if __CUDA_ARCH__ >= 800
  return __reduce_or_sync(kAllLanes, x);
#else
  for (unsigned offset = kWarp / 2; offset > 0; offset /= 2) x |= __shfl_xor_sync(kAllLanes, x, offset);
  return x;
#endif
}

template <class Real>
__device__ __forceinline__ Bounds<Real, 3> no_bounds() {
  constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
  return {{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
}

template <class Real>
__device__ __forceinline__ void join(Bounds<Real, 3>& bounds, const Bounds<Real, 3>& other) {
  for (int k = 0; k < 3; ++k) {
    bounds.low[k] = std::fmin(bounds.low[k], other.low[k]);
    bounds.high[k] = std::fmax(bounds.high[k], other.high[k]);
  }
}

/// Joined bounds of `Lanes` neighbouring lanes, returned in each of them; `mask` holds these lanes.
template <unsigned Lanes, class Real>
__device__ __forceinline__ Bounds<Real, 3> joined_lanes(Bounds<Real, 3> bounds, unsigned mask) {
  for (unsigned offset = Lanes / 2; offset > 0; offset /= 2) {
    Bounds<Real, 3> other;
    for (int k = 0; k < 3; ++k) {
      other.low[k] = __shfl_xor_sync(mask, bounds.low[k], offset);
      other.high[k] = __shfl_xor_sync(mask, bounds.high[k], offset);
    }
    join(bounds, other);
  }
  return bounds;
}

}  // namespace pericenter

#pragma once

#include <cstdint>

#include "sim/core/work_counts.h"
#include "sim/cuda/kernels/warp.cuh"

namespace pericenter {

/// Adds to counts in device memory; one lane of a warp calls it with the counts of the warp.
__device__ __forceinline__ void add_work(const WorkCounts& work, WorkCounts& all) {
  const auto add = [](std::uint64_t& to, std::uint64_t value) {
    atomicAdd(reinterpret_cast<unsigned long long*>(&to), static_cast<unsigned long long>(value));
  };
  add(all.body_interactions, work.body_interactions);
  add(all.cell_interactions, work.cell_interactions);
  add(all.node_visits, work.node_visits);
  if (work.lane_slots > 0) add(all.lane_slots, work.lane_slots);
}

/// Adds the counts of the lanes of a warp; `lane_slots` is that of the warp and equal in all lanes. All lanes must take
/// part.
__device__ __forceinline__ void add_work_of_lanes(const WorkCounts& lane, WorkCounts& all) {
  const WorkCounts sum{warp_sum(lane.body_interactions), warp_sum(lane.cell_interactions), warp_sum(lane.node_visits),
                       lane.lane_slots};
  if (warp_lane() == 0) add_work(sum, all);
}

}  // namespace pericenter

#pragma once

#include <cstdint>

#include "sim/cuda/kernels/warp.cuh"
#include "sim/cuda/tree/device_tree.cuh"

namespace pericenter {

/// A stack of runs of siblings in shared memory, from which a warp takes its next nodes. Later generations are above
/// earlier ones. A step takes runs from the top while they have at most 32 nodes in total, and pushes at most 32 runs.
/// With more than kWide runs it takes only 8 nodes. A generation gets runs only when it has none left, so at most 7 of
/// each further generation then remain.
class RunStack {
 public:
  static constexpr unsigned kSize = 448;

  __device__ explicit RunStack(std::uint32_t* memory) : run_(memory) {}

  __device__ void clear() { runs_ = 0; }
  /// Starts with the root. The warp must be synchronised before pop().
  __device__ __forceinline__ void start() {
    if (warp_lane() == 0) run_[0] = sibling_run(0, 1);
    runs_ = 1;
  }
  __device__ bool empty() const { return runs_ == 0; }

  /// The next nodes, one per lane, those of the topmost run in the lowest lanes; kNoNode in lanes without one. Sets
  /// the number of lanes that have a node.
  __device__ __forceinline__ std::uint32_t pop(unsigned& lanes) {
    lanes = 0;
    if (runs_ == 0) return kNoNode;
    const unsigned most = runs_ > kWide ? 8 : kWarp;
    const bool has_run = warp_lane() < runs_;
    const std::uint32_t run = has_run ? run_[runs_ - 1 - warp_lane()] : 0;
    const std::uint32_t nodes = has_run ? run_size(run) : 0;
    const std::uint32_t end = sum_up_to_lane(nodes), begin = end - nodes;
    const unsigned runs = static_cast<unsigned>(__popc(__ballot_sync(kAllLanes, has_run && end <= most)));
    const unsigned starts = warp_or(warp_lane() < runs ? 1u << begin : 0u);
    const unsigned owner = lanes_up_to(starts) - 1;
    const std::uint32_t node = __shfl_sync(kAllLanes, run_first(run) - begin, owner) + warp_lane();
    runs_ -= runs;
    lanes = __shfl_sync(kAllLanes, end, runs - 1);
    return warp_lane() < lanes ? node : kNoNode;
  }

  /// Pushes the children of the lanes that open a node. The run of the lowest lane is pushed last, so bodies are
  /// visited in tree order.
  __device__ __forceinline__ void push(bool opens, std::uint32_t children) {
    const unsigned opened = __ballot_sync(kAllLanes, opens);
    __syncwarp();
    if (opens) run_[runs_ + lanes_above(opened)] = children;
    runs_ += static_cast<unsigned>(__popc(opened));
    __syncwarp();
  }

 private:
  static constexpr unsigned kWide = kSize - kWarp - 7 * kKeyLevels<2>;

  std::uint32_t* const run_;
  unsigned runs_ = 0;
};

}  // namespace pericenter

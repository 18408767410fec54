#include "sim/cuda/tree/group_walk.cuh"

#include <type_traits>

#include "sim/cuda/kernels/work_counts.cuh"
#include "sim/cuda/tree/run_stack.cuh"
#include "sim/solvers/tree/opening_criterion.h"

namespace pericenter {
namespace {

// Far cells and near bodies are evaluated before the next 32 might overflow.
constexpr unsigned kCells = 64;
constexpr unsigned kPoints = 128;

/// A lane holds three or four targets of a group; see WarpWalk::begin_group().
constexpr unsigned kTargets = 4;

template <class Real>
constexpr unsigned kWarps = sizeof(Real) == 4 ? 4 : 2;  ///< warps per block

/// Shared memory of one warp.
template <class Real>
struct WalkMemory {
  Vec4<Real> total[kTargets][kWarp];  ///< acceleration and potential
  Vec4<Real> points[kPoints];
  CellSource<Real> cells[kCells];
  std::uint32_t stack[RunStack::kSize];
  std::uint32_t leaf_offset[kWarp];
  unsigned long long body_interactions, cell_interactions, node_visits;  ///< totals of all groups so far
};

/// The classification of a node by one lane; at most one flag is set.
template <class Real>
struct Visit {
  Vec4<Real> center;
  NodeLinks links;
  bool far, point, near;  ///< near: open it
};

template <bool WithPotential, class Real>
class WarpWalk {
 public:
  __device__ WarpWalk(const GroupWalkTask<Real>& task, WalkMemory<Real>& memory)
      : task_(task), memory_(memory), stack_(memory.stack) {
    if (warp_lane() == 0) memory_.body_interactions = memory_.cell_interactions = memory_.node_visits = 0;
  }

  __device__ void run(BodyRange group) {
    begin_group(group);
    bool last = false;
    do {
      last = stack_.empty();
      unsigned nodes = 0;
      const std::uint32_t node = stack_.pop(nodes);
      node_visits_ += nodes;
      const Visit<Real> visit = classify(node);
      stack_.push(visit.near && visit.links.children != 0, visit.links.children);
      add_far(visit, node);
      add_bodies(visit, last);
      if (last || cells_ > kCells - kWarp) {
        evaluate(memory_.cells, cells_);
        cells_ = 0;
      }
    } while (!last);
    add_counts();
    store();
  }

  __device__ void count(TreeStatus& status) const {
    if (warp_lane() != 0) return;
    add_work({memory_.body_interactions, memory_.cell_interactions, memory_.node_visits}, status.work);
  }

 private:
  __device__ void begin_group(BodyRange group);
  __device__ Visit<Real> classify(std::uint32_t node) const;
  __device__ void add_far(const Visit<Real>& visit, std::uint32_t node);
  __device__ void add_bodies(const Visit<Real>& visit, bool last);
  template <class Source>
  __device__ void evaluate(const Source* sources, unsigned count);
  template <unsigned Targets, class Source>
  __device__ void add_sources(const Source* sources, unsigned count);
  __device__ void add_counts() const;
  __device__ void store() const;

  __device__ std::uint32_t size() const { return group_.end - group_.begin; }
  /// Index in the group of the `t`-th target of this lane.
  __device__ std::uint32_t target(unsigned t) const { return (t << log_width_) + warp_lane() % (1u << log_width_); }

  const GroupWalkTask<Real>& task_;
  WalkMemory<Real>& memory_;
  RunStack stack_;
  BodyRange group_;
  Bounds<Real, 3> bounds_;
  int log_width_;                                             ///< 2^log_width_ lanes hold all targets
  unsigned points_, cells_;                                   ///< how many of each are in shared memory
  std::uint32_t acting_bodies_, acting_cells_, node_visits_;  ///< sources per target; node visits of the group
};

/// Starts a group. A few lanes hold its targets, three or four per lane. The remaining lanes hold copies of the same
/// targets, and each such set of lanes evaluates a share of the sources, so at most a third of the lanes is idle.
template <bool WithPotential, class Real>
__device__ __forceinline__ void WarpWalk<WithPotential, Real>::begin_group(BodyRange group) {
  group_ = group;
  log_width_ = 0;
  while (kTargets << log_width_ < size()) ++log_width_;
  bounds_ = no_bounds<Real>();
  for (std::uint32_t i = group.begin + warp_lane(); i < group.end; i += kWarp) {
    const Vec4<Real> body = task_.tree.body[i];
    join(bounds_, {{body.x, body.y, body.z}, {body.x, body.y, body.z}});
  }
  bounds_ = joined_lanes<kWarp>(bounds_, kAllLanes);
  for (auto& totals : memory_.total) totals[warp_lane()] = {0, 0, 0, 0};
  stack_.start();
  points_ = cells_ = 0;
  acting_bodies_ = acting_cells_ = node_visits_ = 0;
  __syncwarp();
}

template <bool WithPotential, class Real>
__device__ __forceinline__ Visit<Real> WarpWalk<WithPotential, Real>::classify(std::uint32_t node) const {
  Visit<Real> visit{};
  if (node == kNoNode) return visit;
  visit.center = task_.tree.center[node];
  visit.links = task_.tree.links[node];
  const Real position[3] = {visit.center.x, visit.center.y, visit.center.z}, size = visit.center.w;
  Real distance_squared = 0;
  for (int k = 0; k < 3; ++k) {
    const Real outside = std::fmax(Real(0), std::fmax(bounds_.low[k] - position[k], position[k] - bounds_.high[k]));
    distance_squared += outside * outside;
  }
  const bool holds_group = visit.links.begin <= group_.begin && group_.end <= visit.links.end;
  visit.point = size == 0;
  visit.far = !visit.point && accepts_for_group(size, holds_group, task_.theta_squared, distance_squared);
  visit.near = !visit.point && !visit.far;
  return visit;
}

template <bool WithPotential, class Real>
__device__ __forceinline__ void WarpWalk<WithPotential, Real>::add_far(const Visit<Real>& visit, std::uint32_t node) {
  const unsigned far = __ballot_sync(kAllLanes, visit.far), points = __ballot_sync(kAllLanes, visit.point);
  acting_cells_ += static_cast<unsigned>(__popc(far));
  acting_bodies_ += static_cast<unsigned>(__popc(points));
  const unsigned as_cells = task_.monopole ? 0 : far, as_points = task_.monopole ? far | points : points;
  if (visit.far && !task_.monopole) {
    memory_.cells[cells_ + lanes_below(as_cells)] = {visit.center, task_.tree.moments[node]};
  } else if (visit.far || visit.point) {
    const Real mass = task_.tree.moments[node].mass;
    memory_.points[points_ + lanes_below(as_points)] = {visit.center.x, visit.center.y, visit.center.z, mass};
  }
  cells_ += static_cast<unsigned>(__popc(as_cells));
  points_ += static_cast<unsigned>(__popc(as_points));
}

/// Gathers the bodies of near leaves, 32 at a time across leaf boundaries, and evaluates them when the buffer is full.
template <bool WithPotential, class Real>
__device__ __forceinline__ void WarpWalk<WithPotential, Real>::add_bodies(const Visit<Real>& visit, bool last) {
  const bool is_leaf = visit.near && visit.links.children == 0;
  const unsigned leaves = __ballot_sync(kAllLanes, is_leaf);
  std::uint32_t begin = 0, total = 0;  // range in the concatenated bodies of these leaves
  if (leaves != 0) {
    const std::uint32_t bodies = is_leaf ? visit.links.end - visit.links.begin : 0;
    const std::uint32_t end = sum_up_to_lane(bodies);
    total = __shfl_sync(kAllLanes, end, kWarp - 1);
    begin = end - bodies;
    if (is_leaf) memory_.leaf_offset[lanes_below(leaves)] = visit.links.begin - begin;
    acting_bodies_ += total;
    __syncwarp();
  }
  for (std::uint32_t done = 0;; done += kWarp) {
    if (last || points_ > kPoints - kWarp) {
      evaluate(memory_.points, points_);
      points_ = 0;
    }
    if (done >= total) break;
    const unsigned before = static_cast<unsigned>(__popc(__ballot_sync(kAllLanes, is_leaf && begin < done)));
    const unsigned starts = warp_or(is_leaf && begin - done < kWarp ? 1u << (begin - done) : 0u);
    const std::uint32_t body = done + warp_lane();
    if (body < total) {
      const unsigned leaf = before + lanes_up_to(starts) - 1;
      memory_.points[points_ + warp_lane()] = task_.tree.body[memory_.leaf_offset[leaf] + body];
    }
    points_ += min(kWarp, total - done);
  }
}

template <bool WithPotential, class Real>
template <class Source>
__device__ __forceinline__ void WarpWalk<WithPotential, Real>::evaluate(const Source* sources, unsigned count) {
  __syncwarp();
  if (size() <= 3u << log_width_) {
    add_sources<3>(sources, count);
  } else {
    add_sources<4>(sources, count);
  }
  __syncwarp();
}

template <bool WithPotential, class Real>
template <unsigned Targets, class Source>
__device__ __forceinline__ void WarpWalk<WithPotential, Real>::add_sources(const Source* sources, unsigned count) {
  Vec4<Real> targets[Targets], sums[Targets];
  for (unsigned t = 0; t < Targets; ++t) {
    targets[t] = task_.tree.body[group_.begin + min(target(t), size() - 1)];
    sums[t] = {0, 0, 0, 0};
  }
  for (unsigned i = warp_lane() >> log_width_; i < count; i += kWarp >> log_width_) {
    const Source source = sources[i];
    for (unsigned t = 0; t < Targets; ++t) {
      if constexpr (std::is_same_v<Source, CellSource<Real>>) {
        add_cell<WithPotential>(source, targets[t], task_.softening, sums[t]);
      } else {
        add_point<WithPotential>(source, targets[t], task_.softening, sums[t]);
      }
    }
  }
  // Partial sums of a few sources reduce the rounding error of long lists.
  for (unsigned t = 0; t < Targets; ++t) {
    Vec4<Real>& total = memory_.total[t][warp_lane()];
    total = {total.x + sums[t].x, total.y + sums[t].y, total.z + sums[t].z, total.w + sums[t].w};
  }
}

template <bool WithPotential, class Real>
__device__ __forceinline__ void WarpWalk<WithPotential, Real>::add_counts() const {
  if (warp_lane() != 0) return;
  memory_.body_interactions += static_cast<unsigned long long>(acting_bodies_) * size();
  memory_.cell_interactions += static_cast<unsigned long long>(acting_cells_) * size();
  memory_.node_visits += node_visits_;
}

template <bool WithPotential, class Real>
__device__ __forceinline__ void WarpWalk<WithPotential, Real>::store() const {
  for (unsigned t = 0; t < kTargets; ++t) {
    Vec4<Real> total = memory_.total[t][warp_lane()];
    for (unsigned offset = 1u << log_width_; offset < kWarp; offset *= 2) {
      total.x += __shfl_xor_sync(kAllLanes, total.x, offset);
      total.y += __shfl_xor_sync(kAllLanes, total.y, offset);
      total.z += __shfl_xor_sync(kAllLanes, total.z, offset);
      if constexpr (WithPotential) total.w += __shfl_xor_sync(kAllLanes, total.w, offset);
    }
    if (warp_lane() >> log_width_ != 0 || target(t) >= size()) continue;
    const std::uint32_t body = group_.begin + target(t);
    if constexpr (WithPotential) total.w -= own_potential(task_.tree.body[body].w, task_.softening);
    const std::uint32_t original = task_.tree.order[body];
    task_.acceleration[original] = total;
    if (task_.interactions != nullptr) task_.interactions[original] = acting_bodies_ + acting_cells_;
  }
}

/// Runs with all warps that are resident on the device; each processes one group after the other.
template <bool WithPotential, class Real>
__global__ void __launch_bounds__(kWarp* kWarps<Real>) walk_kernel(const GroupWalkTask<Real> task) {
  __shared__ WalkMemory<Real> memory[kWarps<Real>];
  WarpWalk<WithPotential, Real> walk(task, memory[threadIdx.x / kWarp]);
  const std::uint32_t groups = task.tree.status->group_count;
  for (;;) {
    const std::uint32_t group = next_ticket(&task.tree.status->next_group);
    if (group >= groups) break;
    walk.run(task.tree.groups[group]);
  }
  walk.count(*task.tree.status);
}

}  // namespace

template <class Real>
CudaGroupWalk<Real>::CudaGroupWalk()
    : blocks_(resident_blocks(walk_kernel<false, Real>, kWarp * kWarps<Real>)),
      blocks_with_potential_(resident_blocks(walk_kernel<true, Real>, kWarp * kWarps<Real>)) {}

template <class Real>
void CudaGroupWalk<Real>::enqueue(const GroupWalkTask<Real>& task, bool with_potential, StageEvents& events) const {
  const DeviceStageClock clock(events, Stage::walk);
  constexpr unsigned kThreads = kWarp * kWarps<Real>;
  const auto kernel = with_potential ? walk_kernel<true, Real> : walk_kernel<false, Real>;
  launch(kernel, {with_potential ? blocks_with_potential_ : blocks_, kThreads}, events.stream(), task);
}
template class CudaGroupWalk<float>;
template class CudaGroupWalk<double>;

}  // namespace pericenter

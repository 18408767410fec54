#include "sim/cuda/fmm/cell_lists.cuh"

#include "sim/cuda/kernels/work_counts.cuh"
#include "sim/cuda/tree/run_stack.cuh"

namespace pericenter {
namespace {

constexpr unsigned kWarps = 8;  ///< warps per block
/// Minimum resident blocks per multiprocessor; it limits the registers per thread.
template <class Real, bool ByError>
constexpr unsigned kBlocks = sizeof(Real) == 8 ? 1
                             : ByError         ? 4
                                               : 5;

/// Minimum number of bodies in a cell that acts on single bodies; smaller cells act body by body.
constexpr std::uint32_t kMinCellToBody = 12;

/// Chunks that a warp allocates from a pool at a time.
constexpr unsigned kPassingStash = 16, kLastingStash = 4;

enum class Kind { far, near, cell_to_body };
constexpr int kKinds = 3;

/// A growing list, identical in all lanes.
struct GrowingList {
  Kind kind;
  std::uint32_t chunk = kNoChunk, count = 0;  ///< the last chunk; entries
};

/// What a warp uses rarely, so that registers remain for more warps.
struct WarpMemory {
  std::uint32_t stack[RunStack::kSize];
  std::uint32_t first_chunk[kKinds];  ///< first chunks of the lists with entries
  struct Stash {
    std::uint32_t next, left;
  } stash[2];               ///< chunks allocated by this warp, passing and lasting
  std::uint32_t inherited;  ///< sources that act on the ancestors
  unsigned long long body_interactions, cell_interactions;
};

/// Lists of the cells that a warp processes; ByError: CellCriterion::by_error().
template <class Real, bool ByError>
class WarpLists {
 public:
  __device__ WarpLists(const CellWalk<Real>& walk, WarpMemory& memory)
      : walk_(walk),
        memory_(memory),
        stack_(memory.stack),
        first_inheriting_node_(walk.first_inheriting_node()),
        rule_(walk.rule_in_units()),
        mass_unit_(walk.mass_unit()) {
    memory.stash[0] = memory.stash[1] = {};
    memory.body_interactions = memory.cell_interactions = 0;
    __syncwarp();
  }

  __device__ void run(std::uint32_t node) {
    begin_cell(node);
    is_leaf() ? visit_all<true>() : visit_all<false>();
    finish();
  }
  __device__ void count() const;

 private:
  __device__ void begin_cell(std::uint32_t node);
  /// `Leaf`: whether the target is one.
  template <bool Leaf>
  __device__ __forceinline__ void visit_all() {
    for (;;) {
      const std::uint32_t source = next();
      const auto visits = static_cast<unsigned>(__popc(__ballot_sync(kAllLanes, source != kNoNode)));
      if (visits == 0) break;
      node_visits_ += visits;
      classify<Leaf>(source);
    }
  }
  /// Loads a chunk of the inherited list, long before it is needed, and the index of the next one.
  __device__ __forceinline__ void fetch() {
    ahead_ = __ldcg(walk_.entries + std::size_t(from_chunk_) * kChunk + min(warp_lane(), from_left_ - 1));
    if (from_left_ > kChunk) from_chunk_ = __ldcg(walk_.next + from_chunk_);
  }
  __device__ std::uint32_t next();
  template <bool Leaf>
  __device__ void classify(std::uint32_t source);
  __device__ bool accepts(const FarCell<Real>& source, Real distance_squared, Real target_radius) const;
  __device__ bool acts_on_bodies(const FarCell<Real>& source) const;
  __device__ void append(GrowingList& list, bool mine, std::uint32_t entry, bool lasts = false);
  __device__ std::uint32_t new_chunk(bool lasts);
  __device__ void finish();

  __device__ bool is_leaf() const { return target_.children == 0; }

  const CellWalk<Real>& walk_;
  WarpMemory& memory_;
  RunStack stack_;
  const std::uint32_t first_inheriting_node_;
  const CellCriterion<Real> rule_;
  const Real mass_unit_;
  Real strictness_;  ///< CellCriterion::strictness() of the target
  Real radius_;      ///< radius of the target in the criterion
  FarCell<Real> target_;
  std::uint32_t node_;
  std::uint32_t ahead_;                   ///< the entry of this lane in the chunk that fetch() loaded last
  std::uint32_t from_chunk_;              ///< the one that it loads next
  std::uint32_t from_place_, from_left_;  ///< position in the loaded chunk; entries of the list from there on
  GrowingList far_, near_, cell_to_body_;
  std::uint32_t near_bodies_;  ///< counted by this lane
  std::uint32_t node_visits_ = 0;
};

template <class Real, bool ByError>
__device__ __forceinline__ void WarpLists<Real, ByError>::begin_cell(std::uint32_t node) {
  node_ = node;
  target_ = walk_.cells.cell[node];
  strictness_ = ByError ? rule_.strictness(walk_.acceleration[node]) : 0;
  const bool weighs = !ByError && walk_.weighs_cells && !is_leaf();
  radius_ = weighs ? cuda_weights<Real>(target_.end - target_.begin).target * target_.radius : target_.radius;
  far_ = {Kind::far}, near_ = {Kind::near}, cell_to_body_ = {Kind::cell_to_body};
  near_bodies_ = from_left_ = from_place_ = 0;
  std::uint32_t inherited = 0;
  stack_.clear();
  if (node >= first_inheriting_node_) {
    const std::uint32_t parent = walk_.tree.links[node].parent;
    wait_for(walk_.tree.arrivals + parent, CellWalk<Real>::kHasLists);
    const CellLists* const lists = walk_.lists + parent;
    from_chunk_ = __ldcg(&lists->near.first_chunk);
    inherited = __ldcg(&lists->acting);
    const std::uint32_t count = __ldcg(&lists->near.count);
    from_left_ = walk_.has_chunk(from_chunk_) ? count : 0;
    if (from_left_ > 0) fetch();
  } else {
    stack_.start();
  }
  if (warp_lane() == 0) memory_.inherited = inherited;
  __syncwarp();
}

/// The next nodes, one per lane: from the stack, or from the list when the stack is empty; kNoNode in lanes without
/// one.
template <class Real, bool ByError>
__device__ __forceinline__ std::uint32_t WarpLists<Real, ByError>::next() {
  unsigned taken = 0;
  std::uint32_t node = stack_.pop(taken);
  if (stack_.empty() && from_left_ > 0) {
    const unsigned most = min(min(kWarp - taken, from_left_), kChunk - from_place_);
    const unsigned i = warp_lane() - taken;
    const std::uint32_t entry = __shfl_sync(kAllLanes, ahead_, from_place_ + i);
    if (warp_lane() >= taken && i < most) node = entry;
    from_left_ -= most;
    from_place_ += most;
    if (from_place_ == kChunk && from_left_ > 0) {
      from_place_ = 0;
      if (walk_.has_chunk(from_chunk_)) {
        fetch();
      } else {
        from_left_ = 0;  // the chunk was not written
      }
    }
  }
  return node;
}

/// Classifies a source: it acts as a whole, is opened, acts body by body, or is left to the children of the target.
template <class Real, bool ByError>
template <bool Leaf>
__device__ __forceinline__ void WarpLists<Real, ByError>::classify(std::uint32_t node) {
  bool far = false, harmonic = false, opens = false, near = false, cell_to_body = false;
  FarCell<Real> source{};
  if (node != kNoNode) source = walk_.cells.cell[node];
  if (source.mass != 0) {
    const Real x = target_.x - source.x, y = target_.y - source.y, z = target_.z - source.z;
    const Real distance_squared = x * x + (y * y + z * z);
    FarCell<Real> weighed = source;
    if (!ByError && walk_.weighs_cells && source.children != 0) {
      weighed.radius *= cuda_weights<Real>(source.end - source.begin).source;
    }
    far = accepts(weighed, distance_squared, radius_);
    harmonic = rule_.is_harmonic(distance_squared);
    if constexpr (Leaf) {
      const std::uint32_t count = source.end - source.begin;
      cell_to_body = !far && count >= kMinCellToBody && 2 * source.radius < target_.radius && acts_on_bodies(source);
      near = far ? (target_.end - target_.begin) * std::size_t(count) < kPairsOfCell
                 : source.children == 0 && !cell_to_body;
      far = far && !near;
      opens = !far && !near && !cell_to_body;
      if (near) near_bodies_ += count;
    } else {
      opens = !far && source.children != 0 && source.radius > target_.radius;
      near = !far && !opens;
    }
  }
  stack_.push(opens, source.children);
  append(far_, far, harmonic ? node | kNearlyHarmonic : node);
  append(near_, near, node, !Leaf);
  if constexpr (Leaf) append(cell_to_body_, cell_to_body, node);
}

/// Whether `source` may act as a whole on a target of this radius at this distance.
template <class Real, bool ByError>
__device__ __forceinline__ bool WarpLists<Real, ByError>::accepts(const FarCell<Real>& source, Real distance_squared,
                                                                  Real target_radius) const {
  const Real radii = target_radius + source.radius;
  if (!rule_.accepts(radii, distance_squared)) return false;
  if constexpr (!ByError) return true;
  const Real inverse = inverse_root(distance_squared + rule_.softening_squared);
  return rule_.is_exact(radii, inverse * inverse, mass_unit_ * source.mass, target_radius, strictness_);
}

/// Whether a cell may act on each body of the target. Such a cell is much smaller than the target, and too near to act
/// on the centre of the target because of the target's own size.
template <class Real, bool ByError>
__device__ __forceinline__ bool WarpLists<Real, ByError>::acts_on_bodies(const FarCell<Real>& source) const {
  const Real center[3] = {source.x, source.y, source.z};
  return accepts(source, squared_distance(center, walk_.tree.bounds[node_]), 0);
}

/// Appends the entries of all lanes with `mine` set.
template <class Real, bool ByError>
__device__ __forceinline__ void WarpLists<Real, ByError>::append(GrowingList& list, bool mine, std::uint32_t entry,
                                                                 bool lasts) {
  const unsigned all = __ballot_sync(kAllLanes, mine);
  if (all == 0) return;
  const unsigned count = static_cast<unsigned>(__popc(all)), begin = list.count % kChunk;
  const std::uint32_t old = list.chunk;
  if (begin == 0 || begin + count > kChunk) {
    list.chunk = new_chunk(lasts);
    if (warp_lane() == 0) {
      if (list.count == 0) {
        memory_.first_chunk[int(list.kind)] = list.chunk;
      } else {
        walk_.next[old] = list.chunk;
      }
    }
  }
  const unsigned at = begin + lanes_below(all);
  const std::uint32_t chunk = begin != 0 && at < kChunk ? old : list.chunk;
  if (mine) walk_.entries[std::size_t(chunk) * kChunk + at % kChunk] = entry;
  list.count += count;
}

template <class Real, bool ByError>
__device__ __forceinline__ std::uint32_t WarpLists<Real, ByError>::new_chunk(bool lasts) {
  WarpMemory::Stash stash = memory_.stash[lasts ? 1 : 0];
  if (stash.left == 0) {
    stash.left = lasts ? kLastingStash : kPassingStash;
    std::uint32_t* const wanted = lasts ? &walk_.status->lasting_chunks : &walk_.status->batch.passing_chunks;
    if (warp_lane() == 0) stash.next = atomicAdd(wanted, stash.left);
    stash.next = __shfl_sync(kAllLanes, stash.next, 0);
  }
  __syncwarp();
  if (warp_lane() == 0) memory_.stash[lasts ? 1 : 0] = {stash.next + 1, stash.left - 1};
  __syncwarp();
  if (stash.next >= (lasts ? walk_.lasting_capacity : walk_.passing_capacity)) {
    return walk_.passing_capacity + walk_.lasting_capacity;  // one more, for all that does not fit
  }
  return lasts ? walk_.passing_capacity + stash.next : stash.next;
}

template <class Real, bool ByError>
__device__ __forceinline__ void WarpLists<Real, ByError>::finish() {
  const std::uint32_t bodies = target_.end - target_.begin;
  const std::uint32_t cells = far_.count;
  std::uint32_t acting = cells + cell_to_body_.count;
  std::uint32_t near_bodies = 0;
  if (is_leaf()) {
    // At most the number of bodies, so 32 bits are enough.
    near_bodies = static_cast<std::uint32_t>(warp_sum(near_bodies_));
    acting += near_bodies;
    for (std::uint32_t part = (1 + warp_lane()) * kMaxTargets; part < bodies; part += kWarp * kMaxTargets) {
      walk_.leaf_parts[atomicAdd(&walk_.status->batch.leaf_parts, 1u)] = {node_, part};
    }
  }
  if (warp_lane() == 0) {
    memory_.body_interactions += static_cast<unsigned long long>(near_bodies) * bodies;
    memory_.cell_interactions += cells + static_cast<unsigned long long>(cell_to_body_.count) * bodies;
    const auto head = [&](const GrowingList& list) {
      return ListHead{memory_.first_chunk[int(list.kind)], list.count};
    };
    if (is_leaf() && walk_.is_large(bodies)) {
      walk_.large_leaves[atomicAdd(&walk_.status->batch.large_leaves, 1u)] = node_;
    }
    walk_.lists[node_] = {head(far_), head(near_), head(cell_to_body_), memory_.inherited + acting,
                          is_leaf() ? 0 : atomicAdd(&walk_.status->fields, 1u)};
  }
  if (!is_leaf()) announce(walk_.tree.arrivals + node_, CellWalk<Real>::kHasLists);
}

template <class Real, bool ByError>
__device__ __forceinline__ void WarpLists<Real, ByError>::count() const {
  if (warp_lane() != 0) return;
  add_work({memory_.body_interactions, memory_.cell_interactions, node_visits_}, walk_.tree.status->work);
}

/// Runs with all warps that are resident on the device; each processes one cell after the other. A parent precedes its
/// children, so every cell that a warp waits for is being processed by another warp.
template <class Real, bool ByError>
__global__ void __launch_bounds__(kWarp* kWarps, (kBlocks<Real, ByError>)) lists_kernel(const CellWalk<Real> walk) {
  start_next_kernel();
  if (walk.tree.status->overflown != 0) return;
  __shared__ WarpMemory memories[kWarps];
  WarpLists<Real, ByError> lists(walk, memories[threadIdx.x / kWarp]);
  const std::uint32_t begin = walk.first_place(walk.batch), end = walk.first_place(walk.batch + 1);
  const std::uint32_t first = walk.first_target();
  for (;;) {
    const std::uint32_t place = begin + next_ticket(&walk.status->batch.next_cell);
    if (place >= end) break;
    const std::uint32_t node = walk.node(place);
    if (node >= first || walk.cells.cell[node].children == 0) {
      lists.run(node);
    } else if (warp_lane() == 0) {
      walk.lists[node] = {};  // near and far field read it before they know that they do not need it
    }
  }
  lists.count();
}

}  // namespace

template <class Real>
ListKernel<Real>::ListKernel()
    : blocks_(resident_blocks(lists_kernel<Real, false>, kWarp * kWarps)),
      blocks_by_error_(resident_blocks(lists_kernel<Real, true>, kWarp * kWarps)) {}

template <class Real>
void ListKernel<Real>::enqueue(const CellWalk<Real>& walk, cudaStream_t stream) const {
  if (walk.rule.by_error() && walk.batch == 0) enqueue_accelerations(walk, stream);
  const bool by_error = walk.rule.by_error();
  const auto kernel = by_error ? lists_kernel<Real, true> : lists_kernel<Real, false>;
  launch(kernel, {by_error ? blocks_by_error_ : blocks_, kWarp * kWarps}, stream, walk);
}
template class ListKernel<float>;
template class ListKernel<double>;

}  // namespace pericenter

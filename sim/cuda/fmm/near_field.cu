#include <cuda_pipeline_primitives.h>

#include "sim/cuda/fmm/cell_lists.cuh"
#include "sim/cuda/fmm/lane_split.h"

namespace pericenter {
namespace {

// The ring of near bodies has three parts: one is evaluated, the bodies of the next one have arrived, those of the last
// one are being copied.
constexpr unsigned kParts = 3;
constexpr unsigned kPartPoints = 112;         ///< maximum bodies per part, in single precision
constexpr unsigned kSourcesPerIteration = 2;  ///< sources per set of lanes
constexpr unsigned kRound = 2 * kWarp;        ///< bodies that are gathered at once
constexpr unsigned kPieceOfSource = 128;      ///< maximum bodies of a source in a piece
constexpr unsigned kWarps = 8;                ///< warps per block
/// Minimum resident blocks per multiprocessor; it limits the registers per thread.
template <bool WithPotential, class Real>
constexpr unsigned kBlocks = sizeof(Real) == 8 ? 1
                             : WithPotential   ? 2
                                               : 3;
// Double precision holds half as many bodies, so a block uses the same amount of shared memory.
template <class Real>
constexpr unsigned kPart = kPartPoints * 4 / sizeof(Real);
static_assert(kPart<double> >= kSourcesPerIteration * kMaxSets);
/// A coordinate of which the square is infinite, so that inverse_root() is 0.
constexpr float kNowhere = 1e20f;

template <class Real>
__constant__ auto kLaneSplits = lane_splits<kMaxTargets>(kPart<Real>, kSourcesPerIteration);

/// Shared memory of one warp.
template <class Real>
struct NearMemory {
  Vec4<Real> ring[kParts * kPart<Real>];
  // A piece: bodies of up to 32 sources, as one sequence.
  std::uint32_t offset[kWarp];                       ///< body index minus position in the sequence, per source
  alignas(16) std::uint32_t starts[kPieceOfSource];  ///< one bit per position: a source starts there
};

/// The near field of leaves, one after the other. A set of lanes holds all bodies of the leaf, and each set evaluates a
/// share of the sources, see LaneSplit. EqualMasses: TreeStatus::equal_masses; the mass is then a factor of the sums.
template <bool WithPotential, bool EqualMasses, class Real>
class WarpNear {
 public:
  __device__ WarpNear(const CellWalk<Real>& walk, NearMemory<Real>& memory)
      : walk_(walk),
        memory_(memory),
        first_(walk.first_place(walk.batch)),
        nodes_(walk.first_place(walk.batch + 1) - first_),
        large_(walk.status->batch.large_leaves),
        early_(large_ + walk.status->batch.leaf_parts),
        softening_(walk.softening) {}

  /// Processes leaves until none is left.
  __device__ void run(Vec4<Real>* acceleration) {
    for (Item item = read(next_ticket(&walk_.status->batch.next_near)); item.exists;) {
      if (item.is_empty(walk_)) {
        item = read(next_ticket(&walk_.status->batch.next_near));
        continue;
      }
      const std::uint32_t begin = item.begin + item.first, size = min(item.end - begin, kMaxTargets);
      begin_leaf(begin, size, item.list);
      evaluate_all();
      // The next item arrives while the sums are stored.
      item = read(__shfl_sync(kAllLanes, ticket_, 0));
      store(begin, size, acceleration);
    }
  }

 private:
  /// What a ticket stands for: a large leaf, a part of a crowded leaf, or any node, in this order.
  struct Item {
    bool exists, is_node;
    std::uint32_t first;  ///< LeafPart::first
    std::uint32_t begin, end, children;
    ListHead list;

    /// Whether it is an inner cell, or a leaf that has an earlier item.
    __device__ bool is_empty(const CellWalk<Real>& walk) const {
      return children != 0 || (is_node && walk.is_large(end - begin));
    }
  };
  __device__ __forceinline__ Item read(std::uint32_t ticket) const {
    if (ticket >= early_ + nodes_) return {};
    const bool is_node = ticket >= early_;
    const LeafPart part = ticket < large_ ? LeafPart{walk_.large_leaves[ticket], 0}
                          : is_node       ? LeafPart{walk_.node(first_ + ticket - early_), 0}
                                          : walk_.leaf_parts[ticket - large_];
    const FarCell<Real>& cell = walk_.cells.cell[part.node];
    return {true, is_node, part.first, cell.begin, cell.end, cell.children, walk_.lists[part.node].near};
  }

  /// Consecutive bodies.
  struct Source {
    std::uint32_t first, bodies;
  };
  /// The source of this lane in the next chunk.
  __device__ __forceinline__ Source source() const {
    if (warp_lane() >= left_) return {0, 0};
    const FarCell<Real>& cell = walk_.cells.cell[walk_.entries[std::size_t(chunk_) * kChunk + warp_lane()]];
    return {cell.begin, cell.end - cell.begin};
  }

  __device__ __forceinline__ void begin_leaf(std::uint32_t begin, std::uint32_t size, const ListHead& list) {
    chunk_ = list.first_chunk;
    left_ = list.count;
    next_ = source();
    const LaneSplit split = kLaneSplits<Real>[size];
    targets_ = split.targets;
    width_ = split.width;
    sets_ = split.sets;
    set_ = split.set_of(warp_lane());
    place_ = warp_lane() - set_ * width_;
    for (unsigned t = 0; t < kMaxLaneTargets; ++t) {
      if (t < targets_) target_[t] = walk_.tree.body[begin + min(t * width_ + place_, size - 1)];
      total_[t] = {0, 0, 0, 0};
    }
    part_ = split.part;
    slot_ = warp_lane();
    to_gather_ = gathered_ = 0;
  }

  /// Fills the ring, and evaluates its oldest part, until no source is left.
  __device__ __forceinline__ void evaluate_all() {
    unsigned filled = 0, arrived = 0;  // points in the ring; those of them that were copied before the last evaluation
    Vec4<Real>* oldest = memory_.ring;
    for (;;) {
      __syncwarp();
      while (filled + kRound <= kParts * part_) {
        if (gathered_ >= to_gather_ && !start_piece()) break;
        filled += gather();
      }
      __pipeline_commit();
      const bool is_last = filled <= part_;
      // A ticket taken earlier would keep a leaf from warps that have nothing left to do.
      if (is_last) ticket_ = request_ticket(&walk_.status->batch.next_near);
      if (filled == 0) break;
      const unsigned points = min(filled, part_);
      if (points < part_) complete(oldest, points);
      if (arrived >= points) {
        __pipeline_wait_prior(1);
      } else {
        __pipeline_wait_prior(0);
      }
      __syncwarp();
      add_points(oldest, points);
      if (is_last) break;
      filled -= points;
      arrived = filled;
      oldest += part_;
      if (oldest == memory_.ring + kParts * part_) oldest = memory_.ring;
    }
  }

  /// Adds points without force, so that all sets have the same number of sources.
  __device__ __forceinline__ void complete(Vec4<Real>* part, unsigned points) const {
#pragma unroll 1
    for (unsigned i = points + warp_lane(); i < min(points + kSourcesPerIteration * sets_, part_); i += kWarp) {
      part[i] = {EqualMasses ? kNowhere : 0, 0, 0, 0};
    }
  }

  /// Prepares the next sources for gather(), one per lane. Returns false if there are none.
  __device__ __forceinline__ bool start_piece() {
    if (__ballot_sync(kAllLanes, now_.bodies > 0) == 0) {
      if (left_ == 0) return false;
      now_ = next_;
      left_ -= min(left_, kChunk);
      if (left_ > 0) {
        chunk_ = walk_.next[chunk_];
        next_ = source();
      }
    }
    const std::uint32_t bodies = min(now_.bodies, kPieceOfSource), end = sum_up_to_lane(bodies), begin = end - bodies;
    to_gather_ = __shfl_sync(kAllLanes, end, kWarp - 1);
    gathered_ = 0;
    before_ = ~0u;
    __syncwarp();  // all lanes have read the last piece
    reinterpret_cast<uint4*>(memory_.starts)[warp_lane()] = {0, 0, 0, 0};
    // Only in the first piece of a chunk, all lanes below the last one have bodies.
    const unsigned owners = __ballot_sync(kAllLanes, bodies > 0);
    __syncwarp();
    if (bodies > 0) {
      memory_.offset[lanes_below(owners)] = now_.first - begin;
      atomicOr(memory_.starts + begin / kWarp, 1u << begin % kWarp);
    }
    __syncwarp();
    now_.first += bodies;
    now_.bodies -= bodies;
    return true;
  }

  /// Starts to copy the next bodies of the piece into the ring. Returns their number.
  __device__ __forceinline__ unsigned gather() {
    const uint2 starts = *reinterpret_cast<const uint2*>(memory_.starts + gathered_ / kWarp);
    const unsigned in_first = __popc(starts.x);
    copy(before_ + lanes_up_to(starts.x), gathered_ + warp_lane(), slot_);
    copy(before_ + in_first + lanes_up_to(starts.y), gathered_ + kWarp + warp_lane(), wrapped(slot_ + kWarp));
    before_ += in_first + __popc(starts.y);
    const unsigned points = min(kRound, to_gather_ - gathered_);
    gathered_ += kRound;
    slot_ = wrapped(slot_ + points);
    return points;
  }
  __device__ __forceinline__ void copy(unsigned owner, std::uint32_t body, unsigned slot) {
    if (body >= to_gather_) return;
    const Vec4<Real>* const from = walk_.tree.body + (memory_.offset[owner] + body);
    Vec4<Real>* const to = memory_.ring + slot;
    for (unsigned byte = 0; byte < sizeof(*to); byte += 16) {
      __pipeline_memcpy_async(reinterpret_cast<char*>(to) + byte, reinterpret_cast<const char*>(from) + byte, 16);
    }
  }
  /// A slot less than twice around the ring.
  __device__ __forceinline__ unsigned wrapped(unsigned slot) const {
    return __viaddmin_u32(slot, 0u - kParts * part_, slot);
  }

  /// Adds the forces of the points of a part, completed by complete(). `Targets`: at least targets_.
  template <unsigned Targets = kMaxLaneTargets>
  __device__ __forceinline__ void add_points(const Vec4<Real>* part, unsigned points) {
    if constexpr (Targets > kMinLaneTargets) {
      if (targets_ < Targets) return add_points<Targets - 1>(part, points);
    }
    // Lanes beyond the last set repeat the first one.
    const Vec4<Real>*point = part + (set_ < sets_ ? set_ : 0), *const end = point + points;
#pragma unroll 1
    do {
      Vec4<Real> source[kSourcesPerIteration];
      for (unsigned i = 0; i < kSourcesPerIteration; ++i) {
        source[i] = point[i * sets_];
        if constexpr (EqualMasses) source[i].w = 1;
      }
      for (unsigned i = 0; i < kSourcesPerIteration; ++i) {
        for (unsigned t = 0; t < Targets; ++t) {
          add_point<WithPotential>(source[i], target_[t], softening_, total_[t]);
        }
      }
      point += kSourcesPerIteration * sets_;
    } while (point < end);
  }

  /// Sums over the sets in their order, so that the result has the same bits every time.
  __device__ void store(std::uint32_t begin, std::uint32_t size, Vec4<Real>* acceleration) {
    static_assert(kMaxLaneTargets * kWarp <= kParts * kPart<Real>);
    const unsigned stride = targets_ * width_;
    const Real mass = EqualMasses ? walk_.tree.body[begin].w : 1;
    __syncwarp();
    if (set_ < sets_) {
      for (unsigned t = 0; t < kMaxLaneTargets; ++t) {
        if (t < targets_) memory_.ring[set_ * stride + t * width_ + place_] = total_[t];
      }
    }
    __syncwarp();
#pragma unroll 1
    for (std::uint32_t i = warp_lane(); i < size; i += kWarp) {
      const Vec4<Real>* from = memory_.ring + i;
      Vec4<Real> sum = *from;
#pragma unroll 2
      for (unsigned set = 1; set < sets_; ++set) {
        from += stride;
        const Vec4<Real> share = *from;
        sum = {sum.x + share.x, sum.y + share.y, sum.z + share.z, sum.w + share.w};
      }
      if constexpr (EqualMasses) sum = {mass * sum.x, mass * sum.y, mass * sum.z, mass * sum.w};
      if constexpr (WithPotential) sum.w -= own_potential(walk_.tree.body[begin + i].w, walk_.softening);
      Vec4<Real>& to = acceleration[walk_.tree.order[begin + i]];
      if constexpr (CellWalk<Real>::kMayBeAtOnce) {
        if (walk_.at_once) {
          add_to(to, sum);
          continue;
        }
      }
      to = sum;
    }
    __syncwarp();
  }

  const CellWalk<Real>& walk_;
  NearMemory<Real>& memory_;
  const std::uint32_t first_, nodes_;  ///< first place and nodes of the batch
  const std::uint32_t large_, early_;  ///< items that are large leaves; those and parts of leaves
  const Softening<Real> softening_;
  std::uint32_t ticket_ = 0;            ///< the next one, in the first lane
  unsigned targets_, width_, sets_;     ///< LaneSplit of the leaf
  unsigned set_, place_;                ///< set of this lane, and its place in it
  unsigned part_;                       ///< points per part of the ring; all sets have the same number of sources in it
  unsigned slot_;                       ///< slot of the ring for the next body of this lane
  std::uint32_t chunk_, left_;          ///< next chunk of the list; entries in it and after it
  Source next_;                         ///< the sources of that chunk
  Source now_{};                        ///< what is left of the source that is gathered
  std::uint32_t to_gather_, gathered_;  ///< bodies of the piece
  unsigned before_;                     ///< sources of the piece that have started, minus one
  Vec4<Real> target_[kMaxLaneTargets], total_[kMaxLaneTargets];
};

template <bool WithPotential, class Real>
__global__ void __launch_bounds__(kWarp* kWarps, (kBlocks<WithPotential, Real>))
    near_kernel(const CellWalk<Real> walk, Vec4<Real>* acceleration) {
  wait_for_last_kernel();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    atomicMax(&walk.status->max_passing_chunks, walk.status->batch.passing_chunks);
  }
  if (walk.overflown()) walk.tree.status->overflown = 1;
  if (walk.overflown() || walk.tree.status->overflown != 0) return;
  __shared__ NearMemory<Real> memories[kWarps];
  // The address would be computed again for each access if it were known to be that of an element of the array.
  const auto address = __cvta_generic_to_shared(memories + threadIdx.x / kWarp);
  auto& memory = *static_cast<NearMemory<Real>*>(
      __cvta_shared_to_generic(__shfl_sync(kAllLanes, static_cast<unsigned>(address), 0)));
  if constexpr (sizeof(Real) == 4) {
    if (walk.tree.status->equal_masses != 0) return WarpNear<WithPotential, true, Real>(walk, memory).run(acceleration);
  }
  WarpNear<WithPotential, false, Real>(walk, memory).run(acceleration);
}

}  // namespace

template <class Real>
NearKernel<Real>::NearKernel()
    : blocks_(resident_blocks(near_kernel<false, Real>, kWarp * kWarps)),
      blocks_with_potential_(resident_blocks(near_kernel<true, Real>, kWarp * kWarps)),
      may_be_at_once_(CellWalk<Real>::kMayBeAtOnce && can_start_early(near_kernel<false, Real>)) {}

template <class Real>
void NearKernel<Real>::enqueue(const CellWalk<Real>& walk, bool with_potential, Vec4<Real>* acceleration,
                               cudaStream_t stream) const {
  constexpr unsigned kThreads = kWarp * kWarps;
  const auto kernel = with_potential ? near_kernel<true, Real> : near_kernel<false, Real>;
  LaunchSize size{with_potential ? blocks_with_potential_ : blocks_, kThreads};
  size.early = walk.at_once;
  launch(kernel, size, stream, walk, acceleration);
}
template class NearKernel<float>;
template class NearKernel<double>;

}  // namespace pericenter

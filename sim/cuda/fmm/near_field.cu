#include <cuda_pipeline_primitives.h>

#include "sim/cuda/fmm/cell_lists.cuh"

namespace pericenter {
namespace {

constexpr unsigned kPoints = 128;     ///< near bodies in shared memory; evaluated before the next 32 might overflow
constexpr unsigned kLaneTargets = 4;  ///< maximum per lane
static_assert(kMaxTargets <= kLaneTargets * kWarp);
constexpr unsigned kWarps = 8;  ///< warps per block
/// Minimum resident blocks per multiprocessor; it limits the registers per thread.
template <bool WithPotential, class Real>
constexpr unsigned kBlocks = sizeof(Real) == 8 ? 1
                             : WithPotential   ? 2
                                               : 3;
// Double precision holds half as many bodies, so a block uses the same amount of shared memory.
template <class Real>
constexpr unsigned kRoom = kPoints * 4 / sizeof(Real);

/// Shared memory of one warp.
template <class Real>
struct NearMemory {
  Vec4<Real> points[2][kRoom<Real>];  ///< one is filled while the other is evaluated
  std::uint32_t offset[kWarp];        ///< body index minus position in the concatenated sequence, per source
};

/// The near field of a leaf. A few lanes hold its bodies, `Targets` per lane. The remaining lanes hold copies of the
/// same bodies, and each such set of lanes evaluates a share of the sources.
template <unsigned Targets, bool WithPotential, class Real>
class WarpNear {
 public:
  __device__ WarpNear(const CellWalk<Real>& walk, NearMemory<Real>& memory) : walk_(walk), memory_(memory) {}

  __device__ void run(std::uint32_t begin, std::uint32_t size, int log_width, const ListHead& list,
                      Vec4<Real>* acceleration) {
    log_width_ = log_width;
    std::uint32_t chunk = list.first_chunk;
    Source next = source(chunk, list.count);
    for (unsigned t = 0; t < Targets; ++t) {
      target_[t] = walk_.tree.body[begin + min(place(t), size - 1)];
      total_[t] = {0, 0, 0, 0};
    }
    points_ = ready_ = buffer_ = 0;
    for (std::uint32_t done = 0; done < list.count; done += kChunk) {
      const Source now = next;
      if (done + kChunk < list.count) {
        chunk = walk_.next[chunk];
        next = source(chunk, list.count - done - kChunk);
      }
      gather(now);
    }
    evaluate();
    evaluate();
    store(begin, size, acceleration);
  }

 private:
  struct Source {
    std::uint32_t first, bodies;
  };
  /// The source of this lane in a chunk with `left` entries.
  __device__ __forceinline__ Source source(std::uint32_t chunk, std::uint32_t left) const {
    if (warp_lane() >= left) return {0, 0};
    const FarCell<Real>& cell = walk_.cells.cell[walk_.entries[std::size_t(chunk) * kChunk + warp_lane()]];
    return {cell.begin, cell.end - cell.begin};
  }

  /// Index in the leaf of the `t`-th target of this lane.
  __device__ std::uint32_t place(unsigned t) const { return (t << log_width_) + warp_lane() % (1u << log_width_); }

  /// Gathers the bodies of one source per lane, 32 at a time across cell boundaries.
  __device__ void gather(const Source& source) {
    const std::uint32_t bodies = source.bodies, end = sum_up_to_lane(bodies), begin = end - bodies;
    const std::uint32_t total = __shfl_sync(kAllLanes, end, kWarp - 1);
    __syncwarp();
    memory_.offset[warp_lane()] = source.first - begin;
    __syncwarp();
    for (std::uint32_t done = 0; done < total; done += kWarp) {
      if (points_ > kRoom<Real> - kWarp) evaluate();
      const unsigned before = static_cast<unsigned>(__popc(__ballot_sync(kAllLanes, bodies > 0 && begin < done)));
      const unsigned starts = warp_or(bodies > 0 && begin - done < kWarp ? 1u << (begin - done) : 0u);
      const std::uint32_t body = done + warp_lane();
      if (body < total) {
        const unsigned owner = before + lanes_up_to(starts) - 1;
        const Vec4<Real>* const from = walk_.tree.body + (memory_.offset[owner] + body);
        Vec4<Real>* const to = memory_.points[buffer_] + points_ + warp_lane();
        for (unsigned byte = 0; byte < sizeof(*to); byte += 16) {
          __pipeline_memcpy_async(reinterpret_cast<char*>(to) + byte, reinterpret_cast<const char*>(from) + byte, 16);
        }
      }
      points_ += min(kWarp, total - done);
    }
  }

  /// Evaluates the full buffer, and makes the buffer that was filled the next one to evaluate.
  __device__ __forceinline__ void evaluate() {
    __pipeline_commit();
    buffer_ ^= 1;
    if (ready_ > 0) {
      __pipeline_wait_prior(1);
      __syncwarp();
      add_points();
      __syncwarp();
    }
    ready_ = points_;
    points_ = 0;
  }

  /// Adds the forces of the points that are ready.
  __device__ __forceinline__ void add_points() {
    Vec4<Real> sum[Targets] = {};
    const Vec4<Real>* const points = memory_.points[buffer_];
#pragma unroll 2
    for (unsigned i = warp_lane() >> log_width_; i < ready_; i += kWarp >> log_width_) {
      const Vec4<Real> source = points[i];
      for (unsigned t = 0; t < Targets; ++t) add_point<WithPotential>(source, target_[t], walk_.softening, sum[t]);
    }
    // Partial sums of a few sources reduce the rounding error of long lists.
    for (unsigned t = 0; t < Targets; ++t) {
      total_[t] = {total_[t].x + sum[t].x, total_[t].y + sum[t].y, total_[t].z + sum[t].z, total_[t].w + sum[t].w};
    }
  }

  __device__ void store(std::uint32_t begin, std::uint32_t size, Vec4<Real>* acceleration) {
    for (unsigned t = 0; t < Targets; ++t) {
      Vec4<Real> total = total_[t];
      for (unsigned offset = 1u << log_width_; offset < kWarp; offset *= 2) {
        total.x += __shfl_xor_sync(kAllLanes, total.x, offset);
        total.y += __shfl_xor_sync(kAllLanes, total.y, offset);
        total.z += __shfl_xor_sync(kAllLanes, total.z, offset);
        if constexpr (WithPotential) total.w += __shfl_xor_sync(kAllLanes, total.w, offset);
      }
      if (warp_lane() >> log_width_ != 0 || place(t) >= size) continue;
      if constexpr (WithPotential) total.w -= own_potential(target_[t].w, walk_.softening);
      acceleration[walk_.tree.order[begin + place(t)]] = total;
    }
  }

  const CellWalk<Real>& walk_;
  NearMemory<Real>& memory_;
  int log_width_;            ///< 2^log_width_ lanes hold all targets
  unsigned buffer_;          ///< the one that is filled
  unsigned points_, ready_;  ///< points in it, and in the other one
  Vec4<Real> target_[Targets], total_[Targets];
};

template <bool WithPotential, class Real>
__global__ void __launch_bounds__(kWarp* kWarps, (kBlocks<WithPotential, Real>))
    near_kernel(const CellWalk<Real> walk, Vec4<Real>* acceleration) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    atomicMax(&walk.status->max_passing_chunks, walk.status->batch.passing_chunks);
  }
  if (walk.overflown()) walk.tree.status->overflown = 1;
  if (walk.overflown() || walk.tree.status->overflown != 0) return;
  __shared__ NearMemory<Real> memories[kWarps];
  NearMemory<Real>& memory = memories[threadIdx.x / kWarp];
  const std::uint32_t first = walk.first_place(walk.batch), nodes = walk.first_place(walk.batch + 1) - first;
  const std::uint32_t items = nodes + walk.status->batch.leaf_parts;
  for (;;) {
    const std::uint32_t item = next_ticket(&walk.status->batch.next_near);
    if (item >= items) break;
    const LeafPart part = item < nodes ? LeafPart{walk.node(first + item), 0} : walk.leaf_parts[item - nodes];
    const FarCell<Real> leaf = walk.cells.cell[part.node];
    if (leaf.children != 0) continue;
    const std::uint32_t begin = leaf.begin + part.first, size = min(leaf.end - begin, kMaxTargets);
    int log_width = 0;
    while (kLaneTargets << log_width < size) ++log_width;
    const ListHead list = walk.lists[part.node].near;
    if (size <= 3u << log_width) {
      WarpNear<3, WithPotential, Real>(walk, memory).run(begin, size, log_width, list, acceleration);
    } else {
      WarpNear<4, WithPotential, Real>(walk, memory).run(begin, size, log_width, list, acceleration);
    }
  }
}

}  // namespace

template <class Real>
NearKernel<Real>::NearKernel()
    : blocks_(resident_blocks(near_kernel<false, Real>, kWarp * kWarps)),
      blocks_with_potential_(resident_blocks(near_kernel<true, Real>, kWarp * kWarps)) {}

template <class Real>
void NearKernel<Real>::enqueue(const CellWalk<Real>& walk, bool with_potential, Vec4<Real>* acceleration,
                               StageEvents& events) const {
  const DeviceStageClock clock(events, Stage::near);
  constexpr unsigned kThreads = kWarp * kWarps;
  const auto kernel = with_potential ? near_kernel<true, Real> : near_kernel<false, Real>;
  launch(kernel, {with_potential ? blocks_with_potential_ : blocks_, kThreads}, events.stream(), walk, acceleration);
}
template class NearKernel<float>;
template class NearKernel<double>;

}  // namespace pericenter

#include <cuda_pipeline_primitives.h>

#include "sim/cuda/fmm/cell_lists.cuh"

namespace pericenter {
namespace {

constexpr unsigned kWarps = 4;  ///< warps per block
/// Minimum resident blocks per multiprocessor; it limits the registers per thread.
template <class Real, int P>
constexpr unsigned kBlocks = sizeof(Real) == 8 ? 1
                             : P == 5          ? 3
                                               : 5;

/// A vector word of 16 bytes.
template <class Real>
struct alignas(16) Word {
  static constexpr int kCount = 16 / int(sizeof(Real));
  Real of[kCount];
};
/// Words of the expansion of a cell.
template <class Real, int P>
inline constexpr int kWords = kSourceStride<Real, P> / Word<Real>::kCount;

/// Shared memory of one warp.
template <class Real, int P>
struct FarMemory {
  static constexpr unsigned kStages = sizeof(Real) == 4 ? 2 : 1;
  Word<Real> acting[kStages][kWarp * kWords<Real, P>];
  Real own[kFieldStride<Real, P>], parent[kFieldStride<Real, P>];
};

/// Sums each value over all lanes; the number of values is a multiple of 32. Afterwards value[32 k] of lane i has the
/// sum of value[32 k + i]. Each exchange halves the number of values.
template <int Count, class Real>
__device__ __forceinline__ void sum_by_lane(Real (&value)[Count]) {
  for_constants<0, Count / 32>([&](auto block) {
    constexpr int first = 32 * block;
    for_constants<0, 5>([&](auto step) {
      constexpr int half = 16 >> step;
      const bool upper = (warp_lane() & half) != 0;
      for_constants<0, half>([&](auto i) {
        const Real keep = upper ? value[first + i + half] : value[first + i];
        const Real give = upper ? value[first + i] : value[first + i + half];
        value[first + i] = keep + __shfl_xor_sync(kAllLanes, give, half);
      });
    });
  });
}

/// Adds the field of a cell, up to `Degree`, at a point.
template <int P, bool WithPotential, int Degree, class Real>
__device__ __forceinline__ void act(const Word<Real>* source, const Real (&at)[3], Real softening_squared,
                                    Real (&field)[monomials_up_to<3>(Degree)]) {
  Real center[3], multipoles[kMultipoles<3, P>];
  for_constants<0, kWords<Real, P>>([&](auto word) {
    const Word<Real> read = source[word];
    for_constants<0, Word<Real>::kCount>([&](auto k) {
      constexpr int i = word * Word<Real>::kCount + k;
      if constexpr (i < 3) center[i] = read.of[k];
      if constexpr (i >= 3 && i < 3 + kMultipoles<3, P>) multipoles[i - 3] = read.of[k];
    });
  });
  const Real d[3] = {at[0] - center[0], at[1] - center[1], at[2] - center[2]};
  const Real inverse = inverse_root(d[0] * d[0] + (d[1] * d[1] + (d[2] * d[2] + softening_squared)));
  add_far_field<3, P, WithPotential, Degree>(d, inverse, multipoles, field);
}

template <int P, bool WithPotential, class Real>
class WarpFar {
  static constexpr int kOwn = kLocals<3, P>;

 public:
  __device__ WarpFar(const FarTask<Real>& task, FarMemory<Real, P>& memory)
      : task_(task),
        walk_(task.walk),
        memory_(memory),
        first_inheriting_node_(task.walk.first_inheriting_node()),
        unit_(task.walk.unit()),
        softening_squared_(task.walk.softening.squared * (unit_ * unit_)) {}

  __device__ void run(const LeafPart& part) {
    const FarCell<Real> target = walk_.cells.cell[part.node];
    const CellLists lists = walk_.lists[part.node];
    add_far(target, lists.far);
    // A parent without any sources passes on nothing, and powers of the size of such a cell may overflow.
    const std::uint32_t node = part.node >= first_inheriting_node_ ? walk_.tree.links[part.node].parent : kNoNode;
    const bool inherits = node != kNoNode && walk_.lists[node].acting > 0;
    FarCell<Real> parent{};
    if (inherits) {
      parent = walk_.cells.cell[node];
      wait_for(walk_.tree.arrivals + node, CellWalk<Real>::kHasField);
      const Real* const field = field_of(node);
      for (unsigned i = warp_lane(); i < kOwn; i += kWarp) memory_.parent[i] = __ldcg(field + i);
      __syncwarp();
    }
    if (target.children == 0) {
      store(target, parent, part, lists, inherits);
    } else {
      pass_on(target, parent, part.node, inherits);
    }
    __syncwarp();
  }

 private:
  /// Computes the field of the far cells, one cell per lane, and writes the sum over the lanes to memory_.own.
  __device__ __forceinline__ void add_far(const FarCell<Real>& target, const ListHead& list) {
    constexpr int kBlocks = (kOwn + 31) / 32;
    Real field[kOwn];
    for_constants<0, kOwn>([&](auto i) { field[i] = 0; });
    // Software pipeline: while the cells of one chunk are evaluated, the cells of the next chunk and the entries of the
    // chunk after it are in flight.
    const std::uint32_t chunks = (list.count + kChunk - 1) / kChunk;
    std::uint32_t chunk = list.first_chunk;
    const auto entry_of = [&](std::uint32_t k) {
      const bool exists = k * kChunk + warp_lane() < list.count;
      const std::uint32_t entry = exists ? walk_.entries[std::size_t(chunk) * kChunk + warp_lane()] : kNoNode;
      if (k + 1 < chunks) chunk = walk_.next[chunk];
      return entry;
    };
    constexpr unsigned kStages = FarMemory<Real, P>::kStages;
    std::uint32_t entry = entry_of(0), staged = 0;
    for (std::uint32_t k = 0; k < chunks; ++k) {
      for (; staged < chunks && staged < k + kStages; ++staged) {
        stage(memory_.acting[staged % kStages], entry);
        entry = entry_of(staged + 1);
      }
      if (staged > k + 1) {
        __pipeline_wait_prior(1);
      } else {
        __pipeline_wait_prior(0);
      }
      __syncwarp();
      if (k * kChunk + warp_lane() < list.count) {
        act<P, WithPotential, P, Real>(memory_.acting[k % kStages] + warp_lane() * kWords<Real, P>,
                                       {target.x, target.y, target.z}, softening_squared_, field);
      }
      __syncwarp();
    }
    Real sums[32 * kBlocks];
    for_constants<0, 32 * kBlocks>([&](auto i) {
      if constexpr (i < kOwn) {
        sums[i] = field[i];
      } else {
        sums[i] = 0;
      }
    });
    sum_by_lane(sums);
    for_constants<0, kBlocks>([&](auto block) {
      const unsigned i = 32 * block + warp_lane();
      if (i < kOwn) memory_.own[i] = sums[32 * block];
    });
    __syncwarp();
  }

  __device__ const Word<Real>* source(std::uint32_t node) const {
    return reinterpret_cast<const Word<Real>*>(walk_.cells.source) + std::size_t(node) * kWords<Real, P>;
  }
  /// Copies the cells of all lanes asynchronously, except lanes with kNoNode. Neighbouring lanes copy neighbouring
  /// words.
  __device__ __forceinline__ void stage(Word<Real>* to, std::uint32_t node) const {
    for (unsigned pass = 0; pass < kWords<Real, P>; ++pass) {
      const unsigned i = pass * kWarp + warp_lane(), owner = i / kWords<Real, P>;
      const std::uint32_t from = __shfl_sync(kAllLanes, node, owner);
      if (from != kNoNode) __pipeline_memcpy_async(to + i, source(from) + i % kWords<Real, P>, 16);
    }
    __pipeline_commit();
  }

  __device__ Real* field_of(std::uint32_t node) const {
    return task_.fields + std::size_t(walk_.lists[node].field) * kFieldStride<Real, P>;
  }

  /// Adds the field of the parent to the field of an inner cell, for its children.
  __device__ __forceinline__ void pass_on(const FarCell<Real>& target, const FarCell<Real>& parent, std::uint32_t node,
                                          bool inherits) {
    if (inherits && warp_lane() == 0) {
      const Real x[3] = {target.x - parent.x, target.y - parent.y, target.z - parent.z};
      Real from[kOwn], to[kOwn];
      for_constants<0, kOwn>([&](auto i) {
        from[i] = memory_.parent[i];
        to[i] = memory_.own[i];
      });
      add_parent_field<3, P, WithPotential>(x, from, to);
      for_constants<0, kOwn>([&](auto i) { memory_.own[i] = to[i]; });
    }
    __syncwarp();
    Real* const field = field_of(node);
    for (unsigned i = warp_lane(); i < kOwn; i += kWarp) field[i] = memory_.own[i];
    announce(walk_.tree.arrivals + node, CellWalk<Real>::kHasField);
  }

  /// Evaluates the field at the bodies of a leaf, one body per lane.
  __device__ __forceinline__ void store(const FarCell<Real>& target, const FarCell<Real>& parent, const LeafPart& part,
                                        const CellLists& lists, bool inherits) {
    const std::uint32_t first = target.begin + part.first, last = min(target.end, first + kMaxTargets);
    const std::uint32_t own_last = min(last, walk_.own.end);
    for (std::uint32_t i = max(first, walk_.own.begin) + warp_lane(); i < own_last; i += kWarp) {
      const std::uint32_t original = walk_.tree.order[i];
      const Vec4<Real> body = walk_.tree.body[i], near = task_.bodies.acceleration[original];
      const Real at[3] = {unit_ * body.x, unit_ * body.y, unit_ * body.z};
      Real far[4] = {};
      // One loop for both fields halves the code size.
#pragma unroll 1
      for (int k = inherits ? 0 : 1; k < (lists.far.count > 0 ? 2 : 1); ++k) {
        const FarCell<Real>& center = k == 0 ? parent : target;
        const Real x[3] = {at[0] - center.x, at[1] - center.y, at[2] - center.z};
        add_field_at<3, P, WithPotential>(x, k == 0 ? memory_.parent : memory_.own, far);
      }
      add_cell_to_body(lists.cell_to_body, at, far);
      const Real strength = unit_ * unit_;
      task_.result[original] = {near.x + strength * far[0], near.y + strength * far[1], near.z + strength * far[2],
                                near.w + unit_ * far[3]};
      if (task_.bodies.interactions != nullptr) task_.bodies.interactions[original] = lists.acting;
    }
  }

  __device__ __forceinline__ void add_cell_to_body(const ListHead& list, const Real (&at)[3], Real (&force)[4]) const {
    std::uint32_t chunk = list.first_chunk;
    for (std::uint32_t i = 0; i < list.count; ++i) {
      const std::uint32_t node = walk_.entries[std::size_t(chunk) * kChunk + i % kChunk];
      Real field[4] = {};
      act<P, WithPotential, 1, Real>(source(node), at, softening_squared_, field);
      for (int k = 0; k < 3; ++k) force[k] += field[k + 1];
      force[3] -= field[0];
      if (i % kChunk == kChunk - 1 && i + 1 < list.count) chunk = walk_.next[chunk];
    }
  }

  const FarTask<Real>& task_;
  const CellWalk<Real>& walk_;
  FarMemory<Real, P>& memory_;
  const std::uint32_t first_inheriting_node_;
  const Real unit_, softening_squared_;  ///< factor of lengths; softening scaled by it
};

/// Cells are processed in the order of lists_kernel. A cell waits for the field of its parent, which another warp
/// started earlier.
template <int P, bool WithPotential, class Real>
__global__ void __launch_bounds__(kWarp* kWarps, kBlocks<Real, P>) far_kernel(const FarTask<Real> task) {
  const CellWalk<Real>& walk = task.walk;
  if (walk.tree.status->overflown != 0) return;
  __shared__ FarMemory<Real, P> memories[kWarps];
  WarpFar<P, WithPotential, Real> far(task, memories[threadIdx.x / kWarp]);
  const std::uint32_t first = walk.first_place(walk.batch), nodes = walk.first_place(walk.batch + 1) - first;
  const std::uint32_t items = nodes + walk.status->batch.leaf_parts;
  const std::uint32_t first_target = walk.first_target();
  for (;;) {
    const std::uint32_t item = next_ticket(&walk.status->batch.next_far);
    if (item >= items) break;
    const LeafPart part = item < nodes ? LeafPart{walk.node(first + item), 0} : walk.leaf_parts[item - nodes];
    if (walk.cells.cell[part.node].children == 0 || part.node >= first_target) far.run(part);
  }
}

}  // namespace

template <class Real, int P>
FarKernel<Real, P>::FarKernel()
    : blocks_(resident_blocks(far_kernel<P, false, Real>, kWarp * kWarps)),
      blocks_with_potential_(resident_blocks(far_kernel<P, true, Real>, kWarp * kWarps)) {}

template <class Real, int P>
void FarKernel<Real, P>::enqueue(const FarTask<Real>& task, bool with_potential, StageEvents& events) const {
  const DeviceStageClock clock(events, Stage::far);
  const auto kernel = with_potential ? far_kernel<P, true, Real> : far_kernel<P, false, Real>;
  launch(kernel, {with_potential ? blocks_with_potential_ : blocks_, kWarp * kWarps}, events.stream(), task);
}
template class FarKernel<float, 3>;
template class FarKernel<float, 4>;
template class FarKernel<float, 5>;
template class FarKernel<double, 3>;
template class FarKernel<double, 4>;
template class FarKernel<double, 5>;

}  // namespace pericenter

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

/// With more cells per warp than this, a warp takes its next cell before it has finished the last one.
constexpr unsigned kCellsAhead = 16;

/// A vector word of 16 bytes.
template <class Real>
struct alignas(16) Word {
  static constexpr int kCount = 16 / int(sizeof(Real));
  Real of[kCount];
};
/// Words of the expansion of a cell, and those that a nearly harmonic kernel needs.
template <class Real, int P>
inline constexpr int kWords = kSourceStride<Real, P> / Word<Real>::kCount;
template <class Real, int P>
inline constexpr int kHarmonicWords = record_length<Real>(kHarmonicMultipoles<P>) / Word<Real>::kCount;
/// Words from one staged record to the next: odd, so that lanes that read one each have no bank conflicts.
constexpr int staged_stride(int words) {
  return words | 1;
}

/// Shared memory of one warp.
template <class Real, int P>
struct FarMemory {
  static constexpr unsigned kStages = sizeof(Real) == 4 ? 2 : 1;
  Word<Real> acting[kStages][kWarp * staged_stride(kWords<Real, P>)];
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

/// A source of which the first `Count` multipoles in the order of kHarmonicFirst are read, seen from a point.
template <int P, int Count, class Real>
struct SeenSource {
  Real d[3], inverse;  ///< offset of the point, and 1 / sqrt(d^2 + eps^2)
  Real multipoles[kMultipoles<3, P>];

  __device__ __forceinline__ SeenSource(const Word<Real>* source, const Real (&at)[3], Real softening_squared) {
    constexpr int kLength = record_length<Real>(Count), kWordLength = Word<Real>::kCount;
    Real record[kLength];
    for_constants<0, kLength / kWordLength>([&](auto word) {
      const Word<Real> read = source[word];
      for_constants<0, kWordLength>([&](auto k) { record[word * kWordLength + k] = read.of[k]; });
    });
    for (int k = 0; k < 3; ++k) d[k] = at[k] - record[k];
    read_multipoles<P, Count>(record, multipoles);
    inverse = inverse_root(d[0] * d[0] + (d[1] * d[1] + (d[2] * d[2] + softening_squared)));
  }
};
/// Adds the field of a cell, up to `Degree`, at a point.
template <int P, bool WithPotential, int Degree, class Real>
__device__ __forceinline__ void act(const Word<Real>* source, const Real (&at)[3], Real softening_squared,
                                    Real (&field)[monomials_up_to<3>(Degree)]) {
  SeenSource<P, kMultipoles<3, P>, Real> seen(source, at, softening_squared);
  unfold_multipoles<P>(seen.multipoles);
  add_far_field<3, P, WithPotential, Degree>(seen.d, seen.inverse, seen.multipoles, field);
}
/// Adds the basic components and traces of the field of a cell so far away that its kernel is nearly harmonic.
template <int P, bool WithPotential, class Real>
__device__ __forceinline__ void act_harmonic(const Word<Real>* source, const Real (&at)[3], Real softening_squared,
                                             Real (&field)[kLocals<3, P>]) {
  const SeenSource<P, kHarmonicMultipoles<P>, Real> seen(source, at, softening_squared);
  add_harmonic_far_field<P, WithPotential>(seen.d, seen.inverse, softening_squared, seen.multipoles, field);
}

/// AtOnce: CellWalk::at_once.
template <int P, bool WithPotential, bool AtOnce, class Real>
class WarpFar {
  static constexpr int kOwn = kLocals<3, P>;

 public:
  __device__ WarpFar(const FarTask<Real>& task, FarMemory<Real, P>& memory)
      : task_(task),
        walk_(task.walk),
        memory_(memory),
        first_inheriting_node_(task.walk.first_inheriting_node()),
        first_target_(task.walk.first_target()),
        first_(task.walk.first_place(task.walk.batch)),
        nodes_(task.walk.first_place(task.walk.batch + 1) - first_),
        items_(nodes_ + task.walk.status->batch.leaf_parts),
        unit_(task.walk.unit()),
        softening_squared_(task.walk.softening.squared * (unit_ * unit_)) {}

  /// Processes cells until none is left.
  __device__ void run();

 private:
  /// A cell, or a part of a crowded leaf, with what is read long before it is needed.
  struct Item {
    bool exists, has_field;  ///< whether there is one, and whether it has a field of its own
    LeafPart part;
    FarCell<Real> target;
    CellLists lists;
    std::uint32_t parent;  ///< kNoNode if it has none with a field
  };
  __device__ __forceinline__ Item item(std::uint32_t ticket) const {
    Item item{};
    item.exists = ticket < items_;
    if (!item.exists) return item;
    item.part = ticket < nodes_ ? LeafPart{walk_.node(first_ + ticket), 0} : walk_.leaf_parts[ticket - nodes_];
    const std::uint32_t node = item.part.node;
    item.target = walk_.cells.cell[node];
    item.lists = walk_.lists[node];
    item.parent = node >= first_inheriting_node_ ? walk_.tree.links[node].parent : kNoNode;
    item.has_field = item.target.children == 0 || node >= first_target_;
    return item;
  }

  /// Adds the field of the far cells, one cell per lane. A chunk of 32 cells whose kernels are all nearly harmonic
  /// takes fewer bytes and instructions.
  __device__ __forceinline__ void add_far(const FarCell<Real>& target, const ListHead& list, Real (&field)[kOwn]) {
    const int chunks = static_cast<int>((list.count + kChunk - 1) / kChunk);
    std::uint32_t chunk = list.first_chunk;
    const auto exists = [&](int k) { return static_cast<std::uint32_t>(k) * kChunk + warp_lane() < list.count; };
    // Lanes without an entry return the first one of the chunk.
    const auto entry_of = [&](int k) {
      if (k >= chunks) return kNoNode;
      const std::uint32_t entry = walk_.entries[std::size_t(chunk) * kChunk + (exists(k) ? warp_lane() : 0)];
      if (k + 1 < chunks) chunk = walk_.next[chunk];
      return entry;
    };
    // Software pipeline: while the cells of one chunk are evaluated, the cells of the next chunk and the entries of the
    // chunk after it are in flight.
    constexpr int kAhead = FarMemory<Real, P>::kStages - 1;
    const Real at[3] = {target.x, target.y, target.z};
    std::uint32_t entry = entry_of(0);
    bool staged_harmonic = false;  // whether all cells of the chunk staged last are nearly harmonic
    bool has_traces = false;       // whether the field has traces instead of the components of a higher power of z
    for (int k = -kAhead; k < chunks; ++k) {
      const int staged = k + kAhead;
      bool harmonic = staged_harmonic;
      if (staged < chunks) {
        Word<Real>* const to = memory_.acting[staged % (kAhead + 1)];
        staged_harmonic = __all_sync(kAllLanes, (entry & kNearlyHarmonic) != 0) != 0;
        const std::uint32_t node = entry & ~kNearlyHarmonic;
        staged_harmonic ? stage<kHarmonicWords<Real, P>>(to, node) : stage<kWords<Real, P>>(to, node);
        entry = entry_of(staged + 1);
      }
      __pipeline_commit();
      if (k < 0) continue;
      if constexpr (kAhead == 0) harmonic = staged_harmonic;
      __pipeline_wait_prior(kAhead);
      __syncwarp();
      if (harmonic != has_traces && k > 0) harmonic ? reduce_to_traces<P>(field) : complete_harmonic<P>(field);
      has_traces = harmonic;
      const Word<Real>* const from = memory_.acting[k % (kAhead + 1)];
      if (exists(k)) {
        if (harmonic) {
          act_harmonic<P, WithPotential>(from + warp_lane() * staged_stride(kHarmonicWords<Real, P>), at,
                                         softening_squared_, field);
        } else {
          act<P, WithPotential, P>(from + warp_lane() * staged_stride(kWords<Real, P>), at, softening_squared_, field);
        }
      }
      __syncwarp();
    }
    if (has_traces) complete_harmonic<P>(field);
  }
  /// Writes the sum over the lanes to memory_.own.
  __device__ __forceinline__ void sum_up(const Real (&field)[kOwn]) {
    constexpr int kBlocks = (kOwn + 31) / 32;
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
  /// Copies the first words of the cells of all lanes asynchronously. Up to eight neighbouring lanes copy neighbouring
  /// words.
  template <int Words, int First = 0>
  __device__ __forceinline__ void stage(Word<Real>* to, std::uint32_t node) const {
    constexpr int kRest = Words - First, kTeam = kRest >= 8 ? 8 : kRest >= 4 ? 4 : kRest >= 2 ? 2 : 1;
    constexpr unsigned kRecords = kWarp / kTeam, kBytes = sizeof(Word<Real>) * kWords<Real, P>;
    const unsigned record = warp_lane() / kTeam, word = First + warp_lane() % kTeam;
    constexpr unsigned kStride = staged_stride(Words);
    const char* const from = reinterpret_cast<const char*>(source(0) + word);
    Word<Real>* const first = to + record * kStride + word;
    for (unsigned pass = 0; pass < kTeam; ++pass) {
      const std::uint32_t of = __shfl_sync(kAllLanes, node, pass * kRecords + record);
      __pipeline_memcpy_async(first + pass * kRecords * kStride, from + std::size_t(of) * kBytes, 16);
    }
    if constexpr (kRest > kTeam) stage<Words, First + kTeam>(to, node);
  }

  __device__ Real* field_at(std::uint32_t index) const {
    return task_.fields + std::size_t(index) * kFieldStride<Real, P>;
  }

  /// Adds the field of the parent to the field of an inner cell, for its children.
  __device__ __forceinline__ void pass_on(const FarCell<Real>& target, const FarCell<Real>& parent, std::uint32_t node,
                                          Real* field, bool inherits) {
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
    for (unsigned i = warp_lane(); i < kOwn; i += kWarp) field[i] = memory_.own[i];
    announce(walk_.tree.arrivals + node, CellWalk<Real>::kHasField);
  }

  /// Evaluates the field at the bodies of a leaf, one body per lane.
  __device__ __forceinline__ void store(const FarCell<Real>& target, const FarCell<Real>& parent, const LeafPart& part,
                                        const CellLists& lists, bool inherits) {
    const std::uint32_t first = target.begin + part.first, last = min(target.end, first + kMaxTargets);
    for (std::uint32_t i = first + warp_lane(); i < last; i += kWarp) {
      const std::uint32_t original = walk_.tree.order[i];
      const Vec4<Real> body = walk_.tree.body[i];
      const Vec4<Real> near = AtOnce ? Vec4<Real>{} : task_.bodies.acceleration[original];
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
      const Vec4<Real> sum = {near.x + strength * far[0], near.y + strength * far[1], near.z + strength * far[2],
                              near.w + unit_ * far[3]};
      if constexpr (AtOnce) {
        add_to(task_.result[original], sum);
      } else {
        task_.result[original] = sum;
      }
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
  const std::uint32_t first_inheriting_node_, first_target_;
  const std::uint32_t first_, nodes_, items_;  ///< first place of the batch; nodes; nodes and parts of leaves
  const Real unit_, softening_squared_;        ///< factor of lengths; softening scaled by it
};

template <int P, bool WithPotential, bool AtOnce, class Real>
__device__ __forceinline__ void WarpFar<P, WithPotential, AtOnce, Real>::run() {
  std::uint32_t* const tickets = &walk_.status->batch.next_far;
  // Of few cells, none should wait for a warp that has another one: its children wait for it.
  const bool ahead = items_ > kCellsAhead * gridDim.x * kWarps;
  for (Item now = item(next_ticket(tickets)); now.exists;) {
    const std::uint32_t ticket = ahead ? request_ticket(tickets) : 0;
    Real field[kOwn];
    for_constants<0, kOwn>([&](auto i) { field[i] = 0; });
    if (now.has_field) add_far(now.target, now.lists.far, field);
    // Sums and parents take long enough for the next cell to arrive.
    Item next{};
    if (ahead) next = item(__shfl_sync(kAllLanes, ticket, 0));
    if (now.has_field) {
      FarCell<Real> parent{};
      // A parent without any sources passes on nothing, and powers of the size of such a cell may overflow.
      bool inherits = false;
      std::uint32_t field_of_parent = 0;
      if (now.parent != kNoNode) {
        parent = walk_.cells.cell[now.parent];
        inherits = walk_.lists[now.parent].acting > 0;
        field_of_parent = walk_.lists[now.parent].field;
      }
      sum_up(field);
      if (inherits) {
        wait_for(walk_.tree.arrivals + now.parent, CellWalk<Real>::kHasField);
        const Real* const from = field_at(field_of_parent);
        for (unsigned i = warp_lane(); i < kOwn; i += kWarp) memory_.parent[i] = __ldcg(from + i);
        __syncwarp();
      }
      if (now.target.children == 0) {
        store(now.target, parent, now.part, now.lists, inherits);
      } else {
        pass_on(now.target, parent, now.part.node, field_at(now.lists.field), inherits);
      }
    }
    __syncwarp();
    now = ahead ? next : item(next_ticket(tickets));
  }
}

/// Cells are processed in the order of lists_kernel. A cell waits for the field of its parent, which another warp
/// started earlier.
template <int P, bool WithPotential, bool AtOnce, class Real>
__global__ void __launch_bounds__(kWarp* kWarps, kBlocks<Real, P>) far_kernel(const FarTask<Real> task) {
  if (task.walk.overflown() || task.walk.tree.status->overflown != 0) return;
  __shared__ FarMemory<Real, P> memories[kWarps];
  WarpFar<P, WithPotential, AtOnce, Real>(task, memories[threadIdx.x / kWarp]).run();
}

}  // namespace

template <class Real, int P>
FarKernel<Real, P>::FarKernel()
    : blocks_(resident_blocks(far_kernel<P, false, false, Real>, kWarp * kWarps)),
      blocks_with_potential_(resident_blocks(far_kernel<P, true, false, Real>, kWarp * kWarps)) {}

template <class Real, int P>
void FarKernel<Real, P>::enqueue(const FarTask<Real>& task, bool with_potential, cudaStream_t stream) const {
  auto kernel = with_potential ? far_kernel<P, true, false, Real> : far_kernel<P, false, false, Real>;
  if constexpr (CellWalk<Real>::kMayBeAtOnce) {
    if (task.walk.at_once) kernel = with_potential ? far_kernel<P, true, true, Real> : far_kernel<P, false, true, Real>;
  }
  launch(kernel, {with_potential ? blocks_with_potential_ : blocks_, kWarp * kWarps}, stream, task);
}
template class FarKernel<float, 3>;
template class FarKernel<float, 4>;
template class FarKernel<float, 5>;
template class FarKernel<double, 3>;
template class FarKernel<double, 4>;
template class FarKernel<double, 5>;

}  // namespace pericenter

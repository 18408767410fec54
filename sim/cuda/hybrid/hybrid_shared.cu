#include <algorithm>

#include "sim/cuda/hybrid/host_tree.cuh"
#include "sim/cuda/hybrid/tree_traversal.cuh"
#include "sim/cuda/hybrid/tree_words.h"
#include "sim/cuda/runtime/device_buffer.cuh"
#include "sim/cuda/tree/device_tree.cuh"
#include "sim/solvers/registry.h"

namespace pericenter {
namespace {

constexpr unsigned kThreads = 128;  // maximum per block
constexpr int kMaxLevels = 10;      // below the root

template <class Real>
struct StackWalk {
  const Word<Real>* words;
  std::uint32_t cells;
  const Vec4<Real>* body;         ///< in tree order
  const std::uint32_t* original;  ///< input indices of these bodies
  DeviceBodies<Real> targets;
  Softening<Real> softening;
  std::uint32_t threads;  ///< that share the bodies
  LaneCounts* counts;
};

/// The cells of a tree in global memory or, with InShared, in shared memory.
template <bool InShared, bool FieldByField, int Dim, class Real>
class Cells {
 public:
  using Fields = CellFields<Dim>;

  __device__ Cells(const Word<Real>* words, std::uint32_t count) : words_(words), count_(count) {}

  __device__ Vec4<Real> mass_point(std::uint32_t cell) const {
    Vec4<Real> point{number(cell, Fields::kCenterOfMass), number(cell, Fields::kCenterOfMass + 1), 0,
                     number(cell, Fields::kMass)};
    if constexpr (Dim == 3) point.z = number(cell, Fields::kCenterOfMass + 2);
    return point;
  }
  __device__ Real number(std::uint32_t cell, unsigned field) const {
    if constexpr (sizeof(Real) == 4) {
      return __uint_as_float(word(cell, field));
    } else {
      return __longlong_as_double(static_cast<long long>(word(cell, field)));
    }
  }
  __device__ std::uint32_t index(std::uint32_t cell, unsigned field) const {
    return static_cast<std::uint32_t>(word(cell, field));
  }

 private:
  using Index = std::conditional_t<InShared, std::uint32_t, std::size_t>;

  __device__ Word<Real> word(std::uint32_t cell, unsigned field) const {
    return words_[place_of<Dim, FieldByField, Index>(cell, field, count_)];
  }

  const Word<Real>* words_;
  std::uint32_t count_;
};

/// Copies all cells into shared memory: consecutive threads copy consecutive words, or each thread copies whole cells.
template <bool FieldByField, int Dim, class W>
__device__ void copy_cells(const W* from, std::uint32_t cells, W* to, std::uint32_t threads) {
  constexpr unsigned kFields = CellFields<Dim>::kCount;
  if (threadIdx.x < threads) {
    if constexpr (FieldByField) {
      for (std::uint32_t i = threadIdx.x; i < cells * kFields; i += threads) to[i] = from[i];
    } else {
      for (std::uint32_t cell = threadIdx.x; cell < cells; cell += threads) {
        for (unsigned field = 0; field < kFields; ++field) to[cell * kFields + field] = from[cell * kFields + field];
      }
    }
  }
  __syncthreads();
}

/// Walks with an explicit stack, in the same cell order as the skip links.
template <int Dim, class CellArray, class BodyWalker, class Real>
__device__ __forceinline__ void walk_cells(const CellArray& cells, const Vec4<Real>* body, BodyWalker& walker) {
  using Fields = CellFields<Dim>;
  constexpr unsigned kChildren = 1u << Dim;
  // Each level pops one cell and pushes up to 2^Dim.
  std::uint32_t stack[(kChildren - 1) * kMaxLevels + 1];
  stack[0] = 0;
  for (unsigned height = 1; height > 0;) {
    const std::uint32_t cell = stack[--height];
    if (walker.takes(cells.mass_point(cell), cells.number(cell, Fields::kWidth))) continue;
    const std::uint32_t bodies = cells.index(cell, Fields::kBodies);
    if (bodies > 0) {
      walker.add_bodies(body, cells.index(cell, Fields::kFirstBody), bodies);
      continue;
    }
    for (unsigned k = kChildren; k-- > 0;) {
      const std::uint32_t child = cells.index(cell, Fields::kChildren + k);
      if (child != kNoNode) stack[height++] = child;
    }
  }
}

/// Thread t processes bodies t, t + threads, t + 2 threads, ...
template <bool InShared, bool FieldByField, bool WithPotential, int Dim, class Real>
__global__ void __launch_bounds__(kThreads) stack_walk_kernel(const StackWalk<Real> task) {
  const Word<Real>* words = task.words;
  if constexpr (InShared) {
    extern __shared__ __align__(16) unsigned char tree_memory[];
    Word<Real>* const copy = reinterpret_cast<Word<Real>*>(tree_memory);
    copy_cells<FieldByField, Dim>(task.words, task.cells, copy,
                                  min(blockDim.x, task.threads - blockIdx.x * blockDim.x));
    words = copy;
  }
  const Cells<InShared, FieldByField, Dim, Real> cells(words, task.cells);
  const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  LaneCounts counts;
  for (std::uint32_t first = thread - warp_lane(); first < task.targets.count; first += task.threads) {
    const std::uint32_t i = first + warp_lane();
    std::uint32_t visits = 0;
    if (thread < task.threads && i < task.targets.count) {
      Walker<WithPotential, Real> walker(task.body[i], task.softening);
      walk_cells<Dim>(cells, task.body, walker);
      const std::uint32_t target = task.original[i];
      task.targets.acceleration[target] = walker.force();
      if (task.targets.interactions != nullptr) task.targets.interactions[target] = walker.interactions();
      walker.count(counts);
      visits = walker.visits();
    }
    counts.lane_slots += slots_of_warp(visits);
  }
  add_counts(counts, *task.counts);
}

template <class Real>
using StackWalkKernel = void (*)(StackWalk<Real>);
template <bool WithPotential, int Dim, class Real>
StackWalkKernel<Real> kernel_for(bool in_shared, bool field_by_field) {
  if (in_shared) {
    return field_by_field ? stack_walk_kernel<true, true, WithPotential, Dim, Real>
                          : stack_walk_kernel<true, false, WithPotential, Dim, Real>;
  }
  return field_by_field ? stack_walk_kernel<false, true, WithPotential, Dim, Real>
                        : stack_walk_kernel<false, false, WithPotential, Dim, Real>;
}

std::size_t shared_memory_per_block() {
  int device = 0, bytes = 0;
  PERICENTER_CUDA_CHECK(cudaGetDevice(&device));
  PERICENTER_CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  return static_cast<std::size_t>(bytes);
}

std::string kilobytes(std::size_t bytes) {
  return std::to_string((bytes + 1023) / 1024) + " KB";
}

/// A shallow tree built on the CPU; each block copies the whole tree into shared memory if it fits (Sevic 2025).
template <class Real, int Dim>
class HybridShared final : public CudaSolver<Real> {
 public:
  HybridShared(const Config& config, std::size_t count)
      : memory_(option_value<SharedTree>(config)),
        threads_(value_number(config, SolverOption::gpu_threads)),
        shared_limit_(shared_memory_per_block()),
        tree_(config, count),
        host_position_(count),
        host_words_(words_for(config, count)),
        host_original_(count),
        words_(words_for(config, count)),
        original_(count),
        body_(count) {}

  static std::size_t bytes(const Config& config, std::size_t count) {
    return words_for(config, count) * sizeof(Real) + count * (sizeof(std::uint32_t) + sizeof(Vec4<Real>)) +
           WalkTally::kBytes;
  }

  bool waits_for_host() const override { return true; }
  void evaluate(const DeviceBodies<Real>& bodies, const Params& params, bool with_potential,
                StageEvents& events) override {
    if (bodies.count == 0) return;
    const Vec4<Real>* position = host_positions(bodies, host_position_.data(), events);
    StageTimings host;
    tree_.build(position, static_cast<Real>(params.gravity), host);
    events.add_host(host);
    upload(bodies, params, events);
    walk(bodies, params, with_potential, events);
  }

  void tree_boxes(int first_level, int last_level, std::size_t limit, std::vector<TreeBox>& out) const override {
    tree_.builder().boxes(first_level, last_level, limit, out);
  }
  int tree_levels() const override { return tree_.builder().levels(); }
  WorkCounts work() const override { return tally_.work(); }
  std::string note() const override {
    if (memory_ == SharedTree::none || fits()) return {};
    return "The tree needs " + kilobytes(tree_bytes()) + ", but a thread block has " + kilobytes(shared_limit_) +
           " of shared memory. The walk reads global memory instead.";
  }

 private:
  static std::size_t words_for(const Config& config, std::size_t count) {
    return std::min(max_nodes(count), cells_of_full_tree<Dim>(value_number(config, SolverOption::depth))) *
           CellFields<Dim>::kCount;
  }
  bool field_by_field() const { return memory_ == SharedTree::conflict_free; }
  std::size_t tree_bytes() const { return tree_.view().nodes.size() * CellFields<Dim>::kCount * sizeof(Real); }
  bool fits() const { return tree_bytes() <= shared_limit_; }

  void upload(const DeviceBodies<Real>& bodies, const Params& params, StageEvents& events) {
    const TreeView<Real, Dim> tree = tree_.view();
    tree_.list_bodies(host_original_.data());
    tree_.threads().run_chunks(0, tree.nodes.size(), [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        field_by_field() ? pack_cell<true>(tree, i, params.theta, host_words_.data())
                         : pack_cell<false>(tree, i, params.theta, host_words_.data());
      }
    });
    PERICENTER_CUDA_CHECK(
        cudaMemcpyAsync(words_.data(), host_words_.data(), tree_bytes(), cudaMemcpyHostToDevice, events.stream()));
    PERICENTER_CUDA_CHECK(cudaMemcpyAsync(original_.data(), host_original_.data(), original_.bytes(),
                                          cudaMemcpyHostToDevice, events.stream()));
    DeviceTree<Real> gathered{};
    gathered.order = original_.data();
    gathered.body = body_.data();
    enqueue_gather(gathered, bodies, static_cast<Real>(params.gravity), events.stream());
    events.mark(Stage::upload);
  }

  void walk(const DeviceBodies<Real>& bodies, const Params& params, bool with_potential, StageEvents& events) {
    const bool in_shared = memory_ != SharedTree::none && fits();
    const std::uint32_t threads = threads_ > 0 ? std::min(threads_, bodies.count) : bodies.count;
    const StackWalk<Real> task{words_.data(), static_cast<std::uint32_t>(tree_.view().nodes.size()),
                               body_.data(),  original_.data(),
                               bodies,        make_softening<Real>(params.softening),
                               threads,       tally_.start(events.stream())};
    const auto kernel = with_potential ? kernel_for<true, Dim, Real>(in_shared, field_by_field())
                                       : kernel_for<false, Dim, Real>(in_shared, field_by_field());
    const std::size_t shared_bytes = in_shared ? tree_bytes() : 0;
    PERICENTER_CUDA_CHECK(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes)));
    // Whole warps; only `threads` lanes are active.
    const unsigned block = std::min(kThreads, blocks_of(threads, kWarp) * kWarp);
    kernel<<<blocks_of(threads, block), block, shared_bytes, events.stream()>>>(task);
    PERICENTER_CUDA_LAUNCHED();
    tally_.fetch(events.stream());
    events.mark(Stage::walk);
  }

  const SharedTree memory_;
  const std::uint32_t threads_;  ///< 0: one per body
  const std::size_t shared_limit_;
  HostTree<Real, Dim> tree_;
  PinnedBuffer<Vec4<Real>> host_position_;
  PinnedBuffer<Word<Real>> host_words_;
  PinnedBuffer<std::uint32_t> host_original_;
  DeviceBuffer<Word<Real>> words_;
  DeviceBuffer<std::uint32_t> original_;
  DeviceBuffer<Vec4<Real>> body_;
  WalkTally tally_;
};

template <class Real>
constexpr CudaSolverMaker<Real> solver_maker() {
  return {[](const Config& config, std::size_t count) {
            return config.dimension == 2 ? HybridShared<Real, 2>::bytes(config, count)
                                         : HybridShared<Real, 3>::bytes(config, count);
          },
          [](const Config& config, std::size_t count) -> std::unique_ptr<CudaSolver<Real>> {
            if (config.dimension == 2) return std::make_unique<HybridShared<Real, 2>>(config, count);
            return std::make_unique<HybridShared<Real, 3>>(config, count);
          }};
}

}  // namespace

extern const CudaSolverFactory kCudaHybridShared = {solver_maker<float>(), solver_maker<double>()};

}  // namespace pericenter

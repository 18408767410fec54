#include <algorithm>

#include "sim/cuda/direct/direct_sources.cuh"
#include "sim/cuda/runtime/device_buffer.cuh"
#include "sim/solvers/registry.h"

namespace pericenter {
namespace {

/// Bodies on each side of the pairs of a block; equal to the warp size.
constexpr std::uint32_t kPairTile = 32;

/// Adds the contribution of a source of mass `mass`; `pull` is that of a unit mass, and `sign` sets the direction.
template <bool WithPotential, class Real>
__device__ __forceinline__ void add_atomically(Vec4<Real>& to, const Vec4<Real>& pull, Real mass, Real sign) {
  atomicAdd(&to.x, sign * mass * pull.x);
  atomicAdd(&to.y, sign * mass * pull.y);
  atomicAdd(&to.z, sign * mass * pull.z);
  if constexpr (WithPotential) atomicAdd(&to.w, mass * pull.w);
}

/// One thread per pair i < j; `acceleration` must be 0 at first. The pairs of a warp have 32 bodies on each side, so
/// two lanes never add to the same body at the same time.
template <bool WithPotential, class Real>
__global__ void __launch_bounds__(kPairTile* kPairTile)
    pairs_kernel(const Vec4<Real>* __restrict__ sources, Softening<Real> softening, Vec4<Real>* acceleration,
                 std::uint32_t count) {
  const std::uint32_t j = blockIdx.x * kPairTile + (threadIdx.x + threadIdx.y) % kPairTile;
  if (j >= count) return;
  const Vec4<Real> second = sources[j];
  // The number of rows may exceed the limit of the grid dimension.
  for (std::uint32_t row = blockIdx.y; row <= blockIdx.x; row += gridDim.y) {
    const std::uint32_t i = row * kPairTile + threadIdx.x;
    if (i >= j) continue;
    const Vec4<Real> first = sources[i];
    Vec4<Real> pull = {};
    add_point<WithPotential>(Vec4<Real>{second.x, second.y, second.z, 1}, first, softening, pull);
    add_atomically<WithPotential>(acceleration[i], pull, second.w, Real(1));
    add_atomically<WithPotential>(acceleration[j], pull, first.w, Real(-1));
  }
}

constexpr unsigned kOrderedThreads = 256;

/// Pairs p = 0 to count^2 - 1; pair p adds the force of body p / count to body p mod count (all-pairs-col of Cassell et
/// al. 2024, doi:10.1109/SCW63240.2024.00099). Neighbouring threads have neighbouring pairs, and a warp adds to 32
/// bodies. The stride is the number of threads, so that a thread divides only once. `acceleration` must be 0 at first.
template <bool WithPotential, class Real>
__global__ void __launch_bounds__(kOrderedThreads)
    ordered_pairs_kernel(const Vec4<Real>* __restrict__ sources, Softening<Real> softening, Vec4<Real>* acceleration,
                         std::uint32_t count) {
  const std::uint64_t p = std::uint64_t(blockIdx.x) * kOrderedThreads + threadIdx.x;
  const std::uint64_t stride = std::uint64_t(gridDim.x) * kOrderedThreads;
  const auto step_i = static_cast<std::uint32_t>(stride % count), step_j = static_cast<std::uint32_t>(stride / count);
  auto i = static_cast<std::uint32_t>(p % count);
  for (std::uint64_t j = p / count; j < count; j += step_j) {
    if (i != j) {
      Vec4<Real> pull = {};
      add_point<WithPotential>(sources[j], sources[i], softening, pull);
      atomicAdd(&acceleration[i].x, pull.x);
      atomicAdd(&acceleration[i].y, pull.y);
      atomicAdd(&acceleration[i].z, pull.z);
      if constexpr (WithPotential) atomicAdd(&acceleration[i].w, pull.w);
    }
    i += step_i;
    if (i >= count) {
      i -= count;
      ++j;
    }
  }
}

/// One thread or iteration per pair. The order of the additions is not defined, so rounding differs between runs.
template <class Real>
class DirectPairs final : public CudaSolver<Real> {
 public:
  DirectPairs(const Config& config, std::size_t count) : tasks_(option_value<PairTasks>(config)), sources_(count) {}

  static std::size_t bytes(const Config&, std::size_t count) { return count * sizeof(Vec4<Real>); }

  void evaluate(const DeviceBodies<Real>& bodies, const Params& params, bool with_potential,
                StageEvents& events) override {
    if (bodies.count == 0) return;
    const DeviceStageClock clock(events, Stage::direct);
    const cudaStream_t stream = events.stream();
    enqueue_direct_sources(bodies, params.gravity, sources_.data(), bodies.count, stream);
    PERICENTER_CUDA_CHECK(cudaMemsetAsync(bodies.acceleration, 0, sources_.bytes(), stream));
    const auto softening = make_softening<Real>(params.softening);
    tasks_ == PairTasks::half ? enqueue_half_pairs(bodies, softening, with_potential, stream)
                              : enqueue_ordered_pairs(bodies, softening, with_potential, stream);
    enqueue_direct_interactions(bodies, bodies.count - 1, stream);
    interactions_ = std::uint64_t(bodies.count) * (bodies.count - 1);
  }

  WorkCounts work() const override { return {.body_interactions = interactions_}; }

 private:
  void enqueue_half_pairs(const DeviceBodies<Real>& bodies, const Softening<Real>& softening, bool with_potential,
                          cudaStream_t stream) const {
    constexpr unsigned kMaxRows = 65535;
    const unsigned tiles = blocks_of(bodies.count, kPairTile);
    const auto kernel = with_potential ? pairs_kernel<true, Real> : pairs_kernel<false, Real>;
    launch(kernel, {dim3(tiles, std::min(tiles, kMaxRows)), dim3(kPairTile, kPairTile)}, stream, sources_.data(),
           softening, bodies.acceleration, bodies.count);
  }

  void enqueue_ordered_pairs(const DeviceBodies<Real>& bodies, const Softening<Real>& softening, bool with_potential,
                             cudaStream_t stream) const {
    const std::size_t pairs = std::size_t(bodies.count) * bodies.count;
    const auto blocks = static_cast<unsigned>(
        std::min<std::size_t>((pairs + kOrderedThreads - 1) / kOrderedThreads, 8 * multiprocessors()));
    const auto kernel = with_potential ? ordered_pairs_kernel<true, Real> : ordered_pairs_kernel<false, Real>;
    launch(kernel, {blocks, kOrderedThreads}, stream, sources_.data(), softening, bodies.acceleration, bodies.count);
  }

  const PairTasks tasks_;
  DeviceBuffer<Vec4<Real>> sources_;
  std::uint64_t interactions_ = 0;
};

}  // namespace

extern const CudaSolverFactory kCudaDirectPairs = cuda_solver_factory<DirectPairs>();

}  // namespace pericenter

#include "sim/cuda/direct/direct_sources.cuh"
#include "sim/cuda/runtime/device_buffer.cuh"
#include "sim/solvers/registry.h"

namespace pericenter {
namespace {

/// One thread per body, looping over all sources. The threads of a warp read the same source, so loads hit the cache.
template <bool WithPotential, class Real>
__global__ void direct_kernel(const Vec4<Real>* __restrict__ sources, Softening<Real> softening,
                              Vec4<Real>* acceleration, std::uint32_t count) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Vec4<Real> target = sources[i];
  Vec4<Real> sum = {};
  for (std::uint32_t j = 0; j < count; ++j) add_point<WithPotential>(sources[j], target, softening, sum);
  if constexpr (WithPotential) sum.w -= own_potential(target.w, softening);
  acceleration[i] = sum;
}

/// Direct summation without tiling.
template <class Real>
class Direct final : public CudaSolver<Real> {
 public:
  Direct(const Config& config, std::size_t count)
      : sources_(count), block_(value_number(config, SolverOption::block)) {}

  static std::size_t bytes(const Config&, std::size_t count) { return count * sizeof(Vec4<Real>); }

  void evaluate(const DeviceBodies<Real>& bodies, const Params& params, bool with_potential,
                StageEvents& events) override {
    pairs_ = std::uint64_t(bodies.count) * bodies.count;
    if (bodies.count == 0) return;
    const DeviceStageClock clock(events, Stage::direct);
    const cudaStream_t stream = events.stream();
    enqueue_direct_sources(bodies, params.gravity, sources_.data(), bodies.count, stream);
    const auto kernel = with_potential ? direct_kernel<true, Real> : direct_kernel<false, Real>;
    launch(kernel, per_element(bodies.count, block_), stream, sources_.data(), make_softening<Real>(params.softening),
           bodies.acceleration, bodies.count);
    enqueue_direct_interactions(bodies, bodies.count, stream);
  }

  WorkCounts work() const override { return {.body_interactions = pairs_}; }

 private:
  DeviceBuffer<Vec4<Real>> sources_;
  unsigned block_;
  std::uint64_t pairs_ = 0;
};

}  // namespace

extern const CudaSolverFactory kCudaDirect = cuda_solver_factory<Direct>();

}  // namespace pericenter

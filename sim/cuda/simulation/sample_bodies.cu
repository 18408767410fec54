#include "sim/cuda/simulation/sample_bodies.cuh"

#include <algorithm>
#include <vector>

#include "sim/cuda/runtime/cuda_check.cuh"
#include "sim/cuda/runtime/device_buffer.cuh"
#include "sim/cuda/runtime/launch.cuh"

namespace pericenter {
namespace {

constexpr unsigned kThreads = 128;
constexpr std::size_t kPortion = std::size_t{1} << 24;  // pairs per progress update

/// Sampled bodies of a galaxy, one element per body.
template <class Real>
struct SampledBodies {
  BodyColumns<Real> columns;
  bool flat;

  __device__ void set(std::size_t i, const Body& body) const {
    const Vec3 &x = body.position, &v = body.velocity;
    columns.position[i] = {static_cast<Real>(x[0]), static_cast<Real>(x[1]), flat ? Real(0) : static_cast<Real>(x[2]),
                           static_cast<Real>(body.mass)};
    columns.velocity[i] = {static_cast<Real>(v[0]), static_cast<Real>(v[1]), flat ? Real(0) : static_cast<Real>(v[2]),
                           stored_tag<Real>(body.tag)};
  }
};

/// Samples pairs [first, last), including an odd last body.
template <class Real>
__global__ void draw_pairs(GalaxySampler sampler, Placement placement, SampledBodies<Real> to, std::size_t first,
                           std::size_t last) {
  const std::size_t pair = first + std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (pair >= last) return;
  if (pair == sampler.pairs()) {
    to.set(2 * pair, placement(sampler.middle()));
    return;
  }
  const GalaxySampler::Pair both = sampler.pair(pair);
  to.set(2 * pair, placement(both.first));
  to.set(2 * pair + 1, placement(both.second));
}

/// Copies of a galaxy's tables on the device.
class DeviceTables {
 public:
  explicit DeviceTables(GalaxySampler& sampler) {
    copy(sampler.disc.radius);
    copy(sampler.disc.circular_speed);
    copy(sampler.disc.epicyclic_ratio);
    for (SpheroidView* spheroid : {&sampler.bulge, &sampler.halo}) {
      copy(spheroid->radius);
      const bool is_there = spheroid->speeds != nullptr;
      spheroid->speeds = copy(spheroid->speeds, is_there ? spheroid->rows * SpheroidView::kColumns : 0);
    }
  }

 private:
  void copy(TableView& table) {
    table.x = copy(table.x, table.size);
    table.y = copy(table.y, table.size);
  }
  const double* copy(const double* numbers, std::size_t count) {
    const DeviceBuffer<double>& buffer = buffers_.emplace_back(count);
    copy_to_device(buffer.data(), numbers, count);
    return buffer.data();
  }

  std::vector<DeviceBuffer<double>> buffers_;
};

}  // namespace

template <class Real>
void sample_bodies(const Config& config, const ProceduralSource& source, const BodyColumns<Real>& to,
                   const Progress& progress, cudaStream_t stream) {
  const bool flat = config.dimension == 2;
  std::size_t done = 0;
  for (const PlacedGalaxy& galaxy : source.galaxies()) {
    GalaxySampler sampler = galaxy.sampler;
    const DeviceTables tables(sampler);
    const SampledBodies<Real> sampled{{to.position + done, to.velocity + done}, flat};
    const std::size_t pairs = (sampler.bodies + 1) / 2;
    for (std::size_t first = 0; first < pairs; first += kPortion) {
      const std::size_t last = std::min(first + kPortion, pairs);
      launch(draw_pairs<Real>, per_element(last - first, kThreads), stream, sampler, galaxy.placement, sampled, first,
             last);
      PERICENTER_CUDA_CHECK(cudaStreamSynchronize(stream));
      const auto bodies = static_cast<double>(done + std::min(2 * last, sampler.bodies));
      if (progress && !progress(bodies / static_cast<double>(source.bodies()))) throw SceneCancelled{};
    }
    done += sampler.bodies;
  }
}

template void sample_bodies(const Config&, const ProceduralSource&, const BodyColumns<float>&, const Progress&,
                            cudaStream_t);
template void sample_bodies(const Config&, const ProceduralSource&, const BodyColumns<double>&, const Progress&,
                            cudaStream_t);

}  // namespace pericenter

#include "sim/auto_solver.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "sim/core/device.h"
#include "sim/core/parallel.h"

namespace pericenter {
namespace {

/// Bodies from which on fmm is faster than the octree on the CPU. On CUDA it always is, as far as trees pay there.
constexpr std::size_t kMany = 30'000;

/// Bodies up to which the GPU sums directly faster than it builds and walks a tree. Measured on an H200; the time of a
/// sum goes with the pairs on each multiprocessor, that of a small tree hardly changes with the GPU.
std::size_t few_on_cuda(const Config& config) {
  const CudaDevice measured{.name = {}, .multiprocessors = 132, .floats_per_double = 2};
  const CudaStatus status = cuda_status();
  const CudaDevice* const found = status.find(config.device);
  const CudaDevice& device = found != nullptr ? *found : measured;
  const bool single = config.precision == Precision::float32;
  double speed = static_cast<double>(device.multiprocessors) / measured.multiprocessors;
  if (!single) speed *= static_cast<double>(measured.floats_per_double) / std::max(device.floats_per_double, 1);
  return static_cast<std::size_t>((single ? 28'000 : 19'000) * std::sqrt(speed));
}

/// Part of all mass from which on a body's field is what the others move in. The octree has it to the last digits,
/// since its cell is as good as the body itself; fmm expands it about other cells.
constexpr double kHeavyShare = 0.05;

struct Masses {
  double sum = 0, largest = 0;
};

bool has_heavy_body(const Bodies& bodies) {
  std::vector<Masses> parts(chunk_count(bodies.size()));
  parallel_chunks(0, bodies.size(), [&](std::size_t first, std::size_t last) {
    Masses& part = parts[first / kChunk];
    for (std::size_t i = first; i < last; ++i) {
      const double mass = std::abs(bodies[i].mass);
      part.sum += mass;
      part.largest = std::max(part.largest, mass);
    }
  });
  Masses all;
  for (const Masses& part : parts) all = {all.sum + part.sum, std::max(all.largest, part.largest)};
  return all.largest > kHeavyShare * all.sum;
}

bool has_heavy_body(const BodySource& bodies) {
  return bodies.procedural() ? bodies.procedural()->has_heavier(kHeavyShare) : has_heavy_body(bodies.bodies());
}

}  // namespace

Config with_auto_solver(Config config, const BodySource& bodies) {
  const Config standard;
  const bool free = config.solver_options == standard.solver_options && config.multipole == standard.multipole;
  const bool cuda = config.backend == Backend::cuda;
  if (free && cuda && bodies.size() <= few_on_cuda(config)) {
    config.solver = "direct-tiled";
  } else {
    const bool fmm = free && (cuda || bodies.size() >= kMany) && !has_heavy_body(bodies);
    config.solver = fmm ? "fmm" : standard.solver;
  }
  return config;
}

}  // namespace pericenter

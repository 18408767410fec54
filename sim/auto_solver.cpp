#include "sim/auto_solver.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "sim/core/device.h"
#include "sim/core/parallel.h"

namespace pericenter {
namespace {

/// Smallest number of bodies for which fmm is faster than the octree on the CPU. On CUDA fmm is always faster.
constexpr std::size_t kMinFmmBodies = 30'000;

/// Largest number of bodies for which the direct sum on the GPU is faster than a tree. Measured on an H200. The time of
/// a direct sum scales with the pairs per multiprocessor; that of a small tree hardly depends on the GPU.
std::size_t max_direct_bodies(const Config& config) {
  const CudaDevice measured{.name = {}, .multiprocessors = 132, .floats_per_double = 2};
  const CudaStatus status = cuda_status();
  const CudaDevice* const found = status.find(config.device);
  const CudaDevice& device = found != nullptr ? *found : measured;
  const bool single = config.precision == Precision::float32;
  double speed = static_cast<double>(device.multiprocessors) / measured.multiprocessors;
  if (!single) speed *= static_cast<double>(measured.floats_per_double) / std::max(device.floats_per_double, 1);
  return static_cast<std::size_t>((single ? 28'000 : 19'000) * std::sqrt(speed));
}

/// Fraction of the total mass above which a body dominates the field. The octree evaluates such a body to rounding,
/// because its leaf has only that body; fmm expands its field about other cells.
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
  const Config defaults;
  const bool no_options = config.solver_options == defaults.solver_options && config.multipole == defaults.multipole;
  const bool cuda = config.backend == Backend::cuda;
  if (no_options && cuda && bodies.size() <= max_direct_bodies(config)) {
    config.solver = "direct-tiled";
  } else {
    const bool fmm = no_options && (cuda || bodies.size() >= kMinFmmBodies) && !has_heavy_body(bodies);
    config.solver = fmm ? "fmm" : defaults.solver;
  }
  return config;
}

}  // namespace pericenter

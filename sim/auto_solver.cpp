#include "sim/auto_solver.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "sim/core/device.h"
#include "sim/core/parallel.h"
#include "sim/scenes/model/procedural_source.h"
#include "sim/solvers/registry.h"

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

/// Largest number of bodies with mass, among others without, for which a direct sum on the CPU takes less time than a
/// tree. A tree is also less accurate there: errors of a cell with two planets do not average out.
constexpr std::size_t kMaxMassiveBodies = 64;
/// Largest number of bodies for which a direct sum on the CPU is faster than a tree in any case.
constexpr std::size_t kMaxFewBodies = 100;
/// On CUDA the direct sum still reads all bodies as sources, which takes longer than a tree.
constexpr std::size_t kMaxTestBodiesOnCuda = 1'000'000;

struct Masses {
  double sum = 0, largest = 0;
  std::size_t massive = 0;

  bool has_heavy() const { return largest > kHeavyShare * sum; }
};

Masses masses_of(const Bodies& bodies) {
  std::vector<Masses> parts(chunk_count(bodies.size()));
  parallel_chunks(0, bodies.size(), [&](std::size_t first, std::size_t last) {
    Masses& part = parts[first / kChunk];
    for (std::size_t i = first; i < last; ++i) {
      const double mass = std::abs(bodies[i].mass);
      part.sum += mass;
      part.largest = std::max(part.largest, mass);
      if (mass != 0) ++part.massive;
    }
  });
  Masses all;
  for (const Masses& part : parts) {
    all = {all.sum + part.sum, std::max(all.largest, part.largest), all.massive + part.massive};
  }
  return all;
}

/// What decides between a tree, expansions and a direct sum.
struct Sources {
  bool heavy = false;  ///< a body dominates the field
  bool few = false;    ///< few bodies act on many, as the planets on asteroids
};

Sources sources_of(const BodySource& bodies) {
  if (bodies.procedural()) return {.heavy = bodies.procedural()->has_heavier(kHeavyShare)};
  const Masses masses = masses_of(bodies.bodies());
  const std::size_t massive = masses.massive;
  return {.heavy = masses.has_heavy(), .few = massive > 0 && massive < bodies.size() && massive <= kMaxMassiveBodies};
}

/// Without softening, a close passage throws bodies out. With it, the exact orbits of few bodies cost nothing; but who
/// has chosen a tree wants to see it.
bool suit_gauss_radau(const BodySource& bodies, double softening, const Config& config) {
  if (bodies.procedural() || bodies.size() > kMaxRadauBodies + kMaxRadauTestBodies) return false;
  const std::size_t massive = masses_of(bodies.bodies()).massive, others = bodies.size() - massive;
  if (massive == 0 || massive > kMaxRadauBodies || others > kMaxRadauTestBodies) return false;
  return softening == 0 || (others == 0 && !find_solver(config.solver)->has_tree());
}

}  // namespace

Config with_auto_solver(Config config, const Bodies& bodies) {
  return with_auto_solver(std::move(config), BodySource(bodies));
}

Config with_auto_solver(Config config, const BodySource& bodies) {
  const Config defaults;
  const bool no_options = config.solver_options == defaults.solver_options && config.multipole == defaults.multipole;
  const bool cuda = config.backend == Backend::cuda;
  if (!no_options) {
    config.solver = defaults.solver;
    return config;
  }
  if (cuda && bodies.size() <= max_direct_bodies(config)) {
    config.solver = "direct-tiled";
    return config;
  }
  if (!cuda && bodies.size() > 0 && bodies.size() <= kMaxFewBodies) {
    config.solver = "direct";
    return config;
  }
  const Sources sources = sources_of(bodies);
  if (sources.few && (!cuda || bodies.size() <= kMaxTestBodiesOnCuda)) {
    config.solver = cuda ? "direct-tiled" : "direct";
  } else {
    const bool fmm = (cuda || bodies.size() >= kMinFmmBodies) && !sources.heavy;
    config.solver = fmm ? "fmm" : defaults.solver;
  }
  return config;
}

Config with_automatic_choices(Config config, AutomaticChoices choices, const BodySource& bodies, double softening) {
  const Config here = choices.solver ? with_auto_solver(config, bodies) : config;
  if (!choices.integrator) return here;
  Config on_cpu = config;
  on_cpu.backend = Backend::cpu;
  on_cpu = without_unsupported_values(choices.solver ? with_auto_solver(on_cpu, bodies) : on_cpu);
  const bool can_run = config.backend == Backend::cpu || choices.backend;
  const bool suits = can_run && suit_gauss_radau(bodies, softening, on_cpu);
  Config chosen = suits ? on_cpu : here;
  chosen.integrator = suits ? Integrator::gauss_radau : Integrator::leapfrog;
  return chosen;
}

}  // namespace pericenter

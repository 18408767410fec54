#include "app/base/memory_budget.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "sim/core/vertex_target.h"
#include "sim/scenes/model/procedural_source.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

constexpr double kBytesOfProgram = 100e6, kBytesOfCuda = 500e6;  // CUDA's own, with page-locked portions for copies

/// On CUDA, bodies from the CPU are there twice while a scene of the same size replaces them.
double bytes_per_body(const PlannedRun& run, bool created_by_cuda) {
  const double copies = static_cast<double>(run.whole_copies * sizeof(Body));
  if (run.config.backend != Backend::cuda) return copies + find_solver(run.config.solver)->host_bytes_per_body;
  return copies + (created_by_cuda ? 0 : 2.0 * static_cast<double>(sizeof(Body)));
}

/// CUDA copies vertices to host memory. On the CPU they are part of what a solver needs.
double bytes_per_vertex(const PlannedRun& run) {
  return run.config.backend == Backend::cuda ? static_cast<double>(run.vertex_buffers * sizeof(Vertex)) : 0;
}

double bytes_of_program(const PlannedRun& run) {
  return kBytesOfProgram + (run.config.backend == Backend::cuda ? kBytesOfCuda : 0);
}

bool is_created_by_cuda(const PlannedRun& run, std::size_t bodies) {
  return run.procedural && created_on_gpu(run.config, bodies);
}

}  // namespace

double memory_for(std::size_t bodies, const PlannedRun& run) {
  return bytes_of_program(run) + bytes_per_body(run, is_created_by_cuda(run, bodies)) * static_cast<double>(bodies) +
         bytes_per_vertex(run) * static_cast<double>(std::min(bodies, run.max_vertices));
}

std::size_t max_addressable_bodies(const Config& config) {
  // Body indices have 32 bits.
  constexpr std::size_t kOnCpu = std::numeric_limits<std::int32_t>::max();
  return config.backend == Backend::cuda ? find_solver(config.solver)->max_cuda_bodies : kOnCpu;
}

Config for_many_bodies(Config config, bool automatic_solver) {
  if (automatic_solver) config.solver = "fmm";
  return config;
}

std::size_t max_bodies(const PlannedRun& run, double available) {
  const std::size_t addressable = max_addressable_bodies(run.config);
  if (available <= 0) return addressable;
  const double room = available - bytes_of_program(run), most = static_cast<double>(addressable);
  const auto fitting = [&](bool created_by_cuda) {
    const double per_body = bytes_per_body(run, created_by_cuda), per_vertex = bytes_per_vertex(run);
    const auto vertices = static_cast<double>(run.max_vertices);
    double left = room, each = per_body + per_vertex;
    if (left > each * vertices) left -= per_vertex * vertices, each = per_body;  // the vertices are all there
    return static_cast<std::size_t>(each > 0 ? std::clamp(std::floor(left / each), 1.0, most) : most);
  };
  const std::size_t by_cpu = fitting(false);
  return is_created_by_cuda(run, by_cpu) ? fitting(true) : by_cpu;
}

}  // namespace pericenter::app

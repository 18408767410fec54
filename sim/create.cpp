#include "sim/core/simulation.h"

#include <stdexcept>

#include "sim/core/fault_injection.h"
#include "sim/core/host_memory.h"
#include "sim/cpu/cpu_simulation.h"
#include "sim/cuda/simulation/cuda_simulation.h"
#include "sim/scenes/model/procedural_source.h"
#include "sim/solvers/registry.h"

namespace pericenter {

namespace {

std::unique_ptr<Simulation> make_on_cpu(const Config& config, const BodySource& bodies, const SimulationStart& start) {
  // A quarter of the peak, which is that of two simulations in double precision, is the least that one needs.
  require_memory(static_cast<std::size_t>(find_solver(config.solver)->host_bytes_per_body / 4) * bodies.size());
  if (bodies.procedural())
    return make_cpu_simulation(config, bodies.procedural()->make(start.progress), start.cancellation);
  return make_cpu_simulation(config, bodies.bodies(), start.cancellation);
}

}  // namespace

std::unique_ptr<Simulation> Simulation::create(const Config& config, const Bodies& bodies,
                                               const SimulationStart& start) {
  return create_from(config, bodies, start);
}

std::unique_ptr<Simulation> Simulation::create_from(const Config& config, const BodySource& bodies,
                                                    const SimulationStart& start) {
  if (const std::string problem = problem_with(config); !problem.empty()) throw std::invalid_argument(problem);
  if (should_fail(Fault::device_memory)) throw DeviceMemoryError(bodies.size() * sizeof(Body), 0);
  std::unique_ptr<Simulation> simulation = config.backend == Backend::cuda
                                               ? make_cuda_simulation(config, bodies, start.progress)
                                               : make_on_cpu(config, bodies, start);
  simulation->time_ = start.time;
  simulation->steps_ = start.steps;
  return simulation;
}

}  // namespace pericenter

#include "sim/simulation.h"

#include <stdexcept>

#include "sim/cpu_simulation.h"
#include "sim/cuda/cuda_simulation.h"
#include "sim/fault.h"

namespace pericenter {

std::unique_ptr<Simulation> Simulation::create(const Config& config, const Bodies& bodies,
                                               const SimulationStart& start) {
  if (const std::string problem = problem_with(config); !problem.empty()) throw std::invalid_argument(problem);
  if (strikes(Fault::device_memory)) throw DeviceMemoryError(bodies.size() * sizeof(Body), 0);
  std::unique_ptr<Simulation> simulation = config.backend == Backend::cuda
                                               ? make_cuda_simulation(config, bodies, start.progress)
                                               : make_cpu_simulation(config, bodies);
  simulation->time_ = start.time;
  simulation->steps_ = start.steps;
  return simulation;
}

}  // namespace pericenter

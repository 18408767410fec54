// Replaces the CUDA code in a build without nvcc.
#include <stdexcept>

#include "sim/core/device.h"
#include "sim/core/device_errors.h"
#include "sim/cuda/simulation/cuda_simulation.h"

namespace pericenter {

CudaStatus status_of_driver() {
  return {{}, "this build has no CUDA"};
}

bool driver_is_loaded() {
  return false;
}

std::unique_ptr<Simulation> make_cuda_simulation(const Config& config, const BodySource&, const Progress&) {
  throw std::invalid_argument(cuda_status().problem_with(config.device));
}

}  // namespace pericenter

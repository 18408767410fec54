#pragma once

#include <string>

#include "app/cli/options.h"
#include "sim/core/device.h"

namespace pericenter::app {

/// What is wrong with options together, after each was read for itself; settles the backend and, without a window, the
/// number of steps. `steps_given`: by --steps. Throws CommandLineError.
void check_together(Options& options, bool steps_given);

/// Says that the CPU computes where nothing was said of it and CUDA is there but cannot be used; else empty.
std::string cpu_instead_of_cuda(const Options& options, const CudaStatus& cuda);

}  // namespace pericenter::app

#pragma once

#include <optional>
#include <string>

#include "app/settings/options.h"
#include "sim/core/device.h"

namespace pericenter::app {

/// Checks options that depend on each other; selects the backend, or that the window awaits CUDA, and the default
/// number of headless steps. Throws CommandLineError.
void check_together(Options& options);

/// Sets the backend of options that await CUDA: this device, or the CPU.
void set_awaited_device(Options& options, std::optional<int> cuda_device);
/// Selects the backend of options that await CUDA, without a window; waits for CUDA.
void choose_awaited_backend(Options& options);

/// A warning if the CPU is used because CUDA needs a repair that the user can make; empty otherwise.
std::string cpu_instead_of_cuda(const Options& options, const CudaStatus& cuda);

}  // namespace pericenter::app

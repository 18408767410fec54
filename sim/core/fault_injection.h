#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pericenter {

/// Failures that can be injected for tests, in the order of faults().
enum class Fault {
  no_kernel_image,  ///< the GPU is older than the kernels of the build
  old_driver,       ///< the driver is older than the CUDA runtime
  slow_cuda,        ///< CUDA takes two seconds to start
  device_memory,    ///< an allocation on the GPU fails
  one_gpu,          ///< every one of several GPUs is the same
  distant_gpus,     ///< the same, and they cannot reach each other's memory
  gl_devices,       ///< OpenGL draws on another GPU than CUDA computes on
  gl_register,      ///< a vertex buffer cannot be registered with CUDA
  gl_map,           ///< a registered vertex buffer cannot be mapped
  gl_context_lost,  ///< the driver loses the OpenGL context, as after a reset of the GPU
  device_lost,      ///< a step fails with an error from which the GPU does not recover
  step_hangs,       ///< a step takes 10 s
  not_finite,       ///< a step sets the position of a body to NaN
  gui_assertion,    ///< an assertion of Dear ImGui fails while the user interface is drawn
  disk_full,        ///< writing a file fails: no space left
  history_memory,   ///< there is no host memory for a recorded moment
  snapshot_memory,  ///< there is no memory for a copy of all bodies, neither on the host nor on the GPU
  count
};

struct FaultInfo {
  Fault fault;
  std::string_view name;
};
/// All faults with the names that plan_fault() accepts.
std::span<const FaultInfo> faults();

/// Injects a fault from now on, to test error handling on a working machine. `plan` is "name" (every call of
/// should_fail(name) fails), "name:count" (only the count-th call fails), or empty (no fault). Returns a message if
/// `plan` is invalid, and changes nothing then.
std::string plan_fault(std::string_view plan);

/// Whether the caller should fail now. Call it once at each place where the fault can occur; one comparison if no fault
/// is planned.
bool should_fail(Fault fault);

/// Sleeps for 10 s, or until the plan changes; for Fault::step_hangs.
void hang();

}  // namespace pericenter

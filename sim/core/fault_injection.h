#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pericenter {

/// What can break under the program, in the order of faults().
enum class Fault {
  no_kernel_image,  ///< the GPU is too old for the kernels in the program
  old_driver,       ///< the driver is older than the CUDA runtime
  device_memory,    ///< an allocation on the GPU fails
  gl_devices,       ///< OpenGL draws on another GPU than CUDA computes on
  gl_register,      ///< a vertex buffer cannot be registered with CUDA
  gl_map,           ///< a registered vertex buffer cannot be mapped
  device_lost,      ///< a step fails with an error from which the GPU does not recover
  step_hangs,       ///< a step does not return for a long while
  not_finite,       ///< a step leaves a body at NaN
  disk_full,        ///< there is no room for a file
  count
};

struct FaultInfo {
  Fault fault;
  std::string_view name;
};
/// The names by which plan_fault() knows them.
std::span<const FaultInfo> faults();

/// Lets a fault strike from now on, so that what answers it can be tried on a sound machine. `plan` is "name", which
/// strikes wherever the fault can, or "name:count", which strikes there the count-th time alone, or empty: none does.
/// Returns a sentence when it is neither, and changes nothing then.
std::string plan_fault(std::string_view plan);

/// Whether this fault strikes here and now; to be asked once wherever it can. One comparison where none was planned.
bool should_fail(Fault fault);

/// What Fault::step_hangs does: sleeps for 10 s, or until another plan is made.
void hang();

}  // namespace pericenter

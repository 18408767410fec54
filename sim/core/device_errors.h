#pragma once

#include <string>

#include "sim/core/device.h"

namespace pericenter {

/// Part of cuda_status() without fault injection; called only by it.
CudaStatus status_of_driver();
/// Part of cuda_starts_slowly(): whether NVIDIA's driver is loaded; false in a build without CUDA.
bool driver_is_loaded();
/// Why a driver that supports CUDA up to version `known` cannot run a build for version `needed`, and what to do.
/// Versions as in CUDA: 12020 is 12.2.
std::string driver_is_too_old(int known, int needed);
/// Why a device of compute capability major.minor cannot run this build, and what to do.
std::string no_code_for(int major, int minor);

/// How the program reacts to a CUDA error.
enum class CudaErrorKind {
  out_of_memory,  ///< the caller can retry with less
  device_lost,    ///< all later CUDA calls of the process fail, too
  defect
};
/// Classifies a cudaError_t. device_lost: errors after which, by NVIDIA's documentation, all further CUDA work of the
/// process returns the same error, and errors that remove the device (CUDA Runtime API 13.0, 6.36, cudaError).
CudaErrorKind meaning_of_cuda_error(int code);

/// Makes cuda_status() report no device from now on, for this reason.
void record_device_lost(const std::string& why);
/// The reason passed to record_device_lost(), to be read after "CUDA cannot be used: "; empty if there is none.
std::string device_lost_reason();
/// The same message for the given error.
std::string device_lost_reason(const std::string& why);

}  // namespace pericenter

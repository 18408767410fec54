#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace pericenter {

/// A CUDA device that this build has code for.
struct CudaDevice {
  int index = 0;  ///< as in Config::device
  std::string name;
  int multiprocessors = 0;
  int floats_per_double = 2;  ///< throughput of float relative to double operations
};

/// The usable CUDA devices, or why there are none.
struct CudaStatus {
  std::vector<CudaDevice> devices;
  /// Why there are none, to be read after "CUDA cannot be used: "; empty when there is one.
  std::string missing;
  /// There is a GPU, but the GPU or its driver does not suit this build; the user can fix this.
  bool fixable = false;
  /// Of the driver and of this build, as in CUDA: 12020 is 12.2; 0: none.
  int driver_version = 0, runtime_version = 0;

  bool available() const { return !devices.empty(); }
  /// nullptr if there is no such device.
  const CudaDevice* find(int index) const;
  /// Why that device cannot be used; empty if it can.
  std::string problem_with(int index) const;
};

/// Queries the driver; takes some tenths of a second the first time. Never throws.
CudaStatus cuda_status();

/// Part of cuda_status() without fault injection; called only by it.
CudaStatus status_of_driver();
/// Why a driver that supports CUDA up to version `known` cannot run a build for version `needed`, and what to do.
/// Versions as in CUDA: 12020 is 12.2.
std::string driver_is_too_old(int known, int needed);
/// Why a device of compute capability major.minor cannot run this build, and what to do.
std::string no_code_for(int major, int minor);

/// Device memory that a simulation uses, and what remains.
struct DeviceMemory {
  std::size_t used_bytes = 0;  ///< by the simulation
  std::size_t free_bytes = 0, total_bytes = 0;
};

/// A simulation does not fit into device memory; what() is a sentence with both sizes.
class DeviceMemoryError : public std::runtime_error {
 public:
  DeviceMemoryError(std::size_t needed_bytes, std::size_t free_bytes);
  /// For CUDA calls that report no sizes; `what` names the call.
  explicit DeviceMemoryError(const std::string& what);
};

/// The GPU failed, and this process cannot use it again; what() names the error.
class DeviceLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How the program reacts to a CUDA error.
enum class CudaTrouble {
  smaller,      ///< out of device memory: use less
  device_lost,  ///< all later CUDA calls of the process fail, too
  defect
};
/// Classifies a cudaError_t. device_lost: errors after which, by NVIDIA's documentation, all further CUDA work of the
/// process returns the same error, and errors that remove the device (CUDA Runtime API 13.0, 6.36, cudaError).
CudaTrouble meaning_of_cuda_error(int code);

/// Makes cuda_status() report no device from now on, for this reason.
void note_device_lost(const std::string& why);
/// The reason passed to note_device_lost(), to be read after "CUDA cannot be used: "; empty if there is none.
std::string device_lost_reason();
/// The same message for the given error.
std::string device_lost_reason(const std::string& why);

}  // namespace pericenter

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
  int floats_per_double = 2;  ///< computed in the same time
};

/// Which devices can compute, or why none can.
struct CudaStatus {
  std::vector<CudaDevice> devices;
  /// Why there are none, to be read after "CUDA cannot be used: "; empty when there is one.
  std::string missing;
  /// There are none, but could be: a GPU or its driver is there and does not suit this build.
  bool mendable = false;

  bool available() const { return !devices.empty(); }
  /// nullptr when there is no such device.
  const CudaDevice* find(int index) const;
  /// Why that device cannot compute; empty where it can.
  std::string problem_with(int index) const;
};

/// Asks the driver; takes some tenths of a second the first time. Never throws.
CudaStatus cuda_status();

/// What cuda_status() has from the driver, before a planned fault. For it alone.
CudaStatus status_of_driver();
/// Why a driver that knows CUDA up to the first version cannot run a build for the second, and what to do. Versions are
/// as CUDA counts them: 12020 is 12.2.
std::string driver_is_too_old(int known, int needed);
/// Why a device of this compute capability, as 7.5, cannot run this build, and what to do.
std::string no_code_for(int major, int minor);

/// What a simulation takes of its device, and what is left there.
struct DeviceMemory {
  std::size_t used_bytes = 0;  ///< by this simulation
  std::size_t free_bytes = 0, total_bytes = 0;
};

/// A simulation does not fit into the memory of its device; what() is a sentence with both numbers.
class DeviceMemoryError : public std::runtime_error {
 public:
  DeviceMemoryError(std::size_t needed_bytes, std::size_t free_bytes);
  /// Where CUDA does not tell the numbers; `what` names the call.
  explicit DeviceMemoryError(const std::string& what);
};

/// The GPU does not answer any more, and nothing in this process will reach it again; what() names the error.
class DeviceLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What an error of CUDA means for who computes on.
enum class CudaTrouble {
  smaller,      ///< the memory does not suffice
  device_lost,  ///< every call after it fails too, until the process ends
  defect
};
/// By its code, a cudaError_t. Lost is what NVIDIA's documentation says to leave the process in a state in which any
/// further CUDA work returns the same error, and what takes the device away (CUDA Runtime API 13.0, 6.36, cudaError).
CudaTrouble meaning_of_cuda_error(int code);

/// From now on cuda_status() has no device, for this reason: none of them may be reached again.
void note_device_lost(const std::string& why);
/// What was noted, to be read after "CUDA cannot be used: "; empty when there is nothing.
std::string device_lost_reason();
/// The same of an error that a caller knows.
std::string device_lost_reason(const std::string& why);

}  // namespace pericenter

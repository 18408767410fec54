#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace pericenter {

/// A CUDA device that this build has code for.
struct CudaDevice {
  int index = 0;  ///< value of Config::device
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
  /// CUDA versions of the driver and of this build: 12020 is 12.2; 0 if there is none.
  int driver_version = 0, runtime_version = 0;

  bool available() const { return !devices.empty(); }  ///< there is a usable device
  /// nullptr if there is no such device.
  const CudaDevice* find(int index) const;
  /// Why that device cannot be used; empty if it can.
  std::string problem_with(int index) const;
};

/// Queries the driver; the first time, this starts CUDA. Never throws.
CudaStatus cuda_status();
/// Whether the start of CUDA takes some tenths of a second, because NVIDIA's driver is loaded.
bool cuda_starts_slowly();

/// Device memory that a simulation uses, and what remains.
struct DeviceMemory {
  std::size_t used_bytes = 0;  ///< memory of the simulation
  std::size_t free_bytes = 0, total_bytes = 0;
};

/// A simulation does not fit into device memory; what() is a sentence with both sizes.
class DeviceMemoryError : public std::runtime_error {
 public:
  DeviceMemoryError(std::size_t needed_bytes, std::size_t free_bytes);
  /// Error of a CUDA call that reports no sizes; `what` names the call.
  explicit DeviceMemoryError(const std::string& what);
};

/// The GPU failed, and this process cannot use it again; what() names the error.
class DeviceLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace pericenter

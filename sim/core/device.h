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
/// The devices of Config::device and Config::gpus: `first`, then others in their order, `count` of them, or with 0 all.
/// Fewer if there are not as many.
std::vector<int> divided_devices(const CudaStatus& status, int first, int count);
/// Why Config::gpus cannot be this, for the user, without the last full stop; empty if it can.
std::string problem_with_gpus(const CudaStatus& status, int gpus);
/// Whether the start of CUDA takes some tenths of a second, because NVIDIA's driver is loaded.
bool cuda_starts_slowly();

/// Device memory that a simulation uses, and what remains.
struct DeviceMemory {
  std::size_t used_bytes = 0;  ///< memory of the simulation
  std::size_t free_bytes = 0, total_bytes = 0;
};

/// What one of several CUDA devices does for a simulation.
struct DeviceShare {
  int device = 0;  ///< CudaDevice::index
  std::string name = {};
  double bodies = 1;         ///< share of the bodies whose forces it computes
  float ms = 0;              ///< time of its part of the last forces, without waiting for other devices
  DeviceMemory memory = {};  ///< memory of this device
  bool direct = true;        ///< bodies are copied from GPU to GPU, not through host memory
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

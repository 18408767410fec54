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
};

/// Which devices can compute, or why none can.
struct CudaStatus {
  std::vector<CudaDevice> devices;
  /// Why there are none, to be read after "CUDA cannot be used: "; empty when there is one.
  std::string missing;

  bool available() const { return !devices.empty(); }
  /// nullptr when there is no such device.
  const CudaDevice* find(int index) const;
};

/// Asks the driver; takes some tenths of a second the first time. Never throws.
CudaStatus cuda_status();

/// What a simulation takes of its device, and what is left there.
struct DeviceMemory {
  std::size_t used_bytes = 0;  ///< by this simulation
  std::size_t free_bytes = 0, total_bytes = 0;
};

/// A simulation does not fit into the memory of its device; what() is a sentence with both numbers.
class DeviceMemoryError : public std::runtime_error {
 public:
  DeviceMemoryError(std::size_t needed_bytes, std::size_t free_bytes);
};

}  // namespace pericenter

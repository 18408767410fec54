#include "sim/cuda/device.h"

namespace pericenter {
namespace {

std::string megabytes(std::size_t bytes) {
  return std::to_string((bytes + 999'999) / 1'000'000) + " MB";
}

}  // namespace

const CudaDevice* CudaStatus::find(int index) const {
  for (const CudaDevice& device : devices) {
    if (device.index == index) return &device;
  }
  return nullptr;
}

DeviceMemoryError::DeviceMemoryError(std::size_t needed_bytes, std::size_t free_bytes)
    : std::runtime_error("the GPU's memory is too small: " + megabytes(needed_bytes) + " are needed and " +
                         megabytes(free_bytes) + " are free") {}

}  // namespace pericenter

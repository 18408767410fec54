#include "sim/core/device.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <string_view>
#include <thread>

#include "sim/core/device_errors.h"
#include "sim/core/fault_injection.h"

namespace pericenter {
namespace {

std::string megabytes_rounded_up(std::size_t bytes) {
  return std::to_string((bytes + 999'999) / 1'000'000) + " MB";
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// The first driver version that runs programs of this CUDA version; empty if unknown. Source: NVIDIA, CUDA
/// Toolkit release notes, "minimum required driver version for CUDA minor version compatibility".
std::string_view first_driver(int major) {
  switch (major) {
    case 13:
      return "580";
    case 12:
      return "525";
    default:
      return {};
  }
}

/// Faults that make one GPU stand for several.
bool repeats_one_gpu() {
  return should_fail(Fault::one_gpu) || should_fail(Fault::distant_gpus);
}

std::mutex lost_mutex;
std::string lost_why;  // global, because CUDA fails for the whole process; guarded by lost_mutex

}  // namespace

std::string driver_is_too_old(int known, int needed) {
  const std::string number(first_driver(needed / 1000));
  return "the NVIDIA driver supports CUDA up to " + version_text(known) + " and this program needs " +
         version_text(needed) + "; update the driver" + (number.empty() ? "" : " to " + number + " or later");
}

std::string no_code_for(int major, int minor) {
  return "this build has no code for its architecture, compute capability " + std::to_string(major) + "." +
         std::to_string(minor) + "; build on that machine, with a CUDA toolkit that supports it";
}

bool cuda_starts_slowly() {
  return should_fail(Fault::slow_cuda) || driver_is_loaded();
}

CudaStatus cuda_status() {
  if (should_fail(Fault::slow_cuda)) {
    static std::once_flag started;
    std::call_once(started, [] { std::this_thread::sleep_for(std::chrono::seconds(2)); });
  }
  if (const std::string lost = device_lost_reason(); !lost.empty()) return {{}, lost};
  constexpr int kOldDriver = 12020, kNewerProgram = 13000, kOldMajor = 3, kOldMinor = 5;
  if (should_fail(Fault::old_driver)) return {{}, driver_is_too_old(kOldDriver, kNewerProgram), true};
  if (should_fail(Fault::no_kernel_image)) return {{}, "an old GPU: " + no_code_for(kOldMajor, kOldMinor), true};
  return status_of_driver();
}

std::vector<int> divided_devices(const CudaStatus& status, int first, int count) {
  if (repeats_one_gpu()) return std::vector<int>(static_cast<std::size_t>(std::max(1, count)), first);
  std::vector<int> devices = {first};
  for (const CudaDevice& device : status.devices) {
    if (device.index != first) devices.push_back(device.index);
  }
  if (count > 0 && devices.size() > static_cast<std::size_t>(count)) devices.resize(static_cast<std::size_t>(count));
  return devices;
}

std::string problem_with_gpus(const CudaStatus& status, int gpus) {
  const std::size_t devices = status.devices.size();
  if (gpus <= 1 || static_cast<std::size_t>(gpus) <= devices || repeats_one_gpu()) return {};
  return "--gpus " + std::to_string(gpus) + ": this machine has " + std::to_string(devices) +
         (devices == 1 ? " GPU" : " GPUs") + " that this program can use. Use --gpus all";
}

const CudaDevice* CudaStatus::find(int index) const {
  for (const CudaDevice& device : devices) {
    if (device.index == index) return &device;
  }
  return nullptr;
}

std::string CudaStatus::problem_with(int index) const {
  if (!available()) return "CUDA cannot be used: " + missing;
  return find(index) ? std::string() : "there is no CUDA device " + std::to_string(index);
}

DeviceMemoryError::DeviceMemoryError(std::size_t needed_bytes, std::size_t free_bytes)
    : std::runtime_error("out of GPU memory: " + megabytes_rounded_up(needed_bytes) + " needed, " +
                         megabytes_rounded_up(free_bytes) + " free") {}

DeviceMemoryError::DeviceMemoryError(const std::string& what) : std::runtime_error("out of GPU memory: " + what) {}

CudaErrorKind meaning_of_cuda_error(int code) {
  constexpr int kMemoryAllocation = 2;
  // Devices unavailable, no device; ECC, NVLink and contained errors; illegal address, launch timeout, context
  // destroyed, assertion, hardware stack, illegal instruction, misaligned address, address space, program counter,
  // launch failure, tensor memory; external device. Not the unknown error, 999: registering
  // a buffer that OpenGL cannot share fails with it, and the GPU still works.
  constexpr int kLost[] = {46, 100, 214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721, 911};
  if (code == kMemoryAllocation) return CudaErrorKind::out_of_memory;
  return std::ranges::binary_search(kLost, code) ? CudaErrorKind::device_lost : CudaErrorKind::defect;
}

void record_device_lost(const std::string& why) {
  const std::scoped_lock lock(lost_mutex);
  if (lost_why.empty()) lost_why = why;
}

std::string device_lost_reason() {
  const std::scoped_lock lock(lost_mutex);
  return lost_why.empty() ? lost_why : device_lost_reason(lost_why);
}

std::string device_lost_reason(const std::string& why) {
  return "the GPU was lost (" + why + "); to use it again, save a snapshot and restart the program";
}

}  // namespace pericenter

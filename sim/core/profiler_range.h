#pragma once

#include <string_view>

namespace pericenter {

/// A named range of this thread's time in NVIDIA's profilers (NVTX 3), from construction to destruction; ranges nest.
/// Builds without CUDA have none. Without a profiler a range costs some nanoseconds.
class ProfilerRange {
 public:
  /// `name` must be a string literal, which ends with a zero.
  explicit ProfilerRange(std::string_view name);
  ~ProfilerRange();
  ProfilerRange(const ProfilerRange&) = delete;
  ProfilerRange& operator=(const ProfilerRange&) = delete;
};

/// Whether a profiler that records ranges has started this process.
bool profiler_attached();

}  // namespace pericenter

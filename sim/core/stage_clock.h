#pragma once

#include <chrono>
#include <string_view>

#include "sim/core/stage_timings.h"

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

/// Adds the time between its construction and destruction to one stage, and shows it as a range in profilers.
class StageClock {
 public:
  StageClock(StageTimings& timings, Stage stage)
      : slot_(timings[stage]), range_(kStageNames[static_cast<std::size_t>(stage)]) {}
  ~StageClock() {
    slot_ += std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - start_).count();
  }
  StageClock(const StageClock&) = delete;
  StageClock& operator=(const StageClock&) = delete;

 private:
  float& slot_;
  const ProfilerRange range_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace pericenter

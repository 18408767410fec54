#pragma once

#include <chrono>

#include "sim/core/profiler_range.h"
#include "sim/core/stage_timings.h"

namespace pericenter {

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

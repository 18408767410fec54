#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <numeric>
#include <string_view>

namespace pericenter {

/// The stages of a step, in the order in which they run. To add one: a name here, a StageClock where it runs.
enum class Stage {
  kick_drift,
  download,
  bounds,
  keys,
  sort,
  build,
  moments,
  upload,
  walk,
  near,
  far,
  direct,
  publish,
  diagnostics,
  count
};
inline constexpr std::size_t kStageCount = static_cast<std::size_t>(Stage::count);
inline constexpr std::array<std::string_view, kStageCount> kStageNames = {
    "kick and drift", "download", "bounds",     "keys",      "sort",       "build tree", "moments",
    "upload",         "walk",     "near field", "far field", "direct sum", "publish",    "diagnostics"};

/// Milliseconds of wall-clock time that each stage of one step took; 0 where a stage did not run.
struct StageTimings {
  std::array<float, kStageCount> ms = {};

  float& operator[](Stage stage) { return ms[static_cast<std::size_t>(stage)]; }
  float operator[](Stage stage) const { return ms[static_cast<std::size_t>(stage)]; }
  float total_ms() const { return std::accumulate(ms.begin(), ms.end(), 0.0f); }
};

/// Adds the time from its construction to its end to one stage.
class StageClock {
 public:
  StageClock(StageTimings& timings, Stage stage) : slot_(timings[stage]) {}
  ~StageClock() {
    slot_ += std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - start_).count();
  }
  StageClock(const StageClock&) = delete;
  StageClock& operator=(const StageClock&) = delete;

 private:
  float& slot_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace pericenter

#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <numeric>
#include <string_view>

namespace pericenter {

/// The stages of a step in order of execution. A new stage needs an enumerator and a name here, and a StageClock where
/// it runs.
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
  near,  ///< pairs of nearby bodies (P2P)
  far,   ///< cell-cell interactions through expansions (M2L)
  direct,
  write_vertices,
  diagnostics,
  count
};
inline constexpr std::size_t kStageCount = static_cast<std::size_t>(Stage::count);
inline constexpr std::array<std::string_view, kStageCount> kStageNames = {
    "kick and drift", "download", "bounds",     "keys",      "sort",       "build tree",     "moments",
    "upload",         "walk",     "near field", "far field", "direct sum", "write vertices", "diagnostics"};

/// Wall-clock time of each stage of one step in milliseconds; 0 if the stage did not run.
struct StageTimings {
  std::array<float, kStageCount> ms = {};

  float& operator[](Stage stage) { return ms[static_cast<std::size_t>(stage)]; }
  float operator[](Stage stage) const { return ms[static_cast<std::size_t>(stage)]; }
  float total_ms() const { return std::accumulate(ms.begin(), ms.end(), 0.0f); }
};

/// Adds the time between its construction and destruction to one stage.
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

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
/// What each stage does, for tooltips.
inline constexpr std::array<std::string_view, kStageCount> kStageSummaries = {
    "Updates velocities and positions (leapfrog).",
    "Copies data from the GPU to the CPU.",
    "Computes the bounding box of the bodies.",
    "Computes the key of each body along a space-filling curve.",
    "Sorts the bodies.",
    "Builds the cells of the tree.",
    "Computes mass, centre and multipole moments of the cells (P2M, M2M).",
    "Copies data from the CPU to the GPU.",
    "Traverses the tree and computes the forces. On a GPU, the fast multipole method times them as near field and far "
    "field.",
    "Forces between nearby bodies (P2P).",
    "Interactions of distant cells through expansions (M2L), and the resulting forces on the bodies (L2L, L2P).",
    "Forces between all pairs of bodies.",
    "Writes positions and colour values for rendering.",
    "Computes energy, momentum and the speed of the fastest body."};

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

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>

namespace pericenter {

/// The stages of a step in order of execution. A new stage needs an enumerator and a name here, and a StageClock
/// (sim/core/stage_clock.h) where it runs.
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
  exchange,  ///< copies and waits between several GPUs
  write_vertices,
  diagnostics,
  count
};
inline constexpr std::size_t kStageCount = static_cast<std::size_t>(Stage::count);
inline constexpr std::array<std::string_view, kStageCount> kStageNames = {
    "kick and drift", "download",   "bounds",    "keys",       "sort",     "build tree",     "moments",    "upload",
    "walk",           "near field", "far field", "direct sum", "exchange", "write vertices", "diagnostics"};
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
    "Waits for the forces that other GPUs compute, and takes them.",
    "Writes positions and colour values for rendering.",
    "Computes energy, momentum and the speed of the fastest body."};

/// Where a stage runs; `transfer`: copies between host and device memory.
enum class StagePlace { cpu, gpu, transfer, count };
inline constexpr std::array<std::string_view, static_cast<std::size_t>(StagePlace::count)> kStagePlaceNames = {
    "CPU", "GPU", "PCIe"};

/// Copies in one direction between host and device memory.
struct Transfer {
  std::uint64_t bytes = 0;
  float ms = 0;  ///< time of the copies alone, without the work that prepares them

  /// 10^9 bytes per second; 0 if nothing was copied.
  double gb_per_s() const { return ms > 0 ? static_cast<double>(bytes) / static_cast<double>(ms) / 1e6 : 0; }
};

/// Wall-clock time of each stage of one step in milliseconds; 0 if the stage did not run.
struct StageTimings {
  std::array<float, kStageCount> ms = {};
  std::uint32_t on_gpu = 0;       ///< bit k: stage k ran on the GPU
  Transfer uploaded, downloaded;  ///< copies of solvers that build their tree on the host

  float& operator[](Stage stage) { return ms[static_cast<std::size_t>(stage)]; }
  float operator[](Stage stage) const { return ms[static_cast<std::size_t>(stage)]; }
  float total_ms() const { return std::accumulate(ms.begin(), ms.end(), 0.0f); }  ///< sum of all stages

  void set_on_gpu(Stage stage) { on_gpu |= 1u << static_cast<unsigned>(stage); }
  StagePlace place(Stage stage) const {
    if (stage == Stage::upload || stage == Stage::download) return StagePlace::transfer;
    return (on_gpu >> static_cast<unsigned>(stage) & 1u) != 0 ? StagePlace::gpu : StagePlace::cpu;
  }
};

}  // namespace pericenter

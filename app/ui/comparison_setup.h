#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/settings/options.h"
#include "app/ui/divergence.h"
#include "sim/core/config.h"
#include "sim/scenes/model/encounter.h"
#include "sim/session/session_state.h"

namespace pericenter::app {

/// Settings of one of two compared simulations.
struct ComparedSettings {
  Config config;
  Params params;
  /// Encounter of the scene; nullopt: the bodies of the current run.
  std::optional<Encounter> encounter = {};
};
/// What a comparison starts with. Encounters restart the scene, in A and in B.
struct ComparisonSetup {
  ComparedSettings a, b;
  bool side_by_side = false;  ///< ComparisonState::side_by_side
};

/// A comparison of common interest, which one click starts.
struct ComparisonPreset {
  std::string_view id, title, tip;
  /// Why it cannot be used, a sentence; empty if it can. `cuda_missing` as UiFrame::cuda_missing.
  std::string (*problem)(const SessionState& now, std::string_view cuda_missing);
  ComparisonSetup (*setup)(const SessionState& now);
};
std::span<const ComparisonPreset> comparison_presets();

/// A setting in which A and B differ; `setting` is empty where the values explain themselves.
struct SettingDifference {
  std::string setting, a, b;
};
std::vector<SettingDifference> differences(const SessionState& a, const SessionState& b);

/// The settings of the command line or of a run as A, and with the changes of Options::compare as B. Throws
/// CommandLineError.
ComparisonSetup comparison_setup(const SessionState& now, const SceneOptions& options);

/// Why a second simulation of this run cannot start now, a sentence; empty if it can.
std::string problem_with_comparison(const SessionState& now);

/// Memory for a second simulation, in bytes; 0 free: unknown.
struct ComparisonMemory {
  double host_needed = 0, host_free = 0;
  double device_needed = 0, device_free = 0;
};
/// For a simulation with this config of the bodies of `now`.
ComparisonMemory memory_for_second(const SessionState& now, const Config& config);
/// A sentence with the megabytes needed and free; empty if there is enough.
std::string problem_with_memory(const ComparisonMemory& memory);

/// What panels and overlay show of a comparison, and what they request.
struct ComparisonState {
  enum class Phase { off, starting, on };
  Phase phase = Phase::off;
  float divider = 0.5f;       ///< share of the image that shows A, unless side by side
  bool side_by_side = false;  ///< each half shows the whole scene of its run; otherwise a part of one view
  std::vector<SettingDifference> differences = {};  ///< empty: equal settings
  DivergenceMeter meter = {};
  std::optional<render::StarSample> sample = {};  ///< some of the stars of A
  std::optional<ComparisonSetup> wanted = {};     ///< start with these settings

  bool on() const { return phase == Phase::on; }
  float shown_divider() const { return side_by_side ? 0.5f : divider; }
};

/// What one of the two simulations is labelled with: a line per difference, "θ 0.3".
std::vector<std::string> label_lines(std::span<const SettingDifference> differences, bool is_a);

}  // namespace pericenter::app

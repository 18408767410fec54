#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "app/ui/ui_state.h"

namespace pericenter::app {

/// Whether everything that would give the answer away is hidden, because the question of a slide waits for the
/// prediction of the class. This is all that is hidden, and where:
///
/// - over the image (app/overlay/annotations.cpp): clock, results of the probe, numbers of the legend, forecast of an
///   encounter, sentence of the narrator
/// - in the side bar: the clock above the panels, and the panels of kTellingPanels
/// - the timeline (it has the clock and the marks of events), the health strip, and the line that explains a poor level
/// - all plots
inline bool hides_results(const UiState& ui) {
  return ui.lesson.waits_for_prediction();
}

/// Sections of the side bar with results of the run.
inline constexpr std::array<std::string_view, 9> kTellingPanels = {
    "readouts-panel",   "playback-panel", "encounter-panel", "ablation-panel", "accuracy-panel",
    "comparison-panel", "timings-panel",  "color-panel",     "tree-panel"};

inline bool is_telling(std::string_view panel) {
  return std::ranges::find(kTellingPanels, panel) != kTellingPanels.end();
}

/// Takes their place.
inline constexpr const char* kHiddenResult = "Hidden until the class has made its prediction.";

}  // namespace pericenter::app

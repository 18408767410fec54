#pragma once

#include "app/ui/ui_state.h"

namespace pericenter::app {

/// Whether everything that would give the answer away is hidden, because the question of a slide waits for the
/// prediction of the class, or follows the title card. This is all that is hidden, and where:
///
/// - over the image (app/overlay/annotations.cpp): clock, results of the probe, numbers of the legend, forecast of an
///   encounter, data of selected stars, ruler, velocity arrows, sentence of the narrator
/// - in the side bar: the clock above the panels, and the panels with results (app/panels/panel_table.inc)
/// - the timeline (it has the clock and the marks of events), the health strip, and the line that explains a poor level
/// - all plots
inline bool hides_results(const UiState& ui) {
  const LessonState& lesson = ui.lesson;
  const bool asks_next = lesson.on() && lesson.phase == LessonState::Phase::title && !lesson.current().question.empty();
  return asks_next || lesson.waits_for_prediction();
}

/// Takes the place of what is hidden.
inline constexpr const char* kHiddenResult = "Hidden until the class has made its prediction.";

}  // namespace pericenter::app

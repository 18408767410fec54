#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/base/signals.h"
#include "app/headless/headless_stage.h"
#include "app/headless/lesson_subcommands.h"
#include "app/headless/slide_painter.h"
#include "app/lessons/lesson.h"

namespace pericenter::app {

/// A claim and what was measured, in the unit of its quantity; NaN: it could not be measured.
struct CheckedClaim {
  Claim claim;
  double measured = 0;
  bool holds = false;
  std::string problem = {};  ///< why it was not measured
};

/// Runs a lesson without a window, and measures every claim at the end of its slide. With LessonMachine::quick slides
/// that no claim depends on are left out. Throws LessonError, which names file and line; ends early when a signal
/// arrives.
std::vector<CheckedClaim> check_lesson(const Lesson& lesson, const LessonMachine& machine, StopSignals& stop,
                                       SlidePainter& painter, const std::function<void(double share)>& progress = {});

/// `pericenter check-lessons`: kDataError if a claim fails, or a lesson cannot be read or run. `folder`: with the
/// lessons of the user. `card_rect`: see SlidePainter.
int run_lesson_check(const LessonCheckOptions& options, const std::string& folder, CardRect card_rect);

}  // namespace pericenter::app

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/lessons/lesson.h"
#include "sim/session/session_state.h"

// What the window and check-lessons have in common when they run a slide.
namespace pericenter::app {

/// Where the run of a slide began.
struct SlideStart {
  double time = 0;  ///< of the simulation
};

/// Whether the run of a slide has reached its end. `seconds`: of the wall clock since it began.
bool has_ended(const SlideEnd& end, const SessionState& now, const SlideStart& start, double seconds);

/// What a ramp can change.
struct RampSetting {
  std::string_view name;  ///< in the file
  double low, high;       ///< allowed
};
std::span<const RampSetting> ramp_settings();
/// Value after `seconds`.
double ramped(const Ramp& ramp, double seconds);

}  // namespace pericenter::app

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/lessons/lesson.h"
#include "sim/core/bodies.h"
#include "sim/session/session_state.h"

// What the window and check-lessons have in common when they run a slide.
namespace pericenter::app {

/// Where the run of a slide began.
struct SlideStart {
  double time = 0;  ///< simulation time
};

/// Whether the run of a slide has reached its end. `seconds`: of the wall clock since it began.
bool has_ended(const SlideEnd& end, const SessionState& now, const SlideStart& start, double seconds);

/// What a ramp can change.
struct RampSetting {
  std::string_view name;  ///< name in the file
  double low, high;       ///< allowed
};
std::span<const RampSetting> ramp_settings();
/// Value after `seconds`.
double ramped(const Ramp& ramp, double seconds);
/// `params` after `seconds`; unchanged by a ramp of "tree-level", which only changes the view.
Params ramped(Params params, const Ramp& ramp, double seconds);

/// Settings of a run.
struct SlideSettings {
  Config config;
  Params params;

  friend bool operator==(const SlideSettings&, const SlideSettings&) = default;
};
/// Those of the running scene with the changes of Slide::set; what that does not name stays. Throws CommandLineError.
SlideSettings changed_settings(const SessionState& now, const std::string& set);

/// The star that a slide probes: one of the first galaxy's disc, or else of its other visible bodies, near the radius
/// that half of them are within. Distances are from their mean position. nullopt without such a body.
std::optional<std::uint32_t> star_to_probe(const Bodies& bodies);

}  // namespace pericenter::app

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/lesson.h"
#include "sim/core/bodies.h"
#include "sim/session/session_state.h"

// What the window and check-lessons have in common when they run a slide.
namespace pericenter::app {

inline constexpr std::size_t kLessonBodies = 20'000;  ///< bodies of a scene string without a number

/// The encounter of B, if the slide compares two.
std::optional<Encounter> other_encounter(const Slide& slide);
/// Whether the slide begins with new bodies.
inline bool begins_anew(const Slide& slide) {
  return !slide.continues() || other_encounter(slide);
}
/// `config` with backend, device and threads of `machine`.
Config on_machine(Config config, const Config& machine);

/// Whether a run has reached the end of its slide, which began at this simulation time. `seconds`: of the wall clock
/// since then.
bool has_ended(const SlideEnd& end, const SessionState& now, double start_time, double seconds);

/// Whether it is a moment of the simulation, not of the wall clock.
bool ends_at_a_moment(const SlideEnd& end);
/// Part of the way from this time to the end that is done, 0 to 1; nullopt: the time of the end is not known.
std::optional<double> share_done(const SlideEnd& end, const SessionState& now, double start_time);

/// What a ramp can change.
struct RampSetting {
  std::string_view name;  ///< name in the file
  double low, high;       ///< allowed
};
inline constexpr RampSetting kRampSettings[] = {
    {"theta", 0, 2}, {"softening", 0, 10}, {"dt", 0, 10}, {"tree-level", 0, 20}};
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

/// The tree that a slide shows after `seconds` of a ramp of "tree-level": all levels down to that one.
request::ShowTree ramped(const request::ShowTree& now, const Ramp& ramp, double seconds);

/// Indices of the stars that a slide highlights when it begins.
std::vector<std::size_t> highlighted_stars(const Highlight& highlight, const Bodies& bodies, const Units& units);

}  // namespace pericenter::app

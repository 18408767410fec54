#include "sim/session/pace.h"

#include <numbers>

#include "sim/run/run_state.h"

namespace pericenter {
namespace {

constexpr std::size_t kFewBodies = 64;
constexpr double kFramesPerSecond = 60;

/// Period of a circular orbit at the edge of the first view.
double outer_period(const RunState& run) {
  const double radius = run.view_radius, pull = run.suggested.gravity * run.diagnostics.mass;
  return 2 * std::numbers::pi * std::sqrt(radius * radius * radius / pull);
}

double story_time(const RunState& run) {
  if (run.playback) return run.playback->last - run.playback->first;
  if (run.highlight_time > 0) return run.highlight_time;
  return outer_period(run) / (run.bodies <= kFewBodies ? 1 : 2);
}

}  // namespace

double default_speed(const RunState& run) {
  const double speed = story_time(run) / kStorySeconds;
  if (std::isfinite(speed) && speed > 0) return speed;
  return run.suggested.dt != 0 ? kFramesPerSecond * std::abs(run.suggested.dt) : 1;  // nothing pulls: a step per frame
}

}  // namespace pericenter

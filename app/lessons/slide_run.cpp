#include "app/lessons/slide_run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

namespace pericenter::app {
namespace {

/// Whether an event of this kind has happened after `start`.
bool has_happened(EncounterEventKind kind, const SessionState& now, const SlideStart& start) {
  return std::ranges::any_of(now.record->events, [&](const EncounterEvent& event) {
    return event.kind == kind && event.time > start.time && event.time <= now.time;
  });
}

}  // namespace

bool has_ended(const SlideEnd& end, const SessionState& now, const SlideStart& start, double seconds) {
  return std::visit(
      [&](const auto& until) {
        using End = std::decay_t<decltype(until)>;
        if constexpr (std::is_same_v<End, UntilTime>) {
          const double unit = now.units.time_myr > 0 ? now.units.time_myr : 1;
          return now.time * unit >= until.myr;
        } else if constexpr (std::is_same_v<End, UntilSeconds>) {
          return seconds >= until.seconds;
        } else if constexpr (std::is_same_v<End, UntilEvent>) {
          return has_happened(until.kind, now, start);
        } else if constexpr (std::is_same_v<End, UntilStart>) {
          return now.time <= now.start_time + 0.5 * std::abs(now.params.dt);
        } else {
          return false;
        }
      },
      end);
}

std::span<const RampSetting> ramp_settings() {
  static constexpr std::array<RampSetting, 4> kSettings = {
      {{"theta", 0, 2}, {"softening", 0, 10}, {"dt", 0, 10}, {"tree-level", 0, 20}}};
  return kSettings;
}

double ramped(const Ramp& ramp, double seconds) {
  return ramp.seconds > 0 ? std::lerp(ramp.from, ramp.to, std::clamp(seconds / ramp.seconds, 0.0, 1.0)) : ramp.to;
}

}  // namespace pericenter::app

#include "app/overlay/readouts.h"

#include <cmath>

#include "app/base/format.h"
#include "app/ui/ui_style.h"

namespace pericenter::app {
namespace {

constexpr double kLeastPercent = 1e-4;  ///< smaller ones would need a power of ten, which not every class knows

/// The latest value as a percentage, in its colour.
ReadoutText error_text(const char* name, const HealthValue& error, const HealthLimits& limits, Theme theme) {
  const double percent = 100 * std::abs(error.now);
  const std::string number = percent < kLeastPercent ? "below 0.0001"
                             : percent < 100         ? text("%.2g", percent)
                                                     : two_figures(percent);
  ReadoutText result{std::string(name) + " " + number + " %"};
  if (const HealthLevel level = level_within(limits, percent / 100); level != HealthLevel::unknown)
    result.color = look_of(level, theme).color;
  return result;
}

}  // namespace

ReadoutText readout_text(Readout readout, const SessionState& state, Theme theme) {
  const Health& health = state.health;
  switch (readout) {
    case Readout::trust: {
      const LevelLook look = look_of(health.level, theme);
      return {std::string(look.shape) + ' ' + look.word, look.color};
    }
    case Readout::energy_error:
      return error_text("energy error", health.energy_error, kEnergyErrorLimits, theme);
    case Readout::force_error:
      return error_text("force error", health.force_error, kForceErrorLimits, theme);
    case Readout::step_time:
      break;
  }
  const double seconds = state.mean_step_seconds();
  return {(seconds > 0 ? two_figures(1000 * seconds) : "–") + " ms per step"};
}

}  // namespace pericenter::app

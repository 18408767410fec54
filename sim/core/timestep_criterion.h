#pragma once

#include <cmath>

#include "sim/core/config.h"
#include "sim/core/diagnostics.h"

namespace pericenter {

/// What the fastest body may cross in a step: beyond it an encounter happens between two kicks, unseen.
inline constexpr double kMaxSofteningsPerStep = 0.5;

/// Softening lengths that the fastest body crosses in a step; 0 without softening, when no length tells what is far.
inline double softenings_per_step(const Params& params, const Diagnostics& diagnostics) {
  return params.softening > 0 ? std::abs(params.dt) * diagnostics.fastest / params.softening : 0;
}

/// Whether that is too far.
inline bool exceeds_timestep_criterion(const Params& params, const Diagnostics& diagnostics) {
  return softenings_per_step(params, diagnostics) > kMaxSofteningsPerStep;
}

/// Whether a step goes further, in softening lengths, than what the scene suggests, which is known to go well.
inline bool exceeds_suggested(const Params& params, const Params& suggested) {
  return std::abs(params.dt) * suggested.softening > std::abs(suggested.dt) * params.softening;
}

/// The longest step with which it is not; for who has a softening and bodies that move.
inline double max_safe_dt(const Params& params, const Diagnostics& diagnostics) {
  return kMaxSofteningsPerStep * params.softening / diagnostics.fastest;
}

}  // namespace pericenter

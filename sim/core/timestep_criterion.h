#pragma once

#include <cmath>

#include "sim/core/config.h"
#include "sim/core/diagnostics.h"

namespace pericenter {

/// Limit of the distance that the fastest body moves per step, in softening lengths: beyond it an encounter may happen
/// between two kicks, unresolved.
inline constexpr double kMaxSofteningsPerStep = 0.5;

/// Distance that the fastest body moves per step, in softening lengths; 0 without softening, which gives no length
/// scale.
inline double softenings_per_step(const Params& params, const Diagnostics& diagnostics) {
  return params.softening > 0 ? std::abs(params.dt) * diagnostics.fastest / params.softening : 0;
}

/// Whether that exceeds kMaxSofteningsPerStep.
inline bool exceeds_timestep_criterion(const Params& params, const Diagnostics& diagnostics) {
  return softenings_per_step(params, diagnostics) > kMaxSofteningsPerStep;
}

/// Whether dt, in units of the softening, is larger than the tested value of the scene.
inline bool exceeds_suggested(const Params& params, const Params& suggested) {
  return std::abs(params.dt) * suggested.softening > std::abs(suggested.dt) * params.softening;
}

/// The largest dt that satisfies the criterion. Softening and fastest speed must be positive.
inline double max_safe_dt(const Params& params, const Diagnostics& diagnostics) {
  return kMaxSofteningsPerStep * params.softening / diagnostics.fastest;
}

}  // namespace pericenter

#pragma once

#include <cmath>
#include <limits>

#include "sim/core/config.h"
#include "sim/core/diagnostics.h"

namespace pericenter {

/// Limit of the distance that the fastest body moves per step, in softening lengths: beyond it an encounter may happen
/// between two kicks, unresolved.
inline constexpr double kMaxSofteningsPerStep = 0.5;
/// Least steps in the shortest orbit where there is no softening: the leapfrog is unstable with less than about three.
inline constexpr double kMinStepsPerOrbit = 20;
/// Longest time step, in units of max_safe_dt(), that is no reason for a warning in a tested scene. The scenes of the
/// scene table need up to 4.
inline constexpr double kMaxTestedExcess = 6;

/// Distance that the fastest body moves per step, in softening lengths; 0 without softening.
inline double softenings_per_step(const Params& params, const Diagnostics& diagnostics) {
  return params.softening > 0 ? std::abs(params.dt) * diagnostics.fastest / params.softening : 0;
}

/// The largest dt that satisfies the criterion: kMaxSofteningsPerStep, or kMinStepsPerOrbit without softening. Infinite
/// if no body moves, or without a known orbit.
inline double max_safe_dt(const Params& params, const Diagnostics& diagnostics) {
  const double infinity = std::numeric_limits<double>::infinity();
  if (params.softening > 0)
    return diagnostics.fastest > 0 ? kMaxSofteningsPerStep * params.softening / diagnostics.fastest : infinity;
  return diagnostics.shortest_orbit > 0 ? diagnostics.shortest_orbit / kMinStepsPerOrbit : infinity;
}

/// Whether dt is larger.
inline bool exceeds_timestep_criterion(const Params& params, const Diagnostics& diagnostics) {
  return std::abs(params.dt) > max_safe_dt(params, diagnostics);
}

/// Whether dt, in units of the softening, is larger than the suggested value of the scene.
inline bool exceeds_suggested(const Params& params, const Params& suggested) {
  if (!(suggested.softening > 0)) return std::abs(params.dt) > std::abs(suggested.dt);
  return std::abs(params.dt) * suggested.softening > std::abs(suggested.dt) * params.softening;
}

/// Whether the user should reduce dt: it exceeds the criterion, and either the suggested value or kMaxTestedExcess.
inline bool needs_shorter_step(const Params& params, const Params& suggested, const Diagnostics& diagnostics) {
  return exceeds_timestep_criterion(params, diagnostics) &&
         (exceeds_suggested(params, suggested) ||
          std::abs(params.dt) > kMaxTestedExcess * max_safe_dt(params, diagnostics));
}

}  // namespace pericenter

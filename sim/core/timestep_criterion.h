#pragma once

#include <cmath>
#include <limits>

#include "sim/core/config.h"
#include "sim/core/diagnostics.h"

namespace pericenter {

/// Limit of fall_per_step(): the accuracy parameter of GADGET-2, whose time step is sqrt(2 * 0.025 * softening / a)
/// (Springel 2005, doi:10.1111/j.1365-2966.2005.09655.x, equation 34). A leapfrog step is unstable from 2 on.
inline constexpr double kMaxFallPerStep = 0.025;
/// Least steps in the shortest orbit where there is no softening: the leapfrog is unstable with less than about three.
inline constexpr double kMinStepsPerOrbit = 20;
/// Longest time step, in units of max_safe_dt(), that is no reason for a warning in a tested scene. The scenes of the
/// scene table need up to 2.1.
inline constexpr double kMaxTestedExcess = 4;

/// Distance by which the largest acceleration moves a body from rest in one step, in softening lengths; 0 without
/// softening. Unlike the speed, it limits the error of a leapfrog step: a body that moves in a straight line is
/// followed exactly, however fast it is.
inline double fall_per_step(const Params& params, const Diagnostics& diagnostics) {
  return params.softening > 0 ? 0.5 * diagnostics.strongest * params.dt * params.dt / params.softening : 0;
}

/// The largest dt that satisfies the criterion: kMaxFallPerStep, or kMinStepsPerOrbit without softening. Infinite
/// without forces, or without a known orbit.
inline double max_safe_dt(const Params& params, const Diagnostics& diagnostics) {
  const double infinity = std::numeric_limits<double>::infinity();
  if (params.softening > 0)
    return diagnostics.strongest > 0 ? std::sqrt(2 * kMaxFallPerStep * params.softening / diagnostics.strongest)
                                     : infinity;
  return diagnostics.shortest_orbit > 0 ? diagnostics.shortest_orbit / kMinStepsPerOrbit : infinity;
}

/// Whether dt is larger.
inline bool exceeds_timestep_criterion(const Params& params, const Diagnostics& diagnostics) {
  return std::abs(params.dt) > max_safe_dt(params, diagnostics);
}

/// Whether dt, in units of the square root of the softening, is larger than the suggested value of the scene.
inline bool exceeds_suggested(const Params& params, const Params& suggested) {
  if (!(suggested.softening > 0)) return std::abs(params.dt) > std::abs(suggested.dt);
  return params.dt * params.dt * suggested.softening > suggested.dt * suggested.dt * params.softening;
}

/// Whether the user should reduce dt: it exceeds the criterion, and either the suggested value or kMaxTestedExcess.
inline bool needs_shorter_step(const Params& params, const Params& suggested, const Diagnostics& diagnostics) {
  return exceeds_timestep_criterion(params, diagnostics) &&
         (exceeds_suggested(params, suggested) ||
          std::abs(params.dt) > kMaxTestedExcess * max_safe_dt(params, diagnostics));
}

}  // namespace pericenter

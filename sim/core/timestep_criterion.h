#pragma once

#include <algorithm>
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

/// The longest undivided step that satisfies the criterion with this limit of fall_per_step(). Without softening, the
/// limit kMaxFallPerStep stands for kMinStepsPerOrbit, and a quarter of it for twice as many. Infinite without forces,
/// or without a known orbit.
inline double max_undivided_dt(double softening, const Diagnostics& diagnostics, double limit = kMaxFallPerStep) {
  const double infinity = std::numeric_limits<double>::infinity();
  if (softening > 0)
    return diagnostics.strongest > 0 ? std::sqrt(2 * limit * softening / diagnostics.strongest) : infinity;
  return diagnostics.shortest_orbit > 0
             ? diagnostics.shortest_orbit / kMinStepsPerOrbit * std::sqrt(limit / kMaxFallPerStep)
             : infinity;
}

/// The smallest power of two of equal parts of dt that are not longer than `longest`, at most kMaxStepParts.
inline int parts_of_step(double dt, double longest) {
  int parts = 1;
  while (parts < kMaxStepParts && std::abs(dt) / parts > longest) parts *= 2;
  return parts;
}

/// Limit of fall_per_step() for all bodies, also those without mass, where steps are divided.
inline double limit_of_parts(const Params& params) {
  return std::max(params.adaptive_steps, kMaxFallPerStep);
}

/// Length of the parts into which a step is divided because of its strongest acceleration. They may be shorter because
/// of bodies with mass.
inline double longest_part(const Params& params, const Diagnostics& diagnostics) {
  if (!(params.adaptive_steps > 0)) return params.dt;
  const double longest = max_undivided_dt(params.softening, diagnostics, limit_of_parts(params));
  return params.dt / parts_of_step(params.dt, longest);
}

/// Parts into which a step may be divided.
inline int most_parts(const Params& params) {
  return params.adaptive_steps > 0 ? kMaxStepParts : 1;
}

/// The largest dt that satisfies the criterion, in as many parts as a step may be divided into.
inline double max_safe_dt(const Params& params, const Diagnostics& diagnostics) {
  return max_undivided_dt(params.softening, diagnostics) * most_parts(params);
}

/// Distance by which the largest acceleration moves a body from rest in one step, or a part of a divided one, in
/// softening lengths; 0 without softening. Unlike the speed, it limits the error of a leapfrog step: a body that moves
/// in a straight line is followed exactly, however fast it is.
inline double fall_per_step(const Params& params, const Diagnostics& diagnostics) {
  const double dt = longest_part(params, diagnostics);
  return params.softening > 0 ? 0.5 * diagnostics.strongest * dt * dt / params.softening : 0;
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

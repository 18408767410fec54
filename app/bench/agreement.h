#pragma once

#include <span>
#include <string>

#include "app/bench/options.h"
#include "sim/core/units.h"
#include "sim/core/vec.h"

namespace pericenter::app {

/// Difference between two sets of positions of the same bodies.
struct PositionDifference {
  double norm = 0;      ///< sqrt(sum |a - b|^2)
  double relative = 0;  ///< norm / sqrt(sum |b|^2)
  double largest = 0;   ///< max |a - b|
};
PositionDifference position_difference(std::span<const Vec3> a, std::span<const Vec3> b);

/// A time step in scene units, from a number in scene units ("0.01") or with a unit ("1h", "0.5 yr"). Throws
/// CommandLineError if the unit is unknown, or if the scene has no physical units.
double time_step_of(const std::string& text, const Units& units);

/// Runs `pericenter bench agreement`: advances the same bodies with each solver and compares the final positions.
/// Ctrl+C stops after the current step and keeps the solvers that were complete. Returns an exit code; throws
/// CommandLineError, FileError.
int run_agreement(BenchOptions options);

}  // namespace pericenter::app

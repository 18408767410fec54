#pragma once

#include <cmath>
#include <numbers>

#include "sim/core/config.h"
#include "sim/core/diagnostics.h"
#include "sim/core/timestep_criterion.h"

namespace pericenter {

/// What limits the step, for bodies without mass (0) and with mass (1): the squares of the largest acceleration, or
/// without softening of the largest frequency of an orbit, as in DiagnosticSums. Used on the CPU and in kernels.
struct Urgency {
  double squares[2] = {};

  /// A body whose acceleration is not a number is ignored. Its `potential` is used without softening only.
  constexpr void add_body(double mass, const Vec3& acceleration, double potential, bool softened) {
    double square = dot(acceleration, acceleration);
    if (!softened) square /= potential < 0 ? -potential : potential;
    double& largest = squares[mass != 0];
    if (square > largest) largest = square;
  }
  constexpr Urgency& operator+=(const Urgency& other) {
    for (int k = 0; k < 2; ++k) squares[k] = squares[k] < other.squares[k] ? other.squares[k] : squares[k];
    return *this;
  }

  /// Equal parts of a step `dt` that the bodies need.
  int parts(const Params& params, double dt) const {
    const double with_mass = longest_step(true, params.softening, params.adaptive_steps);
    const double without = longest_step(false, params.softening, limit_of_parts(params));
    return parts_of_step(dt, with_mass < without ? with_mass : without);
  }

 private:
  double longest_step(bool with_mass, double softening, double limit) const {
    Diagnostics found;
    found.strongest = std::sqrt(squares[with_mass]);
    if (found.strongest > 0) found.shortest_orbit = 2 * std::numbers::pi / found.strongest;
    return max_undivided_dt(softening, found, limit);
  }
};

/// Whether the criterion of divided steps uses the potential.
inline bool parts_need_potential(const Params& params) {
  return params.adaptive_steps > 0 && !(params.softening > 0);
}

}  // namespace pericenter

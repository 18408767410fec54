#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "sim/core/body_arrays.h"
#include "sim/core/config.h"
#include "sim/core/diagnostics.h"
#include "sim/core/parallel.h"
#include "sim/core/timestep_criterion.h"

namespace pericenter {

/// What limits the step, for bodies without mass (0) and with mass (1): the squares of the largest acceleration, or
/// without softening of the largest frequency of an orbit, as in DiagnosticSums.
struct Urgency {
  double squares[2] = {};

  void add(const Urgency& other) {
    for (int k = 0; k < 2; ++k) squares[k] = std::max(squares[k], other.squares[k]);
  }
  double longest_step(bool with_mass, double softening, double limit) const {
    Diagnostics found;
    found.strongest = std::sqrt(squares[with_mass]);
    if (found.strongest > 0) found.shortest_orbit = 2 * std::numbers::pi / found.strongest;
    return max_undivided_dt(softening, found, limit);
  }
};

/// Bodies whose acceleration is not a number are ignored.
template <class Real, int Dim>
Urgency urgency_of(const BodyArrays<Real, Dim>& bodies, bool softened, std::size_t first, std::size_t last) {
  Urgency found;
  for (std::size_t i = first; i < last; ++i) {
    double square = 0;
    for (int k = 0; k < Dim; ++k) {
      const auto a = static_cast<double>(bodies.acceleration[k][i]);
      square += a * a;
    }
    if (!softened) square /= std::abs(static_cast<double>(bodies.potential[i]));
    double& largest = found.squares[bodies.mass[i] != 0];
    if (square > largest) largest = square;
  }
  return found;
}

/// Equal parts of a step `dt` that these bodies need. Their forces, and without softening potentials, must be up to
/// date.
template <class Real, int Dim>
int parts_for(const BodyArrays<Real, Dim>& bodies, const Params& params, double dt) {
  const std::size_t count = bodies.tag.size();
  std::vector<Urgency> partial(chunk_count(count));
  parallel_chunks(0, count, [&](std::size_t first, std::size_t last) {
    partial[first / kChunk] = urgency_of(bodies, params.softening > 0, first, last);
  });
  Urgency all;
  for (const Urgency& part : partial) all.add(part);
  const double with_mass = all.longest_step(true, params.softening, params.adaptive_steps);
  const double without = all.longest_step(false, params.softening, limit_of_parts(params));
  return parts_of_step(dt, std::min(with_mass, without));
}

/// A step that has begun: the part that is computed, and what the bodies were before the first.
template <class Real, int Dim>
struct StepInProgress {
  using Vectors = std::array<std::vector<Real>, Dim>;

  double dt = 0;         ///< length of the whole step
  int parts = 1;         ///< equal parts in which it is computed
  bool adapts = false;   ///< what the bodies were is kept, so that it can begin again with more parts
  int done = 0;          ///< parts that are complete
  bool drifted = false;  ///< the current part lacks only its last kick
  Vectors position = {}, velocity = {}, acceleration = {};

  double part_dt() const { return dt / parts; }
};

}  // namespace pericenter

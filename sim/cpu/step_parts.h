#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "sim/core/body_arrays.h"
#include "sim/core/config.h"
#include "sim/core/parallel.h"
#include "sim/core/urgency.h"

namespace pericenter {

template <class Real, int Dim>
Urgency urgency_of(const BodyArrays<Real, Dim>& bodies, bool softened, std::size_t first, std::size_t last) {
  Urgency found;
  for (std::size_t i = first; i < last; ++i) {
    found.add_body(static_cast<double>(bodies.mass[i]), element<Real, Dim>(bodies.acceleration, i),
                   static_cast<double>(bodies.potential[i]), softened);
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
  for (const Urgency& part : partial) all += part;
  return all.parts(params, dt);
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

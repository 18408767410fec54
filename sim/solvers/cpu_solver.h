#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "sim/core/body_arrays.h"
#include "sim/core/cancellation.h"
#include "sim/core/config.h"
#include "sim/core/stage_timings.h"
#include "sim/core/tree_box.h"
#include "sim/core/work_counts.h"
#include "sim/solvers/simd/pair_kernels.h"

namespace pericenter {

/// Computes accelerations on the CPU. Called inside the simulation's oneTBB arena.
template <class Real, int Dim>
class CpuSolver {
 public:
  virtual ~CpuSolver() = default;

  /// Sets bodies.acceleration, bodies.potential if `with_potential`, and bodies.interactions unless it is empty, from
  /// positions and masses. A body with a non-finite coordinate exerts no force. Throws Cancelled within about a second
  /// after a cancellation; the results are then undefined. Progress is counted in bodies, or as in
  /// cancellation.begin().
  virtual void evaluate(BodyArrays<Real, Dim>& bodies, const Params& params, bool with_potential,
                        CancellationToken& cancellation, StageTimings& timings) = 0;

  virtual void tree_boxes(int /*first_level*/, int /*last_level*/, std::size_t /*limit*/,
                          std::vector<TreeBox>& /*out*/) const {}
  virtual int tree_levels() const { return 0; }

  /// Work of the last evaluate().
  const WorkCounts& work() const { return work_; }

 protected:
  WorkCounts work_;
};

/// Position and mass of a body as a source of gravity: clamped to kFarthest, and massless if not finite.
template <class Real, int Dim>
struct Source {
  Real position[Dim];
  Real mass;
};
template <class Real, int Dim>
Source<Real, Dim> source_of(const BodyArrays<Real, Dim>& bodies, std::size_t i, Real gravity) {
  Source<Real, Dim> source{{}, gravity * bodies.mass[i]};
  for (int k = 0; k < Dim; ++k) {
    const Real x = bodies.position[k][i];
    if (std::isnan(x)) source.mass = 0;
    source.position[k] = std::isnan(x) ? Real(0) : std::fmin(std::fmax(x, -kFarthest<Real>), kFarthest<Real>);
    if (std::isinf(x)) source.mass = 0;
  }
  return source;
}

/// Potential of a softened body at its own position, which kernels include if the body is in their list.
template <class Real>
Real self_potential(Real mass, Real softening) {
  return softening > 0 ? -mass / softening : Real(0);
}

constexpr std::size_t padded(std::size_t count, std::size_t multiple) {
  return (count + multiple - 1) / multiple * multiple;
}

}  // namespace pericenter

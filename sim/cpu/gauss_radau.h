#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sim/core/cancellation.h"
#include "sim/core/config.h"
#include "sim/core/simulation.h"
#include "sim/cpu/massless_bodies.h"
#include "sim/cpu/radau_series.h"

namespace pericenter {

/// Gauss-Radau integration of order 15 (Integrator::gauss_radau) by direct sums in double precision. Each time step is
/// divided into internal steps, chosen by the size of b_6, and ends exactly. It begins with new series, so that the
/// motion after it follows from positions and velocities alone.
class GaussRadau {
 public:
  /// Throws std::invalid_argument if more than kMaxRadauBodies have mass.
  explicit GaussRadau(std::span<const double> mass, Simd simd = Simd::best);

  /// The motion after params.dt, computed on the threads of the current oneTBB arena. Bodies without mass that meet
  /// one with mass stay with it. Throws StepError if bodies with mass
  /// collide, and Cancelled.
  Motion after(Motion motion, const Params& params, const CancellationToken& cancellation) const;

 private:
  /// The bodies at the end of the time step. Adds the internal steps to `course` if there are bodies without mass.
  std::vector<RadauSeries> move_massive(const Motion& motion, const Params& params,
                                        const CancellationToken& cancellation, MassiveCourse& course) const;
  /// Each element of `way` is added to a position. The two are kept apart, because the distance of a close pair is
  /// known to more digits than its coordinates.
  void accelerations(std::span<const RadauSeries> motion, std::span<const double> way, const Params& params,
                     std::span<double> found) const;
  double shortest_time(std::span<const double> position, const Params& params) const;
  StepError collision(std::span<const double> position) const;

  const ParticleKernel kernel_;  ///< moves the bodies without mass
  std::vector<std::size_t> massive_, massless_;
  std::vector<double> mass_;  ///< one per massive body
};

}  // namespace pericenter

#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "sim/core/cancellation.h"
#include "sim/core/config.h"
#include "sim/cpu/radau_series.h"
#include "sim/solvers/simd/test_particles.h"

namespace pericenter {

/// Positions and velocities by component, one element per body.
struct Motion {
  std::array<std::vector<double>, 3> position, velocity;
};

/// Positions at the share h of a step of time `span`, three elements per body.
std::vector<double> positions_at(std::span<const RadauSeries> motion, double span, double h);

/// The way of the bodies with mass through a time step, three series per body.
class MassiveCourse {
 public:
  /// The next internal step.
  void add(double span, std::vector<RadauSeries> motion);
  /// Positions at a time since the start of the time step.
  std::vector<double> at(double time) const;
  const std::vector<RadauSeries>& start() const { return steps_.front().motion; }

 private:
  struct Step {
    double start, span;
    std::vector<RadauSeries> motion;
  };
  std::vector<Step> steps_;
};

/// The bodies with mass during a time step.
struct MassiveField {
  const MassiveCourse& course;
  std::span<const RadauSeries> end;  ///< when the time step ends
  std::span<const double> mass;
  const Params& params;
  ParticleKernel kernel;
  const CancellationToken& cancellation;
};

/// Moves `bodies`, which have no mass, through the time step on the threads of the current oneTBB arena, each in the
/// fewest halves, quarters and so on of it that accuracy needs. One that meets a massive body stays with it. Throws
/// Cancelled, and StepError if one needs too many steps.
void move_massless(Motion& motion, std::span<const std::size_t> bodies, const MassiveField& field);

}  // namespace pericenter

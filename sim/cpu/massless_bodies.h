#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "sim/core/cancellation.h"
#include "sim/core/config.h"
#include "sim/cpu/radau_series.h"

namespace pericenter {

/// Positions and velocities by component, one element per body.
struct Motion {
  std::array<std::vector<double>, 3> position, velocity;
};

/// Positions at the share h of a step of time `span`, three elements per body.
std::vector<double> positions_at(std::span<const RadauSeries<double>> motion, double span, double h);

/// One internal step of the bodies with mass: three series per body, and the positions at the nodes.
struct MassiveStep {
  MassiveStep(double span_, std::vector<RadauSeries<double>> motion_);
  /// Positions at a time since the start of the step.
  std::vector<double> at(double time) const { return positions_at(motion, span, time / span); }

  double span;
  std::vector<RadauSeries<double>> motion;
  std::array<std::vector<double>, kRadauNodes> nodes;
};

/// The bodies with mass during a time step.
struct MassiveField {
  std::span<const MassiveStep> steps;
  std::span<const RadauSeries<double>> end;  ///< when the time step ends
  std::span<const double> mass;
  const Params& params;
  const CancellationToken& cancellation;
};

/// Moves `bodies`, which have no mass, through the time step on the threads of the current oneTBB arena: in the steps
/// of the massive ones where these are short enough, or else in steps of their own. One that meets a massive body stays
/// with it. Throws Cancelled.
void move_massless(Motion& motion, std::span<const std::size_t> bodies, const MassiveField& field);

}  // namespace pericenter

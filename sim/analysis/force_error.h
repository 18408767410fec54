#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sim/core/bodies.h"
#include "sim/core/config.h"

namespace pericenter {

/// The bodies as a solver of this precision has them: positions, velocities and masses rounded to it. An error against
/// sums over the rounded bodies is the solver's own.
Bodies rounded(Bodies bodies, Precision precision);

/// Accelerations (G = 1) of the `sampled` bodies, in their order, by direct summation over all bodies in doubles on all
/// cores. Coordinates are finite; a body at the place of another is not pulled by it. The same bits for any number of
/// threads.
std::vector<Vec3> direct_accelerations(const Bodies& bodies, std::span<const std::size_t> sampled, double softening);

/// Distribution of |a - a_exact| / |a_exact|.
struct ForceErrors {
  double mean = 0, median = 0, percentile_99 = 0, max = 0;
};

/// |a - a_exact| / |a_exact| of each body; both have the same size. Where the exact one is 0 the error is absolute; one
/// that is not a number counts as infinite.
std::vector<double> relative_errors(std::span<const Vec3> accelerations, std::span<const Vec3> exact);

/// The distribution of `relative` errors, of which there must be some.
ForceErrors distribution(std::vector<double> relative);

/// Errors of accelerations against the exact ones, body by body; both have the same size, not 0.
ForceErrors force_errors(std::span<const Vec3> accelerations, std::span<const Vec3> exact);

}  // namespace pericenter

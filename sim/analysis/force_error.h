#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sim/core/bodies.h"
#include "sim/core/config.h"

namespace pericenter {

/// The bodies as a solver of this precision stores them: positions, velocities and masses are rounded. Errors relative
/// to sums over the rounded bodies do not include this rounding.
Bodies rounded(Bodies bodies, Precision precision);

/// Accelerations (G = 1) of the `sampled` bodies, in their order, by direct summation over all bodies in doubles on all
/// cores. Coordinates must be finite; coincident bodies exert no force on each other. The bits do not depend on the
/// number of threads.
std::vector<Vec3> direct_accelerations(const Bodies& bodies, std::span<const std::size_t> sampled, double softening);

/// Distribution of the relative errors |a - a_ref| / |a_ref|.
struct ForceErrors {
  double mean = 0, median = 0, percentile_99 = 0, max = 0;
};

/// |a - a_ref| / |a_ref| per body; both spans have the same size. The error is absolute if the reference is 0, and
/// infinite if it is NaN.
std::vector<double> relative_errors(std::span<const Vec3> accelerations, std::span<const Vec3> reference);

/// The distribution of `relative` errors; at least one is required.
ForceErrors distribution(std::vector<double> relative);

/// Errors of accelerations relative to the reference, body by body; both have the same size, not 0.
ForceErrors force_errors(std::span<const Vec3> accelerations, std::span<const Vec3> reference);

}  // namespace pericenter

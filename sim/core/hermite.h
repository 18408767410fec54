#pragma once

namespace pericenter {

/// Weights of the cubic interpolation between two moments and of its derivative. Each array multiplies position and
/// velocity of the first moment, then of the second.
struct HermiteWeights {
  double position[4], velocity[4];
};

/// The cubic that has the positions and velocities of both moments (C. Hermite 1878, J. reine angew. Math. 84, 70), at
/// the fraction `s` of `span`, the time from the first to the second moment; it may be negative. If it is 0: the first
/// moment.
constexpr HermiteWeights hermite_weights(double s, double span) {
  if (span == 0) return {{1, 0, 0, 0}, {0, 1, 0, 0}};
  const double s2 = s * s, s3 = s2 * s, slope = (6 * s2 - 6 * s) / span;
  return {{2 * s3 - 3 * s2 + 1, (s3 - 2 * s2 + s) * span, 3 * s2 - 2 * s3, (s3 - s2) * span},
          {slope, 3 * s2 - 4 * s + 1, -slope, 3 * s2 - 2 * s}};
}

}  // namespace pericenter

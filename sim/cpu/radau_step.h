#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include "sim/cpu/radau_series.h"

namespace pericenter {

/// Largest b_6 in units of the acceleration, from which the length of a step follows (Rein and Spiegel 2015, section
/// 3.3). Half of such a step would have the error of rounding.
inline constexpr double kRadauPrecision = 1e-9;
/// Steps that turn out this much too long are repeated. The publication accepts steps four times too long; here the
/// first step of each time step is a guess, so that such errors would not be exceptions.
inline constexpr double kMostExcess = 1.5;
/// Steps grow by at most this.
inline constexpr double kMostGrowth = 4;

/// Corrects the series of a step of time `span` until they change by less than `tolerance` of the acceleration.
/// `forces(n, found)` puts the accelerations at node n for the current series into `found`. Returns b_6 relative to the
/// acceleration, the largest of the bodies; NaN if the series do not converge.
template <class Forces>
double correct_series(std::span<RadauSeries> motion, std::span<double> found, double tolerance, const Forces& forces) {
  constexpr int kMostIterations = 12;
  constexpr double kConverged = 1e-8;  // rounding of the forces of a close pair may be more than the tolerance
  double before = std::numeric_limits<double>::infinity(), now = before;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    double change = 0, largest = 0, doubt = 0;
    for (int n = 1; n < kRadauNodes; ++n) {
      forces(n, found);
      for (std::size_t i = 0; i < motion.size(); ++i) {
        const double changed = motion[i].correct(n, found[i]);
        if (n < kRadauTerms) continue;
        change = std::max(change, std::abs(changed));
        largest = std::max(largest, std::abs(found[i]));
        doubt = doubt + (found[i] - found[i]);  // NaN if not finite
      }
    }
    now = (change + doubt) / std::max(largest, std::numeric_limits<double>::min());
    if (!std::isfinite(now)) return now;
    // The next change would be smaller by the same factor as this one.
    const double next = iteration > 0 ? now * (now / before) : now;
    if (next <= tolerance || (iteration > 1 && now >= before)) break;
    before = now;
  }
  if (now > kConverged) return std::numeric_limits<double>::quiet_NaN();
  double term = 0, largest = 0;
  for (std::size_t i = 0; i < motion.size(); ++i) {
    term = std::max(term, std::abs(motion[i].b[kRadauTerms - 1]));
    largest = std::max(largest, std::abs(found[i]));
  }
  return term / std::max(largest, std::numeric_limits<double>::min());
}

/// How many times longer a step should be in which b_6 had this relative size; 0.1 for NaN.
inline double radau_growth(double b6) {
  if (!std::isfinite(b6)) return 0.1;
  return std::clamp(std::pow(kRadauPrecision / std::max(b6, 1e-30), 1.0 / 7), 0.1, kMostGrowth);
}

/// What is left of a time step, in steps of nearly equal length.
inline double limited_step(double wanted, double left) {
  if (std::abs(wanted) >= std::abs(left)) return left;
  return std::abs(wanted) > 0.5 * std::abs(left) ? 0.5 * left : wanted;
}

}  // namespace pericenter

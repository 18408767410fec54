#include "sim/cpu/gauss_radau.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/core/simulation.h"
#include "sim/cpu/radau_step.h"

namespace pericenter {
namespace {

/// Internal steps of a time step, including those that are repeated. A passage at e = 0.9999 takes some 200.
constexpr int kMostSteps = 10'000;
/// Shorter steps, in units of the time step, are lost in the rounding of the time.
constexpr double kShortestStep = 1e-14;
/// The first step in units of the shortest time of a pair, and the longest one that need not be repeated: b_6 of a step
/// that short is the rounding error of the distance of a close pair.
constexpr double kFirstShare = 0.15, kRoundedShare = 0.03;
constexpr double kTolerance = 1e-16;

using Series = std::vector<RadauSeries>;

StepError too_long() {
  return StepError("The run stopped before a step of more than " + std::to_string(kMostSteps) +
                   " internal steps. Choose a shorter time step, or another integrator.");
}

Series series_of(const Motion& motion, std::span<const std::size_t> bodies) {
  Series series(3 * bodies.size());
  for (std::size_t i = 0; i < series.size(); ++i) {
    series[i].position = motion.position[i % 3][bodies[i / 3]];
    series[i].velocity = motion.velocity[i % 3][bodies[i / 3]];
  }
  return series;
}

}  // namespace

GaussRadau::GaussRadau(std::span<const double> mass, Simd simd) : kernel_(particle_kernel(simd)) {
  for (std::size_t i = 0; i < mass.size(); ++i) (mass[i] != 0 ? massive_ : massless_).push_back(i);
  for (const std::size_t i : massive_) mass_.push_back(mass[i]);
  if (massive_.size() <= kMaxRadauBodies) return;
  throw std::invalid_argument("the integrator gauss-radau takes at most " + std::to_string(kMaxRadauBodies) +
                              " bodies with mass, and any number without; here are " + std::to_string(massive_.size()) +
                              ". Use leapfrog.");
}

void GaussRadau::accelerations(std::span<const RadauSeries> motion, std::span<const double> way, const Params& params,
                               std::span<double> found) const {
  std::ranges::fill(found, 0.0);
  const double square = params.softening * params.softening;
  for (std::size_t i = 0; i < mass_.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      double apart[3], r2 = square;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t a = 3 * i + k, b = 3 * j + k;
        apart[k] = (motion[b].position - motion[a].position) + (way[b] - way[a]);
        r2 += apart[k] * apart[k];
      }
      const double force = r2 > 0 ? params.gravity / (r2 * std::sqrt(r2)) : 0;
      for (int k = 0; k < 3; ++k) {
        found[3 * i + k] += mass_[j] * force * apart[k];
        found[3 * j + k] -= mass_[i] * force * apart[k];
      }
    }
  }
}

/// The square root of r^3 / G M of the pair for which it is shortest.
double GaussRadau::shortest_time(std::span<const double> position, const Params& params) const {
  double shortest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < mass_.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      double r2 = params.softening * params.softening;
      for (int k = 0; k < 3; ++k) r2 += std::pow(position[3 * j + k] - position[3 * i + k], 2);
      const double pull = std::abs(params.gravity) * (std::abs(mass_[i]) + std::abs(mass_[j]));
      if (r2 > 0 && pull > 0) shortest = std::min(shortest, std::sqrt(r2 * std::sqrt(r2) / pull));
    }
  }
  return shortest;
}

/// Names the closest pair.
StepError GaussRadau::collision(std::span<const double> position) const {
  double least = std::numeric_limits<double>::infinity();
  std::size_t first = 0, second = 0;
  for (std::size_t i = 0; i < mass_.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      double r2 = 0;
      for (int k = 0; k < 3; ++k) r2 += std::pow(position[3 * j + k] - position[3 * i + k], 2);
      if (!(r2 < least)) continue;
      least = r2;
      first = massive_[j];
      second = massive_[i];
    }
  }
  return StepError("The run stopped before a collision: " + body_name(first) + " and " + body_name(second) +
                   " come closer to each other than doubles resolve. Choose a softening, or another integrator.");
}

Series GaussRadau::move_massive(const Motion& motion, const Params& params, const CancellationToken& cancellation,
                                MassiveCourse& course) const {
  Series series = series_of(motion, massive_);
  std::vector<double> found(series.size()), start(series.size());
  std::vector<double> way(series.size());
  const auto forces = [&](double span, int n, std::span<double> into) {
    for (std::size_t i = 0; i < way.size(); ++i)
      way[i] = series[i].lost_position + series[i].way(span, kRadauSpacing[n]);
    accelerations(series, way, params, into);
  };
  double left = params.dt, span = 0, time_of_pair = 0;
  bool begins = true;
  for (int attempt = 0; left != 0; ++attempt) {
    cancellation.check();
    if (std::exchange(begins, false)) {
      forces(0, 0, start);
      for (std::size_t i = 0; i < series.size(); ++i) series[i].acceleration = start[i];
      time_of_pair = shortest_time(positions_at(series, 0, 0), params);
      if (attempt == 0) span = std::copysign(kFirstShare * time_of_pair, params.dt);
    }
    span = limited_step(span, left);
    const bool is_lost = std::abs(span) < kShortestStep * std::abs(params.dt);
    if (attempt >= kMostSteps || (attempt == 0 && is_lost)) throw too_long();
    if (is_lost) throw collision(positions_at(series, 0, 0));
    const double b6 = correct_series(std::span(series), std::span(found), kTolerance,
                                     [&](int n, std::span<double> into) { forces(span, n, into); });
    const double growth = radau_growth(b6);
    const bool is_rounded = std::isfinite(b6) && std::abs(span) <= kRoundedShare * time_of_pair;
    if (growth * kMostExcess < 1 && !is_rounded) {
      for (auto& one : series) std::isfinite(b6) ? one.rescale(growth) : one.forget();
      span *= growth;
      continue;
    }
    if (!massless_.empty()) course.add(span, series);
    for (auto& one : series) one.finish(span);
    left = span == left ? 0 : left - span;
    for (auto& one : series) one.predict_next(limited_step(span * growth, left) / span);
    span *= is_rounded ? std::max(growth, 1.0) : growth;
    begins = true;
  }
  return series;
}

Motion GaussRadau::after(Motion motion, const Params& params, const CancellationToken& cancellation) const {
  if (params.dt == 0) return motion;
  MassiveCourse course;
  const Series end = move_massive(motion, params, cancellation, course);
  move_massless(motion, massless_, {course, end, mass_, params, kernel_, cancellation});
  for (std::size_t i = 0; i < end.size(); ++i) {
    motion.position[i % 3][massive_[i / 3]] = end[i].position;
    motion.velocity[i % 3][massive_[i / 3]] = end[i].velocity;
  }
  return motion;
}

}  // namespace pericenter

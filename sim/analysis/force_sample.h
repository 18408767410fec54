#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/analysis/force_error.h"
#include "sim/core/simulation.h"

namespace pericenter {

/// `count` different numbers below `all`, ascending, each set equally likely (Floyd's algorithm: Bentley and Floyd
/// 1987, doi:10.1145/30401.315746). `count` must not exceed `all`.
std::vector<std::size_t> random_sample(std::size_t all, std::size_t count, std::uint64_t seed);

/// Distribution of the errors of sampled forces; nullopt if there are none, or if one is not finite.
std::optional<ForceErrors> errors_of(const SampledForces& forces);

/// Mean relative error of the forces of the last sampled bodies: one sample of 64 can be wrong by a factor, where the
/// errors of a few bodies are large.
class PooledForceError {
 public:
  static constexpr std::size_t kFewest = 256, kPool = 1024;

  void add(const ForceErrors& errors, std::size_t bodies);
  /// NaN before kFewest bodies, or all of them, have been sampled.
  double mean(std::size_t all) const;

 private:
  std::size_t bodies_ = 0;  ///< sampled bodies, at most kPool
  double mean_ = 0;
};

/// Decides when force errors are measured and on how many bodies, so that measurements take less than kMaxShare of the
/// time of the steps: up to kMost bodies once per second, or fewer and less often. Times are in seconds.
///
/// The relative error of a sampled mean is about the ratio of standard deviation and mean of the errors, 1 to 2 for the
/// tree solvers, divided by the root of the number of bodies: 3 to 6 % with 1,024, 13 to 25 % with 64.
class SampleSchedule {
 public:
  static constexpr std::size_t kLeast = 64, kUsual = 256, kMost = 1024;
  static constexpr double kPeriod = 1, kLongPeriod = 10;
  static constexpr double kMaxShare = 0.04;    ///< aimed at; the promised limit is 0.05
  static constexpr double kMaxSeconds = 0.05;  ///< duration of one measurement, which delays requests

  /// `pairs_per_second` of the exact sums: a cautious guess for the first measurement.
  explicit SampleSchedule(double pairs_per_second = 3e8) : pairs_per_second_(pairs_per_second) {}

  void add_step(double seconds) { steps_since_ += seconds; }
  /// Number of bodies to measure now, at most `bodies`; 0: not yet.
  std::size_t due(std::size_t bodies, double now) const;
  /// Seconds that a measurement of kLeast bodies takes.
  double least_seconds(std::size_t bodies) const;
  /// The largest measurement that takes no more than kMaxSeconds, but at least kLeast bodies.
  std::size_t most(std::size_t bodies) const;
  /// Measured speed of the exact sums.
  void note_speed(std::size_t sampled, std::size_t bodies, double seconds);
  /// A measurement between two steps was made or tried.
  void note(double seconds, double now);
  /// Share of measurements in the time of steps and measurements, over the last few of them; 0 before the first step.
  double share() const;

 private:
  double pairs_per_second_;
  std::optional<double> last_;       ///< time of the last measurement
  double steps_since_ = 0;           ///< computing time of the steps since then
  double steps_ = 0, measured_ = 0;  ///< exponentially weighted sums
};

}  // namespace pericenter

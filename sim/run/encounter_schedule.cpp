#include "sim/run/encounter_schedule.h"

#include <algorithm>
#include <cmath>

namespace pericenter {
namespace {

constexpr double kNearSteps = 24;  ///< steps around a minimum in which it is measured often
constexpr double kMaxNearSteps = 100;
constexpr double kMinSpacing = 2, kMaxSpacing = 8;  ///< steps between measurements there
constexpr double kSpacingShare = 1.0 / 3;           ///< spacing / distance from the minimum
constexpr double kMaxSpare = 1.5, kMaxSaved = 60;   ///< unit: measurements; a run starts with kMaxSaved
constexpr double kPointSpacing = 20;                ///< steps between the measurements that predict the minimum
constexpr double kMaxPointSpacing = 40;             ///< the same where measurements are not cheap
constexpr double kCheap = 0.004;                    ///< seconds of a measurement that is not saved for
constexpr double kMaxRise =
    1.3;  ///< limits the cost of a measurement relative to the previous one: another program may run meanwhile

}  // namespace

void EncounterSchedule::note_step(double seconds) {
  const double income = kMaxShare / 2 * seconds;
  saved_ += income;
  spare_ += income + std::max(0.0, saved_ - kMaxSaved * cost_);
  saved_ = std::min(saved_, kMaxSaved * cost_);
  spare_ = std::min(spare_, kMaxSpare * cost_);
}

bool EncounterSchedule::is_due(double steps) const {
  if (!has_encounter_) return false;
  if (cost_ == 0 || steps < last_) return true;  // the run has gone back to an earlier step
  const double away = std::abs(steps - expected_), since = steps - last_;
  const bool is_near = away <= within_, is_cheap = cost_ < kCheap;
  if (!is_near && spare_ >= cost_) return true;
  const double spacing = is_near    ? std::clamp(kSpacingShare * away, kMinSpacing, kMaxSpacing)
                         : is_cheap ? kPointSpacing
                                    : kMaxPointSpacing;
  return since >= spacing && (is_cheap || spare_ + saved_ >= cost_);
}

void EncounterSchedule::note(const StructureSample& sample, double seconds) {
  has_encounter_ = std::isfinite(sample.separation);
  if (cost_ == 0) saved_ = kMaxSaved * seconds;
  cost_ = cost_ == 0 ? seconds : std::min(seconds, kMaxRise * cost_);
  saved_ -= std::max(0.0, cost_ - spare_);
  spare_ = std::max(0.0, spare_ - cost_);
  if (sample.position <= last_) points_ = 0;
  last_ = sample.position;
  expect_minimum({sample.position, sample.separation * sample.separation});
}

/// From the parabola through the squared separations, or, if this is sooner, from the speed of the approach.
void EncounterSchedule::expect_minimum(const Point& now) {
  if (points_ == 2) {
    const double left = before_[0].position - before_[1].position, right = now.position - before_[1].position;
    const double left_slope = (before_[0].square - before_[1].square) / left;
    const double right_slope = (now.square - before_[1].square) / right;
    const double curvature = (right_slope - left_slope) / (right - left);
    expected_ = curvature > 0 ? before_[1].position - (left_slope - curvature * left) / (2 * curvature) : kNotMeasured;
    const double separation = std::sqrt(now.square);
    const double speed = (std::sqrt(before_[1].square) - separation) / right;
    if (speed > 0) expected_ = std::fmin(expected_, now.position + separation / speed);
    within_ = std::min(kNearSteps + right / 2, kMaxNearSteps);
  }
  if (points_ > 0 && now.position - before_[points_ - 1].position < kPointSpacing) return;
  if (points_ == 2) {
    before_ = {before_[1], now};
  } else {
    before_[points_++] = now;
  }
}

}  // namespace pericenter

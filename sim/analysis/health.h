#pragma once

#include <cstddef>
#include <limits>
#include <string>

namespace pericenter {

enum class HealthLevel { unknown, good, fair, poor };

/// A quantity that shows how far a result can be trusted: its latest and its worst value since the scene started or was
/// reset. NaN: not measured.
struct HealthValue {
  double now = std::numeric_limits<double>::quiet_NaN(), worst = std::numeric_limits<double>::quiet_NaN();
  HealthLevel level = HealthLevel::unknown;  ///< of `worst`
};

/// How far the result of a run can be trusted.
struct Health {
  HealthLevel level = HealthLevel::unknown;  ///< the worst of all values
  HealthValue energy_error;                  ///< |E - E0| / |E0|
  HealthValue force_error;                   ///< mean relative error of the sampled forces
  HealthValue softenings_per_step;           ///< of the fastest body; not measured without softening
  HealthValue steps_per_orbit;               ///< of the shortest orbit; measured only without softening
  double momentum_change = 0;                ///< |P - P0| / sum of m |v| at the start; shown only
  std::string reason;                        ///< of HealthLevel::poor, one sentence that says what to change
  double last_good = 0;                      ///< latest timeline position at which `level` was not poor
};

}  // namespace pericenter

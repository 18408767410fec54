#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/core/progress.h"
#include "sim/run/run.h"

namespace pericenter {

/// Progress of a measurement that is shown as work, and what cancels it.
struct MeasurementWork {
  Progress progress;
  CancellationToken* cancellation = nullptr;
};

/// As request::MeasureForceErrors. Throws Cancelled, std::bad_alloc, DeviceMemoryError.
void measure_force_errors(Run& run, const Progress& progress);
/// As request::MeasureSweep, for these bodies. Throws as well std::invalid_argument.
std::shared_ptr<const ThetaSweep> measured_sweep(const Run& run, const Bodies& bodies,
                                                 const std::vector<std::string>& solvers, const MeasurementWork& work);

}  // namespace pericenter

#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/analysis/force_error.h"
#include "sim/core/bodies.h"
#include "sim/core/cancellation.h"
#include "sim/core/config.h"

namespace pericenter {

/// Opening angles of a sweep.
inline constexpr std::array<double, 9> kSweptThetas = {0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0, 1.2};

/// Cost and error of one opening angle.
struct SweepPoint {
  double theta = 0;
  double ms = 0;  ///< milliseconds per force evaluation
  ForceErrors errors = {};
};

/// Points of one solver, with ascending theta; a direct solver has one point.
struct SweepCurve {
  Config config;
  std::vector<SweepPoint> points;
};

/// Cost and error of solvers for the same bodies.
struct ThetaSweep {
  std::vector<SweepCurve> curves;
  std::size_t bodies = 0;
  double time = 0;  ///< simulation time of the bodies
  double softening = 0;
};

/// The configuration in which a sweep measures a solver: that of `now` with this solver; another solver has its default
/// options, and cells are opened by angle.
Config swept_config(const Config& now, std::string_view solver);

/// What a sweep measures: every solver that runs on the backend of `config`.
struct SweepRequest {
  Config config;
  Params params;
  std::vector<std::string> solvers;
  std::function<bool(double)> progress;       ///< called with the completed fraction; false cancels
  CancellationToken* cancellation = nullptr;  ///< cancels force evaluations on the CPU
};

/// Creates a simulation of the bodies with each solver, one after the other, and evaluates its forces with each theta
/// six times: once to warm up; the shortest of the other times counts, because the window uses the processor, too.
/// Errors are those of a sample of up to 1,024 bodies, the same for all. Throws Cancelled, std::invalid_argument with a
/// sentence if a body is not finite, std::bad_alloc and DeviceMemoryError.
std::vector<SweepCurve> measure_sweep(const SweepRequest& wanted, const Bodies& bodies);

}  // namespace pericenter

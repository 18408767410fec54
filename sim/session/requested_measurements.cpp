#include "sim/session/requested_measurements.h"

#include <algorithm>
#include <utility>

#include "sim/analysis/direct_reference.h"
#include "sim/analysis/force_error.h"
#include "sim/core/cancellation.h"
#include "sim/core/vertex_target.h"

namespace pericenter {

void measure_force_errors(Run& run, const Progress& progress) {
  Simulation& simulation = *run.simulation();
  RunState& now = run.state();
  const std::vector<Vec3> accelerations = simulation.accelerations(now.params);
  const std::vector<Vec3> exact = direct_reference(simulation.config(), now.params, simulation.bodies(), progress);
  if (exact.empty()) throw Cancelled{};
  const std::vector<double> relative = relative_errors(accelerations, exact);
  now.force_errors = distribution(relative);
  now.force_errors_time = simulation.time();
  auto logarithms = std::make_shared<std::vector<float>>(relative.size());
  std::ranges::transform(relative, logarithms->begin(), log_scalar);
  simulation.set_values(Scalar::force_error, std::move(logarithms));
}

std::shared_ptr<const ThetaSweep> measured_sweep(const Run& run, const Bodies& bodies,
                                                 const std::vector<std::string>& solvers, const MeasurementWork& work) {
  const Simulation& simulation = *run.simulation();
  const Params& params = run.state().params;
  auto sweep = std::make_shared<ThetaSweep>();
  sweep->curves = measure_sweep({.config = simulation.config(),
                                 .params = params,
                                 .solvers = solvers,
                                 .progress = work.progress,
                                 .cancellation = work.cancellation},
                                bodies);
  sweep->bodies = bodies.size();
  sweep->time = simulation.time();
  sweep->softening = params.softening;
  return sweep;
}

}  // namespace pericenter

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "sim/analysis/force_sample.h"
#include "sim/analysis/health.h"
#include "sim/run/run_watcher.h"

namespace pericenter {

bool have_same_forces(const Params& a, const Params& b);

/// Diagnostics of a run, the errors of its conserved quantities, and how far it can be trusted.
class AccuracyWatch : public RunWatcher {
 public:
  /// The energy error refers to this reference, which may be from before the bodies were saved.
  void start(const Diagnostics& reference, const RunView& view);
  void resume(const RunView& view) override;
  void on_diagnostics(const RunView& view) override;
  void after_step(const RunView& view) override;

  /// A step was taken with the parameters of the state.
  void on_step(const RunView& view) { stepped_params_ = view.state.params; }
  /// Measures the diagnostics of the current bodies. False within a step that was cancelled, and when the measurement
  /// is cancelled; then the state is unchanged.
  bool measure_diagnostics(const RunView& view);
  /// Whether `seconds` have passed since the last measurement.
  bool is_due(double seconds) const;
  /// Whether the current bodies have been measured.
  bool is_current(const RunView& view) const { return measured_steps_ == view.simulation.steps(); }
  /// Updates the health after a change of settings, or of the sample of forces.
  void update_health(const RunView& view);

  /// The reference of the energy error.
  std::optional<Diagnostics> reference() const { return conservation_.reference(); }

 private:
  void pool(const ForceSample& sample);

  Conservation conservation_;
  HealthHistory health_;
  double momentum_change_ = 0;
  std::optional<std::uint64_t> measured_steps_;  ///< steps() of the diagnostics in the state
  std::optional<Params> stepped_params_;         ///< parameters of the last step of this simulation
  std::uint64_t samples_ = 0;                    ///< ForceSample::number that the health contains
  PooledForceError force_error_;                 ///< error of the samples with `sampled_params_`
  Params sampled_params_;
  std::uint64_t orbit_checks_ = 0;  ///< OrbitCheck::number that it contains
  std::chrono::steady_clock::time_point last_measurement_{};
};

}  // namespace pericenter

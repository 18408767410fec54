#pragma once

#include "sim/run/measurement_budget.h"
#include "sim/run/run_watcher.h"

namespace pericenter {

/// Measures the rotation curve of the first galaxy while it is asked for.
class RotationWatch : public RunWatcher {
 public:
  void begin(const RunView&) override { budget_.reset(); }
  void after_step(const RunView& view) override;

  /// Measures the curve now, or removes it.
  void turn(bool on, const RunView& view);
  bool is_on() const { return is_on_; }
  /// For a run that has no bodies yet.
  void set_on(bool on) { is_on_ = on; }

 private:
  void measure(const RunView& view);

  bool is_on_ = false;
  MeasurementBudget budget_;
};

}  // namespace pericenter

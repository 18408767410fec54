#pragma once

#include <cstdint>
#include <functional>

#include "app/base/signals.h"
#include "app/headless/run_report.h"
#include "app/headless/step_table.h"
#include "app/settings/options.h"
#include "app/ui/event_sentences.h"
#include "sim/session/session.h"

namespace pericenter::app {

/// What a run reports while it steps: rows of the CSV table, a progress bar, and a call after every step.
struct StepObserver {
  bool with_table = false, with_progress = false;
  std::function<void()> after_step = {};
};

/// A Session that runs without a window, with its totals and CSV table.
class HeadlessRun {
 public:
  /// Creates the scene or loads the file of the options. Throws InputError, SceneCancelled, DeviceMemoryError. Options
  /// and signals must outlive the run.
  HeadlessRun(const Options& options, StopSignals& stop);

  /// Takes `steps` steps, or fewer when a signal arrives. After a lost GPU it continues on the CPU from the latest
  /// checkpoint and prints a warning; throws DeviceLost if there is none.
  void advance(std::uint64_t steps, const StepObserver& observer);

  const Options& options() const { return options_; }
  Session& session() { return session_; }
  Simulation& simulation() const { return *session_.simulation(); }
  const RunTotals& totals() const { return totals_; }
  const StepTable& table() const { return table_; }

 private:
  void load();
  void step(bool with_energy);
  void recover(const DeviceLost& error);
  void warn_of_long_steps(const Diagnostics& now);
  void report_events();

  const Options& options_;
  StopSignals& stop_;
  std::function<bool(const SessionState&)> report_;  ///< reports the creation of the scene
  Session session_;
  RunTotals totals_;
  StepTable table_;
  ReportedEvents reported_;
  bool warned_ = false;  ///< has warned of a step that is too long for the fastest body
};

}  // namespace pericenter::app

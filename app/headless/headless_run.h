#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "app/base/signals.h"
#include "app/headless/run_report.h"
#include "app/settings/options.h"
#include "app/ui/run_sentences.h"
#include "sim/analysis/structure.h"
#include "sim/core/diagnostics.h"
#include "sim/core/simulation.h"
#include "sim/core/units.h"
#include "sim/files/load.h"
#include "sim/files/snapshot.h"
#include "sim/session/session.h"
#include "sim/session/session_state.h"

namespace pericenter::app {

/// The file of --load or the series of --play. Its configuration is the one to run with, changed by other options.
SceneSource input_source(const Options& options);
/// Its name for the user: the file name without extension.
std::string input_name(const Options& options);

/// Writes --save, with a progress bar. Returns an exit code; a signal cancels it. Throws FileError.
int save_output(const Snapshot& snapshot, const Options& options);

/// The table of --csv: step, time, milliseconds per stage, and conserved quantities in the rows where they were
/// evaluated; the separation is that of the nuclei. Unknown values are empty.
class StepTable {
 public:
  StepTable();
  /// The state before the first step.
  void add_start(const Simulation& simulation, const Units& units, const Diagnostics& start, const Diagnostics& now);
  /// The state after a step. `start`: reference of the energy error.
  void add(const Simulation& simulation, const Units& units, const Diagnostics& start,
           const std::optional<Diagnostics>& now);
  const std::string& csv() const { return csv_; }

 private:
  void add_time(const Simulation& simulation, const Units& units);
  void add_quantities(const Simulation& simulation, const Diagnostics& start, const Diagnostics& now);

  std::string csv_;
  std::optional<StructureMeter> structure_;  ///< made from the bodies of the first row
};

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
  bool warned_ = false;  ///< has warned of a step that is too long
};

}  // namespace pericenter::app

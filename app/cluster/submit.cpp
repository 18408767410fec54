#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <thread>

#include "app/base/atomic_file.h"
#include "app/base/format.h"
#include "app/base/progress_bar.h"
#include "app/base/signals.h"
#include "app/cluster/engine.h"
#include "app/cluster/run_comparison.h"
#include "app/cluster/submit_options.h"
#include "app/export/export.h"
#include "app/plots/plot_files.h"
#include "sim/core/clock.h"
#include "sim/core/printable.h"
#include "sim/files/load.h"

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;

const PlotStyle kPaper = {Theme::light, {0.1f, 0.1f, 0.12f, 1}, {0.4f, 0.42f, 0.45f, 1}, {1, 1, 1, 1}};
// Time between two looks: a quarter of the time waited, within these limits.
constexpr double kFirstLook = 0.3, kLastLook = 3, kLastRemoteLook = 15;
constexpr std::chrono::milliseconds kPause(50);

RunRecord record_in(const std::string& folder) {
  if (const std::optional<RunRecord> record = find_run_record(folder)) return *record;
  throw InputError(
      folder + ": there is no run here that pericenter submit has started (no file " + std::string(kRunRecord) + ").",
      true);
}

int print_state(const RunRecord& record, const EngineRunState& state) {
  std::cout << engine_of(record.code).title << ": " << state_text(record, state) << "\n";
  if (state.phase != RunPhase::failed) return kOk;
  std::string message = printable(state.why) + " Its last lines:";
  for (const std::string& line : state.log) message += "\n  " + line;
  return fail(kInternal, message);
}

/// Waits until the run is over, or a signal. A host that does not answer may do so later.
int wait_for(const RunRecord& record, bool progress) {
  const StopSignals stop;
  const Host host(record.host, [&] { return stop.raised(); });
  const auto begin = std::chrono::steady_clock::now();
  EngineRunState state;
  std::string problem;
  {
    ProgressBar bar(std::string(engine_of(record.code).title), "", progress);
    while (!stop.raised()) {
      try {
        state = state_of(record, host);
        const bool is_complete = fetch_results(record, state, host);
        problem.clear();
        bar.show(state.share, 1);
        if (is_complete && state.is_over()) break;
      } catch (const HostError& error) {
        if (!stop.raised() && problem != error.what()) print_message(problem = error.what());
      }
      const auto now = std::chrono::steady_clock::now();
      const double pause =
          std::clamp(seconds_between(begin, now) / 4, kFirstLook, host.is_local() ? kLastLook : kLastRemoteLook);
      while (!stop.raised() && seconds_between(now, std::chrono::steady_clock::now()) < pause)
        std::this_thread::sleep_for(kPause);
    }
  }
  if (stop.raised()) return fail(stop.exit_code(), "stopped waiting; the run continues.");
  return print_state(record, state);
}

/// Paths of the complete snapshots of a run here, in order.
std::vector<std::string> snapshots_here(const RunRecord& record) {
  const Engine& engine = engine_of(record.code);
  std::vector<std::string> paths;
  std::error_code error;
  const fs::path folder = (fs::path(record.folder) / engine.snapshots).parent_path();
  for (const fs::directory_entry& file : fs::directory_iterator(folder, error)) {
    const std::string name = fs::path(file.path()).lexically_relative(record.folder).string();
    if (is_snapshot_name(engine, name)) paths.push_back(file.path().string());
  }
  std::ranges::sort(paths);
  return paths;
}

/// One line per moment, and files in FOLDER/comparison.
int compare(const RunRecord& record, bool progress) {
  const std::vector<std::string> paths = snapshots_here(record);
  if (paths.empty())
    throw InputError(
        record.folder + ": the run has no snapshots yet. See how far it is with pericenter submit --state.", true);
  const StopSignals stop;
  const std::string engine(engine_of(record.code).title);
  const fs::path folder = fs::path(record.folder) / "comparison";
  fs::create_directories(folder);
  check_can_create((folder / "comparison.csv").string());
  ProgressBar bar("comparing", "", progress);
  std::size_t done = 0;
  const auto report = [&](double share) {
    bar.show(static_cast<double>(done) + share, static_cast<double>(paths.size()));
    return !stop.raised();
  };
  try {
    RunComparison comparison(record, report);
    std::optional<InputError> unread;
    for (; done < paths.size(); ++done) {
      try {
        comparison.add(paths[done], report);
      } catch (const InputError& error) {
        // The last one of a run that was ended may be incomplete.
        unread = error;
        print_message(std::string("Left out: ") + error.what());
      }
    }
    if (comparison.moments().empty()) throw *unread;
    write_file((folder / "comparison.csv").string(), comparison_csv(comparison));
    const std::vector<Plot> plots = comparison_plots(comparison, record);
    for (std::size_t k = 0; k < plots.size(); ++k)
      write_file((folder / (std::string(kComparisonNames[k]) + ".svg")).string(),
                 svg_text(plots[k], {.x = fitted_x(plots[k])}, kPaper));
    std::cout << comparison_table(comparison, engine) << known_differences(record.code)
              << "\nTables and plots: " << printable(folder.string()) << "\n";
  } catch (const SceneCancelled&) {
    return fail(stop.exit_code(), "interrupted; nothing was written.");
  }
  return kOk;
}

std::string started_text(const RunRecord& record) {
  const std::string folder = shell_word(record.folder);
  std::string where = record.host.empty() ? "" : " on " + record.host + " in " + record.remote;
  where += record.slurm.empty() ? " (process " + record.process + ")" : " (job " + record.slurm + " of SLURM)";
  return std::string(engine_of(record.code).title) + " was started" + where + " with " + counted(record.ranks, "rank") +
         ".\n  pericenter submit --wait " + folder + "\n  pericenter submit --cancel " + folder +
         "\n  pericenter --play " + shell_word(first_snapshot(record)) + " --follow\n";
}

}  // namespace

int run_submit(const SubmitOptions& options) {
  using Action = SubmitOptions::Action;
  RunRecord record;
  if (options.action == Action::submit) {
    record = start_run(options.start, options.exported.folder, Host(options.start.host),
                       [&] { return write_export(options.exported); });
    std::cout << started_text(record) << std::flush;
  } else {
    record = record_in(options.exported.folder);
    const Host host(record.host);
    if (options.action == Action::compare) return compare(record, options.exported.progress);
    if (options.action == Action::cancel) cancel_engine(record, host);
    if (!options.waits) {
      EngineRunState state = state_of(record, host);
      fetch_results(record, state, host);
      return print_state(record, state);
    }
  }
  return options.waits ? wait_for(record, options.exported.progress) : kOk;
}

}  // namespace pericenter::app

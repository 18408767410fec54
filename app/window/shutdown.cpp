#include "app/window/shutdown.h"

#include <imgui.h>

#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>

#include "app/base/exit_code.h"
#include "app/base/log.h"
#include "app/base/signals.h"
#include "app/window/crash_recovery.h"

namespace pericenter::app {
namespace {

// How long an ffmpeg may do nothing when the window is closed; see also VideoRequest. Seconds.
constexpr double kQuitPatience = 5;
// How long to wait for the current step: normally, if it is stalled, after a signal; and for a snapshot. Seconds.
constexpr double kStepTimeout = 1.5, kStalledTimeout = 0.1, kSignalTimeout = 0.5, kSnapshotTimeout = 2;

/// Exits while other threads are still running.
[[noreturn]] void exit_immediately(int code, Log* log) {
  if (log) log->end(code);
  if (const char* settings = ImGui::GetIO().IniFilename) ImGui::SaveIniSettingsToDisk(settings);
  std::cout.flush();
  std::_Exit(code);
}

}  // namespace

int Shutdown::end(const Conditions& conditions) {
  simulation.cancel();
  finish_files(conditions.stalled, conditions.interrupted);
  const double timeout = conditions.stalled ? kStalledTimeout : conditions.interrupted ? kSignalTimeout : kStepTimeout;
  const bool ended = simulation.end(timeout);
  if (ended && !conditions.background_threads) return conditions.exit_code;
  if (!ended && conditions.stalled) {
    print_message("the current step did not finish; exiting without waiting for it.");
    save_bodies_within(0);
  }
  exit_immediately(conditions.exit_code, ui.support_log);
}

void Shutdown::end_without_display(bool stalled) {
  print_message("lost the connection to the display.");
  save_bodies();
  finish_files(stalled, false);
  exit_immediately(kDisplayLost, ui.support_log);
}

void Shutdown::save_bodies() {
  save_bodies_within(kSnapshotTimeout);
}

void Shutdown::save_bodies_within(double seconds) {
  const SessionState state = simulation.state();
  if (!saves_recovery || state.playback || state.scene.empty()) return;
  const auto snapshot = latest_valid_snapshot(simulation, seconds);
  std::cerr << "pericenter: "
            << (snapshot ? save_recovery(*snapshot, recovery_places()) : "There is no valid snapshot to save.") << '\n';
}

void Shutdown::finish_files(bool stalled, bool interrupted) {
  {
    std::optional<StopSignals> stop;  // released after a signal, so that the next one ends the process
    if (!interrupted) stop.emplace();
    const auto patience = [&] { return interrupted || stop->raised() ? kInterruptedPatience : kQuitPatience; };
    if (const std::string message = capture.stop(ui, patience); !message.empty()) std::cout << message << '\n';
  }
  files.finish(simulation, stalled);
}

}  // namespace pericenter::app

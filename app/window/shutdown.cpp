#include "app/window/shutdown.h"

#include <fcntl.h>
#include <imgui.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

#include "app/base/atomic_file.h"
#include "app/base/exit_code.h"
#include "app/base/format.h"
#include "app/base/log.h"
#include "app/base/signals.h"
#include "app/window/settings_dir.h"
#include "sim/core/printable.h"
#include "sim/run/checkpoint.h"

namespace pericenter::app {
namespace {

// How long an ffmpeg may do nothing when the window is closed; see also VideoRequest. Seconds.
constexpr double kQuitPatience = 5;
// How long to wait for the current step: normally, if it is stalled, after a signal; and for a snapshot. Seconds.
constexpr double kStepTimeout = 1.5, kStalledTimeout = 0.1, kSignalTimeout = 0.5, kSnapshotTimeout = 2;

constexpr std::size_t kMaxNoteBytes = 100'000;

/// Exits while other threads are still running.
[[noreturn]] void exit_immediately(int code, Log* log) {
  if (log) log->end(code);
  if (const char* settings = ImGui::GetIO().IniFilename) ImGui::SaveIniSettingsToDisk(settings);
  std::cout.flush();
  std::_Exit(code);
}

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Local date and time for file names.
std::string date_text() {
  const std::time_t now = std::time(nullptr);
  std::tm local = {};
  localtime_r(&now, &local);
  std::array<char, 32> digits;
  return {digits.data(), std::strftime(digits.data(), digits.size(), "%Y%m%d-%H%M%S", &local)};
}

/// The process tells apart the files of two programs that save in the same second.
std::string file_name(const std::string& scene) {
  return "recovery-" + scene + "-" + date_text() + "-" + std::to_string(::getpid());
}

/// Adds the path: two windows that lose their display save two runs. Without a note the message still has the path.
void add_to_note(const std::string& note, const std::string& path) {
  const int file =
      note.empty() ? -1 : ::open(note.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
  if (file < 0) return;
  const std::string line = path + '\n';
  [[maybe_unused]] const ssize_t written = ::write(file, line.data(), line.size());
  ::close(file);
}

}  // namespace

int Shutdown::end(const Conditions& conditions) {
  simulation.cancel();
  finish_files(conditions.stalled, conditions.interrupted);
  const double timeout = conditions.stalled ? kStalledTimeout : conditions.interrupted ? kSignalTimeout : kStepTimeout;
  const bool ended = simulation.end(timeout);
  if (!ended && conditions.stalled) {
    print_message("the current step did not finish; exiting without waiting for it.");
    save_bodies_within(0);
  } else if (copy) {
    copy->end();
  }
  if (ended && !conditions.background_threads) return conditions.exit_code;
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
  if (!copy || state.playback || state.scene.empty()) return;
  copy->stop_writing();  // it would delay the snapshot
  const auto snapshot = latest_valid_snapshot(simulation, seconds);
  const SavedRecovery recovery = snapshot ? save_recovery(*snapshot, recovery_places())
                                          : SavedRecovery{false, "There is no valid snapshot to save."};
  std::cerr << "pericenter: " << recovery.message << '\n';
  recovery.saved ? copy->end() : copy->keep();
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

RecoveryPlaces recovery_places() {
  RecoveryPlaces places;
  std::error_code error;
  if (const std::string settings = settings_dir(); !settings.empty()) {
    places.folders.push_back(settings);
    places.note = (fs::path(settings) / "recovery.txt").string();
  }
  places.folders.push_back(fs::current_path(error).string());
  places.folders.push_back(fs::temp_directory_path(error).string());
  return places;
}

std::shared_ptr<const Snapshot> latest_valid_snapshot(SimulationThread& simulation, double seconds) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  simulation.cancel();
  simulation.request(request::TakeSnapshot{});
  while (Clock::now() < end) {
    if (auto taken = simulation.take_snapshot()) {
      // A file with non-finite bodies could not be loaded.
      if (!all_finite(taken->bodies)) break;
      return std::make_shared<const Snapshot>(std::move(*taken));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return simulation.checkpoint();
}

SavedRecovery save_recovery(const Snapshot& snapshot, const RecoveryPlaces& places, const SnapshotWriter& writer) {
  const std::string scene = snapshot.run ? snapshot.run->scene : "run";
  const std::string step = snapshot.run ? " of step " + with_thousands(snapshot.run->steps) : "";
  const auto progress = [](double) { return true; };
  std::string problem;
  for (const std::string& folder : places.folders) {
    try {
      const std::string path = new_path_in(folder, file_name(scene), ".hdf5");
      save_snapshot(path, snapshot, progress, writer);
      add_to_note(places.note, path);
      return {true, "The bodies" + step + " were saved to " + printable(path) +
                        ". To continue from there:\n  pericenter --load " + shell_word(path)};
    } catch (const std::exception& error) {
      problem = error.what();
    }
  }
  return {false, "The bodies could not be saved and are lost: " + problem};
}

std::vector<std::string> take_recovery(const RecoveryPlaces& places) {
  std::vector<std::string> paths;
  std::error_code error;
  const std::string note = first_bytes(places.note, kMaxNoteBytes).value_or("");
  std::istringstream lines(note);
  for (std::string path; std::getline(lines, path);)
    if (fs::exists(path, error)) paths.insert(paths.begin(), path);
  fs::remove(places.note, error);
  if (!places.folders.empty()) std::ranges::copy(take_copies(places.folders.front()), std::back_inserter(paths));
  return paths;
}

}  // namespace pericenter::app

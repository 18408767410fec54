#include "app/window/file_controller.h"

#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <thread>
#include <utility>

#include "app/base/atomic_file.h"
#include "app/base/format.h"
#include "app/base/signals.h"
#include "sim/files/load.h"
#include "sim/playback/series.h"

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEnding = ".hdf5";

void ask_for(SceneSource source, UiState& ui) {
  ui.requests.push_back(request::LoadSource{std::make_shared<const SceneSource>(std::move(source))});
  forget_what_simulation_said(ui);
}

bool is_numbered_by_us(const std::string& path) {
  return fs::path(path).filename().string().starts_with("pericenter-");
}

}  // namespace

void open_alone(const std::string& path, UiState& ui) {
  ui.files.opened = path;
  ui.files.series = series_of(path);
  ask_for(file_source(path, ui.files.skip_bad), ui);
}

void play_series(const std::string& path, UiState& ui) {
  ui.files.opened = path;
  ui.files.series = series_of(path);
  ask_for(series_source(ui.files.series, ui.files.skip_bad), ui);
}

void open_files(const std::vector<std::string>& paths, UiState& ui) {
  if (paths.empty()) return;
  if (paths.size() == 1)
    return is_numbered_by_us(paths[0]) || series_of(paths[0]).size() < 2 ? open_alone(paths[0], ui)
                                                                         : play_series(paths[0], ui);
  ui.files.opened = paths.front();
  ui.files.series = paths;
  ask_for(series_source(paths, ui.files.skip_bad), ui);
}

FileController::FileController(const std::string& recent_path, SnapshotWriter writer)
    : recent_(recent_path), saver_(std::move(writer)) {}

bool FileController::apply(const Command& command, const UiFrame& frame, UiState& ui) {
  switch (command.action) {
    case Action::open_file: {
      const std::string newest = recent_.paths().empty() ? "" : recent_.paths().front();
      open_browser(newest.empty() ? home_folder() : fs::path(newest).parent_path().string(), ui.files.browser);
      return true;
    }
    case Action::save_snapshot:
      ask_to_save(frame, ui);
      return true;
    case Action::close_dialogs:
      if (!busy() || ui.show_keys || ui.files.browser.open) return false;
      [[fallthrough]];
    case Action::cancel_save:
      wanted_.clear();
      saver_.cancel();
      return true;
    default:
      return false;
  }
}

std::string FileController::path_to_save(const std::string& scene, const UiState& ui) const {
  if (ui.files.save_as.empty())
    return folder_.empty() ? new_picture_path(scene, kEnding) : new_path_in(folder_, scene, kEnding);
  std::error_code error;
  const std::string folder = folder_.empty() ? fs::current_path(error).string() : folder_;
  fs::path path = full_path(ui.files.save_as, folder);
  if (fs::is_directory(path, error)) return new_path_in(path.string(), scene, kEnding);
  if (!path.has_extension()) path += kEnding;
  return path.string();
}

void FileController::ask_to_save(const UiFrame& frame, UiState& ui) {
  const SessionState& state = frame.simulation;
  if (saver_.busy()) {
    return set_notice("Still saving " + saver_.path() + "; Esc gives that up.", false, frame.now, ui);
  }
  if (state.scene.empty()) return set_notice("There are no bodies yet that could be saved.", false, frame.now, ui);
  try {
    const std::string path = path_to_save(state.scene, ui);
    std::error_code error;
    if (fs::exists(path, error) && std::exchange(replace_, path) != path) {
      return set_notice(path + " exists already: save once more to replace it.", false, frame.now, ui);
    }
    replace_.clear();
    check_can_create(path);
    wanted_ = path;
    message_ = state.message;
    scene_string_ = frame.scene_string;
    ui.requests.push_back(request::TakeSnapshot{});
    set_notice("Saving " + path + " …", false, frame.now, ui);
  } catch (const FileError& error) {
    tell_error(error.what(), frame.now, ui);
  }
}

void FileController::see(const SessionState& begun, UiState& ui) {
  ui.files.note = begun.file.empty() ? "" : begun.message;
  if (!begun.file.empty()) remember(begun.file, 0, ui);
}

void FileController::remember(const std::string& path, double now, UiState& ui) {
  try {
    recent_.add(path);
  } catch (const FileError& error) {
    tell_error(error.what() + std::string(" Recent files are forgotten at the end."), now, ui);
  }
  ui.files.recent = recent_.paths();
}

/// A simulation that fails, as for want of memory, sends no snapshot.
bool FileController::is_in_vain(const SessionState& state) const {
  return state.message_is_error && state.message != message_;
}

void FileController::save(Snapshot taken) {
  if (taken.run) taken.run->scene_string = scene_string_;
  saver_.start(std::exchange(wanted_, {}), std::move(taken));
}

void FileController::update(std::optional<Snapshot> taken, const UiFrame& frame, UiState& ui) {
  ui.files.recent = recent_.paths();
  if (const std::string problem = recent_.take_problem(); !problem.empty()) tell_error(problem, frame.now, ui);
  if (taken && !wanted_.empty() && !saver_.busy()) save(std::move(*taken));
  if (const auto outcome = saver_.take()) end(*outcome, frame.now, ui);
  if (is_in_vain(frame.simulation)) wanted_.clear();
  ui.files.saving.reset();
  if (!busy()) return;
  ui.files.saving = saver_.busy() ? saver_.share() : 0;
  const std::string& path = saver_.busy() ? saver_.path() : wanted_;
  const std::string words = "Saving " + path + text(" … %.0f %%, Esc gives it up", 100 * *ui.files.saving);
  if (!ui.notice.is_error) set_notice(words, false, frame.now, ui);
}

void FileController::end(const SnapshotSaver::Outcome& outcome, double now, UiState& ui) {
  if (outcome.is_error) return tell_error(outcome.words, now, ui);
  set_notice(outcome.words, false, now, ui);
  if (!outcome.saved) return;
  if (!ui.files.save_as.empty()) folder_ = fs::path(outcome.path).parent_path().string();
  ui.files.save_as.clear();
  ui.files.saved = outcome.path;
  remember(outcome.path, now, ui);
}

void FileController::offer(const std::string& recovered, UiState& ui) {
  remember(recovered, 0, ui);
  set_lasting_notice("The last session ended before its time. Its bodies are saved.", recovered, ui);
}

void FileController::finish(SimulationThread& simulation, bool hangs) {
  constexpr double kSeconds = 0.05;
  if (hangs) wanted_.clear();
  if (!busy()) return;
  std::cerr << "pericenter: finishing " << (wanted_.empty() ? saver_.path() : wanted_) << "; Ctrl+C gives it up.\n";
  StopSignals stop;
  while (busy()) {
    if (stop.raised() || is_in_vain(simulation.state())) {
      wanted_.clear();
      saver_.cancel();
    }
    if (auto taken = simulation.take_snapshot(); taken && !wanted_.empty()) save(std::move(*taken));
    if (const auto outcome = saver_.take(kSeconds))
      (outcome->is_error ? std::cerr << "pericenter: " : std::cout) << outcome->words << std::endl;
    else if (!saver_.busy())
      std::this_thread::sleep_for(std::chrono::duration<double>(kSeconds));
  }
}

}  // namespace pericenter::app

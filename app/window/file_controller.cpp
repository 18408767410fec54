#include "app/window/file_controller.h"

#include <chrono>
#include <filesystem>
#include <iostream>
#include <ranges>
#include <thread>
#include <utility>

#include "app/base/atomic_file.h"
#include "app/base/format.h"
#include "app/base/home_folder.h"
#include "app/base/signals.h"
#include "app/ui/send_requests.h"
#include "sim/core/printable.h"

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExtension = ".hdf5";

}  // namespace

FileController::FileController(const std::string& recent_path, SnapshotWriter writer)
    : recent_(recent_path), saver_(std::move(writer)) {}

void FileController::browse(UiState& ui) {
  const std::string latest = recent_.paths().empty() ? "" : recent_.paths().front();
  open_browser(latest.empty() ? home_folder() : fs::path(latest).parent_path().string(), ui.files.browser);
}

void FileController::cancel_save() {
  pending_.clear();
  saver_.cancel();
}

std::string FileController::path_to_save(const std::string& scene, const UiState& ui) const {
  std::error_code error;
  if (ui.files.save_as.empty())
    return fs::absolute(folder_.empty() ? new_output_path(scene, kExtension) : new_path_in(folder_, scene, kExtension),
                        error)
        .string();
  const std::string folder = folder_.empty() ? fs::current_path(error).string() : folder_;
  fs::path path = full_path(ui.files.save_as, folder);
  if (fs::is_directory(path, error)) return new_path_in(path.string(), scene, kExtension);
  if (!path.has_extension()) path += kExtension;
  return path.string();
}

void FileController::request_save(const UiFrame& frame, UiState& ui) {
  const SessionState& state = frame.simulation;
  if (saver_.busy()) {
    return set_notice("Still saving " + printable(saver_.path()) + ". Press Esc to cancel.", false, frame.now, ui);
  }
  if (state.scene.empty()) return set_notice("There are no bodies to save yet.", false, frame.now, ui);
  try {
    const std::string path = path_to_save(state.scene, ui);
    std::error_code error;
    if (fs::exists(path, error) && std::exchange(replace_, path) != path) {
      return set_notice(printable(path) + " already exists. Save again to replace it.", false, frame.now, ui);
    }
    replace_.clear();
    check_can_create(path);
    pending_ = path;
    message_serial_ = state.message_serial;
    scene_string_ = frame.scene_string;
    ui.requests.push_back(request::TakeSnapshot{});
    set_notice("Saving " + printable(path) + " …", false, frame.now, ui);
  } catch (const FileError& error) {
    report_error(error.what(), frame.now, ui, NoticeSource::snapshots);
  }
}

void FileController::scene_started(const SessionState& state, UiState& ui) {
  ui.files.note = state.file.empty() ? "" : state.message;
  if (state.file.empty()) return;
  show_reading(state.file, state.file_options, ui.files);
  add_recent(state.file, 0, ui);
}

void FileController::add_recent(const std::string& path, double now, UiState& ui) {
  try {
    recent_.add(path);
  } catch (const FileError& error) {
    report_error(error.what() + std::string(" The list of recent files will not be saved."), now, ui);
  }
  ui.files.recent = recent_.paths();
}

/// Whether the simulation has reported an error since the request; it sends no snapshot in that case.
bool FileController::has_failed(const SessionState& state) const {
  return state.message_is_error && state.message_serial != message_serial_;
}

void FileController::save(Snapshot snapshot) {
  if (snapshot.run) snapshot.run->scene_string = scene_string_;
  remark_.clear();
  saver_.start(std::exchange(pending_, {}), std::move(snapshot));
}

void FileController::save_instead(const std::shared_ptr<const Snapshot>& checkpoint, double now, UiState& ui) {
  if (!checkpoint) {
    pending_.clear();
    return report_error("The simulation does not answer, and there is no checkpoint of it to save.", now, ui,
                        NoticeSource::snapshots);
  }
  if (saver_.busy()) return;
  save(*checkpoint);
  const std::string step = checkpoint->run ? "step " + with_thousands(checkpoint->run->steps) : "the last checkpoint";
  remark_ = " The simulation does not answer: these are the bodies of " + step + ", its last checkpoint.";
}

void FileController::update(std::optional<Snapshot> snapshot, const UiFrame& frame, UiState& ui) {
  ui.files.recent = recent_.paths();
  if (const std::string problem = recent_.take_problem(); !problem.empty()) report_error(problem, frame.now, ui);
  if (snapshot && !pending_.empty() && !saver_.busy()) save(std::move(*snapshot));
  if (const auto outcome = saver_.take()) report(*outcome, frame.now, ui);
  if (has_failed(frame.simulation)) pending_.clear();
  ui.files.saving.reset();
  if (!busy()) return;
  ui.files.saving = saver_.busy() ? saver_.progress() : 0;
  const std::string& path = saver_.busy() ? saver_.path() : pending_;
  if (!ui.notices.shown.is_error)
    set_notice("Saving " + printable(path) + text(" … %.0f %% (Esc cancels)", 100 * *ui.files.saving), false, frame.now,
               ui);
}

void FileController::report(const SnapshotSaver::Outcome& outcome, double now, UiState& ui) {
  if (outcome.is_error) return report_error(outcome.message, now, ui, NoticeSource::snapshots);
  if (outcome.saved) remove_notices(NoticeSource::snapshots, ui);
  set_notice(outcome.message + (outcome.saved ? remark_ : ""), false, now, ui);
  if (!outcome.saved) return;
  if (!ui.files.save_as.empty()) folder_ = fs::path(outcome.path).parent_path().string();
  ui.files.save_as.clear();
  ui.files.saved = outcome.path;
  add_recent(outcome.path, now, ui);
}

void FileController::offer_recovery(const std::vector<std::string>& paths, UiState& ui) {
  if (paths.empty()) return;
  for (const std::string& path : std::views::reverse(paths)) add_recent(path, 0, ui);
  const std::string others = paths.size() == 1 ? "A recovery snapshot is available."
                                               : with_thousands(paths.size()) +
                                                     " recovery snapshots are available: the newest here, all of them "
                                                     "among the recent files (Ctrl+O).";
  set_persistent_notice("The previous session did not exit cleanly. " + others, paths.front(), ui);
}

void FileController::finish(SimulationThread& simulation, bool stalled) {
  constexpr double kPollSeconds = 0.05;
  if (stalled) pending_.clear();
  if (!busy()) return;
  std::cerr << "pericenter: saving " << printable(pending_.empty() ? saver_.path() : pending_) << "; Ctrl+C cancels.\n";
  StopSignals stop;
  while (busy()) {
    if (stop.raised() || has_failed(simulation.state())) cancel_save();
    if (auto snapshot = simulation.take_snapshot(); snapshot && !pending_.empty()) save(std::move(*snapshot));
    if (const auto outcome = saver_.take(kPollSeconds))
      (outcome->is_error ? std::cerr << "pericenter: " : std::cout) << outcome->message << std::endl;
    else if (!saver_.busy())
      std::this_thread::sleep_for(std::chrono::duration<double>(kPollSeconds));
  }
}

}  // namespace pericenter::app

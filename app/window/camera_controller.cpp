#include "app/window/camera_controller.h"

#include <optional>

#include "app/base/atomic_file.h"
#include "app/base/format.h"
#include "app/window/window.h"

namespace pericenter::app {

void CameraController::load(const std::string& path_file, UiState& ui) {
  if (const std::string problem = store_.load(ui.camera); !problem.empty()) report_error(problem, 0, ui);
  if (path_file.empty()) return;
  ui.camera.path = read_camera_path(path_file);
  ui.camera.playing_path = !ui.presentation.reduced_motion;
}

void CameraController::store_changes(UiState& ui) {
  try {
    store_.save(ui.camera);
  } catch (const FileError& error) {
    report_error(error.what() + std::string(" Cameras will not be saved."), window_time(), ui);
  }
}

void CameraController::save(int index, UiState& ui) {
  ui.camera.saved.at(static_cast<std::size_t>(index)) = view_.camera().pose();
  set_notice(text("View %d saved. Shift %d goes to it.", index + 1, index + 1), false, window_time(), ui);
}

void CameraController::go_to(int index, UiState& ui) {
  const std::optional<render::CameraPose>& pose = ui.camera.saved.at(static_cast<std::size_t>(index));
  if (pose) {
    ui.camera.go_to = pose;
  } else {
    set_notice(text("View %d is empty. Ctrl %d saves the current view.", index + 1, index + 1), false, window_time(),
               ui);
  }
}

void CameraController::add_key(UiState& ui) {
  add_camera_key(view_.camera().pose(), ui.camera);
}

}  // namespace pericenter::app

#include "app/window/camera_controller.h"

#include <iostream>

#include "app/base/atomic_file.h"
#include "app/base/format.h"
#include "app/window/window.h"

namespace pericenter::app {

void CameraController::begin(const std::string& path_file, UiState& ui) {
  if (const std::string problem = store_.load(ui.camera); !problem.empty()) tell_error(problem, 0, ui);
  if (path_file.empty()) return;
  ui.camera.path = read_camera_path(path_file);
  ui.camera.playing_path = true;
}

bool CameraController::apply(const Command& command, const render::CameraPose& here, UiState& ui) {
  switch (command.action) {
    case Action::add_camera_key:
      add_camera_key(here, ui.camera);
      return true;
    case Action::save_camera:
    case Action::go_to_camera:
      visit(command, here, ui);
      return true;
    default:
      return false;
  }
}

/// Keeps a view under its number, or glides there.
void CameraController::visit(const Command& command, const render::CameraPose& here, UiState& ui) {
  CameraState& camera = ui.camera;
  std::optional<render::CameraPose>& place = camera.saved.at(static_cast<std::size_t>(command.number));
  if (command.action == Action::go_to_camera && place) {
    camera.go_to = place;
    return;
  }
  const int number = command.number + 1;
  if (command.action == Action::save_camera) place = here;
  set_notice(place ? text("This view is number %d now: Shift %d comes back to it.", number, number)
                   : text("There is no view %d yet: Ctrl %d keeps the present one.", number, number),
             false, window_time(), ui);
}

void CameraController::keep(UiState& ui) {
  try {
    store_.keep(ui.camera);
  } catch (const FileError& error) {
    std::cerr << "pericenter: " << error.what() << '\n';
    set_notice(error.what() + std::string(" The cameras are forgotten at the end."), true, window_time(), ui);
  }
}

}  // namespace pericenter::app

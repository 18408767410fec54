#pragma once

#include <string>

#include "app/ui/ui_state.h"
#include "app/view/camera_file.h"
#include "app/window/viewport.h"

namespace pericenter::app {

/// Saved views and the camera path of the window, which are stored between sessions.
class CameraController {
 public:
  /// `path`: the file of the CameraStore. The view must outlive the controller.
  CameraController(const std::string& path, Viewport& view) : store_(path), view_(view) {}

  /// Loads the cameras of the last session, and plays the path in `path_file` unless that is empty. Throws
  /// CameraFileError.
  void load(const std::string& path_file, UiState& ui);
  /// Stores changed cameras. Reports an error once.
  void store_changes(UiState& ui);

  /// Saves the current view as number `index`, from 0.
  void save(int index, UiState& ui);
  /// Glides to a saved view.
  void go_to(int index, UiState& ui);
  /// Appends the current view to the path.
  void add_key(UiState& ui);

 private:
  CameraStore store_;
  Viewport& view_;
};

}  // namespace pericenter::app

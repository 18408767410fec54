#pragma once

#include <string>

#include "app/ui/ui_state.h"
#include "app/view/camera_file.h"
#include "render/camera.h"

namespace pericenter::app {

/// What the window does with cameras: views and a path, which are kept for the next session.
class CameraController {
 public:
  /// `path`: where a CameraStore keeps them.
  explicit CameraController(const std::string& path) : store_(path) {}

  /// Takes up what the last session kept, and plays the path in `path_file` unless that is empty. Throws
  /// CameraFileError.
  void begin(const std::string& path_file, UiState& ui);
  /// Does what a command asks of views and the path, where the camera is `here`; false for other commands.
  bool apply(const Command& command, const render::CameraPose& here, UiState& ui);
  /// Keeps what has changed. An error is told once, also on stderr.
  void keep(UiState& ui);

 private:
  void visit(const Command& command, const render::CameraPose& here, UiState& ui);

  CameraStore store_;
};

}  // namespace pericenter::app

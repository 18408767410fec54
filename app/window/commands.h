#pragma once

#include "app/ui/actions.h"
#include "app/ui/ui_state.h"

namespace pericenter::app {

class CameraController;
class Capture;
class ClusterController;
class Comparison;
class FileController;
class LessonController;
class SceneController;
class Viewport;
class Window;

/// What commands act on. Tests without a window set only `ui`; a command for a null target has no effect.
struct CommandTargets {
  UiState& ui;
  CameraController* cameras = nullptr;
  Capture* capture = nullptr;
  ClusterController* cluster = nullptr;
  Comparison* comparison = nullptr;
  FileController* files = nullptr;
  LessonController* lessons = nullptr;
  SceneController* scenes = nullptr;
  Viewport* view = nullptr;
  Window* window = nullptr;
};

/// Applies the command of a key or a button. Returns false if its target is null.
bool apply_command(const Command& command, const UiFrame& frame, const CommandTargets& targets);

}  // namespace pericenter::app

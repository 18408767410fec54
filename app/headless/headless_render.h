#pragma once

#include <string>
#include <vector>

#include "app/headless/headless_run.h"
#include "app/output/offscreen.h"
#include "app/output/still_recorder.h"
#include "app/ui/ui_state.h"
#include "render/camera.h"

namespace pericenter::app {

/// What panel and keys would have been set to: this is where options of the look come in.
UiState look_of(const HeadlessRun& run, bool annotated);

/// The pictures of a run: all look from the same place.
class RunPictures {
 public:
  /// They show a sphere of `radius` about the origin. Offscreen and run must outlive them.
  RunPictures(Offscreen& offscreen, const HeadlessRun& run, double radius, bool annotated);

  /// The bodies as they are now, `seconds` after the begin of the camera's path.
  Shot shot(double seconds = 0);
  /// Writes them as a picture. Throws FileError.
  void write(const std::string& path);

 private:
  void show_tree();

  Offscreen& offscreen_;
  Annotator* annotator_;  ///< null without annotations
  const HeadlessRun& run_;
  UiState ui_;
  render::Camera camera_;
  std::vector<Vertex> vertices_;
  SessionState state_;
};

}  // namespace pericenter::app

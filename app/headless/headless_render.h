#pragma once

#include <string>
#include <vector>

#include "app/headless/headless_run.h"
#include "app/headless/headless_stars.h"
#include "app/output/offscreen.h"
#include "app/output/recorder.h"
#include "app/view/camera_control.h"
#include "app/view/view_settings.h"
#include "render/camera.h"

namespace pericenter::app {

/// The camera of the options, by default one that shows a sphere of `radius` about the origin.
render::Camera camera_of(const Options& options, const SessionState& state, double radius);

/// Renders a run from a fixed camera or along the camera path of the options.
class HeadlessRenderer {
 public:
  /// Shows a sphere of `radius` about the origin. `offscreen` and `run` must outlive it.
  HeadlessRenderer(Offscreen& offscreen, HeadlessRun& run, double radius, bool annotated);

  /// The current bodies, `seconds` after the start of the camera path.
  CapturedFrame shot(double seconds = 0);
  /// Writes the current bodies as a PNG. Throws FileError.
  void write(const std::string& path);

 private:
  void update_tree();

  Offscreen& offscreen_;
  Annotator* annotator_;  ///< null without annotations
  HeadlessRun& run_;
  ViewSettings view_;
  std::vector<CameraKey> path_;  ///< empty: the camera is fixed
  render::Camera camera_;
  HeadlessStars stars_;
  SessionState state_;
};

}  // namespace pericenter::app

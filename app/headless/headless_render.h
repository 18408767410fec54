#pragma once

#include <string>
#include <vector>

#include "app/cli/options.h"
#include "app/headless/headless_stars.h"
#include "app/output/offscreen.h"
#include "app/output/recorder.h"
#include "app/view/camera_control.h"
#include "app/view/view_settings.h"
#include "render/camera.h"
#include "render/image.h"
#include "sim/session/session.h"

namespace pericenter::app {

/// The camera of the options, by default one that shows a sphere of `radius` about the origin.
render::Camera camera_of(const Options& options, const SessionState& state, double radius);

/// A simulation, and the options with which it is shown.
struct ShownRun {
  const Options& options;
  Session& session;
};

/// Renders a run from a fixed camera or along the camera path of the options.
class HeadlessRenderer {
 public:
  /// Shows a sphere of `radius` about the origin. All that is referred to must outlive it.
  HeadlessRenderer(Offscreen& offscreen, const ShownRun& run, double radius, bool annotated);

  /// The current bodies, `seconds` after the start of the camera path.
  CapturedFrame shot(double seconds = 0);
  /// The current bodies as an image of this size; with `large` words for an image that is printed small.
  render::Image image(int width, int height, bool large = false);
  /// Writes the current bodies as a PNG. Throws FileError.
  void write(const std::string& path);

 private:
  void update_tree();

  Offscreen& offscreen_;
  Annotator* annotator_;  ///< null without annotations
  ShownRun run_;
  ViewSettings view_;
  std::vector<CameraKey> path_;  ///< empty: the camera is fixed
  render::Camera camera_;
  HeadlessStars stars_;
  SessionState state_;
};

}  // namespace pericenter::app

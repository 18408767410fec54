#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/headless/headless_run.h"
#include "app/output/offscreen.h"
#include "app/output/recorder.h"
#include "app/view/camera_control.h"
#include "app/view/view_settings.h"
#include "render/camera.h"

namespace pericenter::app {

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
  ViewSettings view_;
  std::vector<CameraKey> path_;  ///< empty: the camera stays
  std::optional<render::StarSample> sample_;
  render::Camera camera_;
  std::vector<Vertex> vertices_;
  SessionState state_;
};

}  // namespace pericenter::app

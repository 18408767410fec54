#pragma once

#include <string>
#include <vector>

#include "app/headless/headless_stars.h"
#include "app/output/offscreen.h"
#include "app/output/recorder.h"
#include "app/output/subtitles.h"
#include "app/settings/options.h"
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

/// Renders a run from a fixed camera, or along the camera path of the options or of the scene.
class HeadlessRenderer {
 public:
  /// Shows a sphere of `radius` about the origin. All that is referred to must outlive it.
  HeadlessRenderer(Offscreen& offscreen, const ShownRun& run, double radius, bool annotated);

  /// The current bodies, `seconds` after the start of camera path, drift and captions.
  CapturedFrame shot(double seconds = 0);
  /// The current bodies as an image of this size; with `large` words for an image that is printed small.
  render::Image image(int width, int height, bool large = false);
  /// Writes the current bodies as a PNG. Throws FileError.
  void write(const std::string& path);

  /// Begins a video, by default on the camera path of the scene, with the narrator's sentences.
  void begin_video();

 private:
  void update_tree();
  void move_camera(double seconds);
  std::string narration(double seconds);
  void show(const std::string& sentence, double seconds);

  Offscreen& offscreen_;
  Annotator* annotator_;  ///< null without annotations
  ShownRun run_;
  ViewSettings view_;
  std::vector<CameraKey> path_;        ///< camera keys by video time, or empty
  std::vector<CameraKey> scene_path_;  ///< camera keys by simulation time, or empty
  bool narrates_ = false;
  std::vector<Caption> captions_;  ///< captions of the scene
  double captioned_ = 0;           ///< simulation time in the previous frame
  std::size_t narrated_ = 0;       ///< events
  std::string sentence_;           ///< sentence of the narrator, shown until `silent_`
  double silent_ = 0;
  double kept_ = 0;  ///< no event replaces the sentence before this time
  render::Camera camera_;
  render::CameraPose start_ = camera_.pose();
  HeadlessStars stars_;
  SessionState state_;
  TreeLevels tree_levels_;
};

}  // namespace pericenter::app

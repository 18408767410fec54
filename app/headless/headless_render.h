#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/bridge/vertex_bridge.h"
#include "app/output/offscreen.h"
#include "app/output/recorder.h"
#include "app/output/subtitles.h"
#include "app/settings/options.h"
#include "app/view/camera_control.h"
#include "app/view/framing.h"
#include "app/view/view_settings.h"
#include "render/camera.h"
#include "render/image.h"
#include "render/renderer.h"
#include "sim/session/session.h"

namespace pericenter::app {

/// The vertices of a run in an OpenGL buffer. CUDA writes into a buffer that it shares with OpenGL; if that is not
/// possible, vertices are copied through host memory. For the thread of the OpenGL context.
class HeadlessStars {
 public:
  /// Copies with Bridge::staged, and if interop fails. `bends`: ways are parabolas, and then have no scalars.
  /// `renderer` must outlive it.
  HeadlessStars(render::Renderer& renderer, Bridge wanted, bool bends);

  /// Writes the current vertices to a buffer that is valid until the next call. With `way`, they have moved on by this
  /// share of the next step.
  render::Stars update(Session& session, double way = 0);
  /// Some of the stars of the last update.
  const render::StarSample& sample() const { return sample_; }

 private:
  struct Slot {
    std::unique_ptr<VertexBuffer> buffer;
    bool shared = false;  ///< CUDA writes to the buffer
  };
  unsigned fill(Slot& slot, Session& session, bool ahead);
  VertexTarget map(Slot& slot, const SessionState& state, std::size_t count);

  render::Renderer& renderer_;
  Bridge wanted_;
  bool bends_;
  std::optional<Interop> interop_;  ///< set with the first vertices of CUDA, because CUDA takes 0.2 s to start
  Slot now_, next_;
  render::StarSample sample_;
};

/// Whether the options leave target and distance of the camera to Framing.
bool follows_story(const Options& options);
/// The camera of the options, by default one that shows a sphere of `radius` about the origin.
render::Camera camera_of(const Options& options, const SessionState& state, double radius);

/// A simulation, and the options with which it is shown.
struct ShownRun {
  const Options& options;
  Session& session;
};

/// Renders a run from a fixed camera, along the camera path of the options or of the scene, or so that its story is in
/// the frame.
class HeadlessRenderer {
 public:
  /// Shows a sphere of `radius` about the origin. All that is referred to must outlive it.
  HeadlessRenderer(Offscreen& offscreen, const ShownRun& run, double radius, bool annotated);

  /// The current bodies, `seconds` after the start of camera path, drift and captions. With `way`, this share of the
  /// next step later.
  CapturedFrame shot(double seconds = 0, double way = 0);
  /// The current bodies as an image of this size, for a class with the size and language of its words.
  render::Image image(int width, int height, const ClassView& shown = {});
  /// Writes the current bodies as a PNG. Throws FileError.
  void write(const std::string& path);

  /// Begins a video, by default on the camera path of the scene, with the narrator's sentences.
  void begin_video();

 private:
  void update_tree();
  void move_camera(double seconds);
  void frame_story(double seconds);
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
  bool frames_;  ///< frame_story(), with the direction of the path of the scene in a video
  Framing framing_;
  std::optional<double> framed_at_;  ///< seconds
  HeadlessStars stars_;
  SessionState state_;
  double time_ = 0;  ///< simulation time of the frame
  TreeLevels tree_levels_;
};

}  // namespace pericenter::app

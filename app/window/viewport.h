#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/ui_state.h"
#include "app/view/camera_control.h"
#include "app/view/framing.h"
#include "render/camera.h"
#include "render/frame.h"
#include "render/offscreen_target.h"
#include "render/renderer.h"
#include "sim/core/tree_box.h"

struct ImGuiIO;

namespace pericenter::app {

/// A rectangle of the window in pixels, from the lower left corner.
struct PixelRect {
  int left = 0, bottom = 0, width = 0, height = 0;
};

/// The part of the window that shows the stars: the renderer, its camera, and the mouse.
///
/// The rendered frame is kept and redrawn only after a change. Without a GPU this leaves the cores to the simulation
/// while the panel runs at the full frame rate.
class Viewport {
 public:
  /// Starts with the embedded shaders, or with those in `shader_dir` unless it is empty.
  explicit Viewport(const std::string& shader_dir);
  /// Why the shaders of `shader_dir` cannot be used; empty if they can.
  const std::string& shader_problem() const { return shader_problem_; }

  /// Fits the camera to a scene.
  void fit(const SceneView& view);
  /// The same, but the camera glides there.
  void glide_to_fit(const SceneView& view, const UiState& ui);
  bool flat() const { return look_.flat; }

  render::Camera& camera() { return camera_; }
  render::Renderer& renderer() { return renderer_; }
  render::RenderTimings timings() const { return renderer_.timings(); }
  unsigned star_decimation() const { return renderer_.star_decimation(); }

  /// The frame that the window shows of these stars.
  render::Frame frame(const render::Stars& stars, const UiState& ui) const;

  /// Splits the image; nullopt: all of it shows the same stars.
  void set_split(const std::optional<render::Split>& split);
  /// Sets the cells of the tree; false for nullopt, which means that they have not changed.
  bool set_boxes(const std::optional<std::vector<TreeBox>>& boxes, render::Half half = render::Half::right);
  void set_probe(const Probe& probe);
  /// The star buffer has changed: draw it in the next frame.
  void invalidate() { stale_ = true; }
  /// Returns the compiler errors; empty if there are none.
  std::string reload_shaders();

  /// True on a double click outside the panels.
  bool double_clicked(const ImGuiIO& io) const;
  /// Moves the camera by mouse, keys and the followed object at simulation time `time`; false if it is at rest. With
  /// other stars, a camera that only follows them keeps them in sight.
  bool move_camera(const ImGuiIO& io, double time, UiState& ui);
  /// Whether the camera moves without input, so that frames are needed also after a slow one.
  bool drifts(const UiState& ui) const;
  CameraControl& control() { return control_; }
  /// Draws an image of the command line with this aspect: nothing moves the camera slowly.
  void hold(float aspect) { held_aspect_ = aspect; }

  /// The cursor, in pixels from the lower left of the view.
  glm::vec2 cursor(const ImGuiIO& io) const;
  glm::ivec2 size() const { return {area_.width, area_.height}; }

  /// A star that was clicked: pressed and released without a drag or a double click. The inner value is nullopt if the
  /// click hit no star.
  std::optional<std::optional<std::uint32_t>> clicked_star(const ImGuiIO& io, const render::Stars& stars,
                                                           const UiState& ui);

  /// The framebuffer of the last frame; draw() must have been called.
  unsigned framebuffer() const { return target_->framebuffer(); }
  /// Whether the run plays, so that further changes follow.
  void set_playing(bool plays) { plays_ = plays; }
  /// Draws into `area` of the back buffer. After a change it redraws for a while until automatic exposure has settled.
  /// A picture at rest is then drawn once more, at full resolution with all stars.
  void draw(const render::Stars& stars, const UiState& ui, const PixelRect& area);
  /// Whether the picture at rest is still to be drawn.
  bool settles() const { return drawn_frame_.live && !plays_; }

 private:
  float drift_seconds(const ImGuiIO& io, const UiState& ui);
  bool rise(const ImGuiIO& io, const UiState& ui);
  bool may_frame(const UiState& ui) const;
  float covered(const UiState& ui) const;
  glm::vec2 legend(const UiState& ui) const;
  void keep_in_sight(float seconds, const UiState& ui);
  std::optional<FramedPose> framed_by(const render::Frame& frame, const UiState& ui) const;

  render::Renderer renderer_;
  std::string shader_problem_;
  render::Camera camera_;
  CameraControl control_;
  Framing framing_;
  std::unique_ptr<render::OffscreenTarget> target_;
  PixelRect area_;
  float pressed_x_ = 0, pressed_y_ = 0;
  bool may_click_ = false;  ///< the left button is down and the mouse has not moved since
  render::Frame drawn_frame_;
  std::optional<render::Split> split_;
  SceneLook look_;
  bool keeps_scale_ = false;
  std::optional<StoryAngles> story_;
  std::optional<float> held_aspect_;
  float covered_ = 0;                  ///< share of the height in the last frame
  glm::vec2 legend_{0};                ///< covered shares of width and height in the last frame
  bool frames_ = false;                ///< the camera moves to keep the stars in sight, to the end also in a pause
  bool halves_changed_ = false;        ///< the view of a scene is wider or narrower than in the frame before
  glm::ivec2 framed_size_{0};          ///< pixels of the last image; another size is framed at once
  std::uint64_t recorded_frames_ = 0;  ///< number of video frames at the previous frame
  bool stale_ = true, plays_ = false;
  std::chrono::steady_clock::time_point drawn_at_, changed_at_;
  bool cut_ = true;  ///< the next frame is unrelated to the last one: do not adapt the exposure smoothly
};

}  // namespace pericenter::app

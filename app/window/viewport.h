#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/ui_state.h"
#include "app/view/camera_control.h"
#include "render/camera.h"
#include "render/frame.h"
#include "render/image.h"
#include "render/offscreen_target.h"
#include "render/renderer.h"
#include "sim/core/tree_box.h"

struct ImGuiIO;

namespace pericenter::app {

/// A rectangle of the window in pixels, from the lower left.
struct Viewport {
  int left = 0, below = 0, width = 0, height = 0;
};

/// Cells of a tree as the renderer draws them.
std::vector<render::Box> boxes_of(const std::vector<TreeBox>& cells);

/// The part of the window that shows the stars: the renderer, its camera, and the mouse.
///
/// The picture is kept and only drawn again when something in it changed: without a GPU that leaves the cores to the
/// simulation while the panel runs at full rate.
class FrameView {
 public:
  /// Begins with the shaders of the binary, and takes those of `shader_dir` where it is not empty.
  explicit FrameView(const std::string& shader_dir);
  /// Why it did not take them; empty when it did.
  const std::string& shader_problem() const { return shader_problem_; }

  /// Shows what a scene wants to be seen of it.
  void fit(const SceneView& view);
  /// The same, but the camera glides there.
  void glide_to_fit(const SceneView& view);
  bool flat() const { return flat_; }

  render::Camera& camera() { return camera_; }
  render::Renderer& renderer() { return renderer_; }
  render::RenderTimings timings() const { return renderer_.timings(); }
  unsigned star_decimation() const { return renderer_.star_decimation(); }

  /// What the window would show of these stars.
  render::Frame picture(const render::Stars& stars, const UiState& ui) const;

  /// Takes new cells of the tree; false when there are none.
  bool set_boxes(const std::optional<std::vector<TreeBox>>& boxes);
  /// The stars in the buffer are others than before.
  void refresh() { stale_ = true; }
  std::string reload_shaders();

  /// What the panels left of the mouse; true on a double click.
  bool handle_mouse(const ImGuiIO& io) const;

  /// Moves the camera by hands, keys and what it follows, for a picture of the moment `time`; false when it rests.
  bool move_camera(const ImGuiIO& io, double time, UiState& ui);
  CameraControl& control() { return control_; }

  /// The star that was clicked: pressed and let go with hardly a move between, but not twice in a row. Nullopt within:
  /// the sky was.
  std::optional<std::optional<std::uint32_t>> clicked_star(const ImGuiIO& io, const render::Stars& stars,
                                                           const UiState& ui);
  /// Takes what is known of the walk that `ui` has.
  void set_probe(const Probe& probe);

  /// Draws into `viewport` of the window's back buffer. After a change it goes on for a while, until the automatic
  /// exposure has followed.
  void draw(const render::Stars& stars, const UiState& ui, const Viewport& viewport);

 private:
  render::Renderer renderer_;
  std::string shader_problem_;
  render::Camera camera_;
  CameraControl control_;
  std::unique_ptr<render::OffscreenTarget> kept_;
  int width_ = 0, height_ = 0;
  Viewport viewport_;
  float pressed_x_ = 0, pressed_y_ = 0;
  bool may_click_ = false;  ///< the left button went down and has not been moved since
  render::Frame shown_;
  bool flat_ = false;
  bool stale_ = true;
  std::chrono::steady_clock::time_point drawn_, changed_;
  bool cut_ = true;  // what comes next has nothing to do with what was shown before
};

}  // namespace pericenter::app

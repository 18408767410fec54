#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/ui_state.h"
#include "render/camera.h"
#include "render/image.h"
#include "render/offscreen_target.h"
#include "render/picture.h"
#include "render/renderer.h"
#include "sim/tree_box.h"

struct ImGuiIO;

namespace pericenter::app {

/// A rectangle of the window in pixels, from the lower left.
struct Viewport {
  int left = 0, below = 0, width = 0, height = 0;
};

/// The part of the window that shows the stars: the renderer, its camera, and the mouse.
///
/// The picture is kept and only drawn again when something in it changed: without a GPU that leaves the cores to the
/// simulation while the panel runs at full rate.
class PictureView {
 public:
  explicit PictureView(const std::string& shader_dir);

  /// Shows a sphere of `radius` about the origin; `flat` looks straight down on a plane of bodies.
  void fit(float radius, bool flat);
  bool flat() const { return flat_; }

  render::Camera& camera() { return camera_; }
  render::Renderer& renderer() { return renderer_; }

  /// What the window would show of these stars.
  render::Picture picture(const render::Stars& stars, const UiState& ui) const;

  /// Takes new cells of the tree; false when there are none.
  bool set_boxes(const std::optional<std::vector<TreeBox>>& boxes);
  /// The stars in the buffer are others than before.
  void refresh() { stale_ = true; }
  std::string reload_shaders();

  /// Turns, moves and zooms with what the panels left of the mouse; true on a double click.
  bool handle_mouse(const ImGuiIO& io);

  /// Draws into `viewport` of the window's back buffer.
  void draw(const render::Stars& stars, const UiState& ui, const Viewport& viewport);

 private:
  render::Renderer renderer_;
  render::Camera camera_;
  std::unique_ptr<render::OffscreenTarget> kept_;
  int width_ = 0, height_ = 0;
  render::Picture shown_;
  bool flat_ = false;
  bool stale_ = true;
};

}  // namespace pericenter::app

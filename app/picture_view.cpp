#include "app/picture_view.h"

#include <glad/gl.h>
#include <imgui.h>

#include <algorithm>

namespace pericenter::app {
namespace {

bool same_look(const render::Picture& a, const render::Picture& b) {
  return a.settings == b.settings && a.boxes == b.boxes && a.trails == b.trails && a.show_probe == b.show_probe;
}

}  // namespace

PictureView::PictureView(const std::string& shader_dir) : renderer_(shader_dir) {
  camera_.fit(1);
}

void PictureView::fit(float radius, bool flat) {
  camera_.fit(radius);
  flat_ = flat;
  if (flat_) camera_.look_down();
  stale_ = true;
}

bool PictureView::set_boxes(const std::optional<std::vector<TreeBox>>& boxes) {
  if (!boxes) return false;
  std::vector<render::Box> converted(boxes->size());
  std::transform(boxes->begin(), boxes->end(), converted.begin(), [](const TreeBox& box) {
    const auto& [center, half_width, level] = box;
    return render::Box{{center[0], center[1], center[2]}, {half_width[0], half_width[1], half_width[2]}, level};
  });
  renderer_.set_boxes(converted);
  stale_ = true;
  return true;
}

std::string PictureView::reload_shaders() {
  stale_ = true;
  return renderer_.reload_shaders();
}

bool PictureView::handle_mouse(const ImGuiIO& io) {
  if (io.WantCaptureMouse) return false;
  const bool pan = io.MouseDown[1] || io.MouseDown[2] || (io.MouseDown[0] && io.KeyShift);
  const float dx = io.MouseDelta.x, dy = io.MouseDelta.y, height = io.DisplaySize.y;
  const bool moved = dx != 0 || dy != 0;
  if (pan && moved) camera_.pan(dx, dy, height);
  if (!pan && io.MouseDown[0] && moved) camera_.orbit(dx, dy, height);
  if (io.MouseWheel != 0) camera_.zoom(io.MouseWheel);
  stale_ = stale_ || moved || io.MouseWheel != 0;
  return io.MouseDoubleClicked[0];
}

render::Picture PictureView::picture(const render::Stars& stars, const UiState& ui) const {
  render::Picture picture{.stars = stars,
                          .camera = camera_,
                          .settings = ui.picture,
                          .boxes = ui.boxes,
                          .trails = ui.trails,
                          .show_probe = ui.probe.has_value()};
  picture.settings.ground = ui.theme == Theme::dark ? render::Ground::dark : render::Ground::light;
  picture.boxes.flat = flat_;
  return picture;
}

void PictureView::draw(const render::Stars& stars, const UiState& ui, const Viewport& viewport) {
  if (viewport.width < 1 || viewport.height < 1) return;
  const bool resized = !kept_ || viewport.width != width_ || viewport.height != height_;
  if (resized) kept_ = std::make_unique<render::OffscreenTarget>(viewport.width, viewport.height);
  width_ = viewport.width;
  height_ = viewport.height;
  render::Picture wanted = picture(stars, ui);
  if (resized || stale_ || !same_look(wanted, shown_)) {
    renderer_.draw(wanted, kept_->framebuffer(), width_, height_);
    shown_ = wanted;
    stale_ = false;
  }
  glDisable(GL_SCISSOR_TEST);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glBlitNamedFramebuffer(kept_->framebuffer(), 0, 0, 0, width_, height_, viewport.left, viewport.below,
                         viewport.left + width_, viewport.below + height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

}  // namespace pericenter::app

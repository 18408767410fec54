#include "app/window/viewport.h"

#include <glad/gl.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/overlay/probe_overlay.h"

namespace pericenter::app {
namespace {

constexpr float kClickReach = 4;  // pixels at scale 1 beyond which a click is a drag
constexpr std::chrono::milliseconds kSettling(700);
constexpr std::chrono::milliseconds kBetweenSettling(60);  // which leaves the cores to the simulation where they draw

bool same_look(const render::Frame& a, const render::Frame& b) {
  return a.settings == b.settings && a.boxes == b.boxes && a.trails == b.trails && a.show_probe == b.show_probe;
}

}  // namespace

std::vector<render::Box> boxes_of(const std::vector<TreeBox>& cells) {
  std::vector<render::Box> boxes(cells.size());
  std::transform(cells.begin(), cells.end(), boxes.begin(), [](const TreeBox& cell) {
    const auto& [center, half_width, level] = cell;
    return render::Box{{center[0], center[1], center[2]}, {half_width[0], half_width[1], half_width[2]}, level};
  });
  return boxes;
}

FrameView::FrameView(const std::string& shader_dir) {
  if (!shader_dir.empty()) shader_problem_ = renderer_.use_shaders(shader_dir);
  camera_.fit(1);
}

void FrameView::fit(const SceneView& view) {
  pericenter::app::fit(view, camera_);
  flat_ = view.flat;
  control_.stop();
  stale_ = cut_ = true;
}

void FrameView::glide_to_fit(const SceneView& view) {
  const render::CameraPose here = camera_.pose();
  fit(view);
  control_.go_to(here, camera_.pose());
  camera_.set_pose(here);
}

bool FrameView::set_boxes(const std::optional<std::vector<TreeBox>>& boxes) {
  if (!boxes) return false;
  renderer_.set_boxes(boxes_of(*boxes));
  stale_ = true;
  return true;
}

std::string FrameView::reload_shaders() {
  stale_ = true;
  return renderer_.reload_shaders();
}

bool FrameView::handle_mouse(const ImGuiIO& io) const {
  return !io.WantCaptureMouse && io.MouseDoubleClicked[0];
}

std::optional<std::optional<std::uint32_t>> FrameView::clicked_star(const ImGuiIO& io, const render::Stars& stars,
                                                                    const UiState& ui) {
  const float moved = std::max(std::abs(io.MousePos.x - pressed_x_), std::abs(io.MousePos.y - pressed_y_));
  may_click_ = may_click_ && moved <= kClickReach * ui.scale;
  if (io.MouseClicked[0] && !io.WantCaptureMouse) {
    pressed_x_ = io.MousePos.x;
    pressed_y_ = io.MousePos.y;
    may_click_ = !io.MouseDoubleClicked[0] && !io.KeyShift && !io.KeyCtrl;
  }
  if (!io.MouseReleased[0] || !std::exchange(may_click_, false)) return std::nullopt;
  const float ratio = io.DisplayFramebufferScale.x;
  const glm::vec2 at(io.MousePos.x * ratio - static_cast<float>(viewport_.left),
                     (io.DisplaySize.y - io.MousePos.y) * ratio - static_cast<float>(viewport_.below));
  return renderer_.pick(picture(stars, ui), at, {viewport_.width, viewport_.height});
}

void FrameView::set_probe(const Probe& probe) {
  renderer_.set_probe(drawing_of(probe));
  stale_ = true;
}

bool FrameView::move_camera(const ImGuiIO& io, double time, UiState& ui) {
  const render::CameraPose before = camera_.pose();
  const bool moves =
      control_.advance(camera_input(io, ui.camera.fly), {time, io.DeltaTime}, ui.view.follow, ui.camera, camera_);
  stale_ = stale_ || camera_.pose() != before;
  return moves;
}

render::Frame FrameView::picture(const render::Stars& stars, const UiState& ui) const {
  render::Frame frame = frame_of(ui.view, stars, camera_, flat_);
  frame.show_probe = ui.probe.has_value();
  return frame;
}

void FrameView::draw(const render::Stars& stars, const UiState& ui, const Viewport& viewport) {
  if (viewport.width < 1 || viewport.height < 1) return;
  const bool resized = !kept_ || viewport.width != width_ || viewport.height != height_;
  if (resized) kept_ = std::make_unique<render::OffscreenTarget>(viewport.width, viewport.height);
  viewport_ = viewport;
  width_ = viewport.width;
  height_ = viewport.height;
  render::Frame wanted = picture(stars, ui);
  const auto now = std::chrono::steady_clock::now();
  const bool changed = resized || stale_ || !same_look(wanted, shown_);
  if (changed) changed_ = now;
  if (changed || (wanted.settings.auto_exposure && now < changed_ + kSettling && now > drawn_ + kBetweenSettling)) {
    if (!std::exchange(cut_, false)) wanted.seconds = std::chrono::duration<float>(now - drawn_).count();
    wanted.live = true;
    drawn_ = now;
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

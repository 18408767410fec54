#include "app/window/viewport.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/overlay/probe_overlay.h"
#include "app/view/tree_levels.h"

namespace pericenter::app {
namespace {

constexpr float kDragPixels = 4;  // pixels at scale 1; a longer movement is a drag, not a click
constexpr std::chrono::milliseconds kExposureTime(700);
constexpr std::chrono::milliseconds kExposureInterval(60);  // leaves time for the simulation with software rendering

constexpr float kRiseSeconds = 0.15f, kSmallestRise = 1e-3f;
constexpr float kMostCovered = 0.5f;  // share of the height of the image, for which the camera makes room
constexpr float kAtOnce = std::numeric_limits<float>::infinity();

bool same_settings(const render::Frame& a, const render::Frame& b) {
  return a.settings == b.settings && a.boxes == b.boxes && a.trails == b.trails && a.show_probe == b.show_probe;
}

}  // namespace

Viewport::Viewport(const std::string& shader_dir) {
  if (!shader_dir.empty()) shader_problem_ = renderer_.use_shaders(shader_dir);
  camera_.fit(1);
}

void Viewport::fit(const SceneView& view) {
  pericenter::app::fit(view, camera_);
  look_ = view.look;
  keeps_scale_ = view.keeps_scale;
  story_ = view.story;
  framing_.start(camera_);
  control_.stop();
  stale_ = cut_ = true;
}

void Viewport::glide_to_fit(const SceneView& view, const UiState& ui) {
  const render::CameraPose here = camera_.pose();
  const Framing framing = framing_;
  fit(view);
  framing_ = framing;
  const bool follows = may_frame(ui);
  if (follows && !ui.presentation.reduced_motion) {
    if (const auto wanted = framed_by({.split = split_}, ui)) framing_.advance(*wanted, kAtOnce, camera_);
  }
  control_.go_to(here, camera_.pose(), follows);
  camera_.set_pose(here);
}

void Viewport::set_split(const std::optional<render::Split>& split) {
  const auto form = [](const render::Split& of) { return std::pair(of.divider, of.side_by_side); };
  const auto has_halves = [](const std::optional<render::Split>& of) { return of && of->side_by_side; };
  halves_changed_ = halves_changed_ || has_halves(split) != has_halves(split_);
  stale_ = stale_ || split.has_value() != split_.has_value() || (split && form(*split) != form(*split_));
  split_ = split;
}

bool Viewport::set_boxes(const std::optional<std::vector<TreeBox>>& boxes, render::Half half) {
  if (!boxes) return false;
  renderer_.set_boxes(render_boxes(*boxes), half);
  stale_ = true;
  return true;
}

std::string Viewport::reload_shaders() {
  stale_ = true;
  return renderer_.reload_shaders();
}

bool Viewport::double_clicked(const ImGuiIO& io) const {
  return !io.WantCaptureMouse && !io.KeyCtrl && io.MouseDoubleClicked[0];
}

std::optional<std::optional<std::uint32_t>> Viewport::clicked_star(const ImGuiIO& io, const render::Stars& stars,
                                                                   const UiState& ui) {
  const float moved = std::max(std::abs(io.MousePos.x - pressed_x_), std::abs(io.MousePos.y - pressed_y_));
  may_click_ = may_click_ && moved <= kDragPixels * ui.layout.scale;
  if (io.MouseClicked[0] && !io.WantCaptureMouse) {
    pressed_x_ = io.MousePos.x;
    pressed_y_ = io.MousePos.y;
    may_click_ = !io.MouseDoubleClicked[0] && !io.KeyShift && !io.KeyCtrl;
  }
  if (!io.MouseReleased[0] || !std::exchange(may_click_, false)) return std::nullopt;
  return renderer_.pick(frame(stars, ui), cursor(io), size());
}

glm::vec2 Viewport::cursor(const ImGuiIO& io) const {
  const float ratio = io.DisplayFramebufferScale.x;
  return {io.MousePos.x * ratio - static_cast<float>(area_.left),
          (io.DisplaySize.y - io.MousePos.y) * ratio - static_cast<float>(area_.bottom)};
}

void Viewport::set_probe(const Probe& probe) {
  renderer_.set_probe(drawing_of(probe));
  stale_ = true;
}

bool Viewport::move_camera(const ImGuiIO& io, double time, UiState& ui) {
  const render::CameraPose before = camera_.pose();
  control_.reduce_motion(ui.presentation.reduced_motion);
  if (ui.lesson.on() && ui.view.follow.what == Follow::What::story) ui.view.follow = {};
  CameraInput input = camera_input(io, ui.camera.fly);
  if (ui.presentation.station) input.pan = {};  // the scene must stay in sight
  const FrameTime at{time, io.DeltaTime, drift_seconds(io, ui)};
  const bool moves = control_.advance(input, at, ui.view.follow, ui.camera, camera_);
  const bool rises = rise(io, ui);
  const float below = covered(ui);
  const glm::vec2 beside = legend(ui);
  const bool covers = std::exchange(covered_, below) != below, shows = std::exchange(legend_, beside) != beside;
  const bool frames = stale_ || covers || shows || frames_;
  const render::CameraPose here = camera_.pose();
  if (frames) keep_in_sight(io.DeltaTime, ui);
  frames_ = camera_.pose() != here;
  stale_ = stale_ || rises || camera_.pose() != before;
  return moves || rises || frames_;
}

bool Viewport::drifts(const UiState& ui) const {
  const bool elsewhere = ui.camera.fly || ui.view.follow.what == Follow::What::path;
  return ui.view.drift && !look_.flat && !elsewhere && !ui.presentation.reduced_motion;
}

/// A recorded drift advances with the frames of the video, however long they take.
float Viewport::drift_seconds(const ImGuiIO& io, const UiState& ui) {
  const std::uint64_t before = std::exchange(recorded_frames_, ui.output.recording ? ui.output.recorded_frames : 0);
  if (!drifts(ui)) return 0;
  if (!ui.output.recording) return io.DeltaTime;
  const std::uint64_t added = recorded_frames_ - std::min(before, recorded_frames_);
  return static_cast<float>(added) / static_cast<float>(ui.output.recorded_rate);
}

/// A slide has its own view.
bool Viewport::may_frame(const UiState& ui) const {
  return ui.view.follow.what == Follow::What::story && !ui.lesson.on() && ui.stars.sample && area_.height > 0;
}

/// Share of the height of the image that captions, cards and a timeline cover at its lower edge.
float Viewport::covered(const UiState& ui) const {
  const float height = static_cast<float>(area_.height) / ImGui::GetIO().DisplayFramebufferScale.y;
  const float pixels = ui.presentation.card_height + ui.layout.overlay_height;
  return height > 0 ? std::clamp(pixels / height, 0.0f, kMostCovered) : 0;
}

/// Shares of width and height of the image that the legend covers at its upper right.
glm::vec2 Viewport::legend(const UiState& ui) const {
  const glm::vec2 ratio(ImGui::GetIO().DisplayFramebufferScale.x, ImGui::GetIO().DisplayFramebufferScale.y);
  const glm::vec2 size = glm::vec2(area_.width, area_.height) / ratio;
  return size.x > 0 && size.y > 0 ? glm::min(ui.layout.legend_size / size, glm::vec2(1)) : glm::vec2(0);
}

/// The pose for the part of the image that captions, cards, a timeline over it and the legend leave free.
std::optional<FramedPose> Viewport::framed_by(const render::Frame& frame, const UiState& ui) const {
  std::optional<ViewAngles> toward;
  if (story_ && !look_.flat && !drifts(ui)) toward = story_->at(ui.stars.sample->time);
  FrameShape shape{.aspect = frame.aspect(render::Half::right, size()),
                   .covered = covered(ui),
                   .legend = legend(ui),
                   .keeps_scale = keeps_scale_,
                   .toward = toward};
  if (held_aspect_) shape = {.aspect = *held_aspect_, .keeps_scale = keeps_scale_, .toward = toward};
  return framed(*ui.stars.sample, camera_, shape);
}

void Viewport::keep_in_sight(float seconds, const UiState& ui) {
  if (!may_frame(ui) || control_.glides() || (ui.presentation.reduced_motion && !halves_changed_)) return;
  const bool resized = std::exchange(framed_size_, size()) != size();
  if (std::exchange(halves_changed_, false) || resized || held_aspect_) seconds = kAtOnce;
  if (const auto wanted = framed_by({.split = split_}, ui)) framing_.advance(*wanted, seconds, camera_);
}

/// The card of a lesson must not cover what it is about.
bool Viewport::rise(const ImGuiIO& io, const UiState& ui) {
  const float height = static_cast<float>(area_.height) / io.DisplayFramebufferScale.y;
  const float wanted = ui.lesson.on() && height > 0 ? ui.presentation.card_height / height : 0;
  const float rest = wanted - camera_.rise();
  if (rest == 0) return false;
  const bool arrives = ui.presentation.reduced_motion || std::abs(rest) < kSmallestRise;
  camera_.set_rise(arrives ? wanted : camera_.rise() + rest * (1 - std::exp(-io.DeltaTime / kRiseSeconds)));
  return true;
}

render::Frame Viewport::frame(const render::Stars& stars, const UiState& ui) const {
  render::Frame result = frame_of(ui.view, stars, camera_, look_);
  result.boxes.revealed = ui.tree.descent.revealed();
  result.show_probe = ui.stars.probe.has_value();
  result.stars.marks = renderer_.marks().buffer(stars.count);
  result.split = split_;
  if (result.split) result.split->left.marks = renderer_.marks().buffer(result.split->left.count);
  return result;
}

void Viewport::draw(const render::Stars& stars, const UiState& ui, const PixelRect& area) {
  if (area.width < 1 || area.height < 1) return;
  const bool resized = !target_ || area.width != area_.width || area.height != area_.height;
  if (resized) target_ = std::make_unique<render::OffscreenTarget>(area.width, area.height);
  area_ = area;
  render::Frame next = frame(stars, ui);
  const auto now = std::chrono::steady_clock::now();
  const bool changed = resized || stale_ || !same_settings(next, drawn_frame_);
  if (changed) changed_at_ = now;
  const bool settled = now >= changed_at_ + kExposureTime;
  const bool adapts = next.settings.auto_exposure && !settled && now > drawn_at_ + kExposureInterval;
  if (changed || adapts || (settled && settles())) {
    const bool first = drawn_at_ == std::chrono::steady_clock::time_point();
    next.live = !settled;
    if (settled)
      next.seconds = std::numeric_limits<float>::infinity();
    else if (!std::exchange(cut_, false))
      next.seconds = std::chrono::duration<float>(now - drawn_at_).count();
    drawn_at_ = now;
    renderer_.draw(next, target_->framebuffer(), area.width, area.height);
    drawn_frame_ = next;
    stale_ = first;  // it may have half the resolution
  }
  renderer_.copy(*target_, 0, {area.left, area.bottom}, {area.width, area.height});
}

}  // namespace pericenter::app

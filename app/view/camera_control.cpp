#include "app/view/camera_control.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <glm/gtc/constants.hpp>
#include <limits>
#include <utility>

#include "sim/core/bodies.h"
#include "sim/core/display_units.h"
#include "sim/core/median.h"
#include "sim/scenes/registry.h"
#include "sim/scenes/solar_system.h"

namespace pericenter::app {
namespace {

constexpr float kDecaySeconds = 0.16f;    // time constant of inertia after release
constexpr float kMeasureSeconds = 0.04f;  // time constant of the measured drag speed
constexpr float kStillPixels = 0.3f, kStillNotches = 0.01f, kStillSpeed = 1e-3f;
constexpr float kGlideSeconds = 0.4f;
constexpr float kFlySpeed = 0.6f, kFaster = 4;  // target distances per second
constexpr float kReachSeconds = 0.12f;          // time constant of a follower's approach
constexpr float kStillShare = 1e-4f;            // fraction of the target distance: far below a pixel
constexpr float kFirstSeconds = 1.0f / 60;
constexpr double kDriftSeconds = 180;   // duration of one turn
constexpr float kArriveSeconds = 0.3f;  // time constant of the approach to the path of a scene
// Of the time of the key moment: when the camera that follows a story turns.
constexpr double kTurnsFrom = 0.2, kTurnsUntil = 0.8, kTurnsAgain = 1, kTurnsAway = 1.25;
constexpr float kThere = 1e-4f;  // radians, and share of the distance

/// Share of an exponential decay that happens in `seconds`.
float decayed_share(float seconds, float time_constant) {
  return 1 - std::exp(-seconds / time_constant);
}

/// Whether the key of a letter is down, by its position on a US keyboard if ImGui supports that.
bool is_down([[maybe_unused]] const ImGuiIO& io, char letter) {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyDown(static_cast<ImGuiKey>(ImGuiKey_A + (letter - 'A')));
#else
  return io.KeysDown[GLFW_KEY_A + (letter - 'A')];
#endif
}

glm::vec3 flight(const ImGuiIO& io) {
  if (io.WantTextInput || io.KeyCtrl || io.KeyAlt || io.KeySuper) return glm::vec3(0);
  const auto axis = [&](char ahead, char back) {
    return static_cast<float>(is_down(io, ahead)) - static_cast<float>(is_down(io, back));
  };
  return {axis('D', 'A'), axis('E', 'Q'), axis('W', 'S')};
}

/// Whether two poses differ by less than a pixel.
bool is_close(const render::CameraPose& a, const render::CameraPose& b) {
  const float turn = std::abs(std::remainder(a.yaw - b.yaw, glm::two_pi<float>())) + std::abs(a.pitch - b.pitch);
  return turn < kThere && glm::length(a.target - b.target) < kThere * b.distance &&
         std::abs(a.distance / b.distance - 1) < kThere;
}

bool is_nothing(const CameraInput& input) {
  return !input.dragging && input.notches == 0 && input.fly == glm::vec3(0);
}

/// Movement in this frame by a drag or its inertia.
template <class Inertia>
glm::vec2 inertial_move(Inertia& inertia, const glm::vec2& moved, bool dragging, float seconds) {
  if (dragging) {
    inertia.rest = glm::vec2(0);
    if (seconds > 0) inertia.speed = glm::mix(inertia.speed, moved / seconds, decayed_share(seconds, kMeasureSeconds));
    return moved;
  }
  inertia.rest += kDecaySeconds * std::exchange(inertia.speed, glm::vec2(0));
  glm::vec2 taken = inertia.rest * decayed_share(seconds, kDecaySeconds);
  if (glm::length(inertia.rest - taken) < kStillPixels) taken = inertia.rest;
  inertia.rest -= taken;
  return taken;
}

}  // namespace

render::CameraPose drifted(render::CameraPose pose, double seconds) {
  pose.yaw = static_cast<float>(
      std::remainder(pose.yaw + glm::two_pi<double>() * seconds / kDriftSeconds, glm::two_pi<double>()));
  return pose;
}

int galaxy_count(const render::StarSample& sample) {
  std::uint32_t highest = 0;
  for (const render::SampledStar& star : sample.stars) highest = std::max(highest, galaxy_of(star.tag));
  return sample.stars.empty() ? 0 : static_cast<int>(highest) + 1;
}

std::optional<glm::vec3> galaxy_center(const render::StarSample& sample, int galaxy) {
  std::array<std::vector<float>, 3> coordinates;
  for (const render::SampledStar& star : sample.stars) {
    if (static_cast<int>(galaxy_of(star.tag)) != galaxy || component_of(star.tag) == Component::halo) continue;
    if (!std::isfinite(star.position.x + star.position.y + star.position.z)) continue;
    for (int axis = 0; axis < 3; ++axis) coordinates[axis].push_back(star.position[axis]);
  }
  if (coordinates[0].empty()) return std::nullopt;
  return glm::vec3(median(std::move(coordinates[0])), median(std::move(coordinates[1])),
                   median(std::move(coordinates[2])));
}

void Follower::update(const Observation& observation) {
  if (observation.velocity)
    velocity_ = *observation.velocity;
  else if (seen_ && observation.time != seen_->time)
    velocity_ = (observation.position - seen_->position) / static_cast<float>(observation.time - seen_->time);
  seen_ = observation;
  fresh_ = true;
}

glm::vec3 Follower::goal(double time) const {
  return seen_->position + velocity_ * static_cast<float>(time - seen_->time);
}

glm::vec3 Follower::target(const glm::vec3& now, double time, float seconds, float still) {
  // A new observation does not move the view abruptly: its offset decays.
  if (std::exchange(fresh_, false)) offset_ = now - goal(last_time_.value_or(time));
  last_time_ = time;
  offset_ *= std::exp(-seconds / kReachSeconds);
  if (glm::length(offset_) < still) offset_ = glm::vec3(0);
  return goal(time) + offset_;
}

CameraInput camera_input(const ImGuiIO& io, bool fly) {
  CameraInput input;
  input.height = io.DisplaySize.y;
  if (fly) input.fly = flight(io);
  input.fast = io.KeyShift;
  // A drag that began over a panel belongs to the panel, and Ctrl to the brush.
  if (io.WantCaptureMouse || io.KeyCtrl) return input;
  const bool pan = io.MouseDown[1] || io.MouseDown[2] || (io.MouseDown[0] && io.KeyShift && !fly);
  input.dragging = io.MouseDown[0] || pan;
  // The event of a press may include the motion of the cursor before it.
  const bool pressed = io.MouseClicked[0] || io.MouseClicked[1] || io.MouseClicked[2];
  if (input.dragging && !pressed) (pan ? input.pan : input.turn) = {io.MouseDelta.x, io.MouseDelta.y};
  input.notches = io.MouseWheel;
  return input;
}

void CameraControl::choose(const Follow& follow) {
  if (follow == followed_) return;
  followed_ = follow;
  follower_ = {};
  seen_center_.reset();
}

void CameraControl::update(const SessionState& state, const Follow& follow) {
  choose(follow);
  const Diagnostics& now = state.diagnostics;
  if (follow.what != Follow::What::center_of_mass || !(now.mass > 0)) return;
  const auto vector = [](const Vec3& v) { return glm::vec3(v[0], v[1], v[2]); };
  const glm::vec3 center = vector(now.center_of_mass);
  if (seen_center_ == center) return;
  seen_center_ = center;
  follower_.update({center, state.time, vector(now.momentum) / static_cast<float>(now.mass)});
}

void CameraControl::update(const render::StarSample& sample, double time, const Follow& follow) {
  choose(follow);
  std::optional<glm::vec3> position;
  if (follow.what == Follow::What::galaxy) position = galaxy_center(sample, follow.galaxy);
  if (follow.what == Follow::What::body && sample.chosen) position = sample.chosen->position;
  if (position && std::isfinite(glm::length(*position))) follower_.update({*position, time});
}

/// Input ends a glide and the path; panning and flying end following.
void CameraControl::apply(const CameraInput& input, Follow& follow, CameraState& state, const render::Camera& camera) {
  if (state.go_to) go_to(camera.pose(), *std::exchange(state.go_to, std::nullopt));
  if (!is_nothing(input)) {
    glide_.reset();
    state.playing_path = false;
    if (follow.what == Follow::What::path || follow.what == Follow::What::story) follow = {};
  }
  if (glide_) state.playing_path = false;
  const bool leaves = glide_ && !glide_->follows;
  if (leaves || state.fly || state.playing_path || input.pan != glm::vec2(0)) follow = {};
  if (!glide_ && !state.playing_path) return;
  turn_ = pan_ = {};
  notches_ = 0;
  velocity_ = glm::vec3(0);
}

void CameraControl::drag(const CameraInput& input, float seconds, const CameraState& state, render::Camera& camera) {
  const glm::vec2 turn = inertial_move(turn_, input.turn, input.dragging, seconds);
  const glm::vec2 pan = inertial_move(pan_, input.pan, input.dragging, seconds);
  if (!smooth(state)) turn_.speed = pan_.speed = glm::vec2(0);
  if (state.fly)
    camera.look(turn.x, turn.y, input.height);
  else
    camera.orbit(turn.x, turn.y, input.height);
  camera.pan(pan.x, pan.y, input.height);
}

void CameraControl::zoom(const CameraInput& input, float seconds, const CameraState& state, render::Camera& camera) {
  notches_ += input.notches;
  float taken = notches_ * decayed_share(seconds, kDecaySeconds);
  if (!smooth(state) || std::abs(notches_ - taken) < kStillNotches) taken = notches_;
  notches_ -= taken;
  camera.zoom(taken);
}

void CameraControl::fly(const CameraInput& input, float seconds, const CameraState& state, render::Camera& camera) {
  const glm::vec3 wanted = input.fly * (kFlySpeed * (input.fast ? kFaster : 1));
  if (!smooth(state)) velocity_ = wanted;
  const float share = decayed_share(seconds, kDecaySeconds);
  camera.fly(camera.distance() * (seconds * wanted + kDecaySeconds * share * (velocity_ - wanted)));
  velocity_ = glm::mix(velocity_, wanted, share);
  if (wanted == glm::vec3(0) && glm::length(velocity_) < kStillSpeed) velocity_ = wanted;
}

void CameraControl::glide(float seconds, const CameraState& state, render::Camera& camera) {
  if (!glide_) return;
  glide_->seconds += seconds;
  const float share = smooth(state) ? std::min(glide_->seconds / kGlideSeconds, 1.0f) : 1;
  camera.set_pose(share < 1 ? interpolate(glide_->from, glide_->to, share * share * (3 - 2 * share)) : glide_->to);
  if (share == 1) glide_.reset();
}

void CameraControl::follow_scene(FrameTime at, const CameraState& state, render::Camera& camera) const {
  const render::CameraPose now = camera.pose(), goal = path_pose(state.scene_path, at.time);
  const bool arrives = !smooth(state) || is_close(now, goal);
  camera.set_pose(arrives ? goal : interpolate(now, goal, decayed_share(at.seconds, kArriveSeconds)));
}

/// Not while the user or something else moves the camera.
bool CameraControl::may_drift(const CameraInput& input, const Follow& follow, const CameraState& state) const {
  const bool moved = input.dragging || glide_ || state.playing_path || follow.what == Follow::What::path;
  return !reduced_motion_ && !state.fly && !moved;
}

bool CameraControl::at_rest() const {
  constexpr glm::vec2 kNone(0);
  const bool swings = turn_.speed != kNone || turn_.rest != kNone || pan_.speed != kNone || pan_.rest != kNone;
  return !swings && notches_ == 0 && velocity_ == glm::vec3(0) && !glide_ && follower_.at_rest();
}

bool CameraControl::advance(const CameraInput& input, FrameTime at, Follow& follow, CameraState& state,
                            render::Camera& camera) {
  const render::CameraPose before = camera.pose();
  // The time at rest is not part of a motion that begins.
  const float seconds = moving_ ? at.seconds : std::min(at.seconds, kFirstSeconds);
  apply(input, follow, state, camera);
  choose(follow);
  drag(input, seconds, state, camera);
  zoom(input, seconds, state, camera);
  fly(input, seconds, state, camera);
  glide(seconds, state, camera);
  if (state.playing_path) {
    state.path_time = std::min(state.path_time + seconds, path_seconds(state.path));
    state.playing_path = state.path_time < path_seconds(state.path);
    if (!state.path.empty()) camera.set_pose(path_pose(state.path, state.path_time));
  }
  if (follow.what == Follow::What::path && !state.scene_path.empty()) follow_scene(at, state, camera);
  if (at.drift > 0 && may_drift(input, follow, state)) camera.set_pose(drifted(camera.pose(), at.drift));
  if (follower_.has_target()) {
    const float reach = smooth(state) ? seconds : std::numeric_limits<float>::infinity();
    camera.move_target(follower_.target(camera.target(), at.time, reach, kStillShare * camera.distance()));
  }
  moving_ = state.playing_path || !at_rest() || camera.pose() != before;
  return moving_;
}

render::PointMasses point_masses(const SessionState& state) {
  if (state.has_planets) return {kSunAndPlanets, true};
  const SceneInfo* const scene = state.file.empty() ? find_scene(state.scene) : nullptr;
  return {scene ? scene->point_masses : 0};
}

SceneLook look_of(const SessionState& state) {
  const SceneInfo* const scene = state.file.empty() ? find_scene(state.scene) : nullptr;
  const bool has_masses = scene && scene->name == "random-masses", has_stars = scene && scene->single_stars;
  return {.flat = state.config.dimension == 2,
          .points = has_stars || is_planetary(state.units),
          .stars = has_stars,
          .masses = has_masses};
}

SceneView view_of(const SessionState& state) {
  return {.radius = state.view_radius, .look = look_of(state), .angles = state.angles};
}

SceneView story_view_of(const SessionState& state) {
  SceneView view = view_of(state);
  view.keeps_scale = !state.file.empty() || is_planetary(state.units);
  const SceneInfo* scene = state.file.empty() ? find_scene(state.scene) : nullptr;
  if (!scene) return view;
  view.shown_radius = scene->story.radius;
  const std::optional<ViewAngles> key = scene->story.key ? scene->story.key : view.angles;
  if (!key) return view;
  view.story = {scene->story.first.value_or(*key), *key, scene->story.last.value_or(*key), state.highlight_time};
  view.angles = view.story->at(0);
  return view;
}

ViewAngles StoryAngles::at(double time) const {
  if (!(key_time > 0)) return key;
  const double before = glm::smoothstep(kTurnsFrom, kTurnsUntil, time / key_time);
  const double after = glm::smoothstep(kTurnsAgain, kTurnsAway, time / key_time);
  const auto mixed = [&](double ViewAngles::*angle) {
    return std::lerp(std::lerp(first.*angle, key.*angle, before), last.*angle, after);
  };
  return {mixed(&ViewAngles::yaw), mixed(&ViewAngles::pitch)};
}

void fit(const SceneView& view, render::Camera& camera) {
  camera.fit(static_cast<float>(view.radius));
  if (view.look.flat) camera.look_down();
  render::CameraPose pose = camera.pose();
  if (view.shown_radius > 0) pose.distance *= static_cast<float>(view.shown_radius / view.radius);
  camera.set_pose(pose);
  if (view.look.flat || !view.angles) return;
  pose.yaw = glm::radians(static_cast<float>(view.angles->yaw));
  pose.pitch = glm::radians(static_cast<float>(view.angles->pitch));
  camera.set_pose(pose);
}

}  // namespace pericenter::app

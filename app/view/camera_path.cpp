#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/constants.hpp>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include "app/view/camera_control.h"
#include "sim/scenes/model/orbit.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {
namespace {

constexpr double kSecondsBetweenKeys = 4;
constexpr double kShortestPath = 0.1, kLongestPath = 3600;

/// Interpolated quantities: target, yaw, pitch, logarithm of the distance.
using PoseNumbers = std::array<double, 6>;

PoseNumbers numbers_of(const render::CameraPose& pose) {
  return {pose.target.x, pose.target.y, pose.target.z, pose.yaw, pose.pitch, std::log(pose.distance)};
}

render::CameraPose pose_of(const PoseNumbers& row) {
  const auto number = [&](int k) { return static_cast<float>(row[k]); };
  return {.target = {number(0), number(1), number(2)},
          .yaw = number(3),
          .pitch = std::clamp(number(4), -glm::half_pi<float>(), glm::half_pi<float>()),
          .distance = std::exp(number(5))};
}

/// The row of a key, with its yaw within half a turn of the key before.
PoseNumbers unwound(std::span<const CameraKey> path, std::size_t key) {
  constexpr std::size_t kYaw = 3;
  PoseNumbers row = numbers_of(path[key].pose);
  if (key == 0) return row;
  const double before = unwound(path, key - 1)[kYaw];
  row[kYaw] = before + std::remainder(row[kYaw] - before, glm::two_pi<double>());
  return row;
}

// Moments of other encounters, as fractions of the highlight time.
constexpr double kPassageShare = 0.65, kMergerShare = 2.2;

/// A view relative to the scene: angles in degrees, distance in radii of the scene as Camera::fit() uses them.
struct Shot {
  double time = 0;
  ViewAngles angles;
  float reach = 1;
};

constexpr ViewAngles kTails = {-60, 62};
constexpr double kGalaxyShotTime = 14;  // time units of a disc: about a turn at two scale lengths

/// By how much a changed orbit takes longer to the pericentre than that of the scene.
double stretch_of(const SceneInfo& scene, const SessionState& state) {
  const Encounter& own = *scene.encounter;
  const Encounter now = state.scene_request.encounter.value_or(own);
  try {
    const double before = time_to_pericenter(own.orbit, 1 + own.mass_ratio);
    const double after = time_to_pericenter(now.orbit, 1 + now.mass_ratio);
    return before > 0 && after > 0 ? after / before : 1;
  } catch (const std::invalid_argument&) {
    return 1;
  }
}

EncounterMoments moments_of(const SceneInfo& scene, const SessionState& state) {
  if (scene.moments.merger > 0) return scene.moments;
  const double tails = state.highlight_time;
  const Encounter now = state.scene_request.encounter.value_or(*scene.encounter);
  const bool are_points = scene.group == SceneGroup::restricted;
  const double passage = are_points ? time_to_pericenter(now.orbit, 1 + now.mass_ratio) : kPassageShare * tails;
  return {passage, kMergerShare * tails};
}

/// Longitude of a camera that sees the galaxies side by side when the second one is at the true anomaly `angle`: of the
/// two, that which is nearer to `yaw`. Degrees.
double beside(double angle, double yaw) {
  const double one = angle + 90, other = angle - 90;
  const auto apart = [&](double place) { return std::abs(std::remainder(place - yaw, 360)); };
  return apart(one) <= apart(other) ? one : other;
}

/// True anomaly at the start, in degrees; pericentre is at 0 and the galaxies come in from negative angles.
double first_anomaly(const EncounterOrbit& orbit) {
  if (!(orbit.eccentricity > 0)) return 0;
  const double cosine = (orbit.pericenter * (1 + orbit.eccentricity) / orbit.separation - 1) / orbit.eccentricity;
  return -180 / std::numbers::pi * std::acos(std::clamp(cosine, -1.0, 1.0));
}

std::vector<Shot> encounter_shots(const SceneInfo& scene, const SessionState& state) {
  const Encounter now = state.scene_request.encounter.value_or(*scene.encounter);
  const EncounterMoments moments = moments_of(scene, state);
  const double stretch = scene.group == SceneGroup::restricted ? 1 : stretch_of(scene, state);
  const double tails = stretch * state.highlight_time, merger = stretch * moments.merger;
  const ViewAngles best = state.angles.value_or(kTails);
  const double passage_yaw = beside(0, best.yaw), low = best.pitch < 0 ? -16 : 16;
  return {{0, {beside(first_anomaly(now.orbit), passage_yaw), best.pitch < 0 ? -38.0 : 38.0}, 1.12f},
          {stretch * moments.passage, {passage_yaw, low}, 0.66f},
          {tails, best, 1.08f},
          {std::lerp(tails, merger, 0.45), {best.yaw + 22, std::midpoint(best.pitch, low)}, 1.3f},
          {merger, {best.yaw + 55, 1.6 * low}, 0.72f}};
}

std::vector<Shot> galaxy_shots(const SessionState& state) {
  const ViewAngles best = state.angles.value_or(ViewAngles{-72, 30});
  const double step = kGalaxyShotTime;
  return {{0, best, 1},
          {step, {best.yaw + 35, 72}, 0.8f},
          {2 * step, {best.yaw + 75, 4}, 0.7f},
          {3 * step, {best.yaw + 120, 35}, 0.9f}};
}

}  // namespace

render::CameraPose path_pose(std::span<const CameraKey> path, double seconds) {
  const auto next = std::upper_bound(path.begin(), path.end(), seconds,
                                     [](double time, const CameraKey& key) { return time < key.time; });
  if (next == path.begin()) return path.front().pose;
  if (next == path.end()) return path.back().pose;
  const std::size_t b = static_cast<std::size_t>(next - path.begin()), a = b - 1, last = path.size() - 1;
  const double step = path[b].time - path[a].time, t = (seconds - path[a].time) / step;
  const PoseNumbers from = unwound(path, a), to = unwound(path, b);
  const PoseNumbers before = unwound(path, a > 0 ? a - 1 : a), after = unwound(path, b < last ? b + 1 : b);
  const double step_before = a > 0 ? path[a].time - path[a - 1].time : 0;
  const double step_after = b < last ? path[b + 1].time - path[b].time : 0;
  PoseNumbers now;
  for (std::size_t k = 0; k < now.size(); ++k) {
    const double slope = (to[k] - from[k]) / step;
    // The slope at a key is that of the parabola through it and both neighbours; zero at the ends.
    double first = 0, second = 0;
    if (a > 0) first = (slope * step_before + (from[k] - before[k]) / step_before * step) / (step_before + step);
    if (b < last) second = (slope * step_after + (after[k] - to[k]) / step_after * step) / (step_after + step);
    const double u = 1 - t;
    now[k] = from[k] * u * u * (1 + 2 * t) + to[k] * t * t * (3 - 2 * t) + step * t * u * (u * first - t * second);
  }
  return pose_of(now);
}

double path_seconds(std::span<const CameraKey> path) {
  return path.empty() ? 0 : path.back().time;
}

void add_camera_key(const render::CameraPose& pose, CameraState& state) {
  if (state.path.size() >= kMaxCameraKeys) return;
  state.path.push_back({state.path.empty() ? 0 : state.path.back().time + kSecondsBetweenKeys, pose});
}

void remove_camera_key(std::size_t key, CameraState& state) {
  if (key >= state.path.size()) return;
  state.path.erase(state.path.begin() + static_cast<std::ptrdiff_t>(key));
  state.playing_path = false;
  if (state.path.empty()) return;
  const double first = state.path.front().time;
  for (CameraKey& rest : state.path) rest.time -= first;
}

void set_path_seconds(double seconds, CameraState& state) {
  const double now = path_seconds(state.path);
  if (!(now > 0)) return;
  const double stretch = std::clamp(seconds, kShortestPath, kLongestPath) / now;
  for (CameraKey& key : state.path) key.time *= stretch;
  state.path_time *= stretch;
}

void play_path(bool play, CameraState& state) {
  state.playing_path = play && state.path.size() > 1;
  if (state.playing_path && state.path_time >= path_seconds(state.path)) state.path_time = 0;
  if (state.playing_path) state.go_to.reset();
}

std::vector<CameraKey> scene_path(const SessionState& state) {
  const SceneInfo* scene = state.file.empty() ? find_scene(state.scene) : nullptr;
  if (!scene || state.config.dimension == 2) return {};
  std::vector<Shot> shots;
  if (scene->encounter && state.highlight_time > 0) shots = encounter_shots(*scene, state);
  if (!scene->encounter && scene->group == SceneGroup::galaxies) shots = galaxy_shots(state);
  render::Camera camera;
  camera.fit(static_cast<float>(state.view_radius));
  std::vector<CameraKey> path;
  for (const Shot& shot : shots) {
    if (!path.empty() && shot.time <= path.back().time) continue;
    path.push_back({shot.time,
                    {.yaw = glm::radians(static_cast<float>(shot.angles.yaw)),
                     .pitch = glm::radians(static_cast<float>(shot.angles.pitch)),
                     .distance = shot.reach * camera.fitted_distance()}});
  }
  return path;
}

}  // namespace pericenter::app

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/constants.hpp>

#include "app/view/camera_control.h"

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

}  // namespace pericenter::app

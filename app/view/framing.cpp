#include "app/view/framing.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "sim/core/bodies.h"

namespace pericenter::app {
namespace {

constexpr double kOutsideView = 0.01;  // share of the bodies that may be outside: those that were flung out
constexpr float kMargin = 0.94f;       // share of the image that bodies may fill
constexpr float kFarthest = 3;         // largest distance, in fitted ones
constexpr float kFrameSeconds = 2;     // time constant of the approach
constexpr float kFastest = 0.12f;      // change of the logarithm of the distance, per second
constexpr float kLongestFrame = 0.1f;  // seconds; a longer frame moves no farther

}  // namespace

float framing_distance(const render::StarSample& sample, const render::Camera& camera, float aspect) {
  const glm::mat4 projection = camera.projection(aspect);
  const glm::mat3 axes(camera.view());
  std::vector<float> needed;
  for (const render::SampledStar& star : sample.stars) {
    if (component_of(star.tag) == Component::halo) continue;
    const glm::vec3 at = axes * (star.position - camera.target());  // right, up, towards the camera
    const float side = std::max(std::abs(at.x) * projection[0][0], std::abs(at.y) * projection[1][1]);
    const float distance = at.z + side / kMargin;
    if (std::isfinite(distance)) needed.push_back(distance);
  }
  if (needed.empty()) return 0;
  const auto outside = static_cast<std::ptrdiff_t>(kOutsideView * static_cast<double>(needed.size()));
  std::ranges::nth_element(needed, needed.begin() + outside, std::greater());
  return std::max(needed[static_cast<std::size_t>(outside)], 0.0f);
}

void Framing::keep(const render::Camera& camera) {
  target_ = camera.target();
  distance_ = camera.distance();
}

void Framing::start(const render::Camera& camera) {
  keep(camera);
  first_ = needed_ = 0;
}

float Framing::goal(const render::Camera& camera) const {
  const float fitted = camera.fitted_distance();
  return needed_ > 0 ? fitted * std::clamp(needed_ / std::max(first_, fitted), 1.0f, kFarthest) : fitted;
}

void Framing::restart(render::Camera& camera) {
  render::CameraPose pose = camera.pose();
  pose.distance = goal(camera);
  camera.set_pose(pose);
  keep(camera);
}

void Framing::advance(const Needed& needed, float seconds, render::Camera& camera) {
  if (needed.shown > 0) needed_ = needed.shown;
  if (first_ == 0) first_ = needed.whole;
  if (camera.distance() != distance_ || camera.target() != target_) return;
  const float rest = std::log(goal(camera) / camera.distance());
  const float time = std::isinf(seconds) ? seconds : std::min(seconds, kLongestFrame);
  const float share = 1 - std::exp(-time / kFrameSeconds);
  render::CameraPose pose = camera.pose();
  pose.distance *= std::exp(std::clamp(share * rest, -kFastest * time, kFastest * time));
  camera.set_pose(pose);
  keep(camera);
}

}  // namespace pericenter::app

#include "render/camera.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/constants.hpp>
#include <glm/gtc/matrix_transform.hpp>

namespace pericenter::render {
namespace {

constexpr float kFieldOfView = 0.70f;  // 40 degrees
constexpr float kMargin = 1.04f;
constexpr float kDefaultYaw = -1.25f;
constexpr float kDefaultPitch = 0.52f;               // 30 degrees above the orbital plane
constexpr float kClosest = 1e-4f, kFarthest = 1e3f;  // distances, in fitted radii

/// World axes of the camera, from the angles, so that looking straight down is not a special case.
struct Axes {
  glm::vec3 right, up, back;
};

Axes axes_of(float yaw, float pitch) {
  const glm::vec3 right(-std::sin(yaw), std::cos(yaw), 0);
  const glm::vec3 back(std::cos(pitch) * std::cos(yaw), std::cos(pitch) * std::sin(yaw), std::sin(pitch));
  return {right, glm::cross(back, right), back};
}

bool all_finite(float a, float b, float height) {
  return std::isfinite(a) && std::isfinite(b) && height > 0;
}

}  // namespace

CameraPose interpolate(const CameraPose& from, const CameraPose& to, float share) {
  CameraPose pose;
  pose.target = glm::mix(from.target, to.target, share);
  pose.yaw = from.yaw + share * std::remainder(to.yaw - from.yaw, glm::two_pi<float>());
  pose.pitch = glm::mix(from.pitch, to.pitch, share);
  pose.distance = from.distance * std::pow(to.distance / from.distance, share);
  return pose;
}

void Camera::fit(float radius) {
  // Squared lengths must not overflow a float.
  fitted_radius_ = std::isfinite(radius) && radius > 0 ? std::clamp(radius, 1e-12f, 1e12f) : 1;
  target_ = glm::vec3(0);
  yaw_ = kDefaultYaw;
  pitch_ = kDefaultPitch;
  distance_ = fitted_distance();
}

float Camera::fitted_distance() const {
  return kMargin * fitted_radius_ / std::sin(0.5f * kFieldOfView);
}

void Camera::orbit(float dx_pixels, float dy_pixels, float height) {
  if (!all_finite(dx_pixels, dy_pixels, height)) return;
  const float half_turn = glm::pi<float>();
  yaw_ = std::remainder(yaw_ - half_turn * dx_pixels / height, 2 * half_turn);
  pitch_ = std::clamp(pitch_ + half_turn * dy_pixels / height, -0.5f * half_turn, 0.5f * half_turn);
}

void Camera::pan(float dx_pixels, float dy_pixels, float height) {
  if (!all_finite(dx_pixels, dy_pixels, height)) return;
  const Axes axes = axes_of(yaw_, pitch_);
  const float pixel = 2 * distance_ * std::tan(0.5f * kFieldOfView) / height;
  move_target(target_ + pixel * (dy_pixels * axes.up - dx_pixels * axes.right));
}

void Camera::zoom(float notches) {
  if (!std::isfinite(notches)) return;
  const float factor = std::exp2(-0.2f * std::clamp(notches, -50.0f, 50.0f));
  distance_ = std::clamp(distance_ * factor, kClosest * fitted_radius_, kFarthest * fitted_radius_);
}

void Camera::look_down() {
  yaw_ = -0.5f * glm::pi<float>();
  pitch_ = 0.5f * glm::pi<float>();
}

void Camera::look(float dx_pixels, float dy_pixels, float height) {
  constexpr float kCalm = 0.4f;  // looking around is slower than orbiting
  const glm::vec3 eye = position();
  orbit(kCalm * dx_pixels, kCalm * dy_pixels, height);
  move_target(target_ + eye - position());
}

void Camera::fly(const glm::vec3& step) {
  const Axes axes = axes_of(yaw_, pitch_);
  move_target(target_ + step.x * axes.right + step.y * axes.up - step.z * axes.back);
}

void Camera::move_target(const glm::vec3& target) {
  const float limit = kFarthest * fitted_radius_;
  for (int axis = 0; axis < 3; ++axis)
    if (std::isfinite(target[axis])) target_[axis] = std::clamp(target[axis], -limit, limit);
}

void Camera::set_pose(const CameraPose& pose) {
  move_target(pose.target);
  if (std::isfinite(pose.yaw)) yaw_ = std::remainder(pose.yaw, glm::two_pi<float>());
  if (std::isfinite(pose.pitch)) pitch_ = std::clamp(pose.pitch, -glm::half_pi<float>(), glm::half_pi<float>());
  if (std::isfinite(pose.distance))
    distance_ = std::clamp(pose.distance, kClosest * fitted_radius_, kFarthest * fitted_radius_);
}

glm::mat4 Camera::view() const {
  const Axes axes = axes_of(yaw_, pitch_);
  const glm::mat3 world_from_camera(axes.right, axes.up, axes.back);
  glm::mat4 turned(glm::transpose(world_from_camera));
  return glm::translate(turned, -position());
}

glm::mat4 Camera::projection(float aspect) const {
  const float wide = std::isfinite(aspect) && aspect > 0 ? std::clamp(aspect, 1e-3f, 1e3f) : 1;
  // A tall window fits the sphere to its width.
  const float vertical = 2 * std::atan(std::tan(0.5f * kFieldOfView) / std::min(wide, 1.0f));
  // A close near plane keeps nuclei visible; there is no far plane.
  glm::mat4 result = glm::infinitePerspective(vertical, wide, 1e-3f * distance_);
  result[2][1] = -rise_;  // times -z, which becomes w
  return result;
}

glm::vec3 Camera::position() const {
  return target_ + distance_ * axes_of(yaw_, pitch_).back;
}

float Camera::field_of_view() const {
  return kFieldOfView;
}

}  // namespace pericenter::render

#pragma once

#include <glm/glm.hpp>
#include <optional>

#include "app/overlay/guides.h"

namespace pericenter::app {

/// From the world to the pixels of a picture.
class Projection {
 public:
  Projection(const OverlayCanvas& paper, const render::Camera& camera)
      : paper_(paper),
        clip_(camera.projection(paper.size().x / paper.size().y) * camera.view()),
        nearest_(1e-2f * camera.distance()) {}

  /// False when all of the line is behind the camera; what is behind is cut off.
  bool line(const glm::vec3& from, const glm::vec3& to, ImVec2& a, ImVec2& b) const {
    glm::vec4 first = clip_ * glm::vec4(from, 1), second = clip_ * glm::vec4(to, 1);
    if (first.w < nearest_ && second.w < nearest_) return false;
    if (first.w < nearest_) first = glm::mix(first, second, (nearest_ - first.w) / (second.w - first.w));
    if (second.w < nearest_) second = glm::mix(second, first, (nearest_ - second.w) / (first.w - second.w));
    a = pixel(first);
    b = pixel(second);
    return true;
  }
  /// Nothing when it is behind the camera.
  std::optional<ImVec2> point(const glm::vec3& at) const {
    const glm::vec4 clip = clip_ * glm::vec4(at, 1);
    if (clip.w < nearest_) return std::nullopt;
    return pixel(clip);
  }

 private:
  ImVec2 pixel(const glm::vec4& clip) const {
    const ImVec2 size = paper_.size();
    return {paper_.low.x + size.x * (0.5f + 0.5f * clip.x / clip.w),
            paper_.low.y + size.y * (0.5f - 0.5f * clip.y / clip.w)};
  }

  const OverlayCanvas& paper_;
  glm::mat4 clip_;
  float nearest_;
};

}  // namespace pericenter::app

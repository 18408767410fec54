#pragma once

#include <vector>

#include "app/view/subject.h"

namespace pericenter::app {

/// The ellipse around most of the bodies in an image, of the form that their mean and second moments in it tell. Its
/// middle does not depend on what is far out, nor on how far.
class LightEllipse {
 public:
  /// The bodies must outlive it and be at least one.
  explicit LightEllipse(const Places& bodies) : bodies_(bodies), far_(bodies.size(), 0) {}

  /// Finds it in the image of a camera at this distance before a point; sooner where it has found a similar one.
  void look(const glm::vec3& at, float distance);
  /// Relative to that point, in its plane.
  const glm::vec2& middle() const { return middle_; }
  /// Half of its width and height, in that plane.
  glm::vec2 half_size() const;

 private:
  void shrink();

  const Places& bodies_;
  std::vector<glm::vec2> seen_;
  std::vector<float> far_, order_;  ///< squares of distances from the middle, in widths of the ellipse
  float edge_ = 0;                  ///< largest far_ inside
  glm::vec2 middle_{0};
  glm::mat2 spread_{1};
};

}  // namespace pericenter::app

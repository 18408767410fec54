#pragma once

#include "render/camera.h"
#include "render/star_readback.h"

namespace pericenter::app {

/// Distance from which 99 of 100 luminous bodies of a sample are inside an image of this aspect, in the direction of
/// the camera; 0 if there are none.
float framing_distance(const render::StarSample& sample, const render::Camera& camera, float aspect);

/// Moves a camera that nobody else has moved since it was fitted to a scene away from bodies that leave the image, and
/// back when they return. What a scene starts with outside of its image stays there.
class Framing {
 public:
  /// The camera was fitted to a scene.
  void start(const render::Camera& camera);
  /// It was fitted to the same scene again, from where it goes as far away as is needed.
  void restart(render::Camera& camera);
  /// framing_distance(), 0: unknown. `shown`: in the view of a half, where two are side by side; `whole`: in the image.
  struct Needed {
    float shown = 0, whole = 0;
  };
  /// Moves the camera a part of the way in `seconds`, without jerks; all of it if they are infinite.
  void advance(const Needed& needed, float seconds, render::Camera& camera);

 private:
  float goal(const render::Camera& camera) const;
  void keep(const render::Camera& camera);

  glm::vec3 target_{0};
  float distance_ = 0;            ///< and the target, as the framing left them
  float first_ = 0, needed_ = 0;  ///< distances needed at the start by the image, and now; 0: unknown
};

}  // namespace pericenter::app

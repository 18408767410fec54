#pragma once

#include <optional>

#include "app/view/camera_control.h"
#include "render/camera.h"
#include "render/star_readback.h"

namespace pericenter::app {

/// The part of an image in which stars are seen.
struct FrameShape {
  float aspect = 1;
  float covered = 0;                      ///< share of its height that words or a card cover, at its lower edge
  glm::vec2 legend{0};                    ///< shares of its width and height that a legend covers, at its upper right
  bool keeps_scale = false;               ///< see SceneView::keeps_scale
  std::optional<ViewAngles> toward = {};  ///< direction of the goal; nullopt: that of the camera
};

/// The pose that framed() finds.
struct FramedPose {
  render::CameraPose pose;
  bool keeps_scale = false;  ///< `pose` shows all of them, about the origin; also for few bodies
  bool starts_whole = true;  ///< all of them are in the first image
};

/// The pose, with the direction of `camera`, in which the luminous bodies of a sample fill the image: 95 % or more are
/// in it, and those that were thrown far out do not matter. The nuclei of all galaxies are in it, unless one has left
/// so far that the rest would become small. nullopt: none shines.
std::optional<FramedPose> framed(const render::StarSample& sample, const render::Camera& camera,
                                 const FrameShape& shape);

/// Moves a camera so that what shines stays in the image and fills it: slowly, and not at all while little changes.
/// Where it keeps the scale, it only moves away from what it starts with, as far as bodies spread.
class Framing {
 public:
  /// The camera was fitted to a scene; advance() takes it to its first goal at once, unless somebody has moved it.
  void start(const render::Camera& camera);
  /// Moves the camera a part of the way in `seconds`; all of it if they are infinite.
  void advance(const FramedPose& wanted, float seconds, render::Camera& camera);

 private:
  void note(const render::CameraPose& goal, float seconds);
  render::CameraPose goal(const FramedPose& wanted, const render::Camera& camera);

  /// Speeds and changes: of the logarithm of the distance, and of the target in distances, per second.
  struct Motion {
    float zoom = 0;
    glm::vec3 pan{0};
    float yaw = 0, pitch = 0;  ///< radians
  };
  render::CameraPose start_;
  bool is_new_ = true;            ///< advance() was not called since start()
  float first_ = 0, widest_ = 0;  ///< distances needed for the bodies that keep the scale
  Motion speed_;                  ///< the camera
  Motion change_;                 ///< its goal
  std::optional<render::CameraPose> goal_;
};

}  // namespace pericenter::app

#pragma once

#include <glm/glm.hpp>

namespace pericenter::render {

/// Where a camera is and looks, in few numbers: it turns about `target`.
struct CameraPose {
  glm::vec3 target{0};
  float yaw = 0, pitch = 0;  ///< radians
  float distance = 1;        ///< of the eye from the target

  friend bool operator==(const CameraPose&, const CameraPose&) = default;
};

/// The pose at `share` of the way from one to another, 0 to 1: distances by their logarithms, angles the short way
/// round.
CameraPose between(const CameraPose& from, const CameraPose& to, float share);

/// A camera that orbits a point: drag turns, pan moves the point, the wheel changes the distance.
class Camera {
 public:
  /// Looks at the origin so that a sphere of `radius` fills the picture, from the default direction.
  void fit(float radius);
  /// Turns by pixels of a drag in a window `height` pixels high.
  void orbit(float dx_pixels, float dy_pixels, float height);
  /// Moves the target so that what lies in its plane follows the cursor.
  void pan(float dx_pixels, float dy_pixels, float height);
  /// Zooms by wheel notches; positive goes closer.
  void zoom(float notches);
  /// Straight from above (looking down -z with +y up), for 2D.
  void look_down();

  /// Turns about the eye instead of the target, by pixels of a drag: the view follows the cursor.
  void look(float dx_pixels, float dy_pixels, float height);
  /// Moves eye and target along the camera's own axes: right, up, forward.
  void fly(const glm::vec3& step);
  void move_target(const glm::vec3& target);

  CameraPose pose() const { return {target_, yaw_, pitch_, distance_}; }
  /// What is not finite stays as it is; what is out of range goes to its end.
  void set_pose(const CameraPose& pose);

  glm::mat4 view() const;
  /// Reversed or standard depth is not used: nothing is depth-tested.
  glm::mat4 projection(float aspect) const;
  glm::vec3 position() const;
  glm::vec3 target() const { return target_; }
  float distance() const { return distance_; }
  /// Radius that the last fit() was given: what the exposure is normalised to.
  float fitted_radius() const { return fitted_radius_; }
  /// Distance that fit() chose; closer than this the picture is enlarged.
  float fitted_distance() const;
  float field_of_view() const;  ///< radians, across the shorter side of the picture

 private:
  glm::vec3 target_{0};
  float yaw_ = 0, pitch_ = 0;  ///< radians
  float distance_ = 1;
  float fitted_radius_ = 1;
};

}  // namespace pericenter::render

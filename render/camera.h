#pragma once

#include <glm/glm.hpp>

namespace pericenter::render {

/// Position and direction of a camera that orbits `target`.
struct CameraPose {
  glm::vec3 target{0};
  float yaw = 0, pitch = 0;  ///< radians
  float distance = 1;        ///< distance between eye and target

  friend bool operator==(const CameraPose&, const CameraPose&) = default;
};

/// Interpolates between two poses, `share` in [0, 1]: log of the distance, shortest way for the angles.
CameraPose interpolate(const CameraPose& from, const CameraPose& to, float share);

/// An orbit camera: drag rotates, pan moves the target, the wheel changes the distance.
class Camera {
 public:
  /// Looks at the origin from the default direction, so that a sphere of `radius` fills the frame.
  void fit(float radius);
  /// Rotates by a drag of (dx, dy) pixels in a window `height` pixels high.
  void orbit(float dx_pixels, float dy_pixels, float height);
  /// Moves the target so that points in its plane follow the cursor.
  void pan(float dx_pixels, float dy_pixels, float height);
  /// Zooms by wheel notches; positive moves closer.
  void zoom(float notches);
  /// Straight from above (looking down -z with +y up), for 2D.
  void look_down();

  /// Rotates about the eye instead of the target, by a drag in pixels.
  void look(float dx_pixels, float dy_pixels, float height);
  /// Moves eye and target along the camera's own axes: right, up, forward.
  void fly(const glm::vec3& step);
  void move_target(const glm::vec3& target);

  CameraPose pose() const { return {target_, yaw_, pitch_, distance_}; }
  /// Ignores non-finite values; clamps the others to their range.
  void set_pose(const CameraPose& pose);

  /// Moves the image up by this share of half its height, as the rise of a lens does, so that the target is in the
  /// middle of what something at the lower edge leaves visible.
  void set_rise(float share) { rise_ = share; }
  float rise() const { return rise_; }

  glm::mat4 view() const;
  /// Nothing is depth-tested, so the depth range does not matter.
  glm::mat4 projection(float aspect) const;
  glm::vec3 position() const;
  glm::vec3 target() const { return target_; }
  float distance() const { return distance_; }
  /// Radius of the last fit(); the exposure is normalised to it.
  float fitted_radius() const { return fitted_radius_; }
  /// Distance chosen by the last fit().
  float fitted_distance() const;
  float field_of_view() const;  ///< radians, across the shorter side of the frame

 private:
  glm::vec3 target_{0};
  float yaw_ = 0, pitch_ = 0;  ///< radians
  float distance_ = 1;
  float fitted_radius_ = 1;
  float rise_ = 0;
};

}  // namespace pericenter::render

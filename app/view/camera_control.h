#pragma once

#include <array>
#include <glm/glm.hpp>
#include <optional>
#include <span>
#include <vector>

#include "app/view/view_settings.h"
#include "render/camera.h"
#include "render/star_readback.h"
#include "sim/session/session_state.h"

struct ImGuiIO;

namespace pericenter::app {

/// A key of a camera path, reached at `time` seconds.
struct CameraKey {
  double time = 0;
  render::CameraPose pose;

  friend bool operator==(const CameraKey&, const CameraKey&) = default;
};

inline constexpr std::size_t kSavedCameras = 8;
inline constexpr std::size_t kMaxCameraKeys = 1000;
using SavedCameras = std::array<std::optional<render::CameraPose>, kSavedCameras>;

/// Camera settings that panel and keys change; CameraControl applies them.
struct CameraState {
  bool fly = false;  ///< W A S D Q E move it and a drag looks around; otherwise a drag orbits its target
  bool inertia = true;
  SavedCameras saved;
  std::vector<CameraKey> path;  ///< sorted by time
  bool playing_path = false;
  double path_time = 0;                     ///< seconds since its start
  std::optional<render::CameraPose> go_to;  ///< target of a glide
  std::vector<CameraKey> scene_path;        ///< path of Follow::What::path; times of the run
};

/// Pose on a path: a spline through all keys (Catmull and Rom 1974, doi:10.1016/B978-0-12-079050-0.50020-5) of the
/// target, the logarithm of the distance and the angles (the shorter way), at rest at both ends. Constant before the
/// first and after the last key. `path` is not empty, and its times increase.
render::CameraPose path_pose(std::span<const CameraKey> path, double seconds);
/// Time of the last key in seconds; 0 for an empty path.
double path_seconds(std::span<const CameraKey> path);

/// Appends a key a few seconds after the last, unless there are kMaxCameraKeys.
void add_camera_key(const render::CameraPose& pose, CameraState& state);
void remove_camera_key(std::size_t key, CameraState& state);
/// Scales the duration of the path.
void set_path_seconds(double seconds, CameraState& state);
/// Starts or stops the path; restarts it if it was at its end. A playing path ends following.
void play_path(bool play, CameraState& state);

/// A pose after a drift of `seconds`: a slow orbit about the vertical axis, one turn in three minutes.
render::CameraPose drifted(render::CameraPose pose, double seconds);

/// Number of galaxies in a sample: highest index plus one.
int galaxy_count(const render::StarSample& sample);
/// Median of each coordinate over the stars of a galaxy without its halo, so that tidal tails do not shift it. nullopt
/// if the sample has none of them.
std::optional<glm::vec3> galaxy_center(const render::StarSample& sample, int galaxy);

/// Position of a followed object at a simulation time.
struct Observation {
  glm::vec3 position{0};
  double time = 0;                         ///< simulation units
  std::optional<glm::vec3> velocity = {};  ///< nullopt: derived from two observations
};

/// Moves a target smoothly and without lag along with an object that is observed occasionally.
class Follower {
 public:
  void update(const Observation& observation);
  bool has_target() const { return seen_.has_value(); }
  /// Target of the frame of simulation time `time`, `seconds` after the frame that had target `now`. The remaining
  /// offset decays and ends below `still`; immediately if `seconds` is infinite.
  glm::vec3 target(const glm::vec3& now, double time, float seconds, float still);
  bool at_rest() const { return offset_ == glm::vec3(0); }

 private:
  glm::vec3 goal(double time) const;

  std::optional<Observation> seen_;
  glm::vec3 velocity_{0}, offset_{0};
  bool fresh_ = false;  // updated since the last frame
  std::optional<double> last_time_;
};

/// User input to the camera between two frames.
struct CameraInput {
  glm::vec2 turn{0};      ///< pixels of a drag that orbits or looks around
  glm::vec2 pan{0};       ///< pixels of a drag that pans
  float notches = 0;      ///< notches of the mouse wheel
  glm::vec3 fly{0};       ///< right, up, forward: -1, 0 or 1 each
  bool fast = false;      ///< flies faster
  bool dragging = false;  ///< a button is held that was pressed over the view
  float height = 1;       ///< height of the window, pixels
};

/// The input that panels did not use; keys are ignored during text input.
CameraInput camera_input(const ImGuiIO& io, bool fly);

/// When a frame is drawn.
struct FrameTime {
  double time = 0;    ///< simulation time shown
  float seconds = 0;  ///< seconds since the previous frame
  float drift = 0;    ///< seconds by which the drift advances: as `seconds`, or of the video; 0: it is off
};

/// Moves a camera by input, path and following. Motion decays after release (inertia), independent of the frame rate.
class CameraControl {
 public:
  CameraControl() = default;

  /// Glides to a pose; jumps without inertia. It ends following, unless `follows`.
  void go_to(const render::CameraPose& from, const render::CameraPose& to, bool follows = false) {
    glide_ = {from, to, follows};
  }
  bool glides() const { return glide_.has_value(); }
  /// Stops all motion.
  void stop() { *this = CameraControl(reduced_motion_); }
  /// From now on the camera moves only with input: it jumps instead of gliding, stops when the mouse stops, and stays
  /// exactly on what it follows.
  void reduce_motion(bool reduced) { reduced_motion_ = reduced; }

  /// Updates the followed target: the centre of mass from the state, everything else from a sample of time `time`.
  void update(const SessionState& state, const Follow& follow);
  void update(const render::StarSample& sample, double time, const Follow& follow);

  /// Moves the camera for the next frame. Panning, flying, gliding and the path end following. Returns false when the
  /// camera is at rest.
  bool advance(const CameraInput& input, FrameTime at, Follow& follow, CameraState& state, render::Camera& camera);

 private:
  explicit CameraControl(bool reduced_motion) : reduced_motion_(reduced_motion) {}

  struct Inertia {
    glm::vec2 speed{0};  // pixels per second during a drag
    glm::vec2 rest{0};   // remaining pixels
  };
  struct Glide {
    render::CameraPose from, to;
    bool follows = false;
    float seconds = 0;
  };

  void apply(const CameraInput& input, Follow& follow, CameraState& state, const render::Camera& camera);
  void drag(const CameraInput& input, float seconds, const CameraState& state, render::Camera& camera);
  void zoom(const CameraInput& input, float seconds, const CameraState& state, render::Camera& camera);
  void fly(const CameraInput& input, float seconds, const CameraState& state, render::Camera& camera);
  void glide(float seconds, const CameraState& state, render::Camera& camera);
  void follow_scene(FrameTime at, const CameraState& state, render::Camera& camera) const;
  bool may_drift(const CameraInput& input, const Follow& follow, const CameraState& state) const;
  void choose(const Follow& follow);
  bool at_rest() const;
  bool smooth(const CameraState& state) const { return state.inertia && !reduced_motion_; }

  Inertia turn_, pan_;
  float notches_ = 0;      // remaining zoom
  glm::vec3 velocity_{0};  // velocity while flying, in target distances per second
  std::optional<Glide> glide_;
  Follow followed_;
  Follower follower_;
  std::optional<glm::vec3> seen_center_;  // last centre of mass
  bool moving_ = false;
  bool reduced_motion_ = false;
};

/// Direction of the camera that follows the story of a scene.
struct StoryAngles {
  ViewAngles first, key, last;
  double key_time = 0;  ///< 0: it is always `key`
  /// Turns slowly: before the key moment from the first to its own, and after it to the last.
  ViewAngles at(double time) const;
};

/// The bodies that have dots: those of a scene, or the Sun and the planets that were added to a table of asteroids.
render::PointMasses point_masses(const SessionState& state);

/// Initial view of a scene: a sphere around the origin, and the direction.
struct SceneView {
  double radius = 1;
  SceneLook look = {};
  std::optional<ViewAngles> angles = {};
  std::optional<StoryAngles> story = {};
  double shown_radius = 0;   ///< shown instead of `radius`, to which the exposure is normalised; 0: `radius`
  bool keeps_scale = false;  ///< the bodies are on orbits, or from a file: their frame only grows
};
/// Asteroids are points, because their belts are empty space, and so are the stars of a cluster.
SceneLook look_of(const SessionState& state);
SceneView view_of(const SessionState& state);
/// The view of a camera that follows the story of the scene, or that shows all of it without a motion.
SceneView story_view_of(const SessionState& state);
void fit(const SceneView& view, render::Camera& camera);

/// The camera path of a scene, for path_pose() with the time of the run in scene units. An encounter has an approach
/// (wide, the galaxies side by side), the passage (close and low), the tails (the suggested view of the scene, or
/// towards the plane of the orbit; then wider) and the merger (close); a single galaxy is seen from several sides.
/// Empty if the scene has none: other scenes, two dimensions, bodies from a file.
std::vector<CameraKey> scene_path(const SessionState& state);

}  // namespace pericenter::app

#pragma once

#include <array>
#include <glm/glm.hpp>
#include <optional>
#include <span>
#include <vector>

#include "app/view/view_settings.h"
#include "render/camera.h"
#include "render/star_sampler.h"
#include "sim/session/session_state.h"

struct ImGuiIO;

namespace pericenter::app {

/// A place on a camera's path, to be passed at `time` seconds.
struct CameraKey {
  double time = 0;
  render::CameraPose pose;

  friend bool operator==(const CameraKey&, const CameraKey&) = default;
};

inline constexpr std::size_t kSavedCameras = 8;
inline constexpr std::size_t kMaxCameraKeys = 1000;
using SavedCameras = std::array<std::optional<render::CameraPose>, kSavedCameras>;

/// Where the camera is to be: what panel and keys change. The application carries it out.
struct CameraState {
  bool fly = false;  ///< W A S D Q E move it and a drag looks around; else a drag turns it about its target
  bool inertia = true;
  SavedCameras saved;
  std::vector<CameraKey> path;  ///< by time
  bool playing_path = false;
  double path_time = 0;                     ///< seconds since its begin
  std::optional<render::CameraPose> go_to;  ///< a view that the camera shall glide to
};

/// Where a path is after some seconds: a curve through all keys (Catmull and Rom 1974,
/// doi:10.1016/B978-0-12-079050-0.50020-5) in the target, the logarithm of the distance and the angles the short way
/// round, which starts and ends at rest. Before the first key and after the last it stays there. `path` has a key, and
/// the times rise.
render::CameraPose path_pose(std::span<const CameraKey> path, double seconds);
/// Time of the last key, in seconds; 0 without any.
double path_seconds(std::span<const CameraKey> path);

/// Appends a key some seconds after the last; nothing when there are kMaxCameraKeys.
void add_camera_key(const render::CameraPose& pose, CameraState& state);
void remove_camera_key(std::size_t key, CameraState& state);
/// Stretches the path to this many seconds.
void set_path_seconds(double seconds, CameraState& state);
/// Plays the path, from its begin where it has ended. Following ends: the path says where to look.
void play_path(bool play, CameraState& state);

/// How many galaxies the stars of a sample come from: one more than the highest number.
int galaxy_count(const render::StarSample& sample);
/// The median of each coordinate over the stars of a galaxy, its halo left out: what has been thrown far out does not
/// move it. nullopt when the sample has none of them.
std::optional<glm::vec3> galaxy_center(const render::StarSample& sample, int galaxy);

/// Where something was at a moment of the simulation.
struct Sighting {
  glm::vec3 position{0};
  double time = 0;                         ///< in the simulation's units
  std::optional<glm::vec3> velocity = {};  ///< if it is known; else it follows from two sightings
};

/// Keeps a target on what is sighted now and then, at the moment that the picture shows: neither behind it nor in
/// jerks.
class Follower {
 public:
  void see(const Sighting& sighting);
  bool sees() const { return seen_.has_value(); }
  /// The target for a picture of `time`, `seconds` after the one before, which had `now`. What is left of the way there
  /// shrinks by itself, and is gone when it is below `still`. At once there when `seconds` is infinite.
  glm::vec3 target(const glm::vec3& now, double time, float seconds, float still);
  /// Whether it is there.
  bool rests() const { return offset_ == glm::vec3(0); }

 private:
  glm::vec3 goal(double time) const;

  std::optional<Sighting> seen_;
  glm::vec3 velocity_{0}, offset_{0};
  bool fresh_ = false;  // seen since the last picture
  std::optional<double> last_time_;
};

/// What hands do to the camera between two pictures.
struct CameraInput {
  glm::vec2 turn{0};      ///< pixels of a drag that turns or looks around
  glm::vec2 pan{0};       ///< pixels of a drag that moves
  float notches = 0;      ///< of the wheel
  glm::vec3 fly{0};       ///< right, up, forward: -1, 0 or 1 each
  bool fast = false;      ///< flies faster
  bool dragging = false;  ///< a button is held that was pressed over the picture
  float height = 1;       ///< of the window, pixels
};

/// The input that panels left to the camera; keys count while nothing is typed.
CameraInput camera_input(const ImGuiIO& io, bool fly);

/// When a frame is drawn.
struct FrameTime {
  double time = 0;    ///< shown, in simulation units
  float seconds = 0;  ///< since the frame before
};

/// Moves a camera by what hands, keys, the path and what is followed ask for. What is let go swings out: how far it
/// goes does not depend on how many pictures a second are drawn, and in the end it stands still.
class CameraControl {
 public:
  /// The camera glides there, or is there at once without inertia.
  void go_to(const render::CameraPose& from, const render::CameraPose& to) { glide_ = {from, to}; }
  /// Forgets all motion.
  void stop() { *this = {}; }

  /// Looks for what is followed: its centre of mass in the state, everything else in a sample of the moment `time`.
  void see(const SessionState& state, const Follow& follow);
  void see(const render::StarSample& sample, double time, const Follow& follow);

  /// Moves the camera for the next frame. Panning, flying, gliding and the path end following. Returns false when the
  /// camera is at rest.
  bool advance(const CameraInput& input, FrameTime at, Follow& follow, CameraState& state, render::Camera& camera);

 private:
  struct Swing {
    glm::vec2 speed{0};  // pixels a second, while it is dragged
    glm::vec2 rest{0};   // pixels still to go
  };
  struct Glide {
    render::CameraPose from, to;
    float seconds = 0;
  };

  void obey(const CameraInput& input, Follow& follow, CameraState& state, const render::Camera& camera);
  void drag(const CameraInput& input, float seconds, const CameraState& state, render::Camera& camera);
  void zoom(const CameraInput& input, float seconds, const CameraState& state, render::Camera& camera);
  void fly(const CameraInput& input, float seconds, const CameraState& state, render::Camera& camera);
  void glide(float seconds, const CameraState& state, render::Camera& camera);
  void choose(const Follow& follow);
  bool rests() const;

  Swing turn_, pan_;
  float notches_ = 0;      // still to be zoomed
  glm::vec3 velocity_{0};  // of flying, in distances of the target a second
  std::optional<Glide> glide_;
  Follow followed_;
  Follower follower_;
  std::optional<glm::vec3> seen_center_;  // of mass, as it was last
  bool moving_ = false;
};

/// What the first picture of a scene should show: a sphere about the origin, and from where.
struct SceneView {
  double radius = 1;
  bool flat = false;
  std::optional<ViewAngles> angles = {};
};
SceneView view_of(const SessionState& state);
void fit(const SceneView& view, render::Camera& camera);

}  // namespace pericenter::app

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/base/exit_code.h"
#include "app/base/theme.h"
#include "app/view/view_settings.h"
#include "sim/core/config.h"
#include "sim/files/snapshot.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {

inline constexpr std::size_t kDefaultBodies = 20'000;  ///< number of bodies of a scene if nothing else decides it

/// Path of vertices from CUDA to OpenGL: a shared buffer, or copies. `automatic` shares if possible.
enum class Bridge { automatic, interop, staged };

/// Options that were set explicitly, so that they override a saved run or the last session.
struct GivenOptions {
  bool scene = false, bodies = false, seed = false, solver = false, precision = false, dimension = false,
       multipole = false, integrator = false, simd = false, steps = false, theme = false, energy_every = false;
};

/// What runs and how it is shown: all that a scene string, a slide of a lesson and a side of a comparison may set.
/// Values that are nullopt are chosen for the scene or the machine.
struct SceneOptions {
  std::string scene_string;  ///< read before all other options, or empty
  std::string scene = "collision";
  std::optional<std::size_t> bodies;
  std::uint64_t seed = 1;
  std::optional<Encounter> encounter;  ///< replaces the encounter of the scene
  std::optional<Backend> backend;
  bool automatic_solver = true;  ///< choose a solver for the bodies; ignore the solver of `config`
  Config config;                 ///< its backend is the given or an available one
  std::optional<double> theta, accuracy, softening, dt, adaptive_steps;
  bool softening_by_bodies = false;     ///< suggested_softening() instead of `softening`
  std::optional<double> softening_now;  ///< current softening where it differs from the scene's
  std::string load;                     ///< file of bodies instead of a scene, or empty
  std::string play;                     ///< file of a series to play instead, or empty
  ReadOptions read = {};                ///< how such a file is read
  GivenOptions given;
  std::optional<int> steps_per_frame;  ///< instead of `pace`
  std::optional<double> pace;          ///< speed, in the unit of the clock per second; nullopt: default_speed()
  std::uint64_t steps = 0;             ///< -s: steps to run headless, or before a screenshot
  std::string compare;                 ///< settings of B in a comparison, "theta=1.2,dt=0.01"; empty: no comparison
  std::optional<bool> side_by_side;    ///< view of a comparison; nullopt: side by side if the encounters differ
  ViewSettings view;
  std::optional<render::CameraPose> camera;  ///< nullopt: the one that the scene suggests

  bool reads_a_file() const { return !load.empty() || !play.empty(); }
  const std::string& input() const { return load.empty() ? play : load; }
};

/// Steps without a window, and the files that a run writes.
struct OutputOptions {
  bool headless = false;
  bool progress = true;
  bool system_report = false;       ///< print it instead of a run
  std::string log;                  ///< file for support, or empty
  std::string csv;                  ///< file with one row per step, or empty
  std::uint64_t energy_every = 10;  ///< steps between two rows with energy, which costs about as much as a step
  std::string save;                 ///< snapshot to write at the end, or empty
  std::uint64_t save_every = 0;     ///< steps between the numbered snapshots of a series; 0: no series
  std::string screenshot;           ///< PNG to write, or empty
  std::string record;               ///< video to write, always headless, or empty
  int frames_per_second = 60;
  std::optional<bool> annotations;  ///< default: on for a video, off for a screenshot
  int width = 1280, height = 720;
  std::string camera_path;            ///< file with a path of the camera, or empty
  std::optional<bool> on_scene_path;  ///< --camera-path scene or off; nullopt: a video is, unless a camera is given
};

/// How the window starts.
struct WindowOptions {
  std::vector<std::string> files;  ///< given without an option, see open_given_files()
  bool awaits_cuda = false;        ///< the window chooses the backend of `config` when CUDA has started
  bool early_scene = false;        ///< the window creates the first scene while it opens
  std::string step_times = {};     ///< file for remembered_step(), or empty
  float ui_scale = 0;              ///< 0: chosen for the display
  Bridge bridge = Bridge::automatic;
  std::string shader_dir;       ///< empty: the built-in shaders
  bool paused = false;          ///< start the window paused
  bool follow = false;          ///< take new snapshots of --play as they appear
  std::string lesson;           ///< name or file of a lesson to open, or empty
  std::string language;         ///< language of lessons: "de", "en"; empty: from the environment
  bool station = false;         ///< no controls; return to the start when idle
  int monitor = 0;              ///< full screen on this monitor, counted from 1; 0: a window
  bool presenter = false;       ///< a second window with the teacher's notes
  bool describe = false;        ///< print a description of the scene for screen readers
  bool narrator = true;         ///< report events in sentences
  bool reduced_motion = false;  ///< no automatic motion of the camera
  float projector_size = 1;     ///< scale of captions and clock
};

/// The command line, checked.
struct Options : SceneOptions, OutputOptions, WindowOptions {};

/// `params` with the values that the options override.
inline Params with_options(Params params, const SceneOptions& options) {
  params.theta = options.theta.value_or(params.theta);
  params.accuracy = options.accuracy.value_or(params.accuracy);
  params.softening = options.softening_now.value_or(options.softening.value_or(params.softening));
  params.dt = options.dt.value_or(params.dt);
  params.adaptive_steps = options.adaptive_steps.value_or(params.adaptive_steps);
  return params;
}

/// `saved` of a snapshot, with the values that the options override.
Config config_with_options(const Config& saved, const SceneOptions& options);

/// The scene of the options with `bodies` bodies, and the number for a softening that depends on them.
SceneRequest scene_request(const SceneOptions& options, std::size_t bodies);

}  // namespace pericenter::app

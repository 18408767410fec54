#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/base/exit_code.h"
#include "app/base/theme.h"
#include "app/view/view_settings.h"
#include "sim/core/config.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {

/// How vertices come from CUDA to OpenGL: in a buffer that both share, or copied. `automatic` shares where it can.
enum class Bridge { automatic, interop, staged };

/// Options that were set explicitly, so that they override a saved run or the last session.
struct GivenOptions {
  bool scene = false, bodies = false, seed = false, solver = false, precision = false, dimension = false,
       multipole = false, simd = false, theme = false;
};

/// The command line, checked. What is nullopt was not given: the scene or the machine decides.
struct Options {
  std::string scene_string;  ///< that these options begin with; empty: none
  std::string scene = "collision";
  std::optional<std::size_t> bodies;
  std::uint64_t seed = 1;
  std::optional<Encounter> encounter;  ///< instead of the scene's own
  std::optional<Backend> backend;
  bool automatic_solver = true;  ///< that which suits the bodies, not the one of `config`
  Config config;                 ///< its backend is the given one, or that which the machine has
  std::optional<double> theta, accuracy, softening, dt;
  std::optional<double> softening_now;  ///< of a run that has another than the scene was made with
  std::string load;                     ///< file of bodies instead of a scene; empty: none
  std::string play;                     ///< file of a series that is played instead; empty: none
  bool skip_bad = false;                ///< leave out bodies of such a file whose numbers cannot be used
  GivenOptions given;
  int steps_per_frame = 1;

  bool headless = false;
  std::uint64_t steps = 0;  ///< -s: steps to run headless, or before a screenshot
  bool progress = true;
  std::string csv;         ///< file for one row a step; empty: none
  std::string save;        ///< snapshot to write at the end; empty: none
  std::string screenshot;  ///< PNG to write; empty: none
  std::string record;      ///< film to write, which is done headless; empty: none
  int frames_per_second = 60;
  std::optional<bool> annotations;  ///< on the film (else yes) and on the screenshot (else no)
  int width = 1280, height = 720;
  ViewSettings view;
  std::optional<render::CameraPose> camera;  ///< nullopt: the one that the scene suggests

  float ui_scale = 0;  ///< 0: guessed from the display
  Bridge bridge = Bridge::automatic;
  std::string shader_dir;   ///< empty: the shaders in the binary
  bool paused = false;      ///< start the window paused
  std::string camera_path;  ///< file with a path that the camera moves along; empty: none

  bool reads_a_file() const { return !load.empty() || !play.empty(); }
  const std::string& input() const { return load.empty() ? play : load; }
};

/// `params` with what the command line says instead.
inline Params with_options(Params params, const Options& options) {
  params.theta = options.theta.value_or(params.theta);
  params.accuracy = options.accuracy.value_or(params.accuracy);
  params.softening = options.softening_now.value_or(options.softening.value_or(params.softening));
  params.dt = options.dt.value_or(params.dt);
  return params;
}

/// `saved`, which bodies were computed with before, with what the command line says instead.
Config config_with_options(const Config& saved, const Options& options);

/// The scene that the command line asks for, with this many bodies.
inline SceneRequest scene_request(const Options& options, std::size_t bodies) {
  return {.bodies = bodies,
          .seed = options.seed,
          .dimension = options.config.dimension,
          .softening = options.softening.value_or(0),
          .encounter = options.encounter};
}

}  // namespace pericenter::app

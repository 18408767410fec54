#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "app/look.h"
#include "app/theme.h"
#include "sim/config.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {

/// Exit codes after sysexits.h.
enum ExitCode : int {
  kOk = 0,
  kUsage = 64,         ///< the command line is wrong
  kDataError = 65,     ///< an input file is wrong
  kNoInput = 66,       ///< an input file cannot be read
  kUnavailable = 69,   ///< no OpenGL 4.5 or no CUDA, where it is needed
  kInternal = 70,      ///< a defect of this program
  kCannotCreate = 73,  ///< an output file cannot be made
  kIoError = 74,       ///< reading or writing broke off
};

/// How vertices come from CUDA to OpenGL: in a buffer that both share, or copied. `automatic` shares where it can.
enum class Bridge { automatic, interop, staged };

/// The command line, checked. What is nullopt was not given: the scene or the machine decides.
struct Options {
  std::string scene_string;  ///< that these options begin with; empty: none
  std::string scene = "collision";
  std::string load;  ///< file with bodies instead of a scene's; empty: none
  std::optional<std::size_t> bodies;
  std::uint64_t seed = 1;
  std::optional<Encounter> encounter;  ///< instead of the scene's own
  std::optional<Backend> backend;
  Config config;  ///< its backend is the given one, or that which the machine has
  std::optional<double> theta, softening, dt;
  std::optional<double> softening_now;  ///< of a run that has another than the scene was made with
  int steps_per_frame = 1;

  bool headless = false;
  std::uint64_t steps = 0;  ///< -s: steps to run headless, or before a screenshot
  bool progress = true;
  std::string csv;         ///< file for one row a step; empty: none
  std::string screenshot;  ///< PNG to write; empty: none
  std::string record;      ///< film to write, which is done headless; empty: none
  int frames_per_second = 60;
  std::optional<bool> annotations;  ///< on the film (else yes) and on the screenshot (else no)
  int width = 1280, height = 720;
  Look look;

  float ui_scale = 0;  ///< 0: guessed from the display
  Bridge bridge = Bridge::automatic;
  std::string shader_dir;      ///< empty: the shaders in the binary
  bool paused = false;         ///< start the window paused
  std::optional<Theme> theme;  ///< of panel and picture; else that of the last session
  std::string camera_path;     ///< file with a path that the camera moves along; empty: none
};

/// `params` with what the command line says instead.
inline Params with_options(Params params, const Options& options) {
  params.theta = options.theta.value_or(params.theta);
  params.softening = options.softening_now.value_or(options.softening.value_or(params.softening));
  params.dt = options.dt.value_or(params.dt);
  return params;
}

/// The scene that the command line asks for, with this many bodies.
inline SceneRequest scene_request(const Options& options, std::size_t bodies) {
  return {.bodies = bodies,
          .seed = options.seed,
          .dimension = options.config.dimension,
          .softening = options.softening.value_or(0),
          .encounter = options.encounter};
}

}  // namespace pericenter::app

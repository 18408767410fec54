#pragma once

#include <cstddef>
#include <string>

#include "sim/core/config.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {

/// A step of a small sample of a scene.
struct StepSample {
  std::size_t bodies = 0;
  double ms = 0;           ///< duration of the step
  bool has_tree = false;   ///< otherwise the duration grows with the square of the number of bodies
  double interval_ms = 0;  ///< wall time from step to step at the default speed of the scene
};
/// Times a step (about 50 ms; up to a second on CUDA).
StepSample time_step(const std::string& scene, const Config& config);

/// The same, timed once and remembered in `file`: so a lecture has the bodies of its rehearsal. It is timed again after
/// a change of scene, solver, processor, GPU or version, and if the file cannot be read. Without a name, always.
StepSample remembered_step(const std::string& scene, const Config& config, const std::string& file);

/// Number of bodies of `scene` that this machine simulates at the default speed of the scene, and draws at 25 fps or
/// more.
std::size_t fitting_bodies(const std::string& scene, const StepSample& sample, bool software_rendering);
/// A smaller number of bodies that this share of the speed of `bodies` bodies would need; 0: none.
std::size_t bodies_for_share(const SceneInfo& scene, std::size_t bodies, double share, bool has_tree);
/// The most that fitting_bodies() returns, as it does on most GPUs.
std::size_t most_fitting_bodies(const std::string& scene);

}  // namespace pericenter::app

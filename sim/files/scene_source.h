#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/config.h"
#include "sim/core/simulation.h"
#include "sim/scenes/registry.h"

namespace pericenter {

/// The first and the last moment of a recording, and those of all its snapshots, in scene units.
struct TimeRange {
  double first = 0, last = 0;
  std::vector<double> snapshots = {};  ///< rising

  friend bool operator==(const TimeRange&, const TimeRange&) = default;
};

/// Bodies that no row of the scene table makes, with what is known of the run that they come from.
struct LoadedScene {
  Scene scene;
  double time = 0;
  std::uint64_t steps = 0;
  std::optional<Config> config;  ///< what it ran with, so that it can go on exactly; backend, device and threads stay
  std::optional<SceneRequest> request;  ///< that a scene made the bodies from, if one did
  std::string note;                     ///< what the user should know: what was left out, what was guessed
  /// A simulation that plays a recording instead of computing; null: one is created of scene.bodies.
  std::unique_ptr<Simulation> recording;
  TimeRange recorded;      ///< of it
  double playback_dt = 0;  ///< a step that suits it; scene.params are for who computes on from it
};

/// Where they come from: a file, or a series of files.
struct SceneSource {
  std::string name;  ///< what the user calls it, also in names of pictures: "snapshot_010"
  std::string path;  ///< of the file
  /// Throws std::runtime_error with a sentence for the user, std::bad_alloc, SceneCancelled.
  std::function<LoadedScene(const Progress& progress)> load;
};

}  // namespace pericenter

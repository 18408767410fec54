#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "sim/bodies.h"
#include "sim/config.h"

namespace pericenter {

/// How far a scene is, in [0, 1]; returns false to cancel (the maker then throws SceneCancelled).
using Progress = std::function<bool(double)>;
struct SceneCancelled {};

/// What a scene is made from. Equal requests give equal bodies.
struct SceneRequest {
  std::size_t bodies = 0;  ///< exactly this many, unless SceneInfo::fixed_bodies says otherwise
  std::uint64_t seed = 1;
  int dimension = 3;
  double softening = 0;  ///< 0: the scene's own; the velocities of galaxies depend on it
  Progress progress = {};
};

/// Physical size of the scene's units; all 0 when it has none.
struct Units {
  double length_kpc = 0;
  double time_myr = 0;
  double velocity_kms = 0;
};

/// A scene: bodies with the settings that suit them.
struct Scene {
  Bodies bodies;
  Params params;  ///< suggested dt, theta, softening
  Units units;
  double view_radius = 1;     ///< radius about the origin that the first picture should show
  double highlight_time = 0;  ///< the moment to pause at, in scene units; 0 when there is none
};

struct SceneInfo {
  std::string_view name;     ///< as in --scene
  std::string_view title;    ///< for the panel
  std::string_view summary;  ///< one or two sentences for --list-scenes and tooltips
  std::size_t min_bodies = 1;
  std::size_t fixed_bodies = 0;  ///< not 0: the scene has just this many
  Scene (*make)(const SceneRequest& request) = nullptr;

  /// The number of bodies closest to `wanted` that the scene can have.
  std::size_t allowed(std::size_t wanted) const {
    return fixed_bodies != 0 ? fixed_bodies : std::max(wanted, min_bodies);
  }
};

/// The scene table, the default first. To add a scene: one function, one row.
std::span<const SceneInfo> scenes();
const SceneInfo* find_scene(std::string_view name);

}  // namespace pericenter

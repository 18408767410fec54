#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "sim/core/bodies.h"
#include "sim/core/config.h"
#include "sim/core/progress.h"
#include "sim/core/units.h"
#include "sim/scenes/model/encounter.h"

namespace pericenter {

class ProceduralSource;

/// What a scene is made from. Equal requests give equal bodies.
struct SceneRequest {
  std::size_t bodies = 0;  ///< exactly this many, unless SceneInfo::fixed_bodies says otherwise
  std::uint64_t seed = 1;
  int dimension = 3;
  double softening = 0;                     ///< 0: the scene's default; the velocities of galaxies depend on it
  std::optional<Encounter> encounter = {};  ///< replaces the default of an encounter scene
  bool allow_procedural = false;            ///< return Scene::source instead of bodies, if the scene supports it
  Progress progress = {};
};

/// From where a camera looks at the origin, in degrees.
struct ViewAngles {
  double yaw = 0;    ///< longitude of the camera about +z, from +x
  double pitch = 0;  ///< its latitude; 90 looks straight down

  friend bool operator==(const ViewAngles&, const ViewAngles&) = default;
};

/// What the list of scenes is divided into.
enum class SceneGroup { encounters, galaxies, restricted, clusters, few_bodies, textbook };

/// A scene: bodies with the settings that suit them.
struct Scene {
  Bodies bodies = {};
  std::shared_ptr<const ProceduralSource> source = {};  ///< replaces `bodies` if SceneRequest::allow_procedural
  Params params = {};                                   ///< suggested dt, theta, softening
  Units units = {};
  double view_radius = 1;                 ///< radius about the origin that the first picture should show
  std::optional<ViewAngles> angles = {};  ///< that suit it; nullopt: the program's own
  double highlight_time = 0;              ///< the moment to pause at, in scene units; 0 when there is none
};

struct SceneInfo {
  std::string_view name;     ///< as in --scene
  std::string_view title;    ///< for the panel
  std::string_view summary;  ///< one or two sentences for --list-scenes and tooltips
  SceneGroup group = SceneGroup::galaxies;
  std::size_t min_bodies = 1;
  std::size_t fixed_bodies = 0;  ///< not 0: the scene has just this many
  Scene (*make)(const SceneRequest& request) = nullptr;
  const Encounter* encounter = nullptr;  ///< the scene's own, which SceneRequest::encounter replaces; null: it is none

  /// The number of bodies closest to `wanted` that the scene can have.
  std::size_t allowed(std::size_t wanted) const {
    return fixed_bodies != 0 ? fixed_bodies : std::max(wanted, min_bodies);
  }
};

/// The scene table, the default first. To add a scene: one function, one row.
std::span<const SceneInfo> scenes();
const SceneInfo* find_scene(std::string_view name);

}  // namespace pericenter

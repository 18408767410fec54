#pragma once

#include "sim/scenes/model/encounter.h"
#include "sim/scenes/model/galaxy.h"
#include "sim/scenes/registry.h"

namespace pericenter {

/// `scene` with the bodies of one galaxy about the origin, their positions multiplied by `stretch`; its softening gives
/// way to that of the request.
Scene with_galaxy(const SceneRequest& request, Scene scene, const GalaxyModel& model, const Vec3& stretch = {1, 1, 1});

struct GalaxyPair {
  GalaxyModel first = {};
  GalaxyModel second = {};  ///< resized by Encounter::mass_ratio, whatever it weighs by itself
};

/// `scene` with two galaxies on the orbit of `own`, or on that of the request; its softening gives way to that of the
/// request. They share the bodies so that those of one component weigh about the same in both; each has one body at
/// least where there are two. Throws std::invalid_argument when the encounter is impossible.
Scene with_pair(const SceneRequest& request, Scene scene, const GalaxyPair& models, const Encounter& own);

}  // namespace pericenter

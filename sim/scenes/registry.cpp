#include "sim/scenes/registry.h"

/// One row per file of scenes, in the order of the list; the first scene is the default. NAME.cpp defines
/// std::vector<SceneInfo> NAME_scenes().
#define PERICENTER_SCENE_FILES(ROW) \
  ROW(encounters)                   \
  ROW(plummer)                      \
  ROW(isolated_galaxies)            \
  ROW(uniform)                      \
  ROW(two_body)                     \
  ROW(restricted)                   \
  ROW(holmberg)                     \
  ROW(figure_eight)                 \
  ROW(solar_system)                 \
  ROW(small_bodies)                 \
  ROW(cold_collapse)                \
  ROW(lattice)                      \
  ROW(random_masses)

namespace pericenter {

#define PERICENTER_DECLARE(name) std::vector<SceneInfo> name##_scenes();
PERICENTER_SCENE_FILES(PERICENTER_DECLARE)
#undef PERICENTER_DECLARE

namespace {

std::vector<SceneInfo> all_scenes() {
  std::vector<SceneInfo> all;
#define PERICENTER_APPEND(name) \
  for (SceneInfo & info : name##_scenes()) all.push_back(std::move(info));
  PERICENTER_SCENE_FILES(PERICENTER_APPEND)
#undef PERICENTER_APPEND
  return all;
}

}  // namespace

std::span<const SceneInfo> scenes() {
  static const std::vector<SceneInfo> kScenes = all_scenes();
  return kScenes;
}

const SceneInfo* find_scene(std::string_view name) {
  const auto found = std::ranges::find(scenes(), name, &SceneInfo::name);
  return found == scenes().end() ? nullptr : &*found;
}

}  // namespace pericenter

#include "sim/scenes/galaxy_scenes.h"
#include "sim/scenes/scenes.h"

namespace pericenter {

Scene make_hernquist(const SceneRequest& request) {
  return with_galaxy(request, {.params = {.dt = 0.01, .softening = 0.03}, .view_radius = 8}, lone_sphere({1, 1, 14}));
}

Scene make_nfw(const SceneRequest& request) {
  // Concentration 10, as halos like the Milky Way's have it.
  return with_galaxy(request, {.params = {.dt = 0.02, .softening = 0.03}, .view_radius = 10},
                     lone_sphere({1, 1, 10, SphereProfile::nfw}));
}

Scene make_head_on(const SceneRequest& request) {
  // In Henon units (Heggie and Mathieu 1986, 10.1007/BFb0116419) each has the scale length 3 pi / 16.
  constexpr GalaxyModel kSphere = lone_sphere({1, 0.589, 13.4, SphereProfile::plummer});
  return with_pair(request, {.params = {.dt = 0.01, .softening = 0.03}, .view_radius = 4, .highlight_time = 5},
                   {kSphere, kSphere}, kHeadOn);
}

}  // namespace pericenter

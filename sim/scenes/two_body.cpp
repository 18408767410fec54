#include "sim/scenes/model/encounter.h"
#include "sim/scenes/registry.h"

namespace pericenter {
namespace {

// Semi-major axis 1, total mass 1 and G = 1: the period is 2 pi. It starts at the apocentre, on -x.
Scene make_two_body(const SceneRequest& request) {
  constexpr double kEccentricity = 0.5, kSecondMass = 0.25;
  Scene scene;
  scene.params = {.dt = 0.01, .softening = request.softening};
  scene.view_radius = 1.5;
  if (request.progress && !request.progress(0)) throw SceneCancelled{};
  const RelativeState state = relative_state({1 - kEccentricity, kEccentricity, 1 + kEccentricity}, 1);
  for (int k = 0; k < 2; ++k) {
    const double share = k == 0 ? -kSecondMass : 1 - kSecondMass;
    scene.bodies.push_back({state.position * share, state.velocity * share, k == 0 ? 1 - kSecondMass : kSecondMass,
                            make_tag(static_cast<std::uint32_t>(k), Component::other)});
  }
  return scene;
}

}  // namespace

std::vector<SceneInfo> two_body_scenes() {
  return {
      {.name = "two-body",
       .title = "Two bodies",
       .summary = "Two bodies on a Kepler ellipse of eccentricity 0.5: errors of the integrator are directly visible.",
       .caption = "Two stars circle each other: fast when they are close, slow when they are far apart.",
       .group = SceneGroup::few_bodies,
       .min_bodies = 2,
       .fixed_bodies = 2,
       .make = make_two_body,
       .story = {.radius = 0.7, .key = ViewAngles{.yaw = -90, .pitch = 90}},
       .trails = true}};
}

}  // namespace pericenter

#include "app/view/scene_path.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include "sim/scenes/model/orbit.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {
namespace {

// Moments of other encounters, as fractions of the highlight time.
constexpr double kPassageShare = 0.65, kMergerShare = 2.2;

/// A view relative to the scene: angles in degrees, distance in radii of the scene as Camera::fit() uses them.
struct Shot {
  double time = 0;
  ViewAngles angles;
  float reach = 1;
};

constexpr ViewAngles kTails = {-60, 62};
constexpr double kGalaxyShotTime = 14;  // time units of a disc: about a turn at two scale lengths

/// By how much a changed orbit takes longer to the pericentre than that of the scene.
double stretch_of(const SceneInfo& scene, const SessionState& state) {
  const Encounter& own = *scene.encounter;
  const Encounter now = state.scene_request.encounter.value_or(own);
  try {
    const double before = time_to_pericenter(own.orbit, 1 + own.mass_ratio);
    const double after = time_to_pericenter(now.orbit, 1 + now.mass_ratio);
    return before > 0 && after > 0 ? after / before : 1;
  } catch (const std::invalid_argument&) {
    return 1;
  }
}

EncounterMoments moments_of(const SceneInfo& scene, const SessionState& state) {
  if (scene.moments.merger > 0) return scene.moments;
  const double tails = state.highlight_time;
  const Encounter now = state.scene_request.encounter.value_or(*scene.encounter);
  const bool are_points = scene.group == SceneGroup::restricted;
  const double passage = are_points ? time_to_pericenter(now.orbit, 1 + now.mass_ratio) : kPassageShare * tails;
  return {passage, kMergerShare * tails};
}

/// Longitude of a camera that sees the galaxies side by side when the second one is at the true anomaly `angle`: of the
/// two, that which is nearer to `yaw`. Degrees.
double beside(double angle, double yaw) {
  const double one = angle + 90, other = angle - 90;
  const auto apart = [&](double place) { return std::abs(std::remainder(place - yaw, 360)); };
  return apart(one) <= apart(other) ? one : other;
}

/// True anomaly at the start, in degrees; pericentre is at 0 and the galaxies come in from negative angles.
double first_anomaly(const EncounterOrbit& orbit) {
  if (!(orbit.eccentricity > 0)) return 0;
  const double cosine = (orbit.pericenter * (1 + orbit.eccentricity) / orbit.separation - 1) / orbit.eccentricity;
  return -180 / std::numbers::pi * std::acos(std::clamp(cosine, -1.0, 1.0));
}

std::vector<Shot> encounter_shots(const SceneInfo& scene, const SessionState& state) {
  const Encounter now = state.scene_request.encounter.value_or(*scene.encounter);
  const EncounterMoments moments = moments_of(scene, state);
  const double stretch = scene.group == SceneGroup::restricted ? 1 : stretch_of(scene, state);
  const double tails = stretch * state.highlight_time, merger = stretch * moments.merger;
  const ViewAngles best = state.angles.value_or(kTails);
  const double passage_yaw = beside(0, best.yaw), low = best.pitch < 0 ? -16 : 16;
  return {{0, {beside(first_anomaly(now.orbit), passage_yaw), best.pitch < 0 ? -38.0 : 38.0}, 1.12f},
          {stretch * moments.passage, {passage_yaw, low}, 0.66f},
          {tails, best, 1.08f},
          {std::lerp(tails, merger, 0.45), {best.yaw + 22, std::midpoint(best.pitch, low)}, 1.3f},
          {merger, {best.yaw + 55, 1.6 * low}, 0.72f}};
}

std::vector<Shot> galaxy_shots(const SessionState& state) {
  const ViewAngles best = state.angles.value_or(ViewAngles{-72, 30});
  const double step = kGalaxyShotTime;
  return {{0, best, 1},
          {step, {best.yaw + 35, 72}, 0.8f},
          {2 * step, {best.yaw + 75, 4}, 0.7f},
          {3 * step, {best.yaw + 120, 35}, 0.9f}};
}

}  // namespace

std::vector<CameraKey> scene_path(const SessionState& state) {
  const SceneInfo* scene = state.file.empty() ? find_scene(state.scene) : nullptr;
  if (!scene || state.config.dimension == 2) return {};
  std::vector<Shot> shots;
  if (scene->encounter && state.highlight_time > 0) shots = encounter_shots(*scene, state);
  if (!scene->encounter && scene->group == SceneGroup::galaxies) shots = galaxy_shots(state);
  render::Camera camera;
  camera.fit(static_cast<float>(state.view_radius));
  std::vector<CameraKey> path;
  for (const Shot& shot : shots) {
    if (!path.empty() && shot.time <= path.back().time) continue;
    path.push_back({shot.time,
                    {.yaw = glm::radians(static_cast<float>(shot.angles.yaw)),
                     .pitch = glm::radians(static_cast<float>(shot.angles.pitch)),
                     .distance = shot.reach * camera.fitted_distance()}});
  }
  return path;
}

}  // namespace pericenter::app

#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "sim/scenes/registry.h"

namespace pericenter {

/// Mass and size of a galaxy at the start.
struct GalaxyOutline {
  double mass = 0;
  double radius = 0;       ///< radius of the sphere that contains 90 % of the mass
  double disc_radius = 0;  ///< radius that contains 90 % of the disc's bodies; 0: no disc
};

/// Positions of the two galaxies at a time: medians of the coordinates of their stars.
struct ForecastPoint {
  double time = 0;
  std::array<Vec3, 2> centers;

  Vec3 separation() const { return centers[1] - centers[0]; }
};

/// The predicted first passage of two galaxies.
struct EncounterForecast {
  std::array<GalaxyOutline, 2> galaxies;
  std::vector<ForecastPoint> points;  ///< sorted by time, from 0; never empty
  std::size_t nearest = 0;            ///< index of the first pericentre; the last point if there is none
  double distance = 0, speed = 0;     ///< separation and relative speed at pericentre
  double pericenter_time = 0;
  double energy = 0;                   ///< energy of the initial relative motion of rigid galaxies; negative: bound
  std::optional<double> overlap_time;  ///< time when the spheres of GalaxyOutline::radius touch, if before pericentre
};

/// Distance of the galaxies at a time.
struct SeparationPoint {
  double time = 0, separation = 0;
};
/// The forecast as a curve over the time of the scene, which starts at 0.
std::vector<SeparationPoint> separation_curve(const EncounterForecast& forecast);

/// Simulates an encounter with few bodies until twice the time of the first pericentre. A simulation is necessary,
/// because extended galaxies do not move on conics: they attract each other less than points do, and the discs move
/// ahead of their halos. Takes about a second. request.bodies is ignored. Throws what SceneInfo::make throws, and
/// SceneCancelled if request.progress cancels.
EncounterForecast forecast(const SceneInfo& scene, SceneRequest request);

}  // namespace pericenter

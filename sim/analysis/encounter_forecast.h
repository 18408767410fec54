#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "sim/scenes/registry.h"

namespace pericenter {

/// What is to be known of a galaxy before it moves.
struct GalaxyOutline {
  double mass = 0;
  double reach = 0;        ///< radius of the sphere that holds nine tenths of the mass
  double disc_radius = 0;  ///< of the sphere that holds nine tenths of its disc's bodies; 0: it has no disc
};

/// Where the middles of the two galaxies are: half of the stars of a galaxy are on either side of its middle.
struct ForecastPoint {
  double time = 0;
  std::array<Vec3, 2> middles;

  Vec3 apart() const { return middles[1] - middles[0]; }
};

/// How two galaxies will pass each other.
struct EncounterForecast {
  std::array<GalaxyOutline, 2> galaxies;
  std::vector<ForecastPoint> points;  ///< never empty; in the order of time, which begins at 0
  std::size_t nearest = 0;            ///< the point of the first pericentre; the last when they never come to it
  double distance = 0, speed = 0;     ///< at the pericentre, relative to each other
  double pericenter_time = 0;
  double energy = 0;                   ///< of the relative motion at the start, as if rigid; below 0 they are bound
  std::optional<double> overlap_time;  ///< when the spheres of their reach touch, if that is before the pericentre
};

/// Tries an encounter out: makes the scene with few bodies and follows it through the first pericentre, for as long
/// again. Extended galaxies do not move on conics, for they attract each other less than points do, and their discs
/// hurry ahead of their halos; no formula knows both. Takes about a second; `request.progress` may cancel it, whose
/// number of bodies does not matter. Throws what the maker of the scene throws, and SceneCancelled.
EncounterForecast forecast(const SceneInfo& scene, SceneRequest request);

}  // namespace pericenter

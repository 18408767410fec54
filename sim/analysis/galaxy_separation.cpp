#include "sim/analysis/galaxy_separation.h"

#include <array>
#include <vector>

namespace pericenter {

std::optional<double> galaxy_separation(const Bodies& bodies) {
  struct Moments {
    double mass = 0;
    Vec3 weighted;
  };
  std::array<Moments, 1u << kTagGalaxyBits> galaxies;
  for (const Body& body : bodies) {
    Moments& galaxy = galaxies[galaxy_of(body.tag)];
    galaxy.mass += body.mass;
    galaxy.weighted += body.position * body.mass;
  }
  std::vector<Vec3> centres;
  for (const Moments& galaxy : galaxies) {
    if (galaxy.mass > 0) centres.push_back(galaxy.weighted * (1 / galaxy.mass));
  }
  if (centres.size() < 2) return std::nullopt;
  return length(centres[1] - centres[0]);
}

}  // namespace pericenter

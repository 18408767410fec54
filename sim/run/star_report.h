#pragma once

#include <cstdint>
#include <vector>

#include "sim/analysis/structure.h"
#include "sim/core/bodies.h"

namespace pericenter {

/// Stars that are followed, and whether the nuclei are.
struct TrackedStars {
  std::vector<std::uint32_t> bodies;
  bool nuclei = false;

  friend bool operator==(const TrackedStars&, const TrackedStars&) = default;
};

/// Selected stars and the nuclei of the first two galaxies at one time, in scene units.
struct StarReport {
  struct Star {
    std::uint32_t index = 0;  ///< index in Simulation::bodies()
    Body body;
  };

  double time = 0;
  std::vector<Star> stars;      ///< those that were asked for and exist
  std::vector<Nucleus> nuclei;  ///< sorted by galaxy
  bool has_velocities = true;   ///< false: a playback of files that have none

  const Body* star(std::uint32_t index) const {
    for (const Star& star : stars)
      if (star.index == index) return &star.body;
    return nullptr;
  }
};

}  // namespace pericenter

#pragma once

#include <cstddef>
#include <vector>

#include "sim/core/bodies.h"

namespace pericenter {

/// The ellipse on which a body would move if it and a much heavier one were alone. Its points, relative to the heavy
/// body, are center + major cos E + minor sin E.
struct OsculatingOrbit {
  std::size_t body = 0, around = 0;  ///< indices
  Vec3 center, major, minor;         ///< scene units
};

/// The ellipses of bodies that are bound to the heaviest one, if that has most of the mass; without softening. Of more
/// than BodySample::kFirst bodies `all`, those of asteroids are left out: a body counts from a ten-millionth of the
/// heaviest mass on, as the Earth's Moon and Mercury do.
std::vector<OsculatingOrbit> osculating_orbits(const Bodies& first, std::size_t all, double gravity);

}  // namespace pericenter

#pragma once

#include "sim/core/bodies.h"
#include "sim/scenes/registry.h"

namespace pericenter {

inline constexpr double kJ2000 = 2451545;  ///< Julian date of 1 January 2000, 12 h

/// Days in which 1 / (2 pi) of a circular orbit of 1 AU about the sun passes: the unit of time when G = 1, the sun
/// weighs 1, and lengths are in AU. From Gauss's constant 0.01720209895.
inline constexpr double kSolarDays = 1 / 0.01720209895;

/// AU, suns, and the time above.
Units solar_units();

/// The sun and the eight planets (the earth with its moon) about the sun at a Julian date, in solar units and the
/// ecliptic of J2000: from the mean elements of Standish and Williams 1992 (JPL's "Approximate Positions of the
/// Planets", table 1), which are good to some arc minutes from 1800 to 2050. In dimension 2 their orbits have no tilt.
/// Tags: galaxy 0, component other.
Bodies sun_and_planets(double julian_date, int dimension = 3);

}  // namespace pericenter

#pragma once

#include <cstddef>
#include <functional>

#include "sim/core/bodies.h"
#include "sim/scenes/registry.h"

namespace pericenter {

inline constexpr double kJ2000 = 2451545;  ///< Julian date of 1 January 2000, 12 h

/// Unit of time in days if G = 1, the Sun's mass is 1 and lengths are in AU: 1 / (2 pi) of the period of a circular
/// orbit at 1 AU. From Gauss's constant 0.01720209895.
inline constexpr double kSolarDays = 1 / 0.01720209895;

/// AU, solar masses and the unit of time above.
Units solar_units();

/// The bodies of sun_and_planets().
inline constexpr std::size_t kSunAndPlanets = 9;

/// The Sun and the eight planets (the Earth including the Moon) relative to the Sun at a Julian date, in solar units
/// and the ecliptic of J2000, from the mean elements of Standish and Williams 1992 (JPL's "Approximate Positions of the
/// Planets", table 1), accurate to some arc minutes from 1800 to 2050. In dimension 2 inclinations are 0. Tags: galaxy
/// 0, component other.
Bodies sun_and_planets(double julian_date, int dimension = 3);

/// A scene of the Sun and the planets at J2000 and, for the rest of the requested bodies, small_body(0), small_body(1)
/// ..., relative to the Sun; called on all threads. The centre of mass is at rest at the origin.
Scene solar_scene(const SceneRequest& request, double dt, const std::function<Body(std::size_t)>& small_body);

}  // namespace pericenter

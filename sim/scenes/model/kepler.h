#pragma once

#include <optional>

#include "sim/scenes/model/encounter.h"

namespace pericenter {

/// Where a body is on its orbit about a much heavier one: any conic, by its pericentre, which a parabola has too.
struct KeplerOrbit {
  double pericenter = 1;           ///< distance q
  double eccentricity = 0;         ///< 0 or more; 1 is a parabola
  double inclination = 0;          ///< of its plane to z = 0, radians
  double node = 0;                 ///< longitude of the ascending node from +x, radians
  double pericenter_argument = 0;  ///< from the node to the pericentre, radians
  double time = 0;                 ///< since the pericentre
};

/// Position and velocity about a mass with the gravitational parameter `mu` (G times both masses), for any
/// eccentricity, to some 1e-13: by universal variables counted from the pericentre (Stumpff 1959; Danby 1988,
/// Fundamentals of Celestial Mechanics, chapter 6), so that nothing happens near e = 1.
RelativeState kepler_state(const KeplerOrbit& orbit, double mu);

/// Time since the pericentre of an ellipse or a hyperbola whose mean anomaly is given, in radians.
double time_of_mean_anomaly(double mean_anomaly, double pericenter, double eccentricity, double mu);

/// What is known of a small body, from which its mass can be estimated.
struct SmallBody {
  std::optional<double> diameter_km, absolute_magnitude, albedo;
};

/// Mass in kg of a ball of the diameter D = 1329 km / sqrt(albedo) 10^(-H/5) (Pravec and Harris 2007,
/// 10.1016/j.icarus.2007.02.023), of the density that goes with its albedo (Krasinsky et al. 2002,
/// 10.1006/icar.2002.6837). An unknown albedo is taken as 0.14; nullopt when neither diameter nor H is known.
std::optional<double> estimated_mass_kg(const SmallBody& body);

}  // namespace pericenter

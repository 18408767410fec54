#pragma once

#include <optional>

#include "sim/scenes/model/encounter.h"

namespace pericenter {

/// A Kepler orbit of any eccentricity, with the pericentre distance, which also defines a parabola, and the time.
struct KeplerOrbit {
  double pericenter = 1;           ///< distance q
  double eccentricity = 0;         ///< 0 or more; 1 is a parabola
  double inclination = 0;          ///< inclination of its plane to z = 0, radians
  double node = 0;                 ///< longitude of the ascending node from +x, radians
  double pericenter_argument = 0;  ///< angle from the node to the pericentre, radians
  double time = 0;                 ///< time since pericentre
};

/// Relative position and velocity for the gravitational parameter `mu` (G times both masses), accurate to about 1e-13
/// for any eccentricity. Uses universal variables from the pericentre (Stumpff 1959; Danby 1988, Fundamentals of
/// Celestial Mechanics, chapter 6), which have no singularity at e = 1.
RelativeState kepler_state(const KeplerOrbit& orbit, double mu);

/// Time since pericentre on an ellipse or a hyperbola for a mean anomaly in radians.
double time_of_mean_anomaly(double mean_anomaly, double pericenter, double eccentricity, double mu);

/// Measured properties of a small body, for an estimate of its mass.
struct SmallBody {
  std::optional<double> diameter_km, absolute_magnitude, albedo;
};

/// Mass in kg of a sphere of the measured diameter or of D = 1329 km / sqrt(albedo) 10^(-H/5) (Pravec and Harris 2007,
/// doi:10.1016/j.icarus.2007.02.023), with a density that depends on the albedo (Krasinsky et al. 2002,
/// doi:10.1006/icar.2002.6837). An unknown albedo is assumed to be 0.14; nullopt if neither diameter nor H is known.
std::optional<double> estimated_mass_kg(const SmallBody& body);

}  // namespace pericenter

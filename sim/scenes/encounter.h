#pragma once

#include <span>

#include "sim/bodies.h"

namespace pericenter {

/// Relative orbit of two point masses (G = 1) at a chosen separation before the pericentre.
struct EncounterOrbit {
  double pericenter = 4;
  double eccentricity = 1;  ///< 1: parabola
  double separation = 30;   ///< at the start; at least `pericenter`

  friend bool operator==(const EncounterOrbit&, const EncounterOrbit&) = default;
};

/// Position and velocity of the second body relative to the first.
struct RelativeState {
  Vec3 position;
  Vec3 velocity;
};

/// Inbound state on the orbit: counter-clockwise in the plane z = 0, pericentre on +x. With a pericentre of 0 they fall
/// straight at each other, from -x and as fast as on a parabola, whatever the eccentricity. Throws
/// std::invalid_argument when the orbit never has this separation.
RelativeState relative_state(const EncounterOrbit& orbit, double total_mass);

/// How a disc is tilted against the orbit (Toomre and Toomre 1972, 10.1086/151823), in degrees.
struct DiscOrientation {
  double inclination = 0;          ///< to the plane of the orbit; above 90 the disc spins against it
  double pericenter_argument = 0;  ///< from the node, where the companion crosses the disc upwards, to pericentre

  friend bool operator==(const DiscOrientation&, const DiscOrientation&) = default;
};

/// Unit vector of the disc's spin. For the second galaxy the pericentre lies on -x of it.
Vec3 spin_axis(const DiscOrientation& orientation, bool second);

/// Turns bodies that spin about +z so that they spin about the unit vector `spin`.
void turn(std::span<Body> bodies, const Vec3& spin);

/// Adds a position and a velocity to all bodies.
void shift(std::span<Body> bodies, const Vec3& position, const Vec3& velocity);

/// Multiplies all positions and all velocities.
void scale(std::span<Body> bodies, double length, double speed);

/// Softened potential energy between two groups of bodies, the second displaced by `offset`; from a sample of each, so
/// it is quick for any number. Negative.
double mutual_energy(std::span<const Body> first, std::span<const Body> second, const Vec3& offset, double softening);

/// Two galaxies on their way to each other.
struct Encounter {
  EncounterOrbit orbit;
  DiscOrientation first, second;
  /// Share of the speed that would put the extended galaxies on the orbit; below 1 they merge sooner.
  double speed_factor = 1;
  /// Mass of the second galaxy over that of the first; its lengths go as the root, which keeps surface densities equal.
  double mass_ratio = 1;

  friend bool operator==(const Encounter&, const Encounter&) = default;
};

/// The forces that the galaxies will move under.
struct EncounterForces {
  double softening = 0;
  int dimension = 3;
};

/// Turns two galaxies that lie at rest about the origin and sets them on their orbit about the common centre of mass.
/// In dimension 2 a disc stays in the plane whatever its tilt; only the sense of its spin is left.
void arrange(std::span<Body> first, std::span<Body> second, const Encounter& encounter, const EncounterForces& forces);

}  // namespace pericenter

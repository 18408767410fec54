#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "sim/core/bodies.h"
#include "sim/core/host_device.h"

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

/// Where a galaxy is put that was made about the origin, spinning about +z; for CPU and CUDA.
struct Placement {
  Vec3 stretch = {1, 1, 1};                          ///< that positions are multiplied by, before they are turned
  Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};  ///< where x, y and z go
  Vec3 position, velocity;                           ///< that are added

  PERICENTER_BOTH Vec3 rotated(const Vec3& v) const { return axes[0] * v[0] + axes[1] * v[1] + axes[2] * v[2]; }
  PERICENTER_BOTH Body operator()(Body body) const {
    for (int k = 0; k < 3; ++k) body.position[k] *= stretch[k];
    body.position = rotated(body.position) + position;
    body.velocity = rotated(body.velocity) + velocity;
    return body;
  }
};

/// That of a body which spins about +z and shall spin about the unit vector `spin`.
Placement rotation_to(const Vec3& spin);

void place(std::span<Body> bodies, const Placement& placement);

/// Adds a position and a velocity to all bodies.
void shift(std::span<Body> bodies, const Vec3& position, const Vec3& velocity);

/// Multiplies all positions and all velocities.
void scale(std::span<Body> bodies, double length, double speed);

struct PointMass {
  Vec3 position;
  double mass = 0;
};

/// A galaxy where no more than its pull is asked for: some thousands of its bodies, with the mass of all.
class PointGalaxy {
 public:
  explicit PointGalaxy(std::span<const Body> bodies);
  /// Of `count` bodies that are made one by one and have this mass in all.
  PointGalaxy(std::size_t count, double mass, const std::function<Body(std::size_t)>& body);

  double mass() const { return mass_; }
  std::span<const PointMass> points() const { return points_; }
  void place(const Placement& placement);

 private:
  double mass_;
  std::vector<PointMass> points_;
};

/// Softened potential energy between two galaxies, the second displaced by `offset`. Negative.
double mutual_energy(const PointGalaxy& first, const PointGalaxy& second, const Vec3& offset, double softening);

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

/// What turns two galaxies that lie at rest about the origin and sets them on their orbit about the common centre of
/// mass. In dimension 2 a disc stays in the plane whatever its tilt; only the sense of its spin is left.
std::array<Placement, 2> placements(PointGalaxy first, PointGalaxy second, const Encounter& encounter,
                                    const EncounterForces& forces);
/// Does so.
void arrange(std::span<Body> first, std::span<Body> second, const Encounter& encounter, const EncounterForces& forces);

}  // namespace pericenter

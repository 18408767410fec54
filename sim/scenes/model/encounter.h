#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "sim/core/bodies.h"
#include "sim/core/host_device.h"
#include "sim/scenes/registry.h"

namespace pericenter {

/// Position and velocity of the second body relative to the first.
struct RelativeState {
  Vec3 position;
  Vec3 velocity;
};

/// Inbound state on the orbit: counter-clockwise in the plane z = 0, pericentre on +x. With a pericentre of 0 the
/// bodies fall radially towards each other from -x, at the speed of a parabola for any eccentricity. Throws
/// std::invalid_argument if the orbit never reaches this separation.
RelativeState relative_state(const EncounterOrbit& orbit, double total_mass);

/// Unit vector of the disc's spin. For the second galaxy the pericentre is in its direction -x.
Vec3 spin_axis(const DiscOrientation& orientation, bool second);

/// The disc in the same plane, rotating the other way round: prograde becomes retrograde.
constexpr DiscOrientation reversed(const DiscOrientation& disc) {
  const bool in_plane = disc.inclination == 0 || disc.inclination == 180;  // without nodes
  const double turn = in_plane ? 0 : disc.pericenter_argument > 0 ? -180 : 180;
  return {180 - disc.inclination, disc.pericenter_argument + turn};
}

/// Transformation of a galaxy created at the origin with its spin along +z; for CPU and CUDA.
struct Placement {
  Vec3 stretch = {1, 1, 1};                          ///< factors for positions, applied before the rotation
  Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};  ///< images of the axes x, y and z
  Vec3 position, velocity;                           ///< offsets

  PERICENTER_HOST_DEVICE Vec3 rotated(const Vec3& v) const { return axes[0] * v[0] + axes[1] * v[1] + axes[2] * v[2]; }
  PERICENTER_HOST_DEVICE Body operator()(Body body) const {
    for (int k = 0; k < 3; ++k) body.position[k] *= stretch[k];
    body.position = rotated(body.position) + position;
    body.velocity = rotated(body.velocity) + velocity;
    return body;
  }
};

/// The rotation that turns a spin along +z to the unit vector `spin`.
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

/// A coarse model of a galaxy for its gravity: some thousands of its bodies, rescaled to the total mass.
class PointGalaxy {
 public:
  explicit PointGalaxy(std::span<const Body> bodies);
  /// From `count` bodies body(i) with this total mass.
  PointGalaxy(std::size_t count, double mass, const std::function<Body(std::size_t)>& body);

  double mass() const { return mass_; }
  std::span<const PointMass> points() const { return points_; }
  void place(const Placement& placement);

 private:
  double mass_;
  std::vector<PointMass> points_;
};

/// Softened mutual potential energy of two galaxies, the second displaced by `offset`. Negative.
double mutual_energy(const PointGalaxy& first, const PointGalaxy& second, const Vec3& offset, double softening);

/// The force law under which the galaxies will move.
struct EncounterForces {
  double softening = 0;
  int dimension = 3;
};

/// Placements that turn two galaxies at rest at the origin and put them on their orbit around the common centre of
/// mass. In dimension 2 discs stay in the plane; only the sense of the spin is used.
std::array<Placement, 2> placements(PointGalaxy first, PointGalaxy second, const Encounter& encounter,
                                    const EncounterForces& forces);
/// Applies placements().
void arrange(std::span<Body> first, std::span<Body> second, const Encounter& encounter, const EncounterForces& forces);

}  // namespace pericenter

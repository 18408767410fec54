#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/bodies.h"
#include "sim/scenes/disc.h"
#include "sim/scenes/registry.h"
#include "sim/scenes/scene_progress.h"
#include "sim/scenes/spheroid.h"

namespace pericenter {

class Random;

/// Physical size of the units in which a disc has M = R_d = 1 and G = 1: R_d = 3.5 kpc and M = 5e10 solar masses.
inline constexpr Units kDiscUnits = {3.5, 13.8, 247.9};

/// A disc in a bulge and a dark halo, in disc units. The default resembles the Milky Way: 190 km/s at the Sun's radius
/// (masses and scales as in galstep and in Springel, Di Matteo and Hernquist 2005, 10.1111/j.1365-2966.2005.09238.x).
struct GalaxyModel {
  DiscModel disc = {};
  HernquistModel bulge = {0.2, 0.43, 20};
  HernquistModel halo = {20, 13.4, 80};
};

/// How many bodies of a galaxy belong to each component, and what one of them weighs.
struct GalaxyShares {
  std::size_t disc = 0, bulge = 0, halo = 0;
  double disc_body = 0, bulge_body = 0, halo_body = 0;
};

/// A galaxy ready to be drawn any number of times: its tables depend on softening and dimension, not on the bodies.
///
/// It is in equilibrium under forces with that softening. In dimension 2 everything lies projected on the plane z = 0,
/// with velocities that suit the forces there.
class Galaxy {
 public:
  Galaxy(const GalaxyModel& model, double softening, int dimension);

  /// Fills all of `bodies`, about the origin, spinning about +z. Bodies come in pairs (x, v) and (-x, -v), so momentum
  /// and centre of mass are exactly 0; an odd one, the last, rests at the centre. `home` is the galaxy in their tags.
  void fill(std::span<Body> bodies, std::uint64_t seed, std::uint32_t home, SceneProgress& progress) const;

  /// As many disc bodies as possible with halo bodies of at most ten times their mass: heavier ones would heat the disc
  /// (McMillan and Dehnen 2007, 10.1111/j.1365-2966.2007.11753.x). Each count is even, but that of the bulge when
  /// `bodies` is odd. A component without bodies leaves its mass to another.
  GalaxyShares shares(std::size_t bodies) const;

  double mass() const { return 1 + bulge_.mass() + halo_.mass(); }
  const Disc& disc() const { return disc_; }

 private:
  struct Gravity {
    Gravity(const GalaxyModel& model, double softening, int dimension);
    ShellGravity spheroids;
    std::vector<double> total_potential;  ///< at radial_grid()
  };
  Galaxy(const GalaxyModel& model, const Gravity& gravity, double softening);

  Body disc_body(double share, Random& random) const;
  Body spheroid_body(const Spheroid& spheroid, double share, Random& random) const;

  int dimension_;
  Disc disc_;
  Spheroid bulge_, halo_;
};

}  // namespace pericenter

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/scenes/model/disc.h"
#include "sim/scenes/model/galaxy_sampler.h"
#include "sim/scenes/model/spheroid.h"
#include "sim/scenes/registry.h"

namespace pericenter {

/// Physical size of the units in which a disc has M = R_d = 1 and G = 1: R_d = 3.5 kpc and M = 5e10 solar masses.
inline constexpr Units kDiscUnits = {3.5, 13.8, 247.9};

/// A disc in a bulge and a dark halo, in disc units. The default resembles the Milky Way: 190 km/s at the Sun's radius
/// (masses and scales as in galstep and in Springel, Di Matteo and Hernquist 2005, 10.1111/j.1365-2966.2005.09238.x).
/// A component of mass 0 is missing; one at least must not be.
struct GalaxyModel {
  DiscModel disc = {};
  SphereModel bulge = {0.2, 0.43, 20};
  SphereModel halo = {20, 13.4, 80};

  friend bool operator==(const GalaxyModel&, const GalaxyModel&) = default;
};

/// A lone sphere, as a galaxy: its bodies are those of a bulge.
constexpr GalaxyModel lone_sphere(const SphereModel& sphere) {
  return {.disc = {.mass = 0}, .bulge = sphere, .halo = {.mass = 0}};
}

/// Mass of all components, with their cuts.
double mass_of(const GalaxyModel& model);

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
  Galaxy(const GalaxyModel& model, double softening, int dimension, const GalaxySize& size = {});

  /// So many bodies about the origin, spinning about +z. `galaxy` is the galaxy in their tags.
  GalaxySampler sampler(std::size_t bodies, std::uint64_t seed, std::uint32_t galaxy) const;

  /// As many disc bodies as possible with halo bodies of at most ten times their mass: heavier ones would heat the disc
  /// (McMillan and Dehnen 2007, 10.1111/j.1365-2966.2007.11753.x). Each count is even, but that of the bulge when
  /// `bodies` is odd (without a bulge that of the halo, else of the disc). A component without bodies leaves its mass
  /// to another.
  GalaxyShares shares(std::size_t bodies) const;

  double mass() const { return size_.mass * (disc_.mass() + bulge_.mass() + halo_.mass()); }
  /// What its number of bodies should be proportional to where several galaxies share bodies: then a body of one
  /// component weighs the same in all of them.
  double weight() const { return size_.mass * (disc_.mass() + bulge_.mass() + halo_.mass() / kHeaviestHaloBody); }
  const Disc& disc() const { return disc_; }  ///< before it is resized

 private:
  static constexpr double kHeaviestHaloBody = 10;  ///< in disc bodies

  struct Gravity {
    Gravity(const GalaxyModel& model, double softening, int dimension);
    ShellGravity spheroids;
    std::vector<double> total_potential;  ///< at radial_grid()
  };
  Galaxy(const GalaxyModel& model, const Gravity& gravity, double softening, const GalaxySize& size);

  int dimension_;
  GalaxySize size_;
  Disc disc_;
  Spheroid bulge_, halo_;
};

}  // namespace pericenter

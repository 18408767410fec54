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
/// (masses and scales as in galstep and in Springel, Di Matteo and Hernquist 2005,
/// doi:10.1111/j.1365-2966.2005.09238.x). A component of mass 0 is omitted; at least one is required.
struct GalaxyModel {
  DiscModel disc = {};
  SphereModel bulge = {0.2, 0.43, 20};
  SphereModel halo = {20, 13.4, 80};
  /// Whether bodies are spread evenly over space and velocities, so that few show what many do (a quiet start: Sellwood
  /// 1983, doi:10.1016/0021-9991(83)90048-8), or at random.
  bool even = true;

  friend bool operator==(const GalaxyModel&, const GalaxyModel&) = default;
};

/// A single sphere as a galaxy; its bodies are tagged as bulge.
constexpr GalaxyModel lone_sphere(const SphereModel& sphere) {
  return {.disc = {.mass = 0}, .bulge = sphere, .halo = {.mass = 0}};
}

/// Total mass of the truncated components.
double mass_of(const GalaxyModel& model);

/// Number of bodies per component, and mass per body.
struct GalaxyShares {
  std::size_t disc = 0, bulge = 0, halo = 0;
  double disc_body = 0, bulge_body = 0, halo_body = 0;
};

/// A galaxy in equilibrium under forces with a given softening. Its tables do not depend on the number of bodies, so
/// samples of any size can be drawn. In dimension 2 it is projected on the plane z = 0, with velocities in equilibrium
/// with the forces there.
class Galaxy {
 public:
  /// Throws std::invalid_argument if the arms are impossible.
  Galaxy(const GalaxyModel& model, double softening, int dimension, const GalaxySize& size = {});

  /// Samples `bodies` bodies around the origin with spin along +z. `galaxy` is the index in their tags. The seed also
  /// decides in which direction the arms start. `largest_disc`: bodies of the largest disc of the scene; 0: this one.
  GalaxySampler sampler(std::size_t bodies, std::uint64_t seed, std::uint32_t galaxy,
                        std::size_t largest_disc = 0) const;

  /// The most disc bodies for which halo bodies have at most ten times their mass: heavier ones would heat the disc
  /// (McMillan and Dehnen 2007, doi:10.1111/j.1365-2966.2007.11753.x). Each count is even; an odd body belongs to the
  /// bulge (without a bulge to the halo, else to the disc). The mass of a component without bodies goes to another one.
  GalaxyShares shares(std::size_t bodies) const;

  double mass() const { return size_.mass * (disc_.mass() + bulge_.mass() + halo_.mass()); }
  /// Weight for distributing bodies over several galaxies so that bodies of one component have equal mass in all of
  /// them.
  double weight() const { return size_.mass * (disc_.mass() + bulge_.mass() + halo_.mass() / kMaxHaloBodyMass); }
  const Disc& disc() const { return disc_; }  ///< the disc before resizing

 private:
  static constexpr double kMaxHaloBodyMass = 10;  ///< limit in masses of a disc body

  struct Gravity {
    Gravity(const GalaxyModel& model, double softening, int dimension);
    ShellGravity spheroids;
    std::vector<double> total_potential;  ///< potential at radial_grid()
  };
  Galaxy(const GalaxyModel& model, const Gravity& gravity, double softening, const GalaxySize& size);

  int dimension_;
  GalaxySize size_;
  bool even_;
  Disc disc_;
  Spheroid bulge_, halo_;
};

}  // namespace pericenter

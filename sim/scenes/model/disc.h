#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "sim/core/bodies.h"
#include "sim/core/host_device.h"
#include "sim/scenes/model/arms.h"
#include "sim/scenes/model/interpolation_table.h"
#include "sim/scenes/model/spheroid.h"

namespace pericenter {

/// Disc Sigma = M / (2 pi R_d^2) exp(-R/R_d) sech^2(z/z0) / (2 z0). Its scale length is the unit: R_d = 1.
struct DiscModel {
  double mass = 1;        ///< 0: no disc
  double height = 0.2;    ///< z0
  double toomre_q = 1.5;  ///< Toomre's Q at reference_radius
  double reference_radius = 2.43;
  ArmsModel arms = {};

  friend bool operator==(const DiscModel&, const DiscModel&) = default;
};

/// Density of the sphere that represents a disc of mass 1 in ShellGravity: in three dimensions the disc's mass averaged
/// over all directions, in two the sphere whose projection is the disc (Abel inversion).
double disc_sphere_density(double r, int dimension);

/// Softened gravity in the plane of a disc of mass 1, averaged over the thickness of both sources and targets.
///
/// A term of wave number k falls with the distance d between two sheets as exp(-k sqrt(d^2 + softening^2)); with
/// neither height nor softening the disc is Freeman's (Freeman 1970, doi:10.1086/150474).
class DiscGravity {
 public:
  DiscGravity(double height, double softening);

  double circular_speed_squared(double r) const;

 private:
  std::vector<double> weights_;  ///< weights of J1(k R) in the Hankel integral, at equidistant k
};

/// Surface density of a disc of mass 1.
PERICENTER_HOST_DEVICE inline double unit_surface_density(double r) {
  return std::exp(-r) / (2 * std::numbers::pi);
}
/// Radial profile of the radial velocity dispersion; finite at the centre (Hernquist 1993, doi:10.1086/191784).
PERICENTER_HOST_DEVICE inline double disc_sigma_profile(double r) {
  return std::exp(-0.5 * std::sqrt(r * r + 2 * 0.25 * 0.25));
}

/// The tables of a Disc from which bodies are sampled, for CPU and CUDA.
struct DiscView {
  double mass = 0;
  double height = 0;
  double central_sigma = 0;  ///< radial dispersion at the centre, from Toomre's Q
  TableView radius;          ///< distance from the axis as a function of the enclosed mass fraction in (0, 1)
  TableView circular_speed;
  TableView epicyclic_ratio;  ///< kappa^2 / (4 Omega^2)
  ArmsView arms;
  double dust_energy = kColdEnergy;  ///< maximum vertical energy of a body with dust, in units of sigma_vertical^2

  struct Velocities {
    double mean_azimuthal = 0;
    double sigma_radial = 0, sigma_azimuthal = 0, sigma_vertical = 0;
  };
  PERICENTER_HOST_DEVICE Velocities velocities(double r) const {
    const double ratio = epicyclic_ratio(r), speed = circular_speed(r);
    Velocities result;
    result.sigma_radial = central_sigma * disc_sigma_profile(r);
    result.sigma_azimuthal = result.sigma_radial * std::sqrt(ratio);
    result.sigma_vertical = std::sqrt(std::numbers::pi * mass * unit_surface_density(r) * height);
    const double drift = result.sigma_radial * result.sigma_radial * (1 - ratio - 2 * r);
    result.mean_azimuthal = std::sqrt(std::max(0.0, speed * speed + drift));
    return result;
  }

  /// The tag of a body with its decoration: young stars on the arms, dust on their inner side and close to the plane.
  /// `any_phase`: the phase in a disc without arms. `of_youth` and `of_dust`: random numbers in (0, 1).
  PERICENTER_HOST_DEVICE std::uint32_t decorated(const Body& body, double any_phase, double of_youth,
                                                 double of_dust) const {
    const double x = body.position[0], y = body.position[1], r = std::hypot(x, y);
    const bool on_arms = arms.number > 0;
    const double phase = on_arms ? arms.phase(x, y, r) : any_phase;
    const double association = on_arms ? arms.association(x, y) : 0;
    const double young = ArmsView::young_share(phase, r, association);
    if (of_youth < young) return body.tag | decoration_tag(Decoration::young);
    if (!is_cold(body, r)) return body.tag;
    // One of the two amounts around the mean, at least that of a body with little: all bodies, so that it is smooth.
    const double mean = ArmsView::dust(phase, r, 1 - young);
    std::uint32_t k = 0;
    while (k < 2 && mean >= dust_amount(k + 1)) ++k;
    const double less = dust_amount(k), more = dust_amount(k + 1);
    return with_dust(body.tag, of_dust * (more - less) < mean - less ? k + 1 : k);
  }

  /// Whether the vertical energy in the isothermal sheet is below dust_energy. It is below kColdEnergy for 30 % of the
  /// bodies, whose layer is 0.35 times as high as the disc. In galaxies it is about half as high (Xilouris et al. 1999,
  /// A&A 344, 868).
  PERICENTER_HOST_DEVICE bool is_cold(const Body& body, double r) const {
    if (height == 0) return true;
    const double sigma = velocities(r).sigma_vertical, speed = sigma > 0 ? body.velocity[2] / sigma : 0;
    return 0.5 * speed * speed + 2 * std::log(std::cosh(body.position[2] / height)) < dust_energy;
  }

  static constexpr double kColdEnergy = 0.4;
};

/// Positions and velocities of the bodies of a disc in equilibrium with the gravity of a whole galaxy, by the epicyclic
/// approximation (Hernquist 1993, doi:10.1086/191784) with the softened circular speed of a disc of finite thickness.
class Disc {
 public:
  /// `spheroids`: gravity of all components except the disc. Throws std::invalid_argument if the arms are impossible.
  Disc(const DiscModel& model, const ShellGravity& spheroids, double softening);

  double mass() const { return mass_; }
  double circular_speed(double r) const { return circular_speed_(r); }

  DiscView view() const {
    return {mass_, height_, central_sigma_, radius_.view(), circular_speed_.view(), epicyclic_ratio_.view(), arms_};
  }

 private:
  double mass_;
  double height_;
  double central_sigma_ = 0;
  ArmsView arms_;
  Table radius_;
  Table circular_speed_;
  Table epicyclic_ratio_;
};

}  // namespace pericenter

#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "sim/core/bodies.h"
#include "sim/core/host_device.h"
#include "sim/core/random.h"
#include "sim/scenes/model/interpolation_table.h"
#include "sim/scenes/model/spheroid.h"

namespace pericenter {

/// Trailing logarithmic spiral arms on which the young stars and the dust of a disc start. Decorative: they mark
/// bodies, which move as all others do, so that the rotation winds the arms. The angle at which they start is random.
struct ArmsModel {
  int number = 2;     ///< 0 to kMaxArms; 0: young stars and dust are equally frequent in all directions
  double pitch = 20;  ///< angle between an arm and a circle, degrees: 1 to 90

  friend bool operator==(const ArmsModel&, const ArmsModel&) = default;
};
inline constexpr int kMaxArms = 16;

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

/// The arms of one galaxy, for CPU and CUDA. Lengths in scale lengths of the disc.
struct ArmsView {
  int number = 0;
  double tangent = 1;  ///< tangent of the pitch angle
  double start = 0;    ///< phase of the galaxy, radians

  /// 0 on the middle of an arm of young stars. A multiple of 2 pi is one arm.
  PERICENTER_HOST_DEVICE double phase(double x, double y, double r) const {
    return number * (std::atan2(y, x) + std::log(std::fmax(r, kInnermost)) / tangent) + start;
  }
  /// Share of the bodies at this phase that are young stars: on arms with soft edges, in associations along them.
  PERICENTER_HOST_DEVICE static double young_share(double phase, double r) {
    if (r < kInnermost) return 0;
    const double associations = 1 + kAssociations * std::cos(kPerLogarithm * std::log(r));
    return kBetweenArms + kOnArms * associations * std::exp(kSharpness * (std::cos(phase) - 1));
  }
  /// Share of the cold bodies at this place with dust: everywhere, most in a lane on the inner side of an arm, and more
  /// outside than near the centre.
  PERICENTER_HOST_DEVICE static double dust_share(double phase, double r) {
    const double lane = std::exp(kLaneSharpness * (std::cos(phase + kDustLead) - 1));
    return (kThinDust + (1 - kThinDust) * lane) * std::fmin(0.25 * (1 + r), 1.0);
  }

  static constexpr double kInnermost = 0.5;
  static constexpr double kOnArms = 0.68, kBetweenArms = 0.08;
  static constexpr double kSharpness = 4;  ///< the share is half as high 34 degrees of phase beside an arm
  static constexpr double kAssociations = 0.4, kPerLogarithm = 22;
  static constexpr double kDustLead = 0.8;  ///< phase by which dust is ahead of the young stars
  static constexpr double kThinDust = 0.25, kLaneSharpness = 5;
};

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

  /// Decorative bits of the tag of a body at distance r from the axis: young stars on the arms, dust on their inner
  /// side and close to the plane. `phase` as in ArmsView.
  PERICENTER_HOST_DEVICE std::uint32_t decoration(const Body& body, double r, double phase, Random& random) const {
    const bool young = random.uniform() < ArmsView::young_share(phase, r);
    const bool dust = random.uniform() < ArmsView::dust_share(phase, r);
    return decoration_tag(dust && is_cold(body, r), young);
  }

  /// Whether the vertical energy in the isothermal sheet is below dust_energy. It is below kColdEnergy for about a
  /// sixth of the bodies.
  PERICENTER_HOST_DEVICE bool is_cold(const Body& body, double r) const {
    if (height == 0) return true;
    const double sigma = velocities(r).sigma_vertical, speed = sigma > 0 ? body.velocity[2] / sigma : 0;
    return 0.5 * speed * speed + 2 * std::log(std::cosh(body.position[2] / height)) < dust_energy;
  }

  static constexpr double kColdEnergy = 0.2;
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

#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "sim/core/host_device.h"
#include "sim/scenes/model/interpolation_table.h"

namespace pericenter {

/// Radii of the tables of spheres, evenly spaced in the logarithm.
std::span<const double> radial_grid();

/// Density profile of a sphere with scale length a:
/// Hernquist M a / (2 pi r (r + a)^3) (Hernquist 1990, doi:10.1086/168845),
/// NFW ~ 1 / (r (r + a)^2) (Navarro, Frenk and White 1997, doi:10.1086/304888),
/// Plummer 3 M a^2 / (4 pi (r^2 + a^2)^(5/2)) (Plummer 1911, doi:10.1093/mnras/71.5.460).
enum class SphereProfile { hernquist, nfw, plummer };

/// A sphere with a smooth cutoff, which halves the density at 0.85 of the truncation radius.
/// Units: G = 1.
struct SphereModel {
  double mass = 1;  ///< mass without the cutoff (NFW: within the truncation radius); 0: no sphere
  double scale = 1;
  double truncation = 80;
  SphereProfile profile = SphereProfile::hernquist;

  double density(double r) const;

  friend bool operator==(const SphereModel&, const SphereModel&) = default;
};

/// Masses of the shells between the radii of radial_grid() for this density; [0] includes the centre.
std::vector<double> shell_masses(const std::function<double(double r)>& density);

/// Softened gravity of thin spherical shells between the radii of radial_grid().
///
/// The force of Plummer-softened bodies is averaged exactly over each shell, so a galaxy set up in it is in equilibrium
/// under the force law of the solvers (Barnes 2012, doi:10.1111/j.1365-2966.2012.21462.x). In dimension 2 every shell
/// is projected on the plane z = 0; its potential there is that of a charged conducting disc.
class ShellGravity {
 public:
  ShellGravity(std::vector<double> shell_masses, double softening, int dimension);

  /// Minus the potential, positive.
  double potential(double r) const;
  /// Attraction towards the centre.
  double force(double r) const;
  int dimension() const { return dimension_; }

 private:
  double softened(double distance) const;

  std::vector<double> masses_;
  double softening_;
  int dimension_;
};

/// Phase-space density f(E) of an isotropic component with this density in the potential `potential`, both at
/// radial_grid(); E = potential - v^2/2, and element i belongs to E = potential[i]. In three dimensions it is
/// Eddington's inversion (Binney and Tremaine 2008, section 4.3.1), in two f = (dSigma/dpotential) / 2 pi. Not clamped:
/// a negative value means that no such component exists.
std::vector<double> isotropic_distribution(std::span<const double> density, std::span<const double> potential,
                                           int dimension);

/// The tables of a Spheroid from which bodies are sampled, for CPU and CUDA.
struct SpheroidView {
  static constexpr std::size_t kColumns = 129;
  static constexpr double kInnermost = 1e-3;

  /// Distance from the centre (3D also if dimension is 2) as a function of the enclosed mass fraction in (0, 1).
  TableView radius;
  const double* speeds = nullptr;  ///< rows of kColumns per radius, evenly spaced in the logarithm
  std::size_t rows = 0;
  double row_step = 0;  ///< step in the logarithm of the radius; the first row is at kInnermost

  /// Speed at r (in the plane if dimension is 2) below which the fraction u in (0, 1) of the bodies there are.
  PERICENTER_HOST_DEVICE double speed(double r, double u) const {
    const double column = position_of(u) * (kColumns - 1);
    const double row = std::clamp(std::log(r / kInnermost) / row_step, 0.0, static_cast<double>(rows) - 1.001);
    const std::size_t i = static_cast<std::size_t>(row);
    const std::size_t k = std::min(static_cast<std::size_t>(column), kColumns - 2);
    const double across = column - static_cast<double>(k);
    const double* inner = speeds + i * kColumns + k;
    const double* outer = inner + kColumns;
    return std::lerp(std::lerp(inner[0], inner[1], across), std::lerp(outer[0], outer[1], across),
                     row - static_cast<double>(i));
  }

 private:
  /// Position in [0, 1] of a fraction; columns are denser at both ends, where speeds vary most.
  PERICENTER_HOST_DEVICE static double position_of(double share) {
    return share < 0.5 ? 0.5 * std::cbrt(2 * share) : 1 - 0.5 * std::cbrt(2 * (1 - share));
  }
};

/// Radii and speeds of bodies of a sphere in equilibrium with the gravity of a whole galaxy.
class Spheroid {
 public:
  /// `potential`: of all components, at radial_grid(). For a model without mass, only mass() may be called.
  Spheroid(const SphereModel& model, std::span<const double> potential, int dimension);

  double mass() const { return mass_; }
  SpheroidView view() const;

 private:
  void tabulate_speeds(std::size_t node, std::span<const double> potential, std::span<const double> distribution);

  double mass_ = 0;
  int dimension_;
  Table radius_;
  std::vector<double> speeds_;
};

}  // namespace pericenter

#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "sim/core/vec.h"

namespace pericenter {

/// 2K/|sum of x.F|, 1 in equilibrium; 0 without forces. The sum is the potential energy W only without softening:
/// softened bodies in equilibrium have 2K/|W| < 1 (0.88 for a Plummer sphere with a softening of half its scale).
inline double virial_ratio(double kinetic, double force_virial) {
  return force_virial == 0 ? 0 : -2 * kinetic / force_virial;
}

/// Conserved quantities and non-finite bodies of a system, in scene units. Sums are in double precision and in an order
/// that does not depend on the number of threads.
struct Diagnostics {
  double kinetic = 0;
  double potential = 0;  ///< sum over softened pairs, approximate with a tree solver; NaN: unknown
  Vec3 momentum;
  Vec3 angular_momentum;  ///< relative to the origin
  Vec3 center_of_mass;
  double mass = 0;
  std::size_t non_finite = 0;        ///< bodies with a NaN or infinite coordinate or velocity; excluded from the sums
  std::size_t first_non_finite = 0;  ///< index of the first of them, valid if non_finite > 0
  double fastest = 0;                ///< speed of the fastest body
  double strongest = 0;              ///< largest acceleration of a body
  /// Smallest period 2 pi sqrt(|phi|) / |a| of a body: that of its circular orbit if a point mass attracts it; 0:
  /// unknown
  double shortest_orbit = 0;
  double force_virial = 0;  ///< sum of m x.a; NaN: unknown

  /// Total energy; NaN if the potential is unknown.
  double energy() const { return kinetic + potential; }
  /// Scale for relative energy errors: |E|, but at least a tenth of the kinetic energy, because kinetic and potential
  /// energy may cancel (parabolic orbit).
  double energy_scale() const { return std::max(std::abs(energy()), kinetic / 10); }
  double virial_ratio() const { return pericenter::virial_ratio(kinetic, force_virial); }
};

/// The largest momentum of bodies with this mass and kinetic energy: sqrt(2 M K), which the sum of m |v| cannot exceed
/// (Cauchy and Schwarz).
inline double momentum_scale(double mass, double kinetic) {
  return std::sqrt(2 * mass * kinetic);
}

/// Change of the energy since the start, relative to energy_scale() at the start, but at least to a tenth of the
/// kinetic energy now: in a deep passage of two point masses on a parabola, both energies are a hundred times those at
/// the start, cancel, and return. Absolute if the scale at the start is 0, NaN if an energy is unknown.
inline double energy_error(const Diagnostics& start, const Diagnostics& now) {
  const double change = now.energy() - start.energy(), scale = start.energy_scale();
  return scale == 0 ? change : change / std::max(scale, now.kinetic / 10);
}

}  // namespace pericenter

#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "sim/core/vec.h"

namespace pericenter {

/// Conserved quantities and health of a system, summed in doubles in an order that does not depend on the number of
/// threads.
struct Diagnostics {
  double kinetic = 0;
  double potential = 0;  ///< of the softened pairs; with a tree solver, of its approximate forces; NaN: not known
  Vec3 momentum;
  Vec3 angular_momentum;  ///< about the origin
  Vec3 center_of_mass;
  double mass = 0;
  std::size_t non_finite = 0;  ///< bodies with a NaN or infinite coordinate or velocity; they are left out of the sums
  std::size_t first_non_finite = 0;  ///< number of the first of them, while there are any
  double fastest = 0;                ///< speed of the fastest body

  double energy() const { return kinetic + potential; }
  /// What a change of the energy is measured by: |E|, but no less than a tenth of the kinetic energy, because where
  /// both energies cancel (a parabola) |E| is next to nothing.
  double energy_scale() const { return std::max(std::abs(energy()), kinetic / 10); }
  /// 2K/|W|, 1 in equilibrium; 0 when there is no potential.
  double virial_ratio() const { return potential == 0 ? 0 : -2 * kinetic / potential; }
};

/// Change of the energy since the start, in units of energy_scale() there; absolute when that is 0, NaN when an energy
/// is not known.
inline double energy_error(const Diagnostics& start, const Diagnostics& now) {
  const double change = now.energy() - start.energy(), scale = start.energy_scale();
  return scale == 0 ? change : change / scale;
}

}  // namespace pericenter

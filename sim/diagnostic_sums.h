#pragma once

#include <cstdint>

#include "sim/diagnostics.h"

namespace pericenter {

/// Sums over some bodies, from which Diagnostics follow; for the CPU and for kernels.
struct DiagnosticSums {
  double kinetic = 0, twice_potential = 0, mass = 0;
  Vec3 momentum, angular_momentum, mass_position;
  std::uint64_t non_finite = 0;

  /// A body of mass m at x with velocity v in the given potential; one that is not finite is only counted.
  constexpr void add_body(double m, const Vec3& x, const Vec3& v, double potential) {
    for (int k = 0; k < 3; ++k) {
      // A difference with itself is 0 for finite numbers only.
      if (x[k] - x[k] != 0 || v[k] - v[k] != 0) {
        ++non_finite;
        return;
      }
    }
    mass += m;
    kinetic += 0.5 * m * dot(v, v);
    twice_potential += m * potential;
    momentum += m * v;
    angular_momentum += m * cross(x, v);
    mass_position += m * x;
  }

  constexpr DiagnosticSums& operator+=(const DiagnosticSums& other) {
    kinetic += other.kinetic;
    twice_potential += other.twice_potential;
    mass += other.mass;
    momentum += other.momentum;
    angular_momentum += other.angular_momentum;
    mass_position += other.mass_position;
    non_finite += other.non_finite;
    return *this;
  }

  Diagnostics result() const {
    Diagnostics diagnostics{kinetic, twice_potential / 2, momentum, angular_momentum, {}, mass, non_finite};
    if (mass != 0) diagnostics.center_of_mass = mass_position * (1 / mass);
    return diagnostics;
  }
};

}  // namespace pericenter

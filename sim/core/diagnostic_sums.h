#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "sim/core/diagnostics.h"

namespace pericenter {

/// The quantities of one body that the diagnostics use.
struct DiagnosedBody {
  std::uint64_t index = 0;
  double mass = 0;
  Vec3 position, velocity;
  double potential = 0;
  Vec3 acceleration = {};  ///< 0: unknown
};

/// Partial sums over bodies, from which result() derives Diagnostics; used on the CPU and in kernels.
struct DiagnosticSums {
  double kinetic = 0, twice_potential = 0, force_virial = 0, mass = 0;
  Vec3 momentum, angular_momentum, mass_position;
  std::uint64_t non_finite = 0, first_non_finite = ~std::uint64_t(0);
  double fastest_squared = 0, strongest_squared = 0;
  double orbit_frequency_squared = 0;  ///< largest a^2 / |phi|

  /// Non-finite bodies are only counted.
  constexpr void add_body(const DiagnosedBody& body) {
    const Vec3 &x = body.position, &v = body.velocity;
    for (int k = 0; k < 3; ++k) {
      // x - x is 0 for finite numbers only.
      if (x[k] - x[k] != 0 || v[k] - v[k] != 0) {
        ++non_finite;
        first_non_finite = body.index < first_non_finite ? body.index : first_non_finite;
        return;
      }
    }
    const double m = body.mass, v_squared = dot(v, v);
    mass += m;
    kinetic += 0.5 * m * v_squared;
    twice_potential += m * body.potential;
    force_virial += m * dot(x, body.acceleration);
    fastest_squared = fastest_squared < v_squared ? v_squared : fastest_squared;
    const double depth = body.potential < 0 ? -body.potential : body.potential;
    const double a_squared = dot(body.acceleration, body.acceleration);
    strongest_squared = strongest_squared < a_squared ? a_squared : strongest_squared;
    const double frequency_squared = depth > 0 ? a_squared / depth : 0;
    orbit_frequency_squared = orbit_frequency_squared < frequency_squared ? frequency_squared : orbit_frequency_squared;
    momentum += m * v;
    angular_momentum += m * cross(x, v);
    mass_position += m * x;
  }

  constexpr DiagnosticSums& operator+=(const DiagnosticSums& other) {
    kinetic += other.kinetic;
    twice_potential += other.twice_potential;
    force_virial += other.force_virial;
    mass += other.mass;
    momentum += other.momentum;
    angular_momentum += other.angular_momentum;
    mass_position += other.mass_position;
    non_finite += other.non_finite;
    first_non_finite = other.first_non_finite < first_non_finite ? other.first_non_finite : first_non_finite;
    fastest_squared = fastest_squared < other.fastest_squared ? other.fastest_squared : fastest_squared;
    strongest_squared = strongest_squared < other.strongest_squared ? other.strongest_squared : strongest_squared;
    orbit_frequency_squared = orbit_frequency_squared < other.orbit_frequency_squared ? other.orbit_frequency_squared
                                                                                      : orbit_frequency_squared;
    return *this;
  }

  Diagnostics result() const {
    Diagnostics diagnostics{kinetic, twice_potential / 2, momentum,         angular_momentum,          {},
                            mass,    non_finite,          first_non_finite, std::sqrt(fastest_squared)};
    diagnostics.strongest = std::sqrt(strongest_squared);
    diagnostics.force_virial = force_virial;
    if (orbit_frequency_squared > 0)
      diagnostics.shortest_orbit = 2 * std::numbers::pi / std::sqrt(orbit_frequency_squared);
    if (mass != 0) diagnostics.center_of_mass = mass_position * (1 / mass);
    return diagnostics;
  }
};

}  // namespace pericenter

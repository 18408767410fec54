#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

#include "sim/core/bodies.h"
#include "sim/core/config.h"

namespace pericenter {

/// The orbit of a body about another one that will pass its pericentre, as if nothing else attracted it (osculating
/// orbit): it is bound, or unbound and approaching.
struct PassingOrbit {
  double energy = 0;             ///< energy per reduced mass
  double pericenter = 0;         ///< distance; without softening
  double pericenter_period = 0;  ///< period of a circular orbit at the pericentre, with softening
};
/// nullopt if the body leaves for ever.
std::optional<PassingOrbit> passing_orbit(const Body& body, const Body& center, const Params& params);

/// Orbits about the central body of a system that will pass their pericentre, of which the shortest pericentre passage
/// and the largest error are known. Bodies without mass, which no energy error shows, count as well.
struct OrbitCheck {
  double pericenter_period = std::numeric_limits<double>::quiet_NaN();  ///< shortest; NaN: no such orbit
  double pericenter = 0;                                                ///< pericentre of that orbit
  std::size_t body = 0, center = 0;                                     ///< indices in that orbit
  /// Largest change of the energy of an orbit, relative to it or to the potential at the body, since its pericentre was
  /// first found to be unresolved by the time step; NaN: there is none.
  double energy_change = std::numeric_limits<double>::quiet_NaN();
  std::size_t changed_body = 0;
  std::uint64_t number = 0;  ///< counts the checks of a run
};

/// Follows these orbits of a run, if one body has half the mass or more: those of all bodies about it or, if there
/// is a second heavy body, that of the two. Leapfrog keeps the energy of an orbit of eccentricity 0.97 to 1e-5 if a
/// circular orbit at its pericentre takes kMinStepsPerOrbit steps; with a third of them the body is thrown out.
class OrbitFollower {
 public:
  static constexpr double kHeavyShare = 0.1;     ///< share of the total mass of a heavy body
  static constexpr double kCentralShare = 0.49;  ///< least share of the heaviest: two equal ones have half each

  /// `bodies` are those of `sample`, always of the same one. O(bodies).
  OrbitCheck check(const Bodies& bodies, const BodySample& sample, const Params& params);
  /// Whether there are such orbits; true before the first check.
  bool has_orbits() const { return !heavy_ || heavy_->size() == 1 || heavy_->size() == 2; }
  /// The run continues from an earlier moment, or with another law of force.
  void forget_energies() { unresolved_.clear(); }

 private:
  using Place = std::size_t;  ///< index in the sample

  std::optional<std::vector<Place>> heavy_;             ///< the heaviest first
  std::unordered_map<Place, PassingOrbit> unresolved_;  ///< orbits when their pericentre was first not resolved
};

}  // namespace pericenter

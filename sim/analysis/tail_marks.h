#pragma once

#include <cmath>

#include "sim/analysis/tail_stars.h"

namespace pericenter {

/// Whether a star is one that is marked as a star of a tail. TailCriterion tells discs with tails from heated ones; it
/// needs a star to be twice as far out as it was born, which leaves out most stars of a tail, those from the outer
/// disc, and it has the bridge. Here a fifth farther out is enough, and the bridge is left out: what is within 60
/// degrees of the direction to the other nucleus and not farther than that.
///
/// Measured in `collision` with 10,000 bodies: none of the disc's stars are marked at the start with 1.2, 2.8 % with 1.
/// After 420 Myr 9.4 % are marked, from 13.5 kpc on average (7.0 kpc: all stars of the discs); by TailCriterion 5.2 %,
/// from 9.4 kpc, of which 45 % are in the bridge.
inline bool is_marked_as_tail(const TailCriterion& criterion, const Vec3& position, std::uint32_t tag) {
  constexpr double kTimesBorn = 1.2, kCosine = 0.5;
  const bool is_second = galaxy_of(tag) == criterion.discs[1].galaxy;
  const TailCriterion::Disc &own = criterion.discs[is_second ? 1 : 0], &other = criterion.discs[is_second ? 0 : 1];
  if (component_of(tag) != Component::disc || galaxy_of(tag) != own.galaxy || own.unit == 0) return false;
  const Vec3 from_own = position - own.nucleus, to_other = other.nucleus - own.nucleus;
  const double radius = length(from_own), apart = length(to_other);
  const bool in_bridge = radius < apart && dot(from_own, to_other) > kCosine * radius * apart;
  return !in_bridge && radius > own.reach && radius > kTimesBorn * own.unit * birth_radius_of(tag) &&
         length(position - other.nucleus) > other.reach;
}

}  // namespace pericenter

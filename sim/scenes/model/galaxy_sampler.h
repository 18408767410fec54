#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include "sim/core/bodies.h"
#include "sim/core/host_device.h"
#include "sim/core/random.h"
#include "sim/scenes/model/disc.h"
#include "sim/scenes/model/spheroid.h"

namespace pericenter {

/// Scale factors for the masses and lengths of a galaxy; velocities are scaled so that it stays in equilibrium.
struct GalaxySize {
  double mass = 1;
  double length = 1;

  friend bool operator==(const GalaxySize&, const GalaxySize&) = default;
};

/// Samples the bodies of a galaxy. Pairs are independent of each other, so that the threads of a CPU or a GPU can draw
/// them in any order. Views the tables of a Galaxy, which must outlive it.
///
/// Bodies are drawn in pairs (x, v) and (-x, -v), so momentum and centre of mass are exactly 0. If the number is odd,
/// the last body is at rest at the centre.
struct GalaxySampler {
  struct Part {
    Component component = Component::other;
    std::size_t last_pair = 0;  ///< end of its range of pairs, which starts at the end of the previous part
    std::size_t pairs = 0;
    double mass = 0;  ///< mass of a body
  };
  Part parts[3];
  Part odd;  ///< part of the last body if their number is odd
  std::size_t bodies = 0;
  std::uint64_t seed = 0;
  std::uint32_t galaxy = 0;  ///< index in the tags
  int dimension = 3;
  GalaxySize size;
  double speed = 1;  ///< factor for velocities
  DiscView disc;
  SpheroidView bulge, halo;

  PERICENTER_HOST_DEVICE std::size_t pairs() const { return bodies / 2; }

  PERICENTER_HOST_DEVICE const Part& part_of(std::size_t pair) const {
    const Part* part = parts;
    while (part + 1 != parts + 3 && pair >= part->last_pair) ++part;
    return *part;
  }

  struct Pair {
    Body first, second;
  };
  PERICENTER_HOST_DEVICE Pair pair(std::size_t index) const {
    const Part& part = part_of(index);
    Random random(seed, index);
    // Stratified sampling: each pair covers an equal interval of the enclosed mass, which reduces noise in the profile.
    const double before = static_cast<double>(index - (part.last_pair - part.pairs));
    const double share = (before + random.uniform()) / static_cast<double>(part.pairs);
    Body body = part.component == Component::disc
                    ? disc_body(share, random)
                    : spheroid_body(part.component == Component::halo ? halo : bulge, share, random);
    body.mass = part.mass;
    body.tag = make_tag(galaxy, part.component, length(body.position));
    Pair pair = {body, twin_of(body)};
    if (part.component == Component::disc) decorate(pair, random);
    for (Body* one : {&pair.first, &pair.second}) {
      one->position *= size.length;
      one->velocity *= speed;
    }
    return pair;
  }
  /// The last body if their number is odd.
  PERICENTER_HOST_DEVICE Body middle() const { return {{}, {}, odd.mass, make_tag(galaxy, odd.component)}; }

  /// Body i of `bodies`.
  PERICENTER_HOST_DEVICE Body body(std::size_t i) const {
    if (i / 2 == pairs()) return middle();
    const Pair both = pair(i / 2);
    return i % 2 == 0 ? both.first : both.second;
  }

 private:
  PERICENTER_HOST_DEVICE static Body twin_of(Body body) {
    body.position = -body.position;
    body.velocity = -body.velocity;
    return body;
  }

  /// Draws after everything else, so that positions and velocities do not depend on the arms.
  PERICENTER_HOST_DEVICE void decorate(Pair& pair, Random& random) const {
    const double any_phase = 2 * std::numbers::pi * random.uniform();
    for (Body* one : {&pair.first, &pair.second}) one->tag |= disc.decoration(*one, any_phase, random);
  }

  PERICENTER_HOST_DEVICE Body disc_body(double share, Random& random) const {
    const double r = disc.radius(share);
    const double angle = 2 * std::numbers::pi * random.uniform();
    const double c = std::cos(angle), s = std::sin(angle);
    const auto velocities = disc.velocities(r);
    const double radial = velocities.sigma_radial * random.normal();
    const double azimuthal = velocities.mean_azimuthal + velocities.sigma_azimuthal * random.normal();
    Body body;
    body.position = {r * c, r * s, disc.height * std::atanh(2 * random.uniform() - 1)};
    body.velocity = {radial * c - azimuthal * s, radial * s + azimuthal * c,
                     velocities.sigma_vertical * random.normal()};
    return body;
  }

  PERICENTER_HOST_DEVICE Body spheroid_body(const SpheroidView& spheroid, double share, Random& random) const {
    Body body;
    body.position = random.direction() * spheroid.radius(share);
    if (dimension == 2) {
      body.position[2] = 0;
      const double angle = 2 * std::numbers::pi * random.uniform();
      body.velocity =
          Vec3{std::cos(angle), std::sin(angle), 0} * spheroid.speed(length(body.position), random.uniform());
    } else {
      // Two statements, because the order of evaluation of operands is unspecified.
      const double local_speed = spheroid.speed(length(body.position), random.uniform());
      body.velocity = random.direction() * local_speed;
    }
    return body;
  }
};

}  // namespace pericenter

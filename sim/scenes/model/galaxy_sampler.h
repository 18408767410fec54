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
  bool even = true;  ///< see GalaxyModel
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
    if (!even) return pair(index, Random(seed, index));
    return pair(index, EvenRandom(seed, index));
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
  template <class Numbers>
  PERICENTER_HOST_DEVICE Pair pair(std::size_t index, Numbers numbers) const {
    const Part& part = part_of(index);
    // Stratified sampling: each pair covers an equal interval of the enclosed mass, which reduces noise in the profile.
    const double before = static_cast<double>(index - (part.last_pair - part.pairs));
    const double share = (before + numbers.random()) / static_cast<double>(part.pairs);
    Body body = part.component == Component::disc
                    ? disc_body(share, angle(part, numbers), numbers)
                    : spheroid_body(part.component == Component::halo ? halo : bulge, share, numbers);
    body.mass = part.mass;
    body.tag = make_tag(galaxy, part.component, length(body.position));
    Pair pair = {body, twin_of(body)};
    if (part.component == Component::disc) decorate(pair, numbers);
    for (Body* one : {&pair.first, &pair.second}) {
      one->position *= size.length;
      one->velocity *= speed;
    }
    return pair;
  }

  PERICENTER_HOST_DEVICE static Body twin_of(Body body) {
    body.position = -body.position;
    body.velocity = -body.velocity;
    return body;
  }

  /// Of the first body of a pair of the disc. Even angles turn by the golden ratio of half a circle, because the twin
  /// is opposite, and vary by about the distance of neighbours: the rows of a sunflower would be seen.
  PERICENTER_HOST_DEVICE double angle(const Part&, Random& numbers) const {
    return 2 * std::numbers::pi * numbers.uniform();
  }
  PERICENTER_HOST_DEVICE double angle(const Part& part, EvenRandom& numbers) const {
    const double off = numbers.random() / std::sqrt(static_cast<double>(part.pairs));
    const double half = numbers.random() < 0.5 ? 0 : 1;
    return std::numbers::pi * (numbers.uniform() + off + half);
  }

  /// Draws after everything else, so that positions and velocities do not depend on the arms.
  template <class Numbers>
  PERICENTER_HOST_DEVICE void decorate(Pair& pair, Numbers& numbers) const {
    const double any_phase = 2 * std::numbers::pi * numbers.uniform();
    for (Body* one : {&pair.first, &pair.second}) {
      const double of_youth = numbers.uniform(), of_dust = numbers.uniform();
      one->tag = disc.decorated(*one, any_phase, of_youth, of_dust);
    }
  }

  template <class Numbers>
  PERICENTER_HOST_DEVICE Body disc_body(double share, double angle, Numbers& numbers) const {
    const double r = disc.radius(share);
    const double c = std::cos(angle), s = std::sin(angle);
    const auto velocities = disc.velocities(r);
    const double radial = velocities.sigma_radial * numbers.normal();
    const double azimuthal = velocities.mean_azimuthal + velocities.sigma_azimuthal * numbers.normal();
    Body body;
    body.position = {r * c, r * s, disc.height * std::atanh(2 * numbers.uniform() - 1)};
    body.velocity = {radial * c - azimuthal * s, radial * s + azimuthal * c,
                     velocities.sigma_vertical * numbers.normal()};
    return body;
  }

  template <class Numbers>
  PERICENTER_HOST_DEVICE Body spheroid_body(const SpheroidView& spheroid, double share, Numbers& numbers) const {
    Body body;
    body.position = numbers.direction() * spheroid.radius(share);
    if (dimension == 2) {
      body.position[2] = 0;
      const double angle = 2 * std::numbers::pi * numbers.uniform();
      body.velocity =
          Vec3{std::cos(angle), std::sin(angle), 0} * spheroid.speed(length(body.position), numbers.uniform());
    } else {
      // Two statements, because the order of evaluation of operands is unspecified.
      const double local_speed = spheroid.speed(length(body.position), numbers.uniform());
      body.velocity = numbers.direction() * local_speed;
    }
    return body;
  }
};

}  // namespace pericenter

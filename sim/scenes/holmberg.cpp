#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>

#include "sim/scenes/model/encounter.h"
#include "sim/scenes/registry.h"

namespace pericenter {
namespace {

struct Ring {
  std::size_t lamps;
  double radius, mass;
};
// A galaxy of Holmberg 1941 (doi:10.1086/144344): rings of lamps, whose brightness represents mass.
constexpr std::array<Ring, 5> kRings = {{{1, 0, 1}, {6, 1, 1}, {8, 2, 1}, {10, 3, 0.7}, {12, 4, 0.3}}};

double inward_acceleration(const Vec3& at, const Bodies& lamps, double softening) {
  Vec3 acceleration;
  for (const Body& lamp : lamps) {
    const Vec3 d = lamp.position - at;
    acceleration += d * (lamp.mass * std::pow(dot(d, d) + softening * softening, -1.5));
  }
  return -dot(acceleration, at) / length(at);
}

// Each ring rotates rigidly, counter-clockwise, at the circular speed of its mean inward acceleration.
Bodies galaxy_of_lamps(double softening, std::uint32_t galaxy) {
  Bodies lamps;
  for (const Ring& ring : kRings) {
    for (std::size_t k = 0; k < ring.lamps; ++k) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(ring.lamps);
      const Vec3 out{std::cos(angle), std::sin(angle), 0};
      lamps.push_back({out * ring.radius, {}, ring.mass, make_tag(galaxy, Component::disc, ring.radius)});
    }
  }
  std::span<Body> rest = std::span(lamps).subspan(1);
  for (const Ring& ring : std::span(kRings).subspan(1)) {
    double sum = 0;
    for (const Body& lamp : rest.first(ring.lamps)) sum += inward_acceleration(lamp.position, lamps, softening);
    const double rate = std::sqrt(sum / static_cast<double>(ring.lamps) / ring.radius);
    for (Body& lamp : rest.first(ring.lamps)) lamp.velocity = cross(Vec3{0, 0, rate}, lamp.position);
    rest = rest.subspan(ring.lamps);
  }
  return lamps;
}

Scene make_holmberg(const SceneRequest& request) {
  Scene scene;
  scene.params = {.dt = 0.02, .softening = request.softening > 0 ? request.softening : 0.3};
  scene.view_radius = 13;
  scene.angles = {.yaw = -90, .pitch = 90};
  scene.highlight_time = 10;
  if (request.progress && !request.progress(0)) throw SceneCancelled{};
  scene.bodies = galaxy_of_lamps(scene.params.softening, 0);
  const Bodies second = galaxy_of_lamps(scene.params.softening, 1);
  const std::size_t count = second.size();
  scene.bodies.insert(scene.bodies.end(), second.begin(), second.end());
  // Slower than on a parabola: Holmberg studied whether galaxies can capture each other.
  const Encounter encounter = {
      .orbit = {.pericenter = 7, .eccentricity = 1, .separation = 16}, .first = {}, .second = {}, .speed_factor = 0.7};
  const std::span<Body> all(scene.bodies);
  arrange(all.first(count), all.last(count), encounter, {scene.params.softening, request.dimension});
  return scene;
}

}  // namespace

std::vector<SceneInfo> holmberg_scenes() {
  return {{.name = "holmberg",
           .title = "Holmberg's lamps (1941)",
           .summary =
               "Two galaxies of 37 lamps, moved by hand in 1941 with light in place of gravity: the first N-body "
               "simulation. They raise tides, exchange lamps and capture each other.",
           .caption = "The first simulation, from 1941: 74 lamps stand for the stars of two galaxies.",
           .highlight_caption = "The two galaxies have stretched each other, and a few lamps have changed sides.",
           .group = SceneGroup::few_bodies,
           .min_bodies = 74,
           .fixed_bodies = 74,
           .make = make_holmberg,
           .group_names = {"first galaxy", "second galaxy"},
           .story = {.radius = 23},
           .by_origin = true}};
}

}  // namespace pericenter

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sim/scenes/model/asteroid_belt.h"
#include "sim/scenes/model/kepler.h"
#include "sim/scenes/registry.h"
#include "sim/scenes/solar_system.h"

namespace pericenter {
namespace {

using std::numbers::pi;
constexpr double kDegrees = pi / 180;
constexpr double kSunKg = 1.98841e30;
constexpr double kJupiterLongitude = 34.4 * kDegrees;  // mean longitude at J2000

SmallBodyOrbit hungaria(ElementSampler& sample) {
  return with_random_longitudes(sample, sample.uniform(1.82, 1.99), sample.rayleigh(0.05, 0.09),
                                sample.normal(21.5, 2.5));
}

SmallBodyOrbit mars_crosser(ElementSampler& sample) {
  for (;;) {
    const double a = sample.uniform(1.6, 3.2), q = sample.uniform(1.3, kMarsAphelion);
    if (q < a) return with_random_longitudes(sample, a, 1 - q / a, sample.rayleigh(9, 50));
  }
}

SmallBodyOrbit amor(ElementSampler& sample) {
  const double a = sample.uniform(1.4, 3), q = sample.uniform(1.017, 1.3);
  return with_random_longitudes(sample, a, 1 - q / a, sample.rayleigh(10, 60));
}

SmallBodyOrbit apollo(ElementSampler& sample) {
  const double a = sample.uniform(1, 2.8), q = std::sqrt(sample.uniform(0.02, 1));
  return with_random_longitudes(sample, a, 1 - std::min(q, 0.99 * a) / a, sample.rayleigh(9, 60));
}

SmallBodyOrbit aten(ElementSampler& sample) {
  const double a = sample.uniform(0.65, 1), least = 0.983 / a - 1;
  return with_random_longitudes(sample, a, sample.uniform(least, std::max(least, 0.75)), sample.rayleigh(10, 60));
}

// The resonant angle 3 lambda(Jupiter) - 2 lambda - perihelion librates about 0: aphelia are 60, 180 and 300 degrees
// from Jupiter, which gives the Hildas their triangle.
SmallBodyOrbit hilda(ElementSampler& sample) {
  SmallBodyOrbit orbit = with_random_longitudes(
      sample, sample.normal(3.965, 0.02), std::clamp(sample.normal(0.16, 0.06), 0.02, 0.3), sample.rayleigh(6, 25));
  const double libration = sample.normal(0, 25 * kDegrees), turn = sample.uniform(0, 1) < 0.5 ? 0 : pi;
  orbit.longitude = (3 * kJupiterLongitude - orbit.perihelion + libration) / 2 + turn;
  return orbit;
}

// Two of three are 60 degrees ahead of Jupiter, the others as much behind.
SmallBodyOrbit trojan(ElementSampler& sample) {
  SmallBodyOrbit orbit =
      with_random_longitudes(sample, sample.normal(5.2, 0.04), sample.rayleigh(0.06, 0.25), sample.rayleigh(9, 45));
  const double ahead = sample.uniform(0, 1) < 0.65 ? 60 : -60;
  orbit.longitude = kJupiterLongitude + (ahead + sample.normal(0, 11)) * kDegrees;
  return orbit;
}

SmallBodyOrbit centaur(ElementSampler& sample) {
  const double a = std::exp(sample.uniform(std::log(8), std::log(30)));
  const double q = sample.uniform(5.5, a);
  return with_random_longitudes(sample, a, 1 - q / a, sample.rayleigh(12, 60));
}

// Inclinations of two populations: Brown 2001, doi:10.1086/320391. Plutinos are in the resonance 3:2 with Neptune.
SmallBodyOrbit transneptunian(ElementSampler& sample) {
  const double kind = sample.uniform(0, 1);
  if (kind < 0.55)
    return with_random_longitudes(sample, sample.uniform(42, 47.5), sample.rayleigh(0.06, 0.2),
                                  sample.rayleigh(sample.uniform(0, 1) < 0.6 ? 2 : 12, 45));
  if (kind < 0.75)
    return with_random_longitudes(sample, sample.normal(39.45, 0.15), sample.rayleigh(0.18, 0.33),
                                  sample.rayleigh(10, 45));
  const double a = std::exp(sample.uniform(std::log(48), std::log(200))), q = sample.uniform(31, 42);
  return with_random_longitudes(sample, a, 1 - q / a, sample.rayleigh(14, 50));
}

/// Orbit classes with about the numbers of JPL's Small-Body Database when it had 1.04 million asteroids (2021), in
/// thousands; the brightness of most of them; and a typical albedo. Comets are not part of the asteroid table.
struct OrbitClass {
  std::uint32_t group;  ///< row of SceneInfo::group_names
  double thousands, peak_magnitude, albedo;
  SmallBodyOrbit (*orbit)(ElementSampler&);
};
constexpr std::array<OrbitClass, 10> kClasses = {{{1, 950, 16.8, 0.12, main_belt},
                                                  {2, 20, 17.8, 0.30, hungaria},
                                                  {2, 20, 17.8, 0.20, mars_crosser},
                                                  {3, 9.5, 20.5, 0.16, amor},
                                                  {3, 14, 22, 0.16, apollo},
                                                  {3, 1.9, 22.5, 0.16, aten},
                                                  {4, 5, 15.6, 0.06, hilda},
                                                  {5, 10, 14.2, 0.07, trojan},
                                                  {6, 0.5, 11, 0.07, centaur},
                                                  {6, 3.7, 7.8, 0.10, transneptunian}}};

const OrbitClass& class_at(double share) {
  double sum = 0;
  for (const OrbitClass& each : kClasses) sum += each.thousands;
  double passed = share * sum;
  for (const OrbitClass& each : kClasses) {
    if ((passed -= each.thousands) < 0) return each;
  }
  return kClasses.back();
}

Body small_body(const SceneRequest& request, std::uint64_t index) {
  ElementSampler sample(request.seed, index);
  const OrbitClass& of = class_at(sample.uniform(0, 1));
  const SmallBodyOrbit orbit = of.orbit(sample);
  const RelativeState state = kepler_state(kepler_orbit(orbit, request.dimension), 1);
  constexpr double kBrightest = 3.3;  // Ceres
  const double magnitude = std::max(kBrightest, sample.magnitude(of.peak_magnitude));
  const double kg = *estimated_mass_kg({.diameter_km = {}, .absolute_magnitude = magnitude, .albedo = of.albedo});
  return {state.position, state.velocity, kg / kSunKg,
          make_tag(of.group, Component::bulge, orbit.perihelion_distance())};
}

Scene make_small_bodies(const SceneRequest& request) {
  return solar_scene(request, 0.01, [&](std::size_t i) { return small_body(request, i); });
}

}  // namespace

std::vector<SceneInfo> small_bodies_scenes() {
  return {{.name = "small-bodies",
           .title = "Small bodies of the solar system",
           .summary =
               "The Sun, the planets and asteroids with the distributions of JPL's Small-Body Database: main belt with "
               "Kirkwood gaps, near-Earth asteroids, Hildas, Trojans, trans-Neptunian objects. Masses are estimated "
               "from the brightness. In AU and years (G = 1, the Sun's mass is 1).",
           .caption = "Asteroids around the Sun, in belts, gaps and groups.",
           .group = SceneGroup::few_bodies,
           .min_bodies = 9,
           .make = make_small_bodies,
           .group_names = {"Sun, planets", "main belt", "Hungarias, Mars crossers", "near-Earth asteroids", "Hildas",
                           "Trojans", "Centaurs, trans-Neptunian"},
           .story = {.radius = 5, .key = ViewAngles{.yaw = -72, .pitch = 55}},
           .point_masses = kSunAndPlanets,
           .others_have_mass = true}};
}

}  // namespace pericenter

#include <cmath>
#include <span>

#include "sim/scenes/encounter.h"
#include "sim/scenes/galaxy.h"
#include "sim/scenes/scenes.h"

namespace pericenter {
namespace {

/// Two galaxies on their way to each other.
struct Encounter {
  EncounterOrbit orbit;
  DiscOrientation first, second;
  /// Share of the speed that would make the orbit of the extended galaxies a parabola; below 1 they merge sooner.
  double speed_factor = 1;
};

constexpr Encounter kDefaultEncounter = {
    .orbit = {.pericenter = 4, .eccentricity = 1, .separation = 30},
    .first = {0, 0},
    .second = {71, 30},
    .speed_factor = 0.7,
};

double mass_of(std::span<const Body> bodies) {
  double sum = 0;
  for (const Body& body : bodies) sum += body.mass;
  return sum;
}

// In two dimensions a disc lies in the plane whatever its tilt; only the sense of its spin is left.
Vec3 allowed_spin(const DiscOrientation& orientation, bool second, int dimension) {
  const Vec3 spin = spin_axis(orientation, second);
  return dimension == 2 ? Vec3{0, 0, spin[2] < 0 ? -1.0 : 1.0} : spin;
}

// Turns both galaxies and sets them on their orbit about the common centre of mass.
void arrange(std::span<Body> first, std::span<Body> second, const Encounter& encounter, int dimension,
             double softening) {
  turn(first, allowed_spin(encounter.first, false, dimension));
  turn(second, allowed_spin(encounter.second, true, dimension));
  const double first_mass = mass_of(first), second_mass = mass_of(second), total = first_mass + second_mass;
  RelativeState state = relative_state(encounter.orbit, total);
  // Halos that overlap attract each other less than points would; a speed for points would be too fast for them.
  const double points = first_mass * second_mass / encounter.orbit.separation;
  if (points > 0) {
    const double energy = mutual_energy(first, second, state.position, softening);
    state.velocity *= encounter.speed_factor * std::sqrt(-energy / points);
  }
  if (total <= 0) return;
  shift(first, state.position * (-second_mass / total), state.velocity * (-second_mass / total));
  shift(second, state.position * (first_mass / total), state.velocity * (first_mass / total));
}

}  // namespace

Scene make_collision(const SceneRequest& request) {
  Scene scene;
  scene.params = {.dt = 0.03, .softening = request.softening > 0 ? request.softening : 0.1};
  scene.units = kDiscUnits;
  scene.view_radius = 21;
  scene.highlight_time = 28.3;
  scene.speed_scale = 1.5f;

  SceneProgress progress(request.progress, request.bodies / 2);
  const Galaxy galaxy({}, scene.params.softening, request.dimension);
  scene.bodies.resize(request.bodies);
  const std::size_t second_count = request.bodies / 2;
  const auto first = std::span(scene.bodies).first(request.bodies - second_count);
  const auto second = std::span(scene.bodies).last(second_count);
  galaxy.fill(first, request.seed, 0, progress);
  galaxy.fill(second, ~request.seed, 1, progress);
  arrange(first, second, kDefaultEncounter, request.dimension, scene.params.softening);
  return scene;
}

Scene make_galaxy(const SceneRequest& request) {
  Scene scene;
  scene.params = {.dt = 0.03, .softening = request.softening > 0 ? request.softening : 0.05};
  scene.units = kDiscUnits;
  scene.view_radius = 7;
  scene.speed_scale = 1;

  SceneProgress progress(request.progress, request.bodies / 2);
  scene.bodies.resize(request.bodies);
  Galaxy({}, scene.params.softening, request.dimension).fill(scene.bodies, request.seed, 0, progress);
  return scene;
}

}  // namespace pericenter

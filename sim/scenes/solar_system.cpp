#include "sim/scenes/solar_system.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sim/scenes/model/asteroid_belt.h"
#include "sim/scenes/model/body_sums.h"
#include "sim/scenes/model/kepler.h"
#include "sim/scenes/scene_progress.h"

namespace pericenter {
namespace {

using std::numbers::pi;
constexpr double kDegree = pi / 180;

/// Semi-major axis in AU, eccentricity, and in degrees inclination, mean longitude, longitude of perihelion and
/// longitude of the ascending node.
using Elements = std::array<double, 6>;

struct Planet {
  double sun_mass;  ///< unit: planet masses (IAU 2009 system of constants, doi:10.1007/s10569-011-9352-4)
  Elements at_j2000, per_century;
};

constexpr std::array<Planet, 8> kPlanets = {{
    {6023657,
     {0.38709927, 0.20563593, 7.00497902, 252.25032350, 77.45779628, 48.33076593},
     {0.00000037, 0.00001906, -0.00594749, 149472.67411175, 0.16047689, -0.12534081}},
    {408523.719,
     {0.72333566, 0.00677672, 3.39467605, 181.97909950, 131.60246718, 76.67984255},
     {0.00000390, -0.00004107, -0.00078890, 58517.81538729, 0.00268329, -0.27769418}},
    {328900.56,
     {1.00000261, 0.01671123, -0.00001531, 100.46457166, 102.93768193, 0},
     {0.00000562, -0.00004392, -0.01294668, 35999.37244981, 0.32327364, 0}},
    {3098703.59,
     {1.52371034, 0.09339410, 1.84969142, -4.55343205, -23.94362959, 49.55953891},
     {0.00001847, 0.00007882, -0.00813131, 19140.30268499, 0.44441088, -0.29257343}},
    {1047.348644,
     {5.20288700, 0.04838624, 1.30439695, 34.39644051, 14.72847983, 100.47390909},
     {-0.00011607, -0.00013253, -0.00183714, 3034.74612775, 0.21252668, 0.20469106}},
    {3497.9018,
     {9.53667594, 0.05386179, 2.48599187, 49.95424423, 92.59887831, 113.66242448},
     {-0.00125060, -0.00050991, 0.00193609, 1222.49362201, -0.41897216, -0.28867794}},
    {22902.98,
     {19.18916464, 0.04725744, 0.77263783, 313.23810451, 170.95427630, 74.01692503},
     {-0.00196176, -0.00004397, -0.00242939, 428.48202785, 0.40805281, 0.04240589}},
    {19412.26,
     {30.06992276, 0.00859048, 1.77004347, -55.12002969, 44.96476227, 131.78422574},
     {0.00026291, 0.00005105, 0.00035372, 218.45945325, -0.32241464, -0.00508664}},
}};

Body at(const KeplerOrbit& orbit, double mass) {
  const RelativeState state = kepler_state(orbit, 1 + mass);
  return {state.position, state.velocity, mass, make_tag(0, Component::other)};
}

Body planet_at(const Planet& planet, double centuries, int dimension) {
  Elements elements = planet.at_j2000;
  for (std::size_t k = 0; k < elements.size(); ++k) elements[k] += centuries * planet.per_century[k];
  const auto [a, e, inclination, longitude, perihelion, node] = elements;
  const double mass = 1 / planet.sun_mass;
  const double pericenter = a * (1 - e), anomaly = std::remainder(longitude - perihelion, 360) * kDegree;
  return at({.pericenter = pericenter,
             .eccentricity = e,
             .inclination = dimension == 2 ? 0 : inclination * kDegree,
             .node = node * kDegree,
             .pericenter_argument = (perihelion - node) * kDegree,
             .time = time_of_mean_anomaly(anomaly, pericenter, e, 1 + mass)},
            mass);
}

// The tag has the place between the ends of the belt.
Body asteroid(const SceneRequest& request, std::uint64_t index) {
  constexpr double kInner = 2.1, kOuter = 3.3;
  ElementSampler sample(request.seed, index);
  const SmallBodyOrbit orbit = main_belt(sample);
  Body body = at(kepler_orbit(orbit, request.dimension), 0);
  body.tag = make_tag(1, Component::bulge, 5 * (orbit.a - kInner) / (kOuter - kInner));
  return body;
}

Scene make_solar_system(const SceneRequest& request) {
  return solar_scene(request, 0.02, [&](std::size_t i) { return asteroid(request, i); });
}

}  // namespace

Scene solar_scene(const SceneRequest& request, double dt, const std::function<Body(std::size_t)>& small_body) {
  Scene scene;
  // No softening: asteroids do not approach planets, and in single precision the self-potential of a softened Sun,
  // 1 / softening, would hide the energy of the planets.
  scene.params = {.dt = dt, .softening = request.softening};
  scene.units = solar_units();
  scene.view_radius = 6;
  scene.has_planets = true;
  scene.bodies = sun_and_planets(kJ2000, request.dimension);
  const std::size_t large = std::min(scene.bodies.size(), request.bodies);
  scene.bodies.resize(request.bodies);
  SceneProgress progress(request.progress, request.bodies - large);
  progress.for_each(request.bodies - large, [&](std::size_t i) { scene.bodies[large + i] = small_body(i); });
  const double mass = sum_over(scene.bodies, [](const Body& body) { return body.mass; });
  const Vec3 position = sum_over(scene.bodies, [](const Body& body) { return body.position * body.mass; });
  const Vec3 velocity = sum_over(scene.bodies, [](const Body& body) { return body.velocity * body.mass; });
  if (mass > 0) shift(scene.bodies, position * (-1 / mass), velocity * (-1 / mass));
  return scene;
}

Units solar_units() {
  constexpr double kAuKm = 149597870.7, kKpcKm = 3.0856775814913673e16, kDaySeconds = 86400, kMyrDays = 365.25e6;
  return {.length_kpc = kAuKm / kKpcKm,
          .time_myr = kSolarDays / kMyrDays,
          .velocity_kms = kAuKm / (kSolarDays * kDaySeconds)};
}

Bodies sun_and_planets(double julian_date, int dimension) {
  Bodies bodies = {{{}, {}, 1, make_tag(0, Component::other)}};
  for (const Planet& planet : kPlanets) bodies.push_back(planet_at(planet, (julian_date - kJ2000) / 36525, dimension));
  return bodies;
}

std::vector<SceneInfo> solar_system_scenes() {
  return {
      {.name = "solar-system",
       .title = "Solar system",
       .summary =
           "The Sun and the eight planets at their positions on 1 January 2000, and asteroids without mass with the "
           "orbits of the main belt. In AU and years (G = 1, the Sun's mass is 1).",
       .caption = "The Sun and its planets: the closer to the Sun, the faster.",
       .group = SceneGroup::few_bodies,
       .min_bodies = 9,
       .make = make_solar_system,
       .group_names = {"Sun, planets", "asteroid belt"},
       .story = {.radius = 5, .key = ViewAngles{.yaw = -72, .pitch = 55}},
       .point_masses = kSunAndPlanets}};
}

}  // namespace pericenter

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "sim/core/random.h"
#include "sim/scenes/model/encounter.h"
#include "sim/scenes/model/orbit.h"
#include "sim/scenes/registry.h"
#include "sim/scenes/scene_progress.h"

namespace pericenter {
namespace {

using std::numbers::pi;

// The units of Toomre and Toomre 1972 (doi:10.1086/151823): 25 kpc, the pericentre of most of their orbits, and 1e11
// solar masses.
constexpr Units kToomreUnits = {.length_kpc = 25, .time_myr = 186.4, .velocity_kms = 131.16};
constexpr double kHundredMyr = 100 / kToomreUnits.time_myr;  // their time
constexpr std::size_t kPointMasses = 2;
constexpr std::size_t kMaxRingBodies = 10'000;  // bodies of a disc; more would hide that they are rings

/// An encounter of two point masses, the first of mass 1, with discs of massless test particles on circular orbits.
struct RestrictedScene {
  std::string_view name, title, summary, caption, highlight_caption = {};  ///< see SceneInfo
  Encounter encounter;
  double first_disc = 0, second_disc = 0;  ///< outer radii; 0: no disc
  double shown_after = 0;                  ///< highlight time after pericentre, in units of 1e8 years
  double view_radius = 4;
  ViewAngles angles;
  double dt = 0.0075, softening = 0.05;
  double adaptive_steps = 0;
  std::array<std::string_view, 7> group_names = {};
  StoryView story = {};
};

// The encounters of Toomre and Toomre 1972 in their units, except for the ring, which is of the same kind. The Antennae
// and the Mice start at the apocentre.
constexpr RestrictedScene kRestricted[] = {
    {.name = "toomre-antennae",
     .title = "Toomre: the Antennae",
     .summary =
         "The Antennae as modelled by Toomre and Toomre in 1972: two point masses attract rings of massless test "
         "particles. Two long tails form, so tides alone produce them.",
     .caption = "Two heavy points pass each other, each with a disc of light ones: a model from 1972.",
     .highlight_caption = "Two long tails, and nothing but the pull of two points has made them.",
     .encounter = {.orbit = {.pericenter = 1, .eccentricity = 0.5, .separation = 3},
                   .first = {60, -30},
                   .second = {60, -30}},
     .first_disc = 0.75,
     .second_disc = 0.75,
     .shown_after = 15,
     .view_radius = 5.5,
     .angles = {.yaw = 30, .pitch = 0},
     .group_names = {"NGC 4038", "NGC 4039"},
     .story = {.radius = 8.6}},
    {.name = "toomre-mice",
     .title = "Toomre: the Mice",
     .summary = "NGC 4676 as modelled by Toomre and Toomre in 1972, seen almost along the plane of the orbit: one tail "
                "looks straight because its disc is seen edge-on.",
     .caption = "The model of the Mice from 1972: two points and their discs pass each other.",
     .highlight_caption = "Two tails. One of them looks straight only because we see it from its edge.",
     .encounter = {.orbit = {.pericenter = 1, .eccentricity = 0.6, .separation = 4},
                   .first = {15, -90},
                   .second = {60, -90}},
     .first_disc = 0.7,
     .second_disc = 0.7,
     .shown_after = 6.086,
     .view_radius = 4,
     .angles = {.yaw = 180, .pitch = -10},
     .group_names = {"NGC 4676 A", "NGC 4676 B"},
     .story = {.radius = 5.5,
               .first = ViewAngles{.yaw = 55, .pitch = 45},
               .last = ViewAngles{.yaw = 135, .pitch = 45},
               .key = ViewAngles{.yaw = 110, .pitch = -15}}},
    {.name = "toomre-m51",
     .title = "Toomre: M51",
     .summary = "The Whirlpool with test particles, after Toomre and Toomre 1972: a companion with a third of the mass "
                "draws two open arms out of the disc that it passes. One of them is a bridge to the companion.",
     .caption = "The model of the Whirlpool from 1972: a smaller mass passes a disc.",
     .highlight_caption = "Two open arms. One of them is a bridge to the visitor.",
     .encounter = {.orbit = {.pericenter = 1, .eccentricity = 0.8, .separation = 2.6},
                   .first = {-70, -15},
                   .second = {-60, -30},
                   .mass_ratio = 1.0 / 3},
     .first_disc = 0.6,
     .second_disc = 0.4,
     .shown_after = 2.4,
     .view_radius = 2.4,
     .angles = {.yaw = -75, .pitch = 25},
     .group_names = {"M51", "NGC 5195"}},
    {.name = "toomre-direct",
     .title = "Toomre: direct passage",
     .summary =
         "A mass passes a disc of test particles in the direction of the disc's rotation. It keeps pace with the "
         "outer particles and pulls out a bridge and a long tail. Compare it with the retrograde passage.",
     .caption = "A mass passes a disc, in the direction in which the disc spins.",
     .highlight_caption = "A bridge and a long tail: the outer points kept pace with the passing mass.",
     .encounter = {.orbit = {.pericenter = 1, .eccentricity = 1, .separation = 2.3}, .first = {}, .second = {}},
     .first_disc = 0.6,
     .shown_after = 3.1,
     .view_radius = 4.5,
     .angles = {.yaw = -90, .pitch = 90},
     .story = {.last = ViewAngles{.yaw = 55, .pitch = 90}, .key = ViewAngles{.yaw = 28, .pitch = 90}}},
    {.name = "toomre-retrograde",
     .title = "Toomre: retrograde passage",
     .summary = "The same passage against the rotation of the disc: no test particle stays close to the mass for long, "
                "and no tails form.",
     .caption = "The same passage, but the disc spins the other way round.",
     .highlight_caption = "No tails: no point stayed close to the passing mass for long.",
     .encounter = {.orbit = {.pericenter = 1, .eccentricity = 1, .separation = 2.3},
                   .first = {180, 0},
                   .second = {180, 0}},
     .first_disc = 0.6,
     .shown_after = 3.1,
     .view_radius = 4.5,
     .angles = {.yaw = -90, .pitch = 90},
     .story = {.last = ViewAngles{.yaw = 55, .pitch = 90}, .key = ViewAngles{.yaw = 28, .pitch = 90}}},
    {.name = "toomre-ring",
     .title = "Toomre: ring",
     .summary = "A mass falls through the centre of a disc of test particles. All particles are pulled inwards and "
                "rebound, the inner ones first: a ring expands, as in the Cartwheel.",
     .caption = "A mass falls through the centre of a disc.",
     .highlight_caption = "A ring runs outwards: all points were pulled in, and the inner ones came back first.",
     .encounter = {.orbit = {.pericenter = 0.001, .eccentricity = 1, .separation = 2},
                   .first = {90, 90},
                   .second = {},
                   .mass_ratio = 0.4},
     .first_disc = 0.6,
     .shown_after = 1.8,
     .view_radius = 1.6,
     .angles = {.yaw = 35, .pitch = 25},
     .dt = 0.00125,
     .softening = 0.1,
     .adaptive_steps = 2.5e-5,  // the point masses pass through each other
     .story = {.first = ViewAngles{.yaw = -75, .pitch = 30},
               .last = ViewAngles{.yaw = -140, .pitch = 18},
               .key = ViewAngles{.yaw = -122, .pitch = 25}}},
};

struct TestDisc {
  double mass = 1;  ///< mass at the centre
  double softening = 0;
  double outer = 0;
  std::uint32_t galaxy = 0;  ///< galaxy in the tags
  double inner() const { return 0.2 * outer; }
};

Body on_circle(const TestDisc& disc, double r, double angle) {
  const double speed = r * std::sqrt(disc.mass) * std::pow(r * r + disc.softening * disc.softening, -0.75);
  const Vec3 out{std::cos(angle), std::sin(angle), 0}, ahead{-out[1], out[0], 0};
  return {out * r, ahead * speed, 0, make_tag(disc.galaxy, Component::disc, 5 * r / disc.outer)};
}

// Rings as in the paper, with equal distances between neighbours.
void fill_rings(std::span<Body> bodies, const TestDisc& disc, Random& random) {
  const auto count = static_cast<double>(bodies.size());
  const double inner2 = disc.inner() * disc.inner(), area = disc.outer * disc.outer - inner2;
  const int rings = std::max(1, static_cast<int>(std::lround(std::sqrt(count) / 3)));
  const double step = (disc.outer - disc.inner()) / rings;
  std::size_t begin = 0;
  for (int ring = 0; ring < rings; ++ring) {
    const double edge = disc.inner() + (ring + 1) * step;
    const auto end = static_cast<std::size_t>(std::lround(count * (edge * edge - inner2) / area));
    const double phase = random.uniform();
    for (std::size_t i = begin; i < end; ++i) {
      const double turns = (static_cast<double>(i - begin) + phase) / static_cast<double>(end - begin);
      bodies[i] = on_circle(disc, edge - step / 2, 2 * pi * turns);
    }
    begin = end;
  }
}

void fill_disc(std::span<Body> bodies, const TestDisc& disc, std::uint64_t seed, SceneProgress& progress) {
  if (bodies.empty()) return;
  Random rings(seed, disc.galaxy);
  const bool in_rings = bodies.size() <= kMaxRingBodies;
  if (in_rings) fill_rings(bodies, disc, rings);
  progress.for_each(bodies.size(), [&](std::size_t i) {
    if (in_rings) return;
    Random random(seed, 2 * i + disc.galaxy);
    const double inner2 = disc.inner() * disc.inner(), outer2 = disc.outer * disc.outer;
    const double r = std::sqrt(inner2 + random.uniform() * (outer2 - inner2));
    bodies[i] = on_circle(disc, r, 2 * pi * random.uniform());
  });
}

Vec3 allowed_spin(const Vec3& spin, int dimension) {
  return dimension == 2 ? Vec3{0, 0, spin[2] < 0 ? -1.0 : 1.0} : spin;
}

Scene make(const RestrictedScene& row, const SceneRequest& request) {
  const Encounter encounter = request.encounter.value_or(row.encounter);
  const double second_mass = encounter.mass_ratio, total = 1 + second_mass;
  Scene scene;
  scene.params = {.dt = row.dt,
                  .softening = request.softening > 0 ? request.softening : row.softening,
                  .adaptive_steps = row.adaptive_steps};
  scene.units = kToomreUnits;
  scene.view_radius = row.view_radius;
  scene.angles = row.angles;
  scene.highlight_time = time_to_pericenter(encounter.orbit, total) + row.shown_after * kHundredMyr;

  scene.bodies = uninitialized_bodies(request.bodies);
  const std::span<Body> all(scene.bodies);
  const std::size_t masses = std::min(kPointMasses, all.size()), tests = all.size() - masses;
  const double areas[] = {row.first_disc * row.first_disc, row.second_disc * row.second_disc};
  const auto first_tests =
      static_cast<std::size_t>(std::llround(static_cast<double>(tests) * areas[0] / (areas[0] + areas[1])));
  const std::span<Body> discs[] = {all.subspan(masses, first_tests), all.last(tests - first_tests)};

  RelativeState state = relative_state(encounter.orbit, total);
  state.velocity *= encounter.speed_factor;
  SceneProgress progress(request.progress, tests);
  for (std::uint32_t galaxy = 0; galaxy < 2; ++galaxy) {
    const bool second = galaxy == 1;
    const double mass = second ? second_mass : 1, share = (second ? 1 : -second_mass) / total;
    const TestDisc disc = {mass, scene.params.softening, second ? row.second_disc : row.first_disc, galaxy};
    fill_disc(discs[galaxy], disc, request.seed, progress);
    const DiscOrientation& tilt = second ? encounter.second : encounter.first;
    Placement placement = rotation_to(allowed_spin(spin_axis(tilt, second), request.dimension));
    placement.position = state.position * share;
    placement.velocity = state.velocity * share;
    place(discs[galaxy], placement);
    if (galaxy < masses)
      all[galaxy] = {state.position * share, state.velocity * share, mass, make_tag(galaxy, Component::bulge)};
  }
  return scene;
}

}  // namespace

std::vector<SceneInfo> restricted_scenes() {
  std::vector<SceneInfo> scenes;
  for (const RestrictedScene& row : kRestricted) {
    scenes.push_back({.name = row.name,
                      .title = row.title,
                      .summary = row.summary,
                      .caption = row.caption,
                      .highlight_caption = row.highlight_caption,
                      .group = SceneGroup::restricted,
                      .min_bodies = kPointMasses,
                      .make = [&row](const SceneRequest& request) { return make(row, request); },
                      .encounter = &row.encounter,
                      .group_names = row.group_names,
                      .story = row.story,
                      .point_masses = kPointMasses});
  }
  return scenes;
}

}  // namespace pericenter

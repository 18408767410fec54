#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/analysis/orbit_check.h"
#include "sim/core/parallel.h"
#include "sim/files/scene_frame.h"

namespace pericenter {
namespace {

constexpr std::size_t kFewBodies = 64;  // up to 64 bodies are stars or planets, not samples of a smooth galaxy
constexpr double kHeavyShare = 0.1;     // share of the total mass: such a body is not a sample of a galaxy
constexpr double kCentralShare = 0.5;   // share of the total mass: the others orbit this body
constexpr std::size_t kPool = 1 << 15;  // bodies searched for neighbours
constexpr std::size_t kProbes = 128;    // bodies whose neighbours are searched
constexpr std::size_t kNeighbours = 16;
constexpr double kDenseShare = 0.1;   // share of the probes that defines the core
constexpr std::size_t kPaired = 512;  // bodies of which all pairs are examined
constexpr double kStepsPerOrbit = 200;
constexpr double kStepsAtPericenter = 40;   // of a circular orbit there; OrbitFollower needs half as many
constexpr double kShortestShare = 0.01;     // of the step that the distances suggest: nearly radial orbits
constexpr double kCrossing = 0.1;           // longest step, in times in which the fastest body crosses the view
constexpr double kFewBodySoftening = 1e-3;  // fraction of the distance of the closest pair
constexpr double kSpacingShare = 0.5;       // Rodionov and Sotnikova 2005 (astro-ph/0504573), also kSofteningsPerStep
constexpr double kSofteningsPerStep = 0.5;  // softenings that a body travels in one step
constexpr double kVirialSpeed = 0.7;        // typical speed for a mass of 1 within a radius of 1
constexpr double kColdSpeed = 0.35;         // slower bodies collapse
constexpr double kFastestShare = 0.8;       // the fastest body travels less than a softening in one step
constexpr double kMaxFastest = 4;           // expected speeds; a few escaping bodies are not resolved
constexpr double kViewShare = 0.95;         // share of the visible bodies in the first frame
constexpr double kViewMargin = 1.1;
constexpr double kViewGap = 100;  // ratio of the distances of two bodies, of which the farther has left

/// At most `limit` of the bodies that match `wanted`, at a constant stride.
template <class Wanted>
Bodies sample(const Bodies& bodies, std::size_t limit, const Wanted& wanted) {
  const auto count = static_cast<std::size_t>(std::ranges::count_if(bodies, wanted));
  const std::size_t stride = std::max<std::size_t>(1, (count + limit - 1) / limit);
  Bodies chosen;
  std::size_t index = 0;
  for (const Body& body : bodies) {
    if (wanted(body) && index++ % stride == 0) chosen.push_back(body);
  }
  return chosen;
}

double square_distance(const Body& a, const Body& b) {
  const Vec3 d = a.position - b.position;
  return dot(d, d);
}

// Mean distance between massive neighbours in the core.
double core_spacing(const Bodies& pool, std::size_t massive) {
  const std::size_t probes = std::min(kProbes, pool.size()), stride = pool.size() / probes;
  std::vector<double> radii(probes);
  tbb::parallel_for(std::size_t(0), probes, [&](std::size_t p) {
    std::vector<double> squares(pool.size());
    for (std::size_t i = 0; i < pool.size(); ++i) squares[i] = square_distance(pool[p * stride], pool[i]);
    std::ranges::nth_element(squares, squares.begin() + kNeighbours);
    radii[p] = std::sqrt(squares[kNeighbours]);
  });
  std::ranges::sort(radii);
  const double radius = radii[static_cast<std::size_t>(kDenseShare * static_cast<double>(probes))];
  const double in_ball = kNeighbours * static_cast<double>(massive) / static_cast<double>(pool.size());
  return radius * std::cbrt(4 * std::numbers::pi / 3 / in_ball);
}

struct ClosestPair {
  double distance = 0;
  double orbit = 0;             // shortest period of a pair, if bound at its distance
  double pericenter_orbit = 0;  // at the pericentre of an orbit about the heaviest body
};

ClosestPair closest_pair(const Bodies& bodies) {
  Bodies pairs = bodies;
  std::ranges::stable_sort(pairs, [](const Body& a, const Body& b) { return a.mass > b.mass; });
  const std::size_t heavy = std::min(kPaired, pairs.size());
  const Bodies light = sample({pairs.begin() + static_cast<std::ptrdiff_t>(heavy), pairs.end()}, kPool,
                              [](const Body&) { return true; });
  pairs.resize(heavy);
  pairs.insert(pairs.end(), light.begin(), light.end());
  ClosestPair closest;
  for (std::size_t i = 0; i < heavy && pairs[i].mass > 0; ++i) {
    for (std::size_t j = i + 1; j < (i == 0 ? pairs.size() : heavy); ++j) {
      const double square = square_distance(pairs[i], pairs[j]);
      if (square == 0) continue;
      const double distance = std::sqrt(square);
      const double orbit = 2 * std::numbers::pi * distance * std::sqrt(distance / (pairs[i].mass + pairs[j].mass));
      if (closest.distance == 0 || distance < closest.distance) closest.distance = distance;
      if (closest.orbit == 0 || orbit < closest.orbit) closest.orbit = orbit;
      const auto orbit_ahead = i == 0 ? passing_orbit(pairs[j], pairs[0], {.softening = 0}) : std::nullopt;
      if (orbit_ahead && (closest.pericenter_orbit == 0 || orbit_ahead->pericenter_period < closest.pericenter_orbit))
        closest.pericenter_orbit = orbit_ahead->pericenter_period;
    }
  }
  return closest;
}

/// The greatest typical speed that bodies with this rms speed will have. Bodies at rest fall together until their
/// number is too small for a smaller radius, N^(-1/3) (Aarseth, Lin and Papaloizou 1988, ApJ 324, 288); others until
/// their own motion stops them.
double expected_speed(double rms, std::size_t massive) {
  if (rms >= kColdSpeed) return std::max(kVirialSpeed, rms);
  const double collapse = std::numbers::sqrt2 * std::pow(static_cast<double>(massive), 1.0 / 6);
  return std::min(collapse, kVirialSpeed * kVirialSpeed / rms);
}

double view_radius_of(const Bodies& bodies) {
  const auto is_visible = [](const Body& body) { return component_of(body.tag) != Component::halo; };
  Bodies visible = sample(bodies, kPool, is_visible);
  if (visible.empty()) visible = sample(bodies, kPool, [](const Body&) { return true; });
  std::vector<double> distances;
  for (const Body& body : visible) distances.push_back(length(body.position));
  std::ranges::sort(distances);
  const auto share = static_cast<std::size_t>(static_cast<double>(distances.size()) * kViewShare);
  std::size_t last = std::min(distances.size() - 1, share);
  // A few bodies that have left the system would make a dot of it.
  for (std::size_t k = distances.size() / 2; k < last; ++k)
    if (distances[k] > 0 && distances[k + 1] > kViewGap * distances[k]) last = k;
  const double radius = distances[last];
  return radius > 0 ? kViewMargin * radius : 1;
}

}  // namespace

SuggestedRun suggested_run(const Bodies& bodies, double softening) {
  SuggestedRun run;
  run.view_radius = view_radius_of(bodies);
  std::size_t massive = 0;
  double total = 0, heaviest = 0, squares = 0, fastest = 0;
  for (const Body& body : bodies) {
    if (body.mass > 0) ++massive;
    total += body.mass;
    heaviest = std::max(heaviest, body.mass);
    squares += dot(body.velocity, body.velocity);
    fastest = std::max(fastest, length(body.velocity));
  }
  run.params.softening = softening;
  if (massive <= kFewBodies || heaviest > kHeavyShare * total) {
    const ClosestPair closest = closest_pair(bodies);
    // The self-energy of a softened central star would hide the energy of its planets.
    if (!(softening > 0) && closest.distance > 0 && heaviest <= kCentralShare * total)
      run.params.softening = round_number(kFewBodySoftening * closest.distance);
    // Bodies whose gravity is negligible have no orbit to resolve.
    const double crossing = fastest > 0 ? run.view_radius / fastest : closest.orbit;
    if (closest.orbit > 0) {
      const double dt = std::min(closest.orbit / kStepsPerOrbit, kCrossing * crossing);
      const bool few = bodies.size() <= kFewBodies && heaviest >= kCentralShare * total;
      const double resolved = few && closest.pericenter_orbit > 0 ? closest.pericenter_orbit / kStepsAtPericenter : dt;
      run.params.dt = round_number(std::clamp(resolved, kShortestShare * dt, dt));
    }
    return run;
  }
  if (!(softening > 0)) {
    const Bodies pool = sample(bodies, kPool, [](const Body& body) { return body.mass > 0; });
    const double spacing = core_spacing(pool, massive);
    run.params.softening = spacing > 0 ? round_number(kSpacingShare * spacing) : Params{}.softening;
  }
  const double expected = expected_speed(std::sqrt(squares / static_cast<double>(bodies.size())), massive);
  const double speed = std::max(expected, std::min(kFastestShare * fastest, kMaxFastest * expected));
  run.params.dt = round_number(kSofteningsPerStep * run.params.softening / speed);
  return run;
}

}  // namespace pericenter

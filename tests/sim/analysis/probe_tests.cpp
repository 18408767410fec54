#include "sim/analysis/probe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <thread>

#include "sim/core/clock.h"
#include "sim/session/session.h"
#include "tests/support/reference.h"

namespace pericenter {
namespace {

using test::configs_of;
using test::describe;
using test::scene_bodies;
using test::switched_configs;

constexpr Params kParams{.theta = 0.6, .softening = 0.02, .gravity = 1.7};

struct Solved {
  Bodies bodies;
  std::vector<Vec3> accelerations;
  WorkCounts work;
  std::vector<std::uint32_t> interactions;

  Solved(const Config& config, const Params& params, const Bodies& given) {
    const auto simulation = Simulation::create(config, given);
    simulation->show(Scalar::interactions);
    accelerations = simulation->accelerations(params);
    bodies = simulation->bodies();
    work = simulation->work();
    interactions = simulation->interactions();
  }
};

/// Relative difference between the sum of the probe and the acceleration of the solver; relative to the mean where
/// forces cancel.
double disagreement(const Probe& probe, const Solved& run) {
  double mean = 0;
  for (const Vec3& a : run.accelerations) mean += length(a) / static_cast<double>(run.accelerations.size());
  const Vec3& wanted = run.accelerations[probe.body];
  return length(probe.sum - wanted) / std::max({length(wanted), 0.3 * mean, 1e-300});
}

double bound(const Config& config) {
  return config.precision == Precision::float32 ? 1e-5 : 1e-12;
}

void expect_agreement(const Config& config, const Params& params, const Bodies& given) {
  const Solved run(config, params, given);
  WorkCounts sum;
  for (std::size_t i = 0; i < run.bodies.size(); ++i) {
    const Probe walk = probe(config, params, run.bodies, i);
    sum.body_interactions += walk.pairs;
    sum.cell_interactions += walk.cells;
    EXPECT_LE(disagreement(walk, run), bound(config)) << describe(config) << ", body " << i;
    EXPECT_EQ(walk.cells + walk.pairs, run.interactions[i]) << describe(config) << ", body " << i;
    EXPECT_EQ(walk.position, run.bodies[i].position);
    EXPECT_EQ(walk.all_bodies, given.size());
  }
  EXPECT_EQ(sum.body_interactions, run.work.body_interactions) << describe(config);
  if (find_solver(config.solver)->expansions) {
    EXPECT_GE(sum.cell_interactions, run.work.cell_interactions)
        << "cell-cell interactions count once per body of the target cell";
  } else {
    EXPECT_EQ(sum.cell_interactions, run.work.cell_interactions) << describe(config);
  }
}

class Probes : public testing::TestWithParam<Config> {};
INSTANTIATE_TEST_SUITE_P(AllSolvers, Probes, testing::ValuesIn(configs_of(Backend::cpu)), test::test_name);

TEST_P(Probes, MatchTheSolver) {
  const Config& config = GetParam();
  expect_agreement(config, kParams, scene_bodies("plummer", 400, config.dimension));
}

TEST_P(Probes, MatchEveryOptionOfTheSolver) {
  for (const Config& config : switched_configs(GetParam())) {
    expect_agreement(config, kParams, scene_bodies("plummer", 150, config.dimension));
  }
}

TEST_P(Probes, MatchTheSolverAtEdges) {
  const Config& config = GetParam();
  for (const std::size_t count : {1, 2, 255, 257}) {
    expect_agreement(config, {.theta = 0.9, .softening = 0.01}, scene_bodies("uniform", count, config.dimension));
  }
  // Without softening, and with coincident bodies.
  Bodies bodies = scene_bodies("uniform", 60, config.dimension);
  for (std::size_t i = 0; i < 20; ++i) bodies[i].position = bodies[40].position;
  expect_agreement(config, {.theta = 0.7, .softening = 0}, bodies);
}

TEST_P(Probes, AtThetaZeroHaveNoCells) {
  const Config& config = GetParam();
  const Bodies bodies = Solved(config, {.theta = 0}, scene_bodies("plummer", 300, config.dimension)).bodies;
  const Probe walk = probe(config, {.theta = 0}, bodies, 123);
  EXPECT_EQ(walk.cells, 0u);
  EXPECT_EQ(walk.pairs, config.solver == "direct-pairs" ? 299u : 300u);
  EXPECT_EQ(walk.bodies.size(), 299u);
}

TEST_P(Probes, IgnoreNonFiniteBodies) {
  const Config& config = GetParam();
  Bodies bodies = scene_bodies("plummer", 100, config.dimension);
  bodies[3].position[0] = std::nan("");
  bodies[4].position[1] = std::numeric_limits<double>::infinity();
  for (const std::size_t body : {3, 4, 50}) {
    const Probe walk = probe(config, kParams, bodies, body);
    EXPECT_TRUE(std::isfinite(length(walk.sum))) << describe(config);
  }
}

TEST(Probe, EveryBodyActsExactlyOnce) {
  for (const char* solver : {"octree", "fmm", "concurrent-octree", "hilbert-bvh", "hybrid-shared"}) {
    const Config config{.solver = solver, .precision = Precision::float64};
    Bodies bodies = scene_bodies("plummer", 2000);
    // With this softening the force measures the total mass that the walk has visited.
    Params params{.theta = 0.8, .softening = 1e6};
    const Probe walk = probe(config, params, bodies, 77);
    Vec3 all;
    for (const Body& body : bodies) all += (body.position - bodies[77].position) * (body.mass / 1e18);
    EXPECT_LE(length(walk.sum - all), 1e-9 * length(all)) << solver;
  }
}

TEST(Probe, HasTheExactForce) {
  for (const int dimension : {2, 3}) {
    const Config config{.precision = Precision::float64, .dimension = dimension};
    const Solved run(config, {.theta = 1.2, .softening = 0.02, .gravity = 1.7},
                     scene_bodies("plummer", 2000, dimension));
    const Probe walk = probe(config, {.theta = 1.2, .softening = 0.02, .gravity = 1.7}, run.bodies, 77);
    const Vec3 exact = test::exact_acceleration(run.bodies, 77, 0.02) * 1.7;
    EXPECT_LE(length(walk.exact - exact), 1e-12 * length(exact));
    EXPECT_GE(length(walk.sum - exact), 1e-5 * length(exact)) << "theta 1.2 is not exact";
  }
}

TEST(Probe, NodesMatchCounts) {
  for (const char* solver : {"octree", "fmm", "tree-sorted", "hilbert-bvh"}) {
    const Bodies bodies = scene_bodies("plummer", 5000);
    const Probe walk = probe({.solver = solver}, kParams, bodies, 42);
    const auto accepted = std::count_if(walk.nodes.begin(), walk.nodes.end(), [](auto& n) { return n.accepted; });
    EXPECT_EQ(static_cast<std::uint64_t>(accepted), walk.cells);
    EXPECT_EQ(walk.nodes.size(), walk.cells + walk.opened);
    EXPECT_FALSE(walk.nodes.front().accepted);  // the root
    EXPECT_EQ(walk.nodes.front().box.level, 0);
    EXPECT_LE(walk.bodies.size(), walk.pairs);
    // fmm has larger leaves.
    EXPECT_LT(walk.cells + walk.pairs, find_solver(solver)->expansions ? 4500u : 2500u);
    const auto far = [&](const Vec3& place) { return length(place - walk.position); };
    EXPECT_TRUE(std::is_sorted(walk.bodies.begin(), walk.bodies.end(),
                               [&](const Vec3& a, const Vec3& b) { return far(a) < far(b); }));
  }
}

TEST(Probe, FindsTheStrongestCells) {
  for (const char* solver : {"octree", "fmm", "hilbert-bvh"}) {
    const Bodies bodies = scene_bodies("plummer", 5000);
    const Probe walk = probe({.solver = solver, .precision = Precision::float64}, kParams, bodies, 42);
    ASSERT_EQ(walk.strongest.size(), std::min<std::size_t>(walk.cells, kStrongestCells)) << solver;
    double pulls = 0, weakest = 1e300, strongest_of_others = 0, of_bodies = 0;
    for (const std::uint32_t k : walk.strongest) {
      EXPECT_TRUE(walk.nodes[k].accepted);
      EXPECT_LE(walk.nodes[k].pull, weakest) << "strongest first";
      weakest = walk.nodes[k].pull;
      pulls += walk.nodes[k].pull;
    }
    for (std::size_t k = 0; k < walk.nodes.size(); ++k) {
      if (std::ranges::count(walk.strongest, k) == 0)
        strongest_of_others = std::max(strongest_of_others, walk.nodes[k].pull);
      if (!walk.nodes[k].accepted) {
        EXPECT_EQ(walk.nodes[k].pull, 0);
      }
    }
    EXPECT_LE(strongest_of_others, weakest) << solver;
    EXPECT_NEAR(walk.strongest_share, pulls / walk.pulls, 1e-12) << solver;
    EXPECT_GT(walk.strongest_share, 0.05) << solver;
    EXPECT_LT(walk.strongest_share, 1) << solver;
    // All magnitudes together: those of the cells, and those of bodies of equal mass.
    for (const ProbedNode& node : walk.nodes) of_bodies -= node.pull;
    of_bodies += walk.pulls;
    double expected = 0;
    for (const Vec3& at : walk.bodies) {
      const Vec3 d = at - walk.position;
      const double softened = dot(d, d) + kParams.softening * kParams.softening;
      expected += kParams.gravity * bodies[0].mass * length(d) / (softened * std::sqrt(softened));
    }
    EXPECT_NEAR(of_bodies, expected, 1e-6 * walk.pulls) << solver;
  }
}

TEST(Probe, WithoutCellsHasNoStrongest) {
  const Probe walk = probe({.solver = "direct"}, kParams, scene_bodies("plummer", 500), 3);
  EXPECT_TRUE(walk.strongest.empty());
  EXPECT_EQ(walk.strongest_share, 0);
  EXPECT_GT(walk.pulls, length(walk.sum));
}

TEST(Probe, KeepsTheNearestBodies) {
  const Bodies bodies = scene_bodies("plummer", 6000);
  const Probe walk = probe({.solver = "direct"}, kParams, bodies, 0);
  ASSERT_EQ(walk.bodies.size(), kMaxProbedBodies);
  const double farthest = length(walk.bodies.back() - bodies[0].position);
  const auto nearer = std::count_if(bodies.begin(), bodies.end(), [&](const Body& body) {
    return length(body.position - bodies[0].position) <= farthest * (1 + 1e-6);
  });
  EXPECT_NEAR(static_cast<double>(nearer), kMaxProbedBodies + 1.0, 2);
  EXPECT_EQ(walk.pairs, 6000u);
}

TEST(Probe, CountsBodiesThatShareAWalk) {
  const Bodies bodies = scene_bodies("plummer", 1000);
  const auto shared_by = [&](Config config, std::size_t body) {
    return probe(config, kParams, bodies, body).shared_by;
  };
  Config config{.solver = "octree"};
  EXPECT_GT(shared_by(config, 5), 1u);
  EXPECT_LE(shared_by(config, 5), 64u);
  config.solver_options.set(SolverOption::walk, Walk::stack);
  EXPECT_EQ(shared_by(config, 5), 1u);
  // Order::none: warps 0 to 30 have 32 bodies, the last has 8.
  config.backend = Backend::cuda;
  config.solver_options.set(SolverOption::walk, Walk::warp);
  config.solver_options.set(SolverOption::order, Order::none);
  EXPECT_EQ(shared_by(config, 991), 32u);
  EXPECT_EQ(shared_by(config, 992), 8u);
  // In any order, one of 32 warps is incomplete.
  for (const Order order : {Order::tree, Order::shuffled, Order::regular}) {
    config.solver_options.set(SolverOption::order, order);
    std::multiset<std::uint64_t> sizes;
    for (std::size_t i = 0; i < bodies.size(); i += 5) sizes.insert(shared_by(config, i));
    EXPECT_GE(sizes.count(32), 190u);
  }
  EXPECT_EQ(shared_by({.solver = "direct"}, 0), 1u);
}

TEST(Probe, RefusesMissingBody) {
  EXPECT_THROW(probe({}, {}, {}, 0), std::out_of_range);
  EXPECT_THROW(probe({}, {}, Bodies(3), 3), std::out_of_range);
}

class SessionProbe : public testing::Test {
 protected:
  void load(std::size_t bodies) { session_.apply(request::LoadScene{"plummer", {.bodies = bodies}}); }
  /// The new probe of the session.
  const Probe& next() {
    const auto news = session_.new_probe();
    EXPECT_TRUE(news && *news);
    if (news && *news) walk_ = **news;
    return walk_;
  }
  Session session_;
  Probe walk_;
};

TEST_F(SessionProbe, FollowsStepsAndChanges) {
  load(1000);
  EXPECT_FALSE(session_.new_probe());
  session_.apply(request::ShowProbe{17});
  const Probe first = next();
  EXPECT_EQ(first.body, 17u);
  EXPECT_LE(length(first.sum - first.acceleration), 1e-5 * length(first.acceleration));
  EXPECT_FALSE(session_.new_probe());

  Params params = session_.state().params;
  params.theta = 0.3;
  session_.apply(request::SetParams{params});
  EXPECT_GT(next().pairs + walk_.cells, first.pairs + first.cells);
  EXPECT_EQ(walk_.theta, 0.3);
  EXPECT_LE(length(walk_.sum - walk_.acceleration), 1e-5 * length(walk_.acceleration));

  session_.step(nullptr);
  EXPECT_EQ(next().time, params.dt);
  EXPECT_NE(walk_.position, first.position);

  Config config = session_.state().config;
  config.solver = "direct";
  session_.apply(request::SetConfig{config});
  EXPECT_EQ(next().pairs, 1000u);

  load(500);
  EXPECT_EQ(next().pairs, 500u);
  load(10);
  const auto end = session_.new_probe();
  ASSERT_TRUE(end);
  EXPECT_FALSE(*end) << "body 17 no longer exists";
  load(1000);
  EXPECT_FALSE(session_.new_probe());
}

TEST_F(SessionProbe, EndsOnRequest) {
  load(100);
  session_.apply(request::ShowProbe{1});
  next();
  session_.apply(request::ShowProbe{});
  const auto end = session_.new_probe();
  ASSERT_TRUE(end);
  EXPECT_FALSE(*end);
  session_.step(nullptr);
  EXPECT_FALSE(session_.new_probe());
}

TEST_F(SessionProbe, UsesAQuarterOfTheTime) {
  using Clock = std::chrono::steady_clock;
  load(20'000);
  Params params = session_.state().params;
  const auto set_theta = [&](double theta) {
    params.theta = theta;
    session_.apply(request::SetParams{params});
  };
  session_.apply(request::ShowProbe{1});
  double probing = std::numeric_limits<double>::infinity();  // the least that a probe takes with new forces
  for (const double theta : {0.5, 0.6, 0.5, 0.6, 0.5, 0.6, 0.5, 0.6}) {
    set_theta(theta);
    const Clock::time_point start = Clock::now();
    next();
    probing = std::min(probing, seconds_between(start, Clock::now()));
  }
  session_.apply(request::Play{true});
  set_theta(0.5);
  session_.apply(request::ShowProbe{2});
  const Clock::time_point start = Clock::now();
  next();
  set_theta(0.6);
  while (!session_.new_probe()) std::this_thread::yield();
  EXPECT_GE(seconds_between(start, Clock::now()), 3 * probing) << "at most a quarter of the time";

  // While paused, a change is shown immediately.
  session_.apply(request::Play{false});
  set_theta(0.7);
  EXPECT_EQ(next().theta, 0.7);
  // So is the selection of another star.
  session_.apply(request::Play{true});
  session_.apply(request::ShowProbe{3});
  EXPECT_EQ(next().body, 3u);
}

}  // namespace
}  // namespace pericenter

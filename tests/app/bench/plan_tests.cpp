#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "app/bench/input.h"
#include "app/bench/plan.h"
#include "sim/solvers/registry.h"
#include "tests/support/program.h"

// What `pericenter bench` measures: its bodies and its rows.

namespace pericenter::test {
namespace {

TEST(BenchInput, PlummerHasScaleLengthOneAndIsInEquilibrium) {
  const app::BenchInput input = app::make_bench_input({.bodies = 20'000, .samples = 1000}, {});
  std::vector<double> radii;
  double twice_kinetic = 0;
  for (const Body& body : input.bodies) {
    radii.push_back(length(body.position));
    twice_kinetic += body.mass * dot(body.velocity, body.velocity);
  }
  std::nth_element(radii.begin(), radii.begin() + 10'000, radii.end());
  EXPECT_NEAR(radii[10'000], 1.305, 0.03);
  EXPECT_NEAR(twice_kinetic, 3 * std::numbers::pi / 32, 0.01);
  ASSERT_EQ(input.sampled.size(), 1000u);
  EXPECT_EQ(input.sampled.front(), 0u);
  EXPECT_EQ(input.sampled.back(), 19'980u);
  // The law of force of the sphere: r / (1 + r^2)^(3/2).
  double sum = 0;
  for (std::size_t k = 0; k < input.exact.size(); ++k) {
    const double r = length(input.bodies[input.sampled[k]].position);
    sum += length(input.exact[k]) / (r * std::pow(1 + r * r, -1.5)) / 1000;
  }
  EXPECT_NEAR(sum, 1, 0.1);
}

TEST(BenchInput, DiscIsFlatAndUniform) {
  const app::BenchInput input = app::make_bench_input({.name = app::kDisc, .bodies = 10'000, .samples = 0}, {});
  int inner = 0;
  double mass = 0;
  for (const Body& body : input.bodies) {
    EXPECT_LE(length(body.position), 1.000001);
    EXPECT_EQ(body.position[2], 0);
    inner += length(body.position) < 0.5 ? 1 : 0;
    mass += body.mass;
  }
  EXPECT_NEAR(inner, 2500, 200);
  EXPECT_NEAR(mass, 1, 1e-4);
  EXPECT_TRUE(input.sampled.empty());
}

TEST(BenchInput, FileForcesDoNotDependOnUnits) {
  // Two pairs of bodies, 3 and 4 apart in each, 400 from one another.
  const TemporaryFolder folder;
  write_text(folder / "pairs.csv", "m,x,y,z\n2,0,0,0\n2,3,0,4\n1,400,0,0\n1,400,5,0\n");
  const app::InputRequest request = {.name = (folder / "pairs.csv").string(), .softening = 2};
  const app::BenchInput input = app::read_bench_input(request, {});
  ASSERT_EQ(input.bodies.size(), 4u);
  EXPECT_EQ(input.request.bodies, 4u);
  const Vec3 pair = input.bodies[1].position - input.bodies[0].position;
  const double unit = 5 / length(pair);  // of length, in the file's
  EXPECT_GT(std::abs(unit - 1), 0.1);
  EXPECT_NEAR(input.request.softening * unit, 2, 1e-6);
  // In its own units: 2 d / (d^2 + 2^2)^(3/2), and a little from the other pair.
  const double mass = input.bodies[0].mass / 2, distance = 5;
  const double expected = 2 * distance / std::pow(distance * distance + 4, 1.5);
  EXPECT_NEAR(length(input.exact[0]) / (unit * unit * mass), expected, 1e-4);
  app::InputRequest flat = request;
  flat.dimension = 2;
  const app::BenchInput plane = app::read_bench_input(flat, {});
  EXPECT_NEAR(length(plane.bodies[1].position - plane.bodies[0].position) * unit, 3, 1e-5);
}

app::BenchOptions on_the_cpu() {
  app::BenchOptions options;
  options.backends = {Backend::cpu};
  return options;
}

TEST(BenchPlan, DefaultsToAllSolvers) {
  const app::BenchPlan plan = make_bench_plan(on_the_cpu());
  EXPECT_TRUE(plan.left_out.empty()) << plan.left_out.front();
  std::map<std::string, int> rows;
  for (const app::BenchRow& row : plan.rows) ++rows[row.config.solver];
  for (const SolverInfo& solver : solvers()) {
    const std::string name(solver.name);
    EXPECT_EQ(rows[name], name == "octree" ? 6 : name == "direct" ? 2 : 1) << name;
  }
}

TEST(BenchPlan, SkipsLargeDirectSumsUnlessRequested) {
  app::BenchOptions options = on_the_cpu();
  options.bodies = {100'001};
  app::BenchPlan plan = make_bench_plan(options);
  EXPECT_TRUE(std::all_of(plan.rows.begin(), plan.rows.end(), [](const app::BenchRow& row) { return row.has_tree(); }));
  const auto direct =
      std::count_if(solvers().begin(), solvers().end(), [](const SolverInfo& solver) { return !solver.has_tree(); });
  ASSERT_EQ(plan.left_out.size(), static_cast<std::size_t>(direct));
  EXPECT_THAT(plan.left_out[0], testing::HasSubstr("--solver direct"));
  options.solvers = {"direct"};
  plan = make_bench_plan(options);
  EXPECT_EQ(plan.rows.size(), 1u);
  EXPECT_TRUE(plan.left_out.empty());
}

TEST(BenchPlan, CombinesOptionValuesAndThreads) {
  app::BenchOptions options = on_the_cpu();
  options.solvers = {"tree-sorted", "direct"};
  options.bodies = {100};
  options.thetas = {0.5, 1};
  options.threads = {1, 0};
  options.solver_options[static_cast<std::size_t>(SolverOption::walk)] = {static_cast<int>(Walk::skip),
                                                                          static_cast<int>(Walk::stack)};
  options.solver_options[static_cast<std::size_t>(SolverOption::order)] = {
      static_cast<int>(Order::tree), static_cast<int>(Order::none), static_cast<int>(Order::shuffled)};
  const app::BenchPlan plan = make_bench_plan(options);
  EXPECT_TRUE(plan.left_out.empty()) << plan.left_out.front();
  // The direct sum has no switch, but threads.
  EXPECT_EQ(plan.rows.size(), 2u * 2 * 2 * 3 + 2u);
  for (std::size_t k = 0; k < plan.rows.size(); ++k) {
    EXPECT_EQ(problem_with(plan.rows[k].config), "");
    for (std::size_t other = 0; other < k; ++other) {
      EXPECT_FALSE(plan.rows[k].config == plan.rows[other].config && plan.rows[k].theta == plan.rows[other].theta);
    }
  }
}

TEST(BenchPlan, NamesOptionsThatNoRowHas) {
  app::BenchOptions options = on_the_cpu();
  options.solvers = {"octree", "direct"};
  options.bodies = {100};
  options.solver_options[static_cast<std::size_t>(SolverOption::parallel)] = {static_cast<int>(Parallel::own)};
  EXPECT_THAT(make_bench_plan(options).unused, testing::IsEmpty());
  options.solvers = {"octree"};
  EXPECT_THAT(make_bench_plan(options).unused,
              testing::ElementsAre(testing::StartsWith("--parallel has no effect: solver 'octree' has no option")));
}

TEST(BenchPlan, OpeningByErrorUsesAccuracies) {
  app::BenchOptions options = on_the_cpu();
  options.solvers = {"fmm"};
  options.bodies = {100};
  options.thetas = {0.5, 1};
  options.accuracies = {1e-2, 1e-3, 1e-4};
  options.solver_options[static_cast<std::size_t>(SolverOption::opening)] = {static_cast<int>(Opening::angle),
                                                                             static_cast<int>(Opening::error)};
  const app::BenchPlan plan = make_bench_plan(options);
  ASSERT_EQ(plan.rows.size(), 2u + 3u);
  for (std::size_t k = 0; k < plan.rows.size(); ++k) {
    const app::BenchRow& row = plan.rows[k];
    EXPECT_EQ(row.has_theta(), k < 2);
    if (k < 2) {
      EXPECT_EQ(row.theta, options.thetas[k]);
    } else {
      EXPECT_EQ(row.accuracy, options.accuracies[k - 2]);
      EXPECT_GT(row.theta, 0) << "0 is the direct sum";
    }
  }
}

}  // namespace
}  // namespace pericenter::test

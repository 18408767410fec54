#include "app/lessons/slide_run.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sim/scenes/registry.h"

namespace pericenter::app {
namespace {

TEST(SlideRun, SettingsThatAreNotNamedStay) {
  SessionState now;
  now.config.solver = "fmm";
  now.config.precision = Precision::float64;
  now.config.threads = 3;
  now.params = {.dt = 0.05, .theta = 0.4, .softening = 0.2};
  const SlideSettings changed = changed_settings(now, "dt=0.1,theta=1");
  EXPECT_EQ(changed.config, now.config);
  EXPECT_EQ(changed.params.dt, 0.1);
  EXPECT_EQ(changed.params.theta, 1);
  EXPECT_EQ(changed.params.softening, 0.2);
  EXPECT_EQ(changed_settings(now, "solver=octree").config.solver, "octree");
  EXPECT_EQ(changed_settings(now, "solver=octree").params, now.params);
}

TEST(SlideRun, RampsKeepTheDirectionOfTime) {
  const Params params{.dt = -0.05, .theta = 0.4, .softening = 0.2};
  EXPECT_EQ(ramped(params, {"theta", 0.2, 1.2, 10}, 5).theta, 0.7);
  EXPECT_EQ(ramped(params, {"softening", 0.2, 1.2, 10}, 20).softening, 1.2);
  EXPECT_EQ(ramped(params, {"dt", 0.1, 0.3, 10}, 0).dt, -0.1);
  EXPECT_EQ(ramped(params, {"tree-level", 1, 5, 10}, 5), params);
}

TEST(SlideRun, TheProbedStarIsAtTheHalfMassRadiusOfTheFirstDisc) {
  const Bodies bodies = find_scene("collision")->make({.bodies = 2000}).bodies;
  const auto star = star_to_probe(bodies);
  ASSERT_TRUE(star);
  EXPECT_EQ(galaxy_of(bodies[*star].tag), 0u);
  EXPECT_EQ(component_of(bodies[*star].tag), Component::disc);
  Vec3 center{};
  std::vector<std::size_t> disc;
  for (std::size_t k = 0; k < bodies.size(); ++k)
    if (galaxy_of(bodies[k].tag) == 0 && component_of(bodies[k].tag) == Component::disc) disc.push_back(k);
  for (const std::size_t k : disc) center += bodies[k].position * (1.0 / static_cast<double>(disc.size()));
  const double radius = length(bodies[*star].position - center);
  const auto inside =
      std::ranges::count_if(disc, [&](std::size_t k) { return length(bodies[k].position - center) < radius; });
  EXPECT_EQ(static_cast<std::size_t>(inside), disc.size() / 2);
  EXPECT_FALSE(star_to_probe({}));
}

}  // namespace
}  // namespace pericenter::app

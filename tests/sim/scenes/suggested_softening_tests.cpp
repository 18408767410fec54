#include "sim/scenes/suggested_softening.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <utility>

namespace pericenter {
namespace {

const SceneInfo& scene(const char* name) {
  return *find_scene(name);
}

TEST(SuggestedSoftening, FallsWithTheNumberOfBodies) {
  const SceneInfo& collision = scene("collision");
  for (const std::size_t few : {0u, 1u, 2000u, 20'000u}) EXPECT_EQ(suggested_softening(collision, few), 0.1) << few;
  EXPECT_EQ(suggested_softening(collision, 100'000), 0.0658);
  EXPECT_EQ(suggested_softening(collision, 10'000'000), 0.0199) << "a fifth";
  EXPECT_EQ(suggested_softening(scene("plummer"), 1'000'000), 0.00723) << "three digits, on every machine";
  const double most = suggested_softening(collision, SIZE_MAX);
  EXPECT_GT(most, 0);
  EXPECT_LT(most, 1e-3);
}

TEST(SuggestedSoftening, IsThatOfTheSceneForFewBodies) {
  for (const SceneInfo& info : scenes()) {
    if (info.softening == 0) continue;
    EXPECT_EQ(info.make({.bodies = 100}).params.softening, info.softening) << info.name;
    EXPECT_EQ(info.fixed_bodies, 0u) << info.name;
  }
}

TEST(SuggestedSoftening, IsNoneWhereNumbersDoNotDecide) {
  for (const char* name : {"figure-eight", "two-body", "solar-system", "small-bodies", "holmberg", "toomre-ring",
                           "cold-collapse", "uniform", "lattice", "random-masses"}) {
    EXPECT_EQ(suggested_softening(scene(name), 1'000'000), 0) << name;
    EXPECT_FALSE(has_suggested_softening(scene(name), {.bodies = 1'000'000})) << name;
  }
}

TEST(SuggestedSoftening, HasShorterSteps) {
  const SceneInfo& collision = scene("collision");
  for (const auto& [bodies, parts] : {std::pair{20'000, 1}, {100'000, 2}, {1'000'000, 4}, {10'000'000, 4}}) {
    const std::size_t count = static_cast<std::size_t>(bodies);
    EXPECT_EQ(collision.dt(count, suggested_softening(collision, count)), collision.dt(count, 0) / parts) << bodies;
  }
  EXPECT_EQ(collision.make({.bodies = 100, .softening = 0.02}).params.dt, collision.dt(100, 0.02));
  EXPECT_LT(collision.dt(100, 0.02), collision.dt(100, 0.1));
  EXPECT_EQ(collision.dt(100, 0.4), collision.dt(100, 0.1));
  EXPECT_GT(collision.dt(100, 1e-300), 1e-3);
}

TEST(SuggestedSoftening, IsRecognisedInARequest) {
  const SceneInfo& galaxy = scene("galaxy");
  EXPECT_FALSE(has_suggested_softening(galaxy, {.bodies = 100'000}));
  EXPECT_FALSE(has_suggested_softening(galaxy, {.bodies = 100'000, .softening = 0.05}));
  EXPECT_TRUE(has_suggested_softening(galaxy, {.bodies = 100'000, .softening = suggested_softening(galaxy, 100'000)}));
  EXPECT_FALSE(has_suggested_softening(galaxy, {.bodies = 100'000, .softening = std::nan("")}));
}

}  // namespace
}  // namespace pericenter

#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/measure.h"

namespace pericenter {

/// For readable output of GoogleTest.
void PrintTo(const SceneInfo& info, std::ostream* out) {
  *out << info.name;
}

namespace {

bool same(const Bodies& a, const Bodies& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Body& one, const Body& other) {
    return one.position == other.position && one.velocity == other.velocity && one.mass == other.mass &&
           one.tag == other.tag;
  });
}

class SceneRow : public testing::TestWithParam<SceneInfo> {};

TEST_P(SceneRow, IsNamedAndFound) {
  const SceneInfo& info = GetParam();
  ASSERT_NE(find_scene(info.name), nullptr);
  EXPECT_EQ(find_scene(info.name)->title, info.title);
  EXPECT_TRUE(info.make);
  EXPECT_FALSE(info.title.empty());
  EXPECT_FALSE(info.summary.empty());
}

TEST_P(SceneRow, HasWordsForPupils) {
  const SceneInfo& info = GetParam();
  EXPECT_FALSE(info.caption.empty());
  EXPECT_LE(info.caption.size(), 120u) << "one line";
  const bool has_key_moment = info.make({.bodies = info.allowed(100)}).highlight_time > 0;
  EXPECT_EQ(!info.highlight_caption.empty(), has_key_moment);
}

void expect_bodies(const SceneInfo& info, const SceneRequest& request) {
  const Scene scene = info.make(request);
  double heaviest = 0;
  ASSERT_EQ(scene.bodies.size(), info.fixed_bodies > 0 ? info.fixed_bodies : request.bodies);
  for (const Body& body : scene.bodies) {
    ASSERT_TRUE(std::isfinite(length(body.position)) && std::isfinite(length(body.velocity))) << request.bodies;
    ASSERT_GE(body.mass, 0) << request.bodies;
    heaviest = std::max(heaviest, body.mass);
  }
  EXPECT_TRUE(scene.bodies.empty() || heaviest > 0) << request.bodies;
}

TEST_P(SceneRow, HasRequestedNumberOfBodies) {
  for (const std::size_t count : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 13u, 20u, 21u, 34u, 49u, 50u, 1001u})
    expect_bodies(GetParam(), {.bodies = count});
  for (const std::size_t count : {1u, 2u, 3u, 10u, 1001u}) expect_bodies(GetParam(), {.bodies = count, .dimension = 2});
}

TEST_P(SceneRow, HasSuitableSettings) {
  const Scene scene = GetParam().make({.bodies = 2000});
  EXPECT_EQ(problem_with(scene.params), "");
  EXPECT_GT(scene.view_radius, 0);
  const auto seen = std::count_if(scene.bodies.begin(), scene.bodies.end(), [&](const Body& body) {
    return component_of(body.tag) == Component::halo || length(body.position) < scene.view_radius;
  });
  EXPECT_GT(static_cast<double>(seen), 0.9 * static_cast<double>(scene.bodies.size()));
}

TEST_P(SceneRow, UsesRequestedSoftening) {
  EXPECT_EQ(GetParam().make({.bodies = 10, .softening = 0.07}).params.softening, 0.07);
}

TEST_P(SceneRow, DependsOnTheSeed) {
  const SceneInfo& info = GetParam();
  const Bodies bodies = info.make({.bodies = 3001, .seed = 5}).bodies;
  EXPECT_TRUE(same(bodies, info.make({.bodies = 3001, .seed = 5}).bodies));
  if (info.fixed_bodies == 0) {
    EXPECT_FALSE(same(bodies, info.make({.bodies = 3001, .seed = 6}).bodies));
  }
}

TEST_P(SceneRow, DoesNotDependOnThreads) {
  const SceneRequest request = {.bodies = 20'000};
  const Bodies bodies = GetParam().make(request).bodies;
  for (const std::size_t threads : {1u, 3u}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    EXPECT_TRUE(same(bodies, GetParam().make(request).bodies)) << threads;
  }
}

TEST_P(SceneRow, IsFlatIn2D) {
  for (const Body& body : GetParam().make({.bodies = 3000, .dimension = 2}).bodies) {
    ASSERT_EQ(body.position[2], 0);
    ASSERT_EQ(body.velocity[2], 0);
  }
}

TEST_P(SceneRow, ReportsProgress) {
  std::vector<double> seen;
  GetParam().make({.bodies = 10'000, .progress = [&](double fraction) {
                     seen.push_back(fraction);
                     return true;
                   }});
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_LE(seen.size(), 60u);
  ASSERT_FALSE(seen.empty());
  EXPECT_GE(seen.front(), 0);
  EXPECT_LE(seen.back(), 1);
  if (GetParam().fixed_bodies == 0) {
    EXPECT_GE(seen.size(), 40u);
  }
}

TEST_P(SceneRow, CanBeCancelled) {
  EXPECT_THROW(GetParam().make({.bodies = 10'000, .progress = [](double) { return false; }}), SceneCancelled);
  if (GetParam().fixed_bodies > 0) return;
  int calls = 0;
  EXPECT_THROW(GetParam().make({.bodies = 10'000, .progress = [&](double) { return ++calls < 20; }}), SceneCancelled);
  EXPECT_EQ(calls, 20) << "no work after cancellation";
}

INSTANTIATE_TEST_SUITE_P(Scenes, SceneRow, testing::ValuesIn(scenes().begin(), scenes().end()), [](const auto& param) {
  std::string name(param.param.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(SceneTable, StartsWithCollisionAndHasUniqueNames) {
  EXPECT_EQ(scenes().front().name, "collision");
  std::set<std::string_view> names;
  for (const SceneInfo& info : scenes()) EXPECT_TRUE(names.insert(info.name).second) << info.name;
  EXPECT_EQ(find_scene("no such scene"), nullptr);
}

}  // namespace
}  // namespace pericenter

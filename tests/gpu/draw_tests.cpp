// Bodies that the GPU samples from procedural sources, compared with those of the CPU.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "sim/scenes/model/procedural_source.h"
#include "sim/session/simulation_thread.h"
#include "tests/gpu/support.h"

namespace pericenter::test {
namespace {

Scene procedural(const SceneInfo& info, std::size_t bodies, int dimension) {
  return info.make({.bodies = bodies, .dimension = dimension, .allow_procedural = true});
}

/// Birth radii are quantised, and a body may lie at the edge of a step.
bool same_tag(std::uint32_t a, std::uint32_t b) {
  const int apart = static_cast<int>(a >> kTagRadiusShift) - static_cast<int>(b >> kTagRadiusShift);
  return ((a ^ b) & 0xFFu) == 0 && std::abs(apart) <= 1;
}

void expect_near(const Body& got, const Body& expected, double error, const std::string& where) {
  const double size = 1 + length(expected.position), speed = 1 + length(expected.velocity);
  ASSERT_LE(length(got.position - expected.position), error * size) << where;
  ASSERT_LE(length(got.velocity - expected.velocity), error * speed) << where;
  ASSERT_NEAR(got.mass, expected.mass, error * expected.mass) << where;
  ASSERT_TRUE(same_tag(got.tag, expected.tag)) << where;
}

std::vector<Config> configs_to_draw() {
  std::vector<Config> configs;
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    for (const int dimension : {2, 3}) {
      Config config{.solver = "fmm", .backend = Backend::cuda};
      config.precision = precision;
      config.dimension = dimension;
      configs.push_back(config);
    }
  }
  return configs;
}

class CudaDraws : public testing::TestWithParam<Config> {};
INSTANTIATE_TEST_SUITE_P(Precisions, CudaDraws, testing::ValuesIn(configs_to_draw()), test_name);

TEST_P(CudaDraws, MatchCpuBodies) {
  const double error = GetParam().precision == Precision::float32 ? 3e-7 : 1e-12;
  int found = 0;
  for (const SceneInfo& info : scenes()) {
    for (const std::size_t count : {2, 3, 255, 257, 20'001}) {
      const Scene scene = procedural(info, info.allowed(count), GetParam().dimension);
      if (!scene.source) break;
      ++found;
      const Bodies expected = scene.source->make({});
      const Bodies got = Simulation::create_from(GetParam(), scene)->bodies();
      ASSERT_EQ(got.size(), expected.size());
      for (std::size_t i = 0; i < got.size(); ++i) {
        expect_near(got[i], expected[i], error, std::string(info.name) + ", body " + std::to_string(i));
      }
    }
  }
  EXPECT_GE(found, 50);
}

TEST(CudaDraw, CanBeCancelled) {
  const Scene scene = procedural(*find_scene("collision"), sized(100'000), 3);
  EXPECT_THROW(Simulation::create_from({.backend = Backend::cuda}, scene, {.progress = [](double) { return false; }}),
               SceneCancelled);
}

// The simulation thread samples a large number of bodies on the GPU and then runs as usual.
TEST(CudaDraw, IsUsedForManyBodies) {
  if (short_run()) GTEST_SKIP() << "too slow with this many bodies";
  constexpr std::size_t kMany = 20'000'001;
  const Config config{.solver = "fmm", .backend = Backend::cuda};
  ASSERT_TRUE(created_on_gpu(config, kMany));
  SimulationThread thread;
  thread.request(request::SetConfig{config});
  thread.request(request::LoadScene{"collision", {.bodies = kMany}});
  ASSERT_TRUE(eventually([&] { return thread.state().bodies == kMany && !thread.state().busy; }));
  EXPECT_FALSE(thread.state().message_is_error) << thread.state().message;
  EXPECT_FALSE(thread.state().scene_request.allow_procedural) << "other solvers would get no bodies from this request";
  thread.request(request::TakeSnapshot{});
  std::optional<Snapshot> snapshot;
  ASSERT_TRUE(eventually([&] { return (snapshot = thread.take_snapshot()).has_value(); }));
  const Scene scene = procedural(*find_scene("collision"), kMany, 3);
  std::size_t i = 0;
  for (const PlacedGalaxy& galaxy : scene.source->galaxies()) {
    for (std::size_t k = 0; k < galaxy.sampler.bodies; ++k, ++i) {
      if (k % 1009 != 0 && k + 1 != galaxy.sampler.bodies) continue;
      expect_near(snapshot->bodies[i], galaxy.body(k), 3e-7, std::to_string(i));
    }
  }
}

}  // namespace
}  // namespace pericenter::test

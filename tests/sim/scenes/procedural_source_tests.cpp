#include "sim/scenes/model/procedural_source.h"

#include <gtest/gtest.h>

#include "sim/auto_solver.h"
#include "sim/core/simulation.h"
#include "tests/support/measure.h"

namespace pericenter {
namespace {

constexpr std::size_t kOdd = 1001;

Scene procedural(const SceneInfo& info, SceneRequest request) {
  request.allow_procedural = true;
  return info.make(request);
}

bool same(const Body& a, const Body& b) {
  return a.position == b.position && a.velocity == b.velocity && a.mass == b.mass && a.tag == b.tag;
}

TEST(ProceduralSources, CreateTheBodiesOfTheScene) {
  int found = 0;
  for (const SceneInfo& info : scenes()) {
    for (const int dimension : {2, 3}) {
      const SceneRequest request{.bodies = info.allowed(kOdd), .dimension = dimension};
      const Scene scene = procedural(info, request);
      EXPECT_EQ(scene.source != nullptr, info.procedural) << info.name;
      if (!scene.source) continue;
      ++found;
      EXPECT_TRUE(scene.bodies.empty());
      const Bodies expected = info.make(request).bodies;
      ASSERT_EQ(scene.source->bodies(), expected.size()) << info.name;
      std::size_t i = 0;
      for (const PlacedGalaxy& galaxy : scene.source->galaxies()) {
        for (std::size_t k = 0; k < galaxy.sampler.bodies; ++k, ++i) {
          ASSERT_TRUE(same(galaxy.body(k), expected[i])) << info.name << ", body " << i;
        }
      }
    }
  }
  EXPECT_GE(found, 28) << "all galaxies and encounters have one";
}

TEST(ProceduralSources, SupportFewBodies) {
  for (const char* name : {"collision", "galaxy", "bar", "hernquist"}) {
    const SceneInfo& info = *find_scene(name);
    for (std::size_t count = info.min_bodies; count < 12; ++count) {
      const Scene scene = procedural(info, {.bodies = count});
      const Bodies made = scene.source->make({});
      ASSERT_EQ(made.size(), count) << name;
      for (const Body& body : made) EXPECT_GT(body.mass, 0) << name << ", " << count;
    }
  }
}

TEST(ProceduralSources, CanBeCancelled) {
  const Scene scene = procedural(*find_scene("collision"), {.bodies = 1000});
  EXPECT_THROW(scene.source->make([](double done) { return done < 0.5; }), SceneCancelled);
  EXPECT_THROW(Simulation::create_from({}, scene, {.progress = [](double) { return false; }}), SceneCancelled);
}

TEST(ProceduralSources, AreEquivalentToBodies) {
  const SceneInfo& info = *find_scene("minor-merger");
  const SceneRequest request{.bodies = 40'001};
  const Scene made = info.make(request), scene = procedural(info, request);
  EXPECT_EQ(BodySource(scene).size(), 40'001u);
  for (const Backend backend : {Backend::cpu, Backend::cuda}) {
    const Config config{.backend = backend};
    EXPECT_EQ(with_auto_solver(config, scene), with_auto_solver(config, made));
  }
  const Bodies expected = Simulation::create_from({}, made)->bodies();
  const Bodies got = Simulation::create_from({}, scene)->bodies();
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_TRUE(same(got[i], expected[i])) << i;
}

TEST(ProceduralSources, KnowTheirHeaviestBody) {
  const SceneInfo& info = *find_scene("galaxy");
  EXPECT_TRUE(procedural(info, {.bodies = 3}).source->has_heavier(0.2));
  const SceneRequest request{.bodies = kOdd};
  double sum = 0, heaviest = 0;
  for (const Body& body : info.make(request).bodies) {
    sum += body.mass;
    heaviest = std::max(heaviest, body.mass);
  }
  const Scene scene = procedural(info, request);
  EXPECT_TRUE(scene.source->has_heavier(0.999 * heaviest / sum));
  EXPECT_FALSE(scene.source->has_heavier(1.001 * heaviest / sum));
}

TEST(ProceduralSources, AreForManyBodiesOnAGpu) {
  EXPECT_TRUE(created_on_gpu({.backend = Backend::cuda}, 500'000'000));
  EXPECT_FALSE(created_on_gpu({.backend = Backend::cuda}, 10'000'000)) << "each machine makes the same bits";
  EXPECT_FALSE(created_on_gpu({}, 500'000'000));
}

}  // namespace
}  // namespace pericenter

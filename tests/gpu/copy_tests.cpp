#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <thread>
#include <vector>

#include "sim/core/fault_injection.h"
#include "sim/session/session.h"
#include "tests/gpu/support.h"

namespace pericenter::test {
namespace {

constexpr Params kParams{.dt = 0.02, .theta = 0.7, .softening = 0.1};

bool same(const Bodies& a, const Bodies& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const Body& x, const Body& y) {
           return x.position == y.position && x.velocity == y.velocity && x.mass == y.mass && x.tag == y.tag;
         });
}

class CudaCopies : public testing::TestWithParam<Precision> {
 protected:
  static Config config() { return {.solver = "fmm", .backend = Backend::cuda, .precision = GetParam()}; }
};
INSTANTIATE_TEST_SUITE_P(Precisions, CudaCopies, testing::Values(Precision::float32, Precision::float64),
                         [](const auto& row) { return row.param == Precision::float32 ? "float" : "double"; });

TEST_P(CudaCopies, KeepBodiesOfTheirTime) {
  std::vector<std::size_t> counts = {1, 255, 257};
  if (!short_run()) counts.push_back(1'100'000);  // more than one portion
  for (const std::size_t count : counts) {
    const auto simulation = Simulation::create(config(), scene_bodies("collision", count));
    for (int turn = 0; turn < 3; ++turn) {
      simulation->step(kParams);
      const Bodies expected = simulation->bodies();
      std::function<Bodies()> later = simulation->async_snapshot();
      ASSERT_TRUE(later);
      EXPECT_FALSE(simulation->async_snapshot()) << "the previous snapshot is not released";
      Bodies fetched;
      std::thread thread([&] { fetched = later(); });
      for (int k = 0; k < 3; ++k) simulation->step(kParams);
      thread.join();
      EXPECT_TRUE(same(fetched, expected)) << count;
      EXPECT_FALSE(same(fetched, simulation->bodies()) && count > 1) << "the simulation did not advance";
    }
  }
}

TEST_P(CudaCopies, OutliveTheirSimulation) {
  auto simulation = Simulation::create(config(), scene_bodies("plummer", 1000));
  const Bodies expected = simulation->bodies();
  const std::function<Bodies()> later = simulation->async_snapshot();
  ASSERT_TRUE(later);
  simulation.reset();
  EXPECT_TRUE(same(later(), expected));
}

TEST_P(CudaCopies, CountInDeviceMemory) {
  const auto simulation = Simulation::create(config(), scene_bodies("plummer", 100'000));
  const std::size_t before = simulation->device_memory().used_bytes;
  ASSERT_TRUE(simulation->async_snapshot());
  const std::size_t bytes = GetParam() == Precision::float32 ? 32 : 64;
  EXPECT_EQ(simulation->device_memory().used_bytes, before + 100'000 * bytes);
}

TEST_P(CudaCopies, OfASampleEqualTheBodies) {
  for (const std::size_t count : {0, 1, 16, 17, 100'000}) {
    const auto simulation = Simulation::create(config(), scene_bodies("plummer", count));
    const Bodies all = simulation->bodies();
    for (const std::size_t most : {1, 1000, 100'000}) {
      const BodySample sample = BodySample::of(all.size(), most);
      Bodies expected(sample.size());
      for (std::size_t k = 0; k < expected.size(); ++k) expected[k] = all[sample.index(k)];
      EXPECT_TRUE(same(simulation->sampled_bodies(sample), expected)) << count << ", " << most;
    }
    for (const std::size_t k : {std::size_t{0}, count / 2, count - 1}) {
      if (k >= count) continue;
      EXPECT_TRUE(same({simulation->body(k)}, {all[k]})) << k << " of " << count;
    }
  }
}

TEST(CudaSamples, HavePassagesWithoutMemoryForACopy) {
  Session session({.diagnostics_period = 1e9, .records = false, .encounter_sample = 5000});
  session.apply(request::SetConfig{{.backend = Backend::cuda}});
  session.load(request::LoadScene{"collision", {.bodies = 20'000}});
  ASSERT_EQ(session.state().config.backend, Backend::cuda) << session.state().message;
  plan_fault("snapshot_memory");
  while (session.simulation()->time() < 23) session.advance(nullptr, false);
  plan_fault({});
  const std::vector<EncounterEvent> events = session.run().encounter_events();
  EXPECT_TRUE(std::ranges::any_of(
      events, [](const EncounterEvent& event) { return event.kind == EncounterEventKind::pericenter; }));
}

}  // namespace
}  // namespace pericenter::test

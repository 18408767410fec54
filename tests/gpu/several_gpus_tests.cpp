// Several GPUs that divide the forces. On a machine with one, all of them are the same: Fault::one_gpu, distant_gpus.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/core/device.h"
#include "sim/core/fault_injection.h"
#include "sim/core/vertex_target.h"
#include "tests/gpu/support.h"

namespace pericenter::test {
namespace {

Config divided(int gpus, Config config = {.solver = "fmm", .backend = Backend::cuda}) {
  config.gpus = gpus;
  return config;
}

/// The fault that makes one GPU stand for several; empty: the GPUs of the machine.
class SeveralGpus : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    ASSERT_EQ(plan_fault(GetParam()), "");
    if (!repeats_one() && cuda_status().devices.size() < 2) GTEST_SKIP() << "there is one GPU";
  }
  void TearDown() override { plan_fault({}); }

  bool repeats_one() const { return !GetParam().empty(); }
  std::vector<int> counts() const {
    if (repeats_one()) return {2, 3, 4};
    return {2, static_cast<int>(cuda_status().devices.size())};
  }
};
INSTANTIATE_TEST_SUITE_P(Gpus, SeveralGpus, testing::Values("", "one_gpu", "distant_gpus"),
                         [](const auto& one) { return one.param.empty() ? std::string("all_gpus") : one.param; });

constexpr Params kDivided{.dt = 0.02, .theta = 0.7, .softening = 0.1};

// The shares follow the measured times, so that each run divides the bodies in other ways.
TEST_P(SeveralGpus, GiveTheSameBitsAsOne) {
  for (const int dimension : {2, 3}) {
    for (const Precision precision : {Precision::float32, Precision::float64}) {
      const Config config = {.solver = "fmm", .backend = Backend::cuda, .precision = precision, .dimension = dimension};
      const Bodies bodies = scene_bodies("collision", sized(50'000), dimension);
      const auto bits = [&](int gpus) {
        const auto simulation = Simulation::create(divided(gpus, config), bodies);
        for (int i = 0; i < 12; ++i) simulation->step(kDivided, i % 3 == 0);
        return hash(simulation->bodies());
      };
      const std::uint64_t expected = bits(1);
      for (const int gpus : counts()) EXPECT_EQ(bits(gpus), expected) << gpus;
    }
  }
}

TEST_P(SeveralGpus, GiveTheSameBitsInBatchesAndWithCrowdedLeaves) {
  Bodies bodies = scene_bodies("plummer", sized(9'000'000));
  for (std::size_t i = 0; i < 1000; ++i) bodies[i].position = {3, 0, 0};
  const auto bits = [&](int gpus) {
    const auto simulation = Simulation::create(divided(gpus), bodies);
    for (int i = 0; i < 3; ++i) simulation->step({.dt = 0.001, .theta = 0.9, .softening = 0.01});
    return hash(simulation->bodies());
  };
  EXPECT_EQ(bits(counts().back()), bits(1));
}

TEST_P(SeveralGpus, WorkForFewBodies) {
  for (const std::size_t count : {0u, 1u, 2u, 3u, 63u, 255u, 257u}) {
    const Bodies bodies = scene_bodies("plummer", count);
    const std::vector<Vec3> expected = Simulation::create(divided(1), bodies)->accelerations(kDivided);
    for (const int gpus : counts()) {
      EXPECT_EQ(Simulation::create(divided(gpus), bodies)->accelerations(kDivided), expected) << count;
    }
  }
  const Bodies same(300, Body{{1, 2, 3}, {}, 1});
  for (const Vec3& a : Simulation::create(divided(counts().back()), same)->accelerations(kDivided))
    EXPECT_EQ(a, Vec3());
}

TEST_P(SeveralGpus, CountTheInteractionsOfEachBody) {
  const Bodies bodies = scene_bodies("galaxy", sized(50'000));
  const auto counts_of = [&](int gpus) {
    const auto simulation = Simulation::create(divided(gpus), bodies);
    simulation->show(Scalar::interactions);
    for (int i = 0; i < 4; ++i) simulation->step(kDivided);
    return simulation->interactions();
  };
  const std::vector<std::uint32_t> expected = counts_of(1);
  EXPECT_GT(*std::ranges::min_element(expected), 0u);
  EXPECT_EQ(counts_of(counts().back()), expected);
}

// Longer lists overflow on every device, each at its own length.
TEST_P(SeveralGpus, GrowTheirLists) {
  const Bodies bodies = scene_bodies("plummer", sized(300'000));
  const auto one = Simulation::create(divided(1), bodies), several = Simulation::create(divided(2), bodies);
  for (const double theta : {0.7, 0.3, 0.7}) {
    const Params params{.dt = 0.001, .theta = theta, .softening = 0.01};
    for (const auto* simulation : {&one, &several}) (*simulation)->step(params);
    EXPECT_EQ(hash(several->bodies()), hash(one->bodies())) << theta;
  }
}

// Below the least angle of the cell lists the first device computes all forces.
TEST_P(SeveralGpus, LeaveToOneWhatTheyCannotDivide) {
  const Bodies bodies = scene_bodies("collision", 2'000);
  const Params exact{.dt = 0.02, .theta = 0, .softening = 0.1};
  const auto simulation = Simulation::create(divided(2), bodies);
  EXPECT_EQ(simulation->accelerations(exact), Simulation::create(divided(1), bodies)->accelerations(exact));
  ASSERT_EQ(simulation->device_shares().size(), 2u);
  EXPECT_EQ(simulation->device_shares()[0].bodies, 1);
  EXPECT_EQ(simulation->device_shares()[1].bodies, 0);
  EXPECT_EQ(Simulation::create(divided(2, {.solver = "octree", .backend = Backend::cuda}), bodies)->note(),
            "Only the solver fmm uses several GPUs; this one uses the first.");
}

TEST_P(SeveralGpus, ReportTheirShares) {
  const auto simulation = Simulation::create(divided(2), scene_bodies("collision", sized(400'000)));
  EXPECT_EQ(Simulation::create(divided(1), scene_bodies("collision", 100))->device_shares().size(), 0u);
  for (int i = 0; i < 30; ++i) simulation->step(kDivided);
  const std::vector<DeviceShare> shares = simulation->device_shares();
  ASSERT_EQ(shares.size(), 2u);
  EXPECT_NEAR(shares[0].bodies + shares[1].bodies, 1, 1e-9);
  for (const DeviceShare& share : shares) {
    EXPECT_GT(share.ms, 0);
    EXPECT_GT(share.memory.used_bytes, simulation->size() * 50);
    EXPECT_EQ(share.name + " and 1 more", simulation->device_name());
  }
  const bool direct = GetParam() != "distant_gpus";
  EXPECT_TRUE(shares[0].direct);
  EXPECT_EQ(shares[1].direct, direct);
  EXPECT_THAT(simulation->note(), testing::HasSubstr(direct ? "" : "copied through host memory"));
}

TEST_P(SeveralGpus, FinishAtTheSameTime) {
  if (repeats_one()) GTEST_SKIP() << "the parts of one GPU compete with each other";
  const auto simulation = Simulation::create(divided(2), scene_bodies("collision", sized(4'000'000)));
  for (int i = 0; i < 40; ++i) simulation->step(kDivided);
  const std::vector<DeviceShare> shares = simulation->device_shares();
  ASSERT_EQ(shares.size(), 2u);
  EXPECT_NEAR(shares[0].ms / shares[1].ms, 1, 0.15);
  EXPECT_TRUE(shares[1].direct);
}

}  // namespace
}  // namespace pericenter::test

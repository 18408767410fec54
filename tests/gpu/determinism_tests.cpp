#include <gtest/gtest.h>

#include <map>

#include "tests/gpu/device.h"
#include "tests/gpu/support.h"

namespace pericenter::test {
namespace {

class CudaBits : public testing::TestWithParam<Config> {
 protected:
  /// Actions of a run besides stepping; they must not change the motion.
  struct Watch {
    const VertexTarget* vertices = nullptr;
    bool potentials = false;
    bool diagnostics = false;
  };

  /// Hash of the bodies after 20 steps of the collision scene.
  std::uint64_t bits_of(const Watch& watch) {
    const auto simulation = Simulation::create(GetParam(), bodies_);
    for (int i = 0; i < 20; ++i) {
      simulation->step(kParams, watch.potentials && i % 2 == 0, watch.vertices);
      if (watch.diagnostics) simulation->diagnostics(kParams);
    }
    return hash(simulation->bodies());
  }

  static constexpr Params kParams{.dt = 0.02, .theta = 0.7, .softening = 0.1};
  const Bodies bodies_ = scene_bodies("collision", sized(20'000), GetParam().dimension);
};
INSTANTIATE_TEST_SUITE_P(Solvers, CudaBits, testing::ValuesIn(reproducible_configs()), test_name);

TEST_P(CudaBits, AreReproducible) {
  const std::uint64_t expected = bits_of({});
  for (int run = 0; run < 2; ++run) EXPECT_EQ(bits_of({}), expected);
}

TEST_P(CudaBits, DoNotDependOnPublishing) {
  const std::uint64_t expected = bits_of({});
  const DeviceVertices device(bodies_.size());
  std::vector<Vertex> host(bodies_.size());
  for (const VertexTarget& target : {device.target(), host_target(host)}) {
    EXPECT_EQ(bits_of({.vertices = &target}), expected) << (target.on_device ? "to the device" : "to the host");
  }
}

// The window requests potentials at intervals of wall-clock time.
TEST_P(CudaBits, DoNotDependOnDiagnostics) {
  const std::uint64_t expected = bits_of({});
  EXPECT_EQ(bits_of({.potentials = true}), expected);
  EXPECT_EQ(bits_of({.diagnostics = true}), expected);
}

// From the second identical step on, a step is launched as a graph. A step that shows another scalar is not.
TEST_P(CudaBits, DoNotDependOnGraphs) {
  const auto bits = [&](bool kept) {
    const auto simulation = Simulation::create(GetParam(), bodies_);
    for (int i = 0; i < 16; ++i) {
      Params params = kParams;
      if (i / 4 % 2 == 1) params.theta = 0.5;
      if (i >= 8) params.dt = 0.01;
      if (!kept) simulation->show(i % 2 == 0 ? Scalar::speed : Scalar::interactions);
      simulation->step(params);
    }
    return hash(simulation->bodies());
  };
  EXPECT_EQ(bits(true), bits(false));
}

}  // namespace
}  // namespace pericenter::test

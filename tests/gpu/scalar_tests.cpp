// Vertices written by the device; the tests of tests/sim/core/scalar_tests.cpp also run on CUDA.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/gpu/device.h"
#include "tests/gpu/support.h"
#include "tests/support/vertex_scalars.h"

namespace pericenter::test {
namespace {

constexpr Params kScalarParams{.dt = 0.02, .theta = 0.7, .softening = 0.1};

class CudaScalars : public testing::TestWithParam<Config> {};
INSTANTIATE_TEST_SUITE_P(Solvers, CudaScalars, testing::ValuesIn(all_configs()), test_name);

TEST_P(CudaScalars, MatchOnDeviceAndHost) {
  const auto simulation = Simulation::create(GetParam(), scene_bodies("collision", 3001, GetParam().dimension));
  for (const auto& [scalar, value] : {std::pair(Scalar::force_error, -3.0f), {Scalar::field, 0.25f}})
    simulation->set_values(scalar, std::make_shared<const std::vector<float>>(3001, value));
  for (std::size_t k = 0; k < kScalarCount; ++k) {
    SCOPED_TRACE(kScalarNames[k]);
    simulation->show(static_cast<Scalar>(k));
    const DeviceVertices in_step(3001), later(3001);
    const VertexTarget target = in_step.target();
    simulation->step(kScalarParams, false, &target);
    simulation->write_vertices(later.target());
    const std::vector<Vertex> host = published(*simulation);
    EXPECT_TRUE(same_bytes(in_step.read(), host));
    EXPECT_TRUE(same_bytes(later.read(), host));
  }
}

// Values may round to the neighbouring half.
TEST_P(CudaScalars, MatchCpuScalars) {
  const auto cuda = Simulation::create(GetParam(), scene_bodies("collision", 3001, GetParam().dimension));
  cuda->accelerations(kScalarParams);
  Config config = GetParam();
  config.backend = Backend::cpu;
  config.solver = "direct";
  config.solver_options = {};
  const auto cpu = Simulation::create(config, cuda->bodies());
  for (const Scalar scalar : {Scalar::speed, Scalar::density}) {
    const std::vector<double> got = published_scalars(*cuda, scalar), expected = published_scalars(*cpu, scalar);
    for (std::size_t i = 0; i < got.size(); ++i) {
      ASSERT_NEAR(got[i], expected[i], 2.1 * half_rounding(expected[i]) + 1e-3) << i << " of scalar " << int(scalar);
    }
  }
}

TEST_P(CudaScalars, DoNotChangeMotion) {
  const Bodies bodies = scene_bodies("collision", 2000, GetParam().dimension);
  const auto plain = Simulation::create(GetParam(), bodies), watched = Simulation::create(GetParam(), bodies);
  for (std::size_t k = 0; k < kScalarCount; ++k) {
    plain->step(kScalarParams);
    published_scalars(*watched, static_cast<Scalar>(k));
    watched->step(kScalarParams);
  }
  EXPECT_TRUE(same_motion(GetParam(), plain->bodies(), watched->bodies()));
}

class CudaScalarMemory : public testing::TestWithParam<Scalar> {};
INSTANTIATE_TEST_SUITE_P(Scalars, CudaScalarMemory, testing::Values(Scalar::density, Scalar::interactions));

TEST_P(CudaScalarMemory, IsReportedAndReleased) {
  const auto simulation = Simulation::create({.backend = Backend::cuda}, scene_bodies("plummer", 100'000));
  const std::size_t before = simulation->device_memory().used_bytes;
  published_scalars(*simulation, GetParam());
  EXPECT_GE(simulation->device_memory().used_bytes, before + 100'000 * sizeof(std::uint32_t));
  published_scalars(*simulation, Scalar::speed);
  EXPECT_EQ(simulation->device_memory().used_bytes, before);
}

TEST_P(CudaScalarMemory, ShortageIsReported) {
  const std::size_t count = 1'000'000;
  const auto simulation = Simulation::create({.backend = Backend::cuda}, scene_bodies("plummer", count));
  // Staging memory is allocated and kernels are loaded at first use.
  simulation->step(kScalarParams);
  published(*simulation);
  EXPECT_EQ(simulation->note(), "");
  {
    const Ballast ballast(1 << 20);
    for (const double value : published_scalars(*simulation, GetParam())) ASSERT_EQ(value, double(kNoScalar));
    EXPECT_THAT(simulation->note(), testing::HasSubstr(kScalarNames[static_cast<std::size_t>(GetParam())]));
    simulation->step(kScalarParams);
    EXPECT_EQ(simulation->steps(), 2u);
  }
  published_scalars(*simulation, Scalar::speed);
  EXPECT_EQ(simulation->note(), "");
  EXPECT_NE(published_scalars(*simulation, GetParam())[0], double(kNoScalar));
}

}  // namespace
}  // namespace pericenter::test

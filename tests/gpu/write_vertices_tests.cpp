#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/gpu/device.h"
#include "tests/gpu/support.h"

namespace pericenter::test {
namespace {

constexpr Params kVertexParams{.dt = 0.02, .theta = 0.7, .softening = 0.1};

class CudaVertices : public testing::TestWithParam<Config> {
 protected:
  const std::unique_ptr<Simulation> simulation_ =
      Simulation::create(GetParam(), scene_bodies("collision", 3001, GetParam().dimension));
};
INSTANTIATE_TEST_SUITE_P(Solvers, CudaVertices, testing::ValuesIn(all_configs()), test_name);

TEST_P(CudaVertices, WritesSameToDeviceAndHost) {
  std::vector<Vertex> host(3001);
  for (int i = 0; i < 3; ++i) {
    const DeviceVertices in_step(3001), later(3001);
    const VertexTarget target = in_step.target();
    simulation_->step(kVertexParams, false, &target);
    simulation_->write_vertices(later.target());
    simulation_->write_vertices(host_target(host));
    EXPECT_TRUE(same_bytes(in_step.read(), host)) << "step " << i;
    EXPECT_TRUE(same_bytes(later.read(), host)) << "step " << i;
  }
}

/// One body in `every` of these.
std::vector<Vertex> thinned(const std::vector<Vertex>& all, std::size_t every) {
  std::vector<Vertex> some;
  for (std::size_t i = 0; i < all.size(); i += every) some.push_back(all[i]);
  return some;
}

// In the last kernel of a step, after it, and ahead.
TEST_P(CudaVertices, OfOneBodyInThreeAreTheirs) {
  const std::size_t few = vertices_of(3001, 3);
  const auto of_third = [](const DeviceVertices& vertices) {
    VertexTarget target = vertices.target();
    target.every = 3;
    return target;
  };
  for (const Scalar scalar : {Scalar::speed, Scalar::density}) {
    simulation_->show(scalar);
    const DeviceVertices in_step(few), later(few), ahead(few), all(3001), all_ahead(3001);
    const VertexTarget target = of_third(in_step);
    ASSERT_TRUE(simulation_->accepts(target));
    simulation_->step(kVertexParams, false, &target);
    simulation_->write_vertices(of_third(later));
    simulation_->write_vertices(all.target());
    ASSERT_TRUE(simulation_->write_vertices_ahead(kVertexParams, of_third(ahead)));
    ASSERT_TRUE(simulation_->write_vertices_ahead(kVertexParams, all_ahead.target()));
    const std::vector<Vertex> expected = thinned(all.read(), 3);
    EXPECT_TRUE(same_bytes(in_step.read(), expected)) << static_cast<int>(scalar);
    EXPECT_TRUE(same_bytes(later.read(), expected)) << static_cast<int>(scalar);
    EXPECT_TRUE(same_bytes(ahead.read(), thinned(all_ahead.read(), 3))) << static_cast<int>(scalar);
  }
}

// Host memory receives portions, one after the other.
TEST(CudaPortions, HaveAllVerticesAndScalars) {
  const std::size_t count = sized(2'400'000);
  const auto simulation =
      Simulation::create({.solver = "octree", .backend = Backend::cuda}, scene_bodies("uniform", count));
  for (const Scalar scalar : {Scalar::speed, Scalar::interactions, Scalar::density}) {
    simulation->show(scalar);
    std::vector<Vertex> host(count);
    const DeviceVertices device(count);
    simulation->write_vertices(device.target());
    simulation->write_vertices(host_target(host));
    EXPECT_TRUE(same_bytes(device.read(), host)) << static_cast<int>(scalar);
    std::vector<Vertex> some(vertices_of(count, 2));
    VertexTarget target = host_target(some);
    target.every = 2;
    simulation->write_vertices(target);
    EXPECT_TRUE(same_bytes(some, thinned(host, 2))) << static_cast<int>(scalar);
  }
}

TEST_P(CudaVertices, DoesNotWritePastTheEnd) {
  const DeviceVertices larger(4000), few(1400);
  VertexTarget target = few.target();
  target.every = 3;
  simulation_->step(kVertexParams, false, &target);
  simulation_->write_vertices(target);
  const std::vector<Vertex> some = few.read();
  for (std::size_t i = 1001; i < some.size(); ++i) ASSERT_EQ(some[i].attribute, 0xFFFFFFFFu) << i;
  EXPECT_NE(some[1000].attribute, 0xFFFFFFFFu);
  target = larger.target();
  simulation_->step(kVertexParams, false, &target);
  simulation_->write_vertices(target);
  const std::vector<Vertex> vertices = larger.read();
  for (std::size_t i = 3001; i < vertices.size(); ++i) ASSERT_EQ(vertices[i].attribute, 0xFFFFFFFFu) << i;
  EXPECT_NE(vertices[3000].attribute, 0xFFFFFFFFu);
}

// Positions and tags are bit-identical; speeds may round to the neighbouring half.
TEST_P(CudaVertices, MatchesCpuVertices) {
  simulation_->step(kVertexParams);
  std::vector<Vertex> got(3001), expected(3001);
  simulation_->write_vertices(host_target(got));
  Config config = GetParam();
  config.backend = Backend::cpu;
  config.solver = "direct";
  Simulation::create(config, simulation_->bodies())->write_vertices(host_target(expected));
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(got[i].x, expected[i].x) << i;
    ASSERT_EQ(got[i].y, expected[i].y) << i;
    ASSERT_EQ(got[i].z, expected[i].z) << i;
    ASSERT_EQ(got[i].attribute & 0xFFFFu, expected[i].attribute & 0xFFFFu) << i;
    const int speed = static_cast<int>(got[i].attribute >> 16), right = static_cast<int>(expected[i].attribute >> 16);
    ASSERT_LE(std::abs(speed - right), 1) << i;
  }
}

TEST(CudaTargets, AcceptLargeBuffers) {
  const Bodies bodies = scene_bodies("plummer", 100);
  const auto cuda = Simulation::create({.backend = Backend::cuda}, bodies), cpu = Simulation::create({}, bodies);
  const DeviceVertices fits(100), small(99);
  EXPECT_TRUE(cuda->accepts(fits.target()));
  EXPECT_FALSE(cuda->accepts(small.target()));
  EXPECT_FALSE(cpu->accepts(fits.target()));
}

}  // namespace
}  // namespace pericenter::test

#include "sim/auto_solver.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <string>

#include "sim/core/device.h"

namespace pericenter {
namespace {

Bodies equal_bodies(std::size_t count) {
  return Bodies(count, Body{{}, {}, 1.0 / static_cast<double>(count), 0});
}

std::string solver_for(const Bodies& bodies, const Config& config = {}) {
  return with_auto_solver(config, bodies).solver;
}

TEST(AutoSolver, IsDirectSumForFewOctreeForSmallAndFmmForLargeN) {
  EXPECT_EQ(solver_for({}), "octree");
  EXPECT_EQ(solver_for(equal_bodies(1)), "direct");
  EXPECT_EQ(solver_for(equal_bodies(100)), "direct");
  EXPECT_EQ(solver_for(equal_bodies(101)), "octree");
  EXPECT_EQ(solver_for(equal_bodies(29'999)), "octree");
  EXPECT_EQ(solver_for(equal_bodies(30'000)), "fmm");
  EXPECT_EQ(solver_for(equal_bodies(30'000), {.solver = "direct", .dimension = 2}), "fmm");
  EXPECT_EQ(solver_for(equal_bodies(300), {.solver = "fmm"}), "octree");
}

TEST(AutoSolver, IsDirectSumForSmallNOnCuda) {
  const Config floats = {.backend = Backend::cuda};
  const Config doubles = {.backend = Backend::cuda, .precision = Precision::float64};
  EXPECT_EQ(solver_for({}, floats), "direct-tiled");
  EXPECT_EQ(solver_for(equal_bodies(1'000), floats), "direct-tiled");
  EXPECT_EQ(solver_for(equal_bodies(60'000), floats), "fmm");
  EXPECT_EQ(solver_for(equal_bodies(1'000), doubles), "direct-tiled");
  EXPECT_EQ(solver_for(equal_bodies(30'000), doubles), "fmm");
  Bodies bodies = equal_bodies(60'000);
  bodies[0].mass = 1;
  EXPECT_EQ(solver_for(bodies, floats), "octree");
}

TEST(AutoSolver, DirectSumLimitGrowsWithTheGpu) {
  const CudaStatus status = cuda_status();
  const CudaDevice* const device = status.find(0);
  const double share = device != nullptr ? device->multiprocessors / 132.0 : 1;
  const auto few = static_cast<std::size_t>(28'000 * std::sqrt(share));
  EXPECT_EQ(solver_for(equal_bodies(few), {.backend = Backend::cuda}), "direct-tiled");
  EXPECT_EQ(solver_for(equal_bodies(few + 1), {.backend = Backend::cuda}), "fmm");
}

TEST(AutoSolver, IsOctreeForADominantMass) {
  Bodies bodies = equal_bodies(40'000);
  bodies[39'999].mass = 0.04;
  EXPECT_EQ(solver_for(bodies), "fmm");
  bodies[39'999].mass = 0.06;
  EXPECT_EQ(solver_for(bodies), "octree");
  for (Body& body : bodies) body.mass = 0;
  EXPECT_EQ(solver_for(bodies), "fmm");  // none does
}

TEST(AutoSolver, IsDirectSumForFewBodiesWithMass) {
  Bodies bodies(40'000);
  EXPECT_EQ(solver_for(bodies), "fmm");  // nothing acts
  for (std::size_t i = 0; i < 64; ++i) bodies[i * 600].mass = 1;
  EXPECT_EQ(solver_for(bodies), "direct");
  EXPECT_EQ(solver_for(bodies, {.multipole = Multipole::monopole}), "octree");
  EXPECT_EQ(solver_for(bodies, {.backend = Backend::cuda}), "direct-tiled");
  bodies.resize(1'000'001);
  EXPECT_EQ(solver_for(bodies, {.backend = Backend::cuda}), "fmm");
  bodies[1].mass = 1;
  EXPECT_EQ(solver_for(bodies), "fmm");
}

TEST(AutoSolver, KeepsOctreeForItsOptions) {
  const Bodies bodies = equal_bodies(40'000);
  EXPECT_EQ(solver_for(bodies, {.multipole = Multipole::monopole}), "octree");
  Config config;
  config.solver_options.set(SolverOption::walk, 0);
  EXPECT_EQ(solver_for(bodies, config), "octree");
  config.backend = Backend::cuda;
  EXPECT_EQ(solver_for(equal_bodies(100), config), "octree");
}

}  // namespace
}  // namespace pericenter

#include "sim/solvers/suitable_solver.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

namespace pericenter {
namespace {

Bodies equal_bodies(std::size_t count) {
  return Bodies(count, Body{{}, {}, 1.0 / static_cast<double>(count), 0});
}

std::string solver_for(const Bodies& bodies, const Config& config = {}) {
  return with_suitable_solver(config, bodies).solver;
}

TEST(SuitableSolver, IsTheOctreeForFewAndFmmForMany) {
  EXPECT_EQ(solver_for({}), "octree");
  EXPECT_EQ(solver_for(equal_bodies(1)), "octree");
  EXPECT_EQ(solver_for(equal_bodies(29'999)), "octree");
  EXPECT_EQ(solver_for(equal_bodies(30'000)), "fmm");
  EXPECT_EQ(solver_for(equal_bodies(30'000), {.solver = "direct", .dimension = 2}), "fmm");
  EXPECT_EQ(solver_for(equal_bodies(300), {.solver = "fmm"}), "octree");
}

TEST(SuitableSolver, OnCudaFmmTakesMoreBodiesToWin) {
  EXPECT_EQ(solver_for(equal_bodies(99'999), {.backend = Backend::cuda}), "octree");
  EXPECT_EQ(solver_for(equal_bodies(100'000), {.backend = Backend::cuda}), "fmm");
}

TEST(SuitableSolver, IsTheOctreeWhereOneBodyOutweighsTheOthers) {
  Bodies bodies = equal_bodies(40'000);
  bodies[39'999].mass = 0.04;
  EXPECT_EQ(solver_for(bodies), "fmm");
  bodies[39'999].mass = 0.06;
  EXPECT_EQ(solver_for(bodies), "octree");
  for (Body& body : bodies) body.mass = 0;
  EXPECT_EQ(solver_for(bodies), "fmm");  // none does
}

TEST(SuitableSolver, WhoChoseWhatTheOctreeAloneHasKeepsIt) {
  const Bodies bodies = equal_bodies(40'000);
  EXPECT_EQ(solver_for(bodies, {.multipole = Multipole::monopole}), "octree");
  Config config;
  config.switches.set(Switch::walk, 0);
  EXPECT_EQ(solver_for(bodies, config), "octree");
}

}  // namespace
}  // namespace pericenter

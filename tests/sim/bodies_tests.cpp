#include "sim/bodies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/config.h"
#include "sim/solvers/registry.h"

namespace pericenter {
namespace {

double half_value(std::uint32_t bits) {
  const double sign = bits & 0x8000u ? -1 : 1;
  const int exponent = static_cast<int>(bits >> 10 & 31u);
  const double fraction = static_cast<double>(bits & 1023u) / 1024;
  return sign * (exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15));
}

TEST(Attribute, HoldsTheSpeedToHalfPrecision) {
  for (const float speed : {0.0f, 1e-8f, 3e-7f, 5.9e-5f, 6.2e-5f, 0.001f, 0.3333f, 1.0f, 1.0005f, 247.9f, 60000.0f}) {
    const double back = half_value(make_attribute(0, speed) >> 16);
    EXPECT_NEAR(back, static_cast<double>(speed), std::max(static_cast<double>(speed) / 2048, std::ldexp(1.0, -25)));
  }
}

TEST(Attribute, SaturatesWhatAHalfCannotHold) {
  EXPECT_EQ(half_value(make_attribute(0, 1e9f) >> 16), 65504);
  EXPECT_EQ(half_value(make_attribute(0, std::numeric_limits<float>::infinity()) >> 16), 65504);
  EXPECT_EQ(half_value(make_attribute(0, std::nanf("")) >> 16), 65504);
  EXPECT_EQ(half_value(make_attribute(0, -2.5f) >> 16), -2.5);
}

TEST(Tag, KeepsItsParts) {
  for (std::uint32_t galaxy : {0u, 1u, 15u}) {
    for (const Component component : {Component::disc, Component::bulge, Component::halo, Component::other}) {
      const std::uint32_t tag = make_tag(galaxy, component, 4);
      EXPECT_EQ(galaxy_of(tag), galaxy);
      EXPECT_EQ(component_of(tag), component);
      EXPECT_EQ(tag >> kTagRadiusShift, 128u);
      EXPECT_EQ(make_attribute(tag, 1) & 0xFFFFu, tag);
    }
  }
  EXPECT_EQ(make_tag(0, Component::disc, 1e9) >> kTagRadiusShift, 255u);
  EXPECT_EQ(make_tag(0, Component::disc, std::nan("")) >> kTagRadiusShift, 0u);
}

TEST(Problems, NameTheValueAndWhatIsAllowed) {
  EXPECT_EQ(problem_with(Params{}), "");
  EXPECT_NE(problem_with(Params{.theta = -0.5}).find("-0.5"), std::string::npos);
  EXPECT_NE(problem_with(Params{.theta = std::nan("")}).find("nan"), std::string::npos);
  EXPECT_NE(problem_with(Params{.theta = 2.5}), "");
  EXPECT_NE(problem_with(Params{.softening = -1}), "");
  EXPECT_NE(problem_with(Params{.dt = std::numeric_limits<double>::infinity()}), "");
  EXPECT_EQ(problem_with(Config{}), "");
  EXPECT_NE(problem_with(Config{.solver = "quadtree"}).find("octree"), std::string::npos);
  EXPECT_NE(problem_with(Config{.dimension = 4}).find("4"), std::string::npos);
  EXPECT_NE(problem_with(Config{.threads = -1}), "");
  EXPECT_EQ(problem_with(Config{.solver = "direct-tiled", .backend = Backend::cuda}), "");
}

TEST(Registry, FindsEachSolverByItsName) {
  for (const SolverInfo& solver : solvers()) EXPECT_EQ(find_solver(solver.name), &solver);
  EXPECT_EQ(find_solver("Octree"), nullptr);
}

}  // namespace
}  // namespace pericenter

#include "sim/core/bodies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <new>
#include <utility>
#include <vector>

#include "sim/analysis/force_error.h"
#include "sim/core/body_arrays.h"
#include "sim/core/config.h"
#include "sim/core/host_memory.h"
#include "sim/core/parallel.h"
#include "sim/core/simulation.h"
#include "sim/core/vertex_target.h"
#include "sim/solvers/registry.h"

namespace pericenter {
namespace {

double half_value(std::uint32_t bits) {
  const double sign = bits & 0x8000u ? -1 : 1;
  const int exponent = static_cast<int>(bits >> 10 & 31u);
  const double fraction = static_cast<double>(bits & 1023u) / 1024;
  return sign * (exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15));
}

TEST(HostMemory, IsNotTakenBeyondWhatIsFree) {
  const double available = available_memory(), total = total_memory();
  ASSERT_GT(available, 0);
  EXPECT_GE(total, available);
  EXPECT_NO_THROW(require_memory(1'000'000));
  EXPECT_THROW(require_memory(std::size_t{1} << 60), std::bad_alloc);
  // The system may grant what it does not have.
  EXPECT_THROW(uninitialized_bodies(static_cast<std::size_t>(1.05 * available) / sizeof(Body)), std::bad_alloc);
}

TEST(Attribute, StoresTheSpeedInHalfPrecision) {
  for (const float speed : {0.0f, 1e-8f, 3e-7f, 5.9e-5f, 6.2e-5f, 0.001f, 0.3333f, 1.0f, 1.0005f, 247.9f, 60000.0f}) {
    const double back = half_value(make_attribute(0, speed) >> 16);
    EXPECT_NEAR(back, static_cast<double>(speed), std::max(static_cast<double>(speed) / 2048, std::ldexp(1.0, -25)));
  }
}

TEST(Attribute, SaturatesOverflow) {
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

TEST(Bodies, AreZeroUnlessUninitialized) {
  const Body set{{1, 2, 3}, {4, 5, 6}, 7, 8};
  Bodies bodies = uninitialized_bodies(20);
  std::fill(bodies.begin(), bodies.end(), set);
  Bodies copy = bodies, moved = std::move(bodies);
  for (Bodies* some : {&copy, &moved}) {
    ASSERT_EQ(some->size(), 20u);
    some->resize(10);
    some->resize(20);
    EXPECT_EQ((*some)[9].mass, 7);
    EXPECT_EQ((*some)[9].tag, 8u);
    for (std::size_t i = 10; i < 20; ++i) {
      EXPECT_EQ((*some)[i].position, Vec3());
      EXPECT_EQ((*some)[i].mass, 0);
    }
  }
  EXPECT_EQ(Bodies(5)[4].velocity, Vec3());
}

TEST(Bodies, UseHugePagesIfLarge) {
  constexpr std::size_t kPage = std::size_t{1} << 21;
  const Bodies many = uninitialized_bodies(kPage);  // 64 bytes each, never touched
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(many.data()) % kPage, 0u);
}

/// More than one chunk of parallel_chunks(), the last one partial.
Bodies some_bodies() {
  Bodies bodies(2 * kChunk + 17);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double x = std::sqrt(static_cast<double>(i + 1));
    bodies[i] = {{x, -x, 1 / x}, {x + 1, x - 1, 2 * x}, x / 3, static_cast<std::uint32_t>(i)};
  }
  return bodies;
}

template <class Real>
void expect_kept_as(const Bodies& bodies, const Bodies& kept) {
  const auto as = [](double x) { return static_cast<double>(static_cast<Real>(x)); };
  ASSERT_EQ(kept.size(), bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      ASSERT_EQ(kept[i].position[k], as(bodies[i].position[k]));
      ASSERT_EQ(kept[i].velocity[k], as(bodies[i].velocity[k]));
    }
    ASSERT_EQ(kept[i].mass, as(bodies[i].mass));
    ASSERT_EQ(kept[i].tag, bodies[i].tag);
  }
}

TEST(BodyArrays, ContainEveryBody) {
  const Bodies bodies = some_bodies();
  expect_kept_as<double>(bodies, to_bodies(to_arrays<double, 3>(bodies)));
  const BodyArrays<float, 3> single = to_arrays<float, 3>(bodies);
  expect_kept_as<float>(bodies, to_bodies(single));
  for (const auto& component : single.acceleration) EXPECT_EQ(component, std::vector<float>(bodies.size()));
  EXPECT_EQ(single.potential, std::vector<float>(bodies.size()));
}

TEST(BodyArrays, HaveNoZIn2D) {
  Bodies bodies = some_bodies();
  const Bodies flat = to_bodies(to_arrays<double, 2>(bodies));
  for (Body& body : bodies) body.position[2] = body.velocity[2] = 0;
  expect_kept_as<double>(bodies, flat);
}

TEST(Rounded, ToTheSolverPrecision) {
  const Bodies bodies = some_bodies();
  expect_kept_as<float>(bodies, rounded(bodies, Precision::float32));
  expect_kept_as<double>(bodies, rounded(bodies, Precision::float64));
}

TEST(Problems, NameTheValueAndItsRange) {
  EXPECT_EQ(problem_with(Params{}), "");
  EXPECT_THAT(problem_with(Params{.theta = -0.5}), testing::HasSubstr("-0.5"));
  EXPECT_THAT(problem_with(Params{.theta = std::nan("")}), testing::HasSubstr("nan"));
  EXPECT_NE(problem_with(Params{.theta = 2.5}), "");
  EXPECT_THAT(problem_with(Params{.accuracy = 0.2}), testing::HasSubstr("accuracy is 0.2"));
  EXPECT_THAT(problem_with(Params{.accuracy = 0}), testing::HasSubstr("between 1e-06 and 0.1"));
  EXPECT_NE(problem_with(Params{.accuracy = std::nan("")}), "");
  EXPECT_NE(problem_with(Params{.softening = -1}), "");
  EXPECT_NE(problem_with(Params{.dt = std::numeric_limits<double>::infinity()}), "");
  EXPECT_EQ(problem_with(Config{}), "");
  EXPECT_THAT(problem_with(Config{.solver = "quadtree"}), testing::HasSubstr("octree"));
  EXPECT_THAT(problem_with(Config{.dimension = 4}), testing::HasSubstr("4"));
  EXPECT_NE(problem_with(Config{.threads = -1}), "");
  EXPECT_EQ(problem_with(Config{.solver = "direct-tiled", .backend = Backend::cuda}), "");
}

TEST(Registry, FindsEachSolverByItsName) {
  for (const SolverInfo& solver : solvers()) EXPECT_EQ(find_solver(solver.name), &solver);
  EXPECT_EQ(find_solver("Octree"), nullptr);
}

TEST(BodySample, HasTheFirstBodiesAndEveryNthOfTheOthers) {
  for (const std::size_t bodies : {1, 16, 17, 100, 101, 4000, 1'000'000'000}) {
    for (const std::size_t most : {0, 1, 100, 1000}) {
      const BodySample sample = BodySample::of(bodies, most);
      const std::size_t size = sample.size(), last = sample.index(size - 1);
      EXPECT_EQ(sample.stride % 2, 1u);
      EXPECT_LE(size, 2 * most + BodySample::kFirst + 1) << bodies << ", " << most;
      EXPECT_GE(size, std::min(bodies, most / 2)) << bodies << ", " << most;
      EXPECT_TRUE(bodies > most || size == bodies) << bodies << ", " << most;
      EXPECT_TRUE(last < bodies && last + sample.stride >= bodies) << bodies << ", " << most;
      for (std::size_t k = 0; k < std::min(size, BodySample::kFirst + 1); ++k) EXPECT_EQ(sample.index(k), k);
      EXPECT_EQ(sample.index(17) - sample.index(16), sample.stride);
    }
  }
  EXPECT_EQ(BodySample::of(0, 100).size(), 0u);
}

TEST(BodySample, OfASimulationEqualsItsBodies) {
  Bodies bodies(1000);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double x = static_cast<double>(i);
    bodies[i] = {{x, 2 * x, -x}, {1, x, 3}, 1 + x, static_cast<std::uint32_t>(i)};
  }
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    const auto simulation = Simulation::create({.backend = Backend::cpu, .precision = precision}, bodies);
    const BodySample sample = BodySample::of(bodies.size(), 100);
    const Bodies all = simulation->bodies(), sampled = simulation->sampled_bodies(sample);
    const Bodies by_default = simulation->Simulation::sampled_bodies(sample);
    ASSERT_EQ(sampled.size(), sample.size());
    ASSERT_EQ(by_default.size(), sample.size());
    for (std::size_t k = 0; k < sampled.size(); ++k) {
      for (const Bodies* found : {&sampled, &by_default}) {
        const Body &body = (*found)[k], &expected = all[sample.index(k)];
        EXPECT_TRUE(body.position == expected.position && body.velocity == expected.velocity &&
                    body.mass == expected.mass && body.tag == expected.tag)
            << k;
      }
    }
  }
}

}  // namespace
}  // namespace pericenter

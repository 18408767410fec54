#include "sim/scenes/model/body_sums.h"

#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <cmath>

#include "sim/scenes/registry.h"

namespace pericenter {
namespace {

double mass(const Body& body) {
  return body.mass;
}

Bodies of_many_masses() {
  return find_scene("random-masses")->make({.bodies = 5000}).bodies;
}

TEST(BodySums, OfOnePartEqualALoop) {
  const Bodies bodies = of_many_masses();
  double sum = 0;
  for (const Body& body : bodies) sum += body.mass;
  EXPECT_EQ(sum_over(bodies, mass), sum);
}

TEST(BodySums, OfManyPartsCountEachBodyOnce) {
  Bodies bodies(1000);
  for (std::size_t i = 0; i < bodies.size(); ++i) bodies[i].mass = std::ldexp(1.0, static_cast<int>(i % 40));
  for (const std::size_t part : {1u, 7u, 100u, 999u, 1000u, 1001u}) {
    EXPECT_EQ(sum_over(bodies, mass, part), 25 * (std::ldexp(1.0, 40) - 1)) << part;
  }
  EXPECT_EQ(sum_over(Bodies(), mass), 0);
}

TEST(BodySums, DoNotDependOnThreads) {
  const Bodies bodies = of_many_masses();
  const double sum = sum_over(bodies, mass, 300);
  for (const std::size_t threads : {1u, 3u}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    EXPECT_EQ(sum_over(bodies, mass, 300), sum) << threads;
  }
}

}  // namespace
}  // namespace pericenter

// Scalars in vertices, on each backend.
#include <gtest/gtest.h>

#include <numbers>
#include <numeric>

#include "sim/core/random.h"
#include "sim/core/vertex_target.h"
#include "tests/support/reference.h"
#include "tests/support/vertex_scalars.h"

namespace pericenter::test {
namespace {

constexpr Params kParams{.dt = 0.01, .theta = 0.6, .softening = 0.05};
constexpr double kNone = double(kNoScalar);

class Scalars : public testing::TestWithParam<Config> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Scalars, testing::ValuesIn(configs_of(kBackend)), test_name);

// Picking, following and trails use vertex indices as body indices.
TEST_P(Scalars, VertexIIsBodyI) {
  const auto simulation = Simulation::create(GetParam(), scene_bodies("collision", 1234, GetParam().dimension));
  for (int step = 0; step < 3; ++step) simulation->step(kParams);
  for (std::size_t k = 0; k < kScalarCount; ++k) {
    simulation->show(static_cast<Scalar>(k));
    const std::vector<Vertex> vertices = published(*simulation);
    const Bodies bodies = simulation->bodies();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Vec3& x = bodies[i].position;
      ASSERT_EQ(vertices[i].x, static_cast<float>(x[0])) << i;
      ASSERT_EQ(vertices[i].y, static_cast<float>(x[1])) << i;
      ASSERT_EQ(vertices[i].z, static_cast<float>(x[2])) << i;
      ASSERT_EQ(vertices[i].attribute & 0xFFFFu, bodies[i].tag & 0xFFFFu) << i;
    }
  }
}

TEST_P(Scalars, SpeedAndAccelerationMatchTheBodies) {
  const auto simulation = Simulation::create(GetParam(), scene_bodies("plummer", 1000, GetParam().dimension));
  for (int step = 0; step < 2; ++step) {
    const std::vector<double> speed = published_scalars(*simulation, Scalar::speed);
    const std::vector<double> acceleration = published_scalars(*simulation, Scalar::acceleration);
    const Bodies bodies = simulation->bodies();
    // Before the first evaluation forces are evaluated with default parameters.
    const std::vector<Vec3> exact = simulation->accelerations(step == 0 ? Params{} : kParams);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const double v = length(bodies[i].velocity), log_a = std::log10(length(exact[i]));
      ASSERT_NEAR(speed[i], v, 2 * half_rounding(v)) << i;
      ASSERT_NEAR(acceleration[i], log_a, 2 * half_rounding(log_a)) << i;
    }
    simulation->step(kParams);
  }
}

/// Every walk and order of every solver.
std::vector<Config> ways_of(const Config& config) {
  std::vector<Config> ways = switched_configs(config);
  ways.push_back(config);
  for (std::size_t i = 0, count = ways.size(); i < count; ++i) {
    ways.push_back(ways[i]);
    ways.back().multipole = Multipole::monopole;
  }
  return ways;
}

TEST_P(Scalars, InteractionsSumToTheWorkCounts) {
  const Bodies bodies = scene_bodies("plummer", 1501, GetParam().dimension);
  for (const Config& config : ways_of(GetParam())) {
    SCOPED_TRACE(describe(config));
    const auto simulation = Simulation::create(config, bodies);
    simulation->show(Scalar::interactions);
    for (const bool with_potential : {false, true}) {
      simulation->step(kParams, with_potential);
      const std::vector<std::uint32_t> each = simulation->interactions();
      ASSERT_EQ(each.size(), bodies.size());
      const auto sum = std::accumulate(each.begin(), each.end(), std::uint64_t(0));
      if (find_solver(config.solver)->expansions) {
        EXPECT_GE(sum, simulation->work().interactions()) << "interactions of a cell count for each of its bodies";
      } else {
        EXPECT_EQ(sum, simulation->work().interactions());
      }
      EXPECT_GT(*std::min_element(each.begin(), each.end()), 0u);
    }
  }
}

TEST_P(Scalars, InteractionsAreCountedWhenShown) {
  const Bodies bodies = scene_bodies("plummer", 700, GetParam().dimension);
  const auto simulation = Simulation::create(GetParam(), bodies), watched = Simulation::create(GetParam(), bodies);
  watched->show(Scalar::interactions);
  simulation->step(kParams);
  watched->step(kParams);
  EXPECT_TRUE(simulation->interactions().empty());
  const std::vector<double> shown = published_scalars(*simulation, Scalar::interactions);
  const std::vector<std::uint32_t> each = simulation->interactions();
  ASSERT_EQ(each.size(), bodies.size());
  for (std::size_t i = 0; i < each.size(); ++i) {
    ASSERT_NEAR(shown[i], std::log10(each[i]), half_rounding(4)) << i;
  }
  EXPECT_EQ(each, watched->interactions());
  published_scalars(*simulation, Scalar::speed);
  // Hidden for a while, in which nothing is counted.
  EXPECT_EQ(published_scalars(*simulation, Scalar::interactions), shown);
  EXPECT_EQ(simulation->interactions(), each);
  simulation->step(kParams);
  watched->show(Scalar::speed);
  watched->step(kParams);
  EXPECT_TRUE(same_motion(GetParam(), simulation->bodies(), watched->bodies()))
      << "showing a scalar changed the motion";
}

TEST_P(Scalars, GivenValuesAreShownAsSet) {
  const auto simulation = Simulation::create(GetParam(), scene_bodies("plummer", 50, GetParam().dimension));
  for (const Scalar scalar : {Scalar::force_error, Scalar::field}) {
    for (const double value : published_scalars(*simulation, scalar)) EXPECT_EQ(value, kNone);
    for (const float shift : {0.0f, 1.0f}) {
      std::vector<float> values;
      for (int i = 0; i < 50; ++i) values.push_back(shift - 0.125f * static_cast<float>(i));
      simulation->set_values(scalar, std::make_shared<const std::vector<float>>(values));
      simulation->step(kParams);
      const std::vector<double> shown = published_scalars(*simulation, scalar);
      for (std::size_t i = 0; i < shown.size(); ++i) EXPECT_EQ(shown[i], double(values[i])) << i;
    }
  }
  EXPECT_EQ(published_scalars(*simulation, Scalar::force_error)[0], 1);
}

class Density : public testing::TestWithParam<Config> {
 protected:
  std::vector<double> of(const Bodies& bodies) const {
    return published_scalars(*Simulation::create(GetParam(), bodies), Scalar::density);
  }
};
std::vector<Config> octrees() {
  std::vector<Config> configs = configs_of(kBackend);
  std::erase_if(configs, [](const Config& config) { return config.solver != "octree"; });
  return configs;
}
INSTANTIATE_TEST_SUITE_P(Octrees, Density, testing::ValuesIn(octrees()), test_name);

/// Median of estimated over true density, and scatter.
struct Agreement {
  double median, scatter;
};
Agreement agreement(const std::vector<double>& log_densities, const std::vector<double>& exact) {
  std::vector<double> ratios;
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    ratios.push_back(log_densities[i] - std::log10(exact[i]));
    sum += ratios[i];
    squares += ratios[i] * ratios[i];
  }
  const double count = static_cast<double>(ratios.size()), mean = sum / count;
  std::nth_element(ratios.begin(), ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2), ratios.end());
  return {std::pow(10, ratios[ratios.size() / 2]), std::sqrt(squares / count - mean * mean)};
}

// An unbiased mean over a Poisson distribution has a median of 0.91 and scatters by 0.16; edges add to it.
TEST_P(Density, OfUniformCube) {
  const std::vector<double> exact(20'000, GetParam().dimension == 2 ? 0.25 : 0.125);
  const Agreement found = agreement(of(scene_bodies("uniform", exact.size(), GetParam().dimension)), exact);
  EXPECT_NEAR(found.median, 0.9, 0.06);
  EXPECT_LT(found.scatter, 0.19);
}

TEST_P(Density, OfPlummerSphere) {
  if (GetParam().dimension == 2) GTEST_SKIP() << "the sphere is 3D";
  const Bodies bodies = scene_bodies("plummer", 20'000);
  const double scale = 3 * std::numbers::pi / 16;
  std::vector<double> exact;
  for (const Body& body : bodies) {
    const double r2 = dot(body.position, body.position) / (scale * scale);
    exact.push_back(3 / (4 * std::numbers::pi * scale * scale * scale) * std::pow(1 + r2, -2.5));
  }
  const Agreement found = agreement(of(bodies), exact);
  EXPECT_NEAR(found.median, 0.92, 0.06);
  EXPECT_LT(found.scatter, 0.19);
}

/// Brute-force reference over all pairs.
double log_density_at(const Bodies& bodies, std::size_t i, int dimension) {
  std::vector<std::pair<double, double>> others;
  for (std::size_t j = 0; j < bodies.size(); ++j) {
    if (j != i) others.emplace_back(length(bodies[j].position - bodies[i].position), bodies[j].mass);
  }
  std::sort(others.begin(), others.end());
  double mass = 0;
  for (std::size_t k = 0; k < 7; ++k) mass += others[k].second;
  const double r = others[7].first, pi = std::numbers::pi;
  return std::log10(mass / (dimension == 2 ? pi * r * r : 4 * pi / 3 * r * r * r));
}

// Sizes that do not fill leaves, unequal masses, and outliers far outside the cube of the keys.
TEST_P(Density, UsesTheNearestNeighbors) {
  for (const std::size_t count : {9, 10, 65, 1234}) {
    Bodies bodies = scene_bodies("collision", count, GetParam().dimension);
    Random random(3);
    for (Body& body : bodies) {
      body.mass = random.uniform() + 0.1;
      // The scene has bodies at equal distances from a third.
      for (int k = 0; k < GetParam().dimension; ++k) body.position[k] += 0.1 * random.uniform();
    }
    for (std::size_t i = 0; i < count; i += 10) bodies[i].position *= 1e5 * (1 + static_cast<double>(i));
    bodies = rounded(bodies, GetParam().precision);
    const std::vector<double> got = of(bodies);
    for (std::size_t i = 0; i < count; ++i) {
      if (i % 10 == 0) continue;  // seen from an outlier, all others are equally far in floats
      const double exact = log_density_at(bodies, i, GetParam().dimension);
      ASSERT_NEAR(got[i], exact, half_rounding(exact) + 1e-4) << i << " of " << count;
    }
  }
}

TEST_P(Density, IsFiniteOrMissing) {
  const auto missing = [](double value) { return value == kNone; };
  EXPECT_TRUE(of({}).empty());
  Bodies few(8), point(100), line(1000), pairs(1000), broken = scene_bodies("plummer", 1000, GetParam().dimension);
  for (std::size_t i = 0; i < few.size(); ++i) few[i] = {{double(i), 0, 0}, {}, 1, 0};
  EXPECT_TRUE(std::ranges::all_of(of(few), missing)) << "too few";
  for (Body& body : point) body.mass = 1;
  EXPECT_TRUE(std::ranges::all_of(of(point), missing)) << "no volume";
  for (std::size_t i = 0; i < line.size(); ++i) {
    line[i] = {{0, double(i), 0}, {}, 1, 0};
    pairs[i] = {{double(i / 500), 0, 0}, {}, 1, 0};
  }
  // At the ends the neighbours are twice as far.
  for (const double value : of(line)) EXPECT_NEAR(value, std::log10(GetParam().dimension == 2 ? 0.139 : 0.0261), 0.95);
  EXPECT_TRUE(std::ranges::all_of(of(pairs), missing));
  broken[3].position[0] = std::nan("");
  broken[4].position[1] = std::numeric_limits<double>::infinity();
  broken[5].position[1] = 1e30;
  const std::vector<double> with_broken = of(broken);
  for (std::size_t i = 6; i < broken.size(); ++i) EXPECT_LT(std::abs(with_broken[i]), 20) << i;
  for (Body& body : broken) body.mass = 0;
  EXPECT_TRUE(std::ranges::all_of(of(broken), missing)) << "no mass";
}

TEST_P(Density, IsReproducible) {
  const Bodies bodies = scene_bodies("collision", 5000, GetParam().dimension);
  Config one = GetParam();
  one.threads = 1;
  const std::vector<double> first = of(bodies);
  EXPECT_EQ(first, of(bodies));
  EXPECT_EQ(first, published_scalars(*Simulation::create(one, bodies), Scalar::density));
}

TEST(DensityAllSolvers, IsEqual) {
  const Bodies bodies = scene_bodies("collision", 2000);
  std::vector<double> first;
  for (const Config& config : configs_of(kBackend)) {
    if (config.dimension == 2 || config.precision == Precision::float64) continue;
    const std::vector<double> got = published_scalars(*Simulation::create(config, bodies), Scalar::density);
    if (first.empty()) first = got;
    EXPECT_EQ(got, first) << describe(config);
  }
}

}  // namespace
}  // namespace pericenter::test

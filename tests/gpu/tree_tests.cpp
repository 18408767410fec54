// Cells of the octree on CUDA, which are found without a walk from the root, against those of the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "tests/gpu/support.h"
#include "tests/support/tree_checks.h"

namespace pericenter::test {
namespace {

std::vector<TreeBox> in_order(std::vector<TreeBox> boxes) {
  const auto key = [](const TreeBox& box) {
    return std::tuple(box.level, box.center[0], box.center[1], box.center[2], box.half_width[0]);
  };
  std::ranges::sort(boxes, {}, key);
  return boxes;
}

std::vector<TreeBox> boxes_on_device(const Simulation& simulation) {
  std::vector<TreeBox> boxes;
  simulation.tree_boxes(0, 64, 10'000'000, boxes);
  return in_order(boxes);
}

template <class Real, int Dim>
std::vector<TreeBox> boxes_of_builder(const Config& config, const Bodies& bodies) {
  const auto builder = make_tree_builder<Real, Dim>(config);
  StageTimings timings;
  builder->build(to_arrays<Real, Dim>(bodies), 1, timings);
  std::vector<TreeBox> boxes;
  builder->boxes(0, 64, builder->view().nodes.size(), boxes);
  return in_order(boxes);
}
std::vector<TreeBox> boxes_on_host(const Config& config, const Bodies& bodies) {
  const bool single = config.precision == Precision::float32;
  if (config.dimension == 2)
    return single ? boxes_of_builder<float, 2>(config, bodies) : boxes_of_builder<double, 2>(config, bodies);
  return single ? boxes_of_builder<float, 3>(config, bodies) : boxes_of_builder<double, 3>(config, bodies);
}

/// Bodies in pairs, at distances from a point that fall by half from pair to pair: each level has a cell of its own.
Bodies chain(std::size_t count) {
  Bodies bodies(count, {.position = {}, .velocity = {}, .mass = 1});
  for (std::size_t i = 1; i < count; ++i) bodies[i].position[0] = std::ldexp(1, -static_cast<int>(i / 2 % 40));
  return bodies;
}

/// Two spheres, one of which lies in one of the smallest cells of the other.
Bodies distant_clusters(std::size_t count, int dimension) {
  Bodies bodies = scene_bodies("plummer", count, dimension);
  for (std::size_t i = 0; i < count; i += 2) {
    bodies[i].position = bodies[i].position * 1e-4;
    bodies[i].position[0] += 300;
  }
  return bodies;
}

/// `cells` cells along each side of a cube, each with one body more than the largest leaf: many small leaves.
Bodies crowded_cells(int cells, int dimension) {
  const Bodies places = scene_bodies("uniform", 1 + coarse_leaf_size(Backend::cuda, 200'000), dimension);
  double radius = 0;
  for (const Body& body : places) {
    for (const double x : body.position.data) radius = std::max(radius, std::abs(x));
  }
  Bodies bodies{{.position = {}, .velocity = {}, .mass = 1}};
  for (int cell = 0; cell < cells * cells * (dimension == 3 ? cells : 1); ++cell) {
    const int at[3] = {cell % cells, cell / cells % cells, cell / cells / cells};
    for (Body body : places) {
      for (int k = 0; k < dimension; ++k) body.position[k] = at[k] + 0.5 + 0.45 * body.position[k] / radius;
      bodies.push_back(body);
    }
  }
  bodies.push_back(bodies[0]);
  for (int k = 0; k < dimension; ++k) bodies.back().position[k] = cells;
  return bodies;
}

std::vector<Bodies> tree_cases(int dimension) {
  std::vector<Bodies> cases = hard_cases(dimension);
  // Around the sizes of a warp, a block and a tile of the kernels.
  for (const std::size_t count : {31, 33, 511, 512, 513, 1025, 20'000})
    cases.push_back(scene_bodies("collision", count, dimension));
  cases.push_back(scene_bodies("plummer", sized(300'000), dimension));
  for (const std::size_t count : {70, 3000}) cases.push_back(chain(count));
  cases.push_back(distant_clusters(20'000, dimension));
  // A leaf of equal keys that reaches over many tiles, among others.
  cases.push_back(scene_bodies("uniform", 5000, dimension));
  for (std::size_t i = 0; i < 3000; ++i) cases.back()[i].position = cases.back()[0].position;
  return cases;
}

class CudaCells : public testing::TestWithParam<Config> {
 protected:
  void expect_cells_of_host(const Bodies& given) const {
    const Bodies bodies = rounded(given, GetParam().precision);
    const auto simulation = Simulation::create(GetParam(), bodies);
    simulation->accelerations({.theta = 0.7, .softening = 0.01});
    const std::vector<TreeBox> got = boxes_on_device(*simulation), expected = boxes_on_host(GetParam(), bodies);
    ASSERT_EQ(got.size(), expected.size()) << bodies.size() << " bodies";
    const bool finite =
        std::ranges::all_of(bodies, [](const Body& body) { return std::isfinite(length(body.position)); });
    int levels = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      ASSERT_EQ(got[i].level, expected[i].level) << bodies.size() << " bodies";
      // The device computes the boxes from positions, and bodies at NaN have a cell but no position.
      for (int k = 0; finite && k < 3; ++k)
        ASSERT_EQ(got[i].center[k], expected[i].center[k]) << bodies.size() << " bodies";
      levels = std::max(levels, got[i].level + 1);
    }
    EXPECT_EQ(simulation->tree_levels(), levels) << bodies.size() << " bodies";
  }
};

std::vector<Config> cell_configs() {
  std::vector<Config> configs = configs_of(Backend::cuda);
  std::erase_if(configs, [](const Config& config) { return config.solver != "octree" && config.solver != "fmm"; });
  return configs;
}
INSTANTIATE_TEST_SUITE_P(Solvers, CudaCells, testing::ValuesIn(cell_configs()), test_name);

TEST_P(CudaCells, AreThoseOfTheHost) {
  for (const Bodies& bodies : tree_cases(GetParam().dimension)) expect_cells_of_host(bodies);
}

// The first attempt of fmm has too little memory for the nodes, and knows how many it needs.
TEST_P(CudaCells, AreCompleteWhenTheMemoryGrows) {
  const Bodies bodies = crowded_cells(GetParam().dimension == 2 ? 64 : 16, GetParam().dimension);
  expect_cells_of_host(bodies);
  const auto simulation = Simulation::create(GetParam(), bodies);
  const std::size_t first = simulation->device_memory().used_bytes;
  simulation->step({.dt = 0.001, .theta = 0.7, .softening = 0.01});
  if (GetParam().dimension == 3) {
    EXPECT_EQ(simulation->device_memory().used_bytes > first, GetParam().solver == "fmm");
  }
}

}  // namespace
}  // namespace pericenter::test

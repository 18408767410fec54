#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "sim/core/space_filling_curves.h"
#include "tests/support/tree_checks.h"

namespace pericenter::test {
namespace {

template <class Shape>
class Hierarchy : public testing::Test {};
TYPED_TEST_SUITE(Hierarchy, Dimensions);
template <class Shape>
class Hilbert : public testing::Test {};
TYPED_TEST_SUITE(Hilbert, Dimensions);

TYPED_TEST(Hierarchy, IsBalancedAndFollowsTheCurve) {
  constexpr int Dim = TypeParam::kDim;
  std::vector<Bodies> cases = hard_cases(Dim);
  for (const std::size_t count : {3, 5, 256}) cases.push_back(scene_bodies("uniform", count, Dim));
  for (const Bodies& bodies : cases) {
    SCOPED_TRACE(std::to_string(bodies.size()) + " bodies");
    const auto builder = built(builder_of<Dim>("hilbert-bvh"), bodies);
    const TreeView<double, Dim> tree = builder->view();
    expect_sound(*builder);
    EXPECT_EQ(tree.nodes.size(), 2 * bodies.size() - 1) << "binary tree with one body per leaf";
    EXPECT_EQ(builder->levels(), 1 + static_cast<int>(std::bit_width(bodies.size() - 1)));
    std::vector<TreeBox> boxes;
    builder->boxes(0, 64, tree.nodes.size(), boxes);
    ASSERT_EQ(boxes.size(), tree.nodes.size());
    for (std::uint32_t i = 1; i < boxes.size(); ++i) {
      const auto size = std::size_t(1) << (builder->levels() - 1 - boxes[i].level);
      EXPECT_EQ(tree.nodes[i].begin % size, 0u);
      EXPECT_EQ(tree.nodes[i].end, std::min<std::size_t>(tree.nodes[i].begin + size, bodies.size()));
      for (int k = 0; k < Dim; ++k) {
        EXPECT_LE(boxes[i].half_width[k], boxes[tree.parents[i]].half_width[k]);
        EXPECT_NEAR(boxes[i].half_width[k], (tree.bounds[i].high[k] - tree.bounds[i].low[k]) / 2,
                    1e-6 * boxes[i].half_width[k]);
      }
    }
    const BodyArrays<double, Dim> arrays = to_arrays<double, Dim>(bodies);
    const KeyGrid<Dim> grid(key_cube(arrays));
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      double position[Dim];
      for (int k = 0; k < Dim; ++k) position[k] = arrays.position[k][builder->original(i)];
      std::uint32_t cell[Dim] = {};
      grid.find_cell(position, cell);
      EXPECT_GE(hilbert_key<Dim>(cell), before);
      before = hilbert_key<Dim>(cell);
    }
  }
}

/// The cells of a grid of 2^bits per axis in key order; keys must be 0, 1, 2, ... Cells of level `bits` if `coarse`,
/// else of the finest level, next to the origin.
template <int Dim>
std::vector<std::array<int, Dim>> along_the_curve(int bits, bool coarse) {
  const int finer = coarse ? kKeyLevels<Dim> - bits : 0;
  std::vector<std::array<int, Dim>> cells(std::size_t(1) << (Dim * bits), std::array<int, Dim>{-1});
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::uint32_t cell[Dim] = {}, fine[Dim] = {};
    for (int k = 0; k < Dim; ++k) {
      cell[k] = static_cast<std::uint32_t>(i >> (k * bits)) & ((1u << bits) - 1);
      fine[k] = cell[k] << finer;
    }
    const std::uint64_t key = hilbert_key<Dim>(fine) >> (Dim * finer);
    EXPECT_LT(key, cells.size());
    if (key >= cells.size()) continue;
    EXPECT_EQ(cells[key][0], -1) << "two cells with the key " << key;
    for (int k = 0; k < Dim; ++k) cells[key][static_cast<std::size_t>(k)] = static_cast<int>(cell[k]);
  }
  return cells;
}

TYPED_TEST(Hilbert, VisitsEveryCellOnceAndTheNextSharesAFace) {
  constexpr int Dim = TypeParam::kDim;
  for (const bool coarse : {true, false}) {
    for (const int bits : {1, 2, 3, 5}) {
      const auto cells = along_the_curve<Dim>(bits, coarse);
      for (std::size_t i = 1; i < cells.size(); ++i) {
        int distance = 0;
        for (std::size_t k = 0; k < Dim; ++k) distance += std::abs(cells[i][k] - cells[i - 1][k]);
        ASSERT_EQ(distance, 1) << "after cell " << i - 1 << " of " << cells.size();
      }
    }
  }
}

}  // namespace
}  // namespace pericenter::test

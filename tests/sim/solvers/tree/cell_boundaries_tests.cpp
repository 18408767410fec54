// The octree from the boundaries between neighbouring keys, as CUDA builds it, against cells divided from the root.
#include "sim/solvers/tree/cell_boundaries.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>
#include <vector>

#include "tests/support/tree_checks.h"

namespace pericenter::test {
namespace {

struct CellAt {
  int generation, level;
  std::uint32_t parent_begin, begin, end;
  std::uint32_t children;
  friend auto operator<=>(const CellAt&, const CellAt&) = default;
};
using Keys = std::vector<std::uint64_t>;

template <int Dim>
void divide(const Keys& keys, const LeafSize& leaf_size, CellAt cell, std::vector<CellAt>& cells) {
  const int level = common_level<Dim>(keys[cell.begin], keys[cell.end - 1]);
  const std::size_t own = cells.size();
  cells.push_back(cell);
  if (level == kKeyLevels<Dim> || cell.end - cell.begin <= leaf_size.at(level)) return;
  for (std::uint32_t begin = cell.begin, end = begin; begin < cell.end; begin = end) {
    while (end < cell.end && morton_digit<Dim>(keys[end], level) == morton_digit<Dim>(keys[begin], level)) ++end;
    ++cells[own].children;
    divide<Dim>(keys, leaf_size, {cell.generation + 1, level + 1, cell.begin, begin, end, 0}, cells);
  }
}

/// The same cells, in the order of the leaves with which they end.
template <int Dim>
std::vector<CellAt> from_boundaries(const Keys& keys, const LeafSize& leaf_size) {
  const auto count = static_cast<std::uint32_t>(keys.size());
  std::vector<std::uint32_t> begins{0};
  for (std::uint32_t i = 1; i < count; ++i) {
    const auto key = [&](std::uint32_t j) {
      EXPECT_LT(j, count);
      EXPECT_LE(std::max(j, i) - std::min(j, i), leaf_size.most() + 1);
      return keys[j];
    };
    const bool divides = divides_cell<Dim>(key, i, count, leaf_size);
    if (divides) begins.push_back(i);
    EXPECT_TRUE(may_divide_cell<Dim>(key, i, count, leaf_size) || !divides);
  }
  const std::size_t leaves = begins.size();
  std::vector<OpenCells<Dim>> before(leaves), after(leaves);
  const auto boundary = [&](std::size_t i) {
    return OpenCells<Dim>::at(common_level<Dim>(keys[begins[i] - 1], keys[begins[i]]));
  };
  for (std::size_t i = 1; i < leaves; ++i) before[i] = before[i - 1].then(boundary(i));
  for (std::size_t i = leaves - 1; i > 0; --i) after[i - 1] = after[i].then(boundary(i));
  std::vector<CellAt> cells;
  std::map<int, std::uint32_t> last_begin;
  for (std::size_t i = 0; i < leaves; ++i) {
    const LeafPlace<Dim> place(before[i], after[i]);
    const std::uint32_t end = i + 1 < leaves ? begins[i + 1] : count;
    for (int g = place.first; g <= place.generation; ++g) last_begin[g] = begins[i];
    std::uint64_t divided = place.levels;
    int level = 0;
    for (int g = 0; g <= place.generation; ++g) {
      const int own = g < place.generation ? lowest_bit(divided) / Dim : -1;
      const std::uint32_t children = own < 0 ? 0 : before[i].boundaries(own) + 1;
      const std::uint32_t parent = g == 0 ? 0 : last_begin[g - 1];
      if (g >= place.last) cells.push_back({g, level, parent, last_begin[g], end, children});
      divided &= divided - 1;
      level = own + 1;
    }
  }
  return cells;
}

template <int Dim>
void expect_same_cells(const Keys& keys, const LeafSize& leaf_size) {
  std::vector<CellAt> expected, got = from_boundaries<Dim>(keys, leaf_size);
  divide<Dim>(keys, leaf_size, {0, 0, 0, 0, static_cast<std::uint32_t>(keys.size()), 0}, expected);
  std::ranges::sort(expected);
  std::ranges::sort(got);
  ASSERT_EQ(got.size(), expected.size());
  EXPECT_TRUE(got == expected);
}

template <int Dim>
Keys sorted_keys(const Bodies& bodies) {
  Keys keys(bodies.size());
  const KeyGrid<Dim> grid(key_cube(to_arrays<double, Dim>(bodies)));
  for (std::size_t i = 0; i < keys.size(); ++i) {
    double position[Dim];
    for (int k = 0; k < Dim; ++k) position[k] = bodies[i].position[k];
    keys[i] = grid.key(position);
  }
  std::ranges::sort(keys);
  return keys;
}

/// Leaves of one size, and of sizes that fall from one level to the next below.
std::vector<LeafSize> leaf_sizes(std::size_t count) {
  std::vector<LeafSize> sizes;
  for (const std::uint32_t bodies : {1, 2, 16, 64}) sizes.push_back({.bodies = bodies});
  for (const Backend backend : {Backend::cpu, Backend::cuda}) sizes.push_back(coarse_leaf_sizes(backend, count));
  sizes.push_back({.bodies = 64, .mean_level = 2, .on_mean_level = 13});
  sizes.push_back({.bodies = 8, .mean_level = 3, .on_mean_level = 1});
  return sizes;
}

template <class D>
class CellBoundaries : public testing::Test {};
TYPED_TEST_SUITE(CellBoundaries, Dimensions);

TYPED_TEST(CellBoundaries, GiveTheCellsDividedFromTheRoot) {
  constexpr int kDim = TypeParam::kDim;
  for (const Bodies& bodies : hard_cases(kDim)) {
    const Keys keys = sorted_keys<kDim>(bodies);
    for (const LeafSize& size : leaf_sizes(keys.size())) expect_same_cells<kDim>(keys, size);
  }
}

// Chains of cells of any depth, equal keys, and cells with exactly as many bodies as a leaf.
TYPED_TEST(CellBoundaries, GiveTheCellsOfRandomKeys) {
  constexpr int kDim = TypeParam::kDim;
  std::mt19937_64 random(7);
  const auto below = [&](std::uint64_t limit) { return random() % limit; };
  for (int run = 0; run < 300; ++run) {
    Keys keys(1 + below(300));
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto bits = static_cast<int>(below(kDim * kKeyLevels<kDim>));
      keys[i] = (i == 0 ? 0 : keys[below(i)]) ^ below((std::uint64_t(2) << bits) >> below(2));
    }
    std::ranges::sort(keys);
    for (const LeafSize& size : leaf_sizes(keys.size())) expect_same_cells<kDim>(keys, size);
  }
}

}  // namespace
}  // namespace pericenter::test

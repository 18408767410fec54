#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/core/space_filling_curves.h"
#include "sim/solvers/tree/moment_sums.h"
#include "tests/support/tree_checks.h"

namespace pericenter::test {
namespace {

template <class Shape>
class Builders : public testing::Test {};
TYPED_TEST_SUITE(Builders, Dimensions);

/// A cell with the input indices of its bodies, in ascending order.
struct Cell {
  int level;
  std::vector<std::uint32_t> bodies;

  friend bool operator==(const Cell&, const Cell&) = default;
  friend bool operator<(const Cell& a, const Cell& b) {
    return std::tie(a.level, a.bodies) < std::tie(b.level, b.bodies);
  }
};

template <int Dim>
std::vector<Cell> cells(const TreeBuilder<double, Dim>& builder) {
  const std::vector<int> level = levels(builder);
  const auto nodes = builder.view().nodes;
  std::vector<Cell> cells(level.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i].level = level[i];
    for (std::uint32_t k = nodes[i].begin; k < nodes[i].end; ++k) cells[i].bodies.push_back(builder.original(k));
    std::sort(cells[i].bodies.begin(), cells[i].bodies.end());
  }
  std::sort(cells.begin(), cells.end());
  return cells;
}

/// The keys of all bodies.
template <int Dim>
std::vector<std::uint64_t> keys_of(const Bodies& bodies) {
  const BodyArrays<double, Dim> arrays = to_arrays<double, Dim>(bodies);
  const KeyGrid<Dim> grid(key_cube(arrays));
  std::vector<std::uint64_t> keys(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    double position[Dim];
    for (int k = 0; k < Dim; ++k) position[k] = arrays.position[k][i];
    keys[i] = grid.key(position);
  }
  return keys;
}

/// Expected cells: each is divided until its bodies have one key or the cell has level `depth`.
template <int Dim>
void add_cells(const std::vector<std::uint64_t>& keys, const Cell& cell, int depth, std::vector<Cell>& out) {
  out.push_back(cell);
  if (cell.bodies.size() == 1) return;
  for (int level = cell.level; level < depth; ++level) {
    std::vector<Cell> children(1u << Dim, Cell{level + 1, {}});
    for (const std::uint32_t body : cell.bodies) children[morton_digit<Dim>(keys[body], level)].bodies.push_back(body);
    std::erase_if(children, [](const Cell& child) { return child.bodies.empty(); });
    if (children.size() == 1) continue;
    for (const Cell& child : children) add_cells<Dim>(keys, child, depth, out);
    return;
  }
}

template <int Dim>
std::vector<Cell> expected_cells(const Bodies& bodies, int depth) {
  Cell root{0, {}};
  for (std::size_t i = 0; i < bodies.size(); ++i) root.bodies.push_back(static_cast<std::uint32_t>(i));
  std::vector<Cell> cells;
  add_cells<Dim>(keys_of<Dim>(bodies), root, depth, cells);
  std::sort(cells.begin(), cells.end());
  return cells;
}

/// The same nodes, bodies and moments, to the last bit.
template <int Dim>
void expect_same(const TreeBuilder<double, Dim>& a, const TreeBuilder<double, Dim>& b) {
  const TreeView<double, Dim> got = a.view(), expected = b.view();
  ASSERT_EQ(got.nodes.size(), expected.nodes.size());
  ASSERT_EQ(a.size(), b.size());
  EXPECT_EQ(levels(a), levels(b));
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(a.original(i), b.original(i)) << "body " << i;
  for (std::size_t i = 0; i < got.nodes.size(); ++i) {
    const auto &x = got.nodes[i], &y = expected.nodes[i];
    ASSERT_TRUE(x.first_child == y.first_child && x.next == y.next && x.begin == y.begin && x.end == y.end) << i;
    ASSERT_EQ(got.parents[i], expected.parents[i]) << i;
    ASSERT_EQ(x.size, y.size) << i;
    ASSERT_EQ(got.moments[i].mass, expected.moments[i].mass) << i;
    for (int k = 0; k < kMomentCount<Dim>; ++k) ASSERT_EQ(got.moments[i].moment[k], expected.moments[i].moment[k]);
    for (int k = 0; k < Dim; ++k) {
      ASSERT_EQ(x.center_of_mass[k], y.center_of_mass[k]) << i;
      ASSERT_EQ(got.bounds[i].low[k], expected.bounds[i].low[k]) << i;
      ASSERT_EQ(got.bounds[i].high[k], expected.bounds[i].high[k]) << i;
    }
  }
}

/// All builders of an octree with one body per leaf.
template <int Dim>
std::vector<Builder<Dim>> octree_builders() {
  std::vector<Builder<Dim>> builders;
  builders.push_back(make_sorted_builder<double, Dim>(1));
  for (const Order order : {Order::morton, Order::morton10, Order::none}) {
    builders.push_back(insertion_builder<Dim>(order, 0));
  }
  builders.push_back(builder_of<Dim>("concurrent-octree"));
  builders.push_back(builder_of<Dim>("tree-sorted"));
  return builders;
}

TYPED_TEST(Builders, MakeOneAndTheSameOctree) {
  constexpr int Dim = TypeParam::kDim;
  // Builders are reused for all cases: no state of the previous tree may remain.
  std::vector<Builder<Dim>> builders = octree_builders<Dim>();
  const std::vector<Bodies> cases = hard_cases(Dim);
  for (std::size_t c = 0; c < cases.size(); ++c) {
    const std::vector<Cell> expected = expected_cells<Dim>(cases[c], kKeyLevels<Dim>);
    for (std::size_t b = 0; b < builders.size(); ++b) {
      SCOPED_TRACE("case " + std::to_string(c) + ", builder " + std::to_string(b));
      builders[b] = built(std::move(builders[b]), cases[c]);
      expect_sound(*builders[b]);
      EXPECT_TRUE(cells(*builders[b]) == expected);
      expect_same(*builders[b], *builders[0]);
      if (this->HasFailure()) return;
    }
  }
}

// The side of an inner cell is that of the smallest cell that contains its bodies, and never smaller than their box.
TYPED_TEST(Builders, SidesOfCellsHalveFromLevelToLevel) {
  constexpr int Dim = TypeParam::kDim;
  for (const char* solver : {"octree", "concurrent-octree", "tree-sorted", "hybrid", "hybrid-shared"}) {
    Config config{.solver = solver, .dimension = Dim};
    config.solver_options.set(SolverOption::cell_size, CellSize::cell);
    for (const Bodies& bodies : hard_cases(Dim)) {
      const auto builder = built(make_tree_builder<double, Dim>(config), bodies);
      const TreeView<double, Dim> tree = builder->view();
      const std::vector<std::uint64_t> keys = keys_of<Dim>(bodies);
      const std::vector<int> level = levels(*builder);
      for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const auto& node = tree.nodes[i];
        std::uint64_t differing = 0;
        for (std::uint32_t k = node.begin; k < node.end; ++k) {
          differing |= keys[builder->original(k)] ^ keys[builder->original(node.begin)];
        }
        const int of_cell = node.first_child == 0 ? level[i] : common_level<Dim>(0, differing);
        const double box = longest_side(tree.bounds[i]), side = std::ldexp(builder->cube().side, -of_cell);
        ASSERT_EQ(node.size, box > 0 ? std::max(box, side) : 0) << solver << ", node " << i;
      }
    }
  }
}

TYPED_TEST(Builders, InsertionStopsAtItsDepth) {
  constexpr int Dim = TypeParam::kDim;
  for (const Bodies& bodies : hard_cases(Dim)) {
    for (const std::uint32_t depth : {1, 2, 5, 10, 16}) {
      const auto sorted = built(insertion_builder<Dim>(Order::morton, depth), bodies);
      const auto unsorted = built(insertion_builder<Dim>(Order::none, depth), bodies);
      SCOPED_TRACE(std::to_string(bodies.size()) + " bodies, depth " + std::to_string(depth));
      expect_sound(*sorted);
      EXPECT_LE(sorted->levels(), depth + 1);
      EXPECT_TRUE(cells(*sorted) == expected_cells<Dim>(bodies, depth));
      expect_same(*unsorted, *sorted);
      if (this->HasFailure()) return;
    }
  }
}

TYPED_TEST(Builders, MomentsDoNotDependOnTheThreads) {
  constexpr int Dim = TypeParam::kDim;
  const tbb::global_control more_threads_than_cores(tbb::global_control::max_allowed_parallelism, 8);
  const Bodies one_point(5000, Body{.position = {1, 1, 0}, .velocity = {}, .mass = 1});
  for (const Bodies& bodies : {scene_bodies("collision", 20'000, Dim), pairs(6000, Dim), one_point}) {
    const auto expected = built(make_sorted_builder<double, Dim>(1), bodies);
    for (const int threads : {1, 2, 3, 8, 8}) {
      SCOPED_TRACE(std::to_string(threads) + " threads");
      tbb::task_arena(threads).execute([&] {
        expect_same(*built(builder_of<Dim>("concurrent-octree"), bodies), *expected);
        expect_same(*built(builder_of<Dim>("tree-sorted"), bodies), *expected);
        expect_same(*built(insertion_builder<Dim>(Order::morton10, 0), bodies), *expected);
      });
      if (this->HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace pericenter::test

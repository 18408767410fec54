#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <set>
#include <vector>

#include "sim/solvers/tree/tree_builder.h"
#include "tests/support/reference.h"

namespace pericenter::test {

template <int D>
struct InDimension {
  static constexpr int kDim = D;
};
using Dimensions = testing::Types<InDimension<2>, InDimension<3>>;
template <int Dim>
using Builder = std::unique_ptr<TreeBuilder<double, Dim>>;

template <int Dim>
Builder<Dim> built(Builder<Dim> builder, const Bodies& bodies) {
  StageTimings timings;
  builder->build(to_arrays<double, Dim>(bodies), 1, timings);
  return builder;
}

/// The tree builder of a solver.
template <int Dim>
Builder<Dim> builder_of(const std::string& solver) {
  return make_tree_builder<double, Dim>({.solver = solver, .dimension = Dim});
}
/// The builder of the hybrid solver; `depth` 0: no limit.
template <int Dim>
Builder<Dim> insertion_builder(Order order, std::uint32_t depth) {
  Config config{.solver = "hybrid", .dimension = Dim};
  config.solver_options.set(SolverOption::order, order);
  const auto depths = solver_option_info(SolverOption::depth).values;
  const auto choice = std::find_if(depths.begin(), depths.end(), [&](auto& c) { return c.number == depth; });
  config.solver_options.set(SolverOption::depth, static_cast<int>(choice - depths.begin()));
  return make_tree_builder<double, Dim>(config);
}

/// Close pairs: each body has a second one so near that many levels separate it from the next pair.
inline Bodies pairs(std::size_t count, int dimension) {
  Bodies bodies = scene_bodies("uniform", count, dimension);
  for (std::size_t i = 0; i + 1 < count; i += 2) {
    bodies[i + 1].position = bodies[i].position;
    bodies[i + 1].position[0] += 1e-6;
  }
  return bodies;
}

/// Sets of bodies that give trees of different shapes.
inline std::vector<Bodies> hard_cases(int dimension) {
  std::vector<Bodies> cases;
  for (const std::size_t count : {1, 2, 255, 257, 5000}) cases.push_back(scene_bodies("plummer", count, dimension));
  cases.push_back(Bodies(300, Body{.position = {0.3, -0.2, 0}, .velocity = {}, .mass = 0.5}));
  Bodies line(257);
  for (std::size_t i = 0; i < line.size(); ++i) {
    line[i] = {.position = {static_cast<double>(i % 200) / 256, 0, 0}, .velocity = {}, .mass = 1};
  }
  cases.push_back(line);
  Bodies far = scene_bodies("plummer", 3000, dimension);
  far[17].position = {1e30, -1e30, 0};
  cases.push_back(far);
  Bodies broken = scene_bodies("plummer", 300, dimension);
  for (std::size_t i = 0; i < 20; ++i) broken[i * 7].position[i % 2] = std::nan("");
  broken[5].position[1] = std::numeric_limits<double>::infinity();
  cases.push_back(broken);
  cases.push_back(pairs(1000, dimension));
  return cases;
}

/// Level of each node.
template <int Dim>
std::vector<int> levels(const TreeBuilder<double, Dim>& builder) {
  std::vector<TreeBox> boxes;
  builder.boxes(0, 64, builder.view().nodes.size(), boxes);
  std::vector<int> levels(boxes.size());
  std::transform(boxes.begin(), boxes.end(), levels.begin(), [](const TreeBox& box) { return box.level; });
  return levels;
}

template <int Dim>
void expect_children_fit(const TreeView<double, Dim>& tree, std::uint32_t index) {
  const auto& node = tree.nodes[index];
  std::uint32_t at = node.begin, children = 0;
  for (std::uint32_t child = node.first_child; child != node.next; child = tree.nodes[child].next) {
    ASSERT_LT(child, tree.nodes.size());
    ASSERT_EQ(child, node.first_child + children++) << "siblings are not adjacent";
    EXPECT_EQ(tree.parents[child], index);
    EXPECT_EQ(tree.nodes[child].begin, at);
    EXPECT_GT(tree.nodes[child].end, at) << "a node without bodies";
    at = tree.nodes[child].end;
    for (int k = 0; k < Dim; ++k) {
      EXPECT_GE(tree.bounds[child].low[k], tree.bounds[index].low[k]);
      EXPECT_LE(tree.bounds[child].high[k], tree.bounds[index].high[k]);
    }
  }
  EXPECT_EQ(at, node.end);
  EXPECT_GE(children, 2u);
}

/// Walks visit every node once and find every body once; siblings, parents, bodies and bounds agree.
template <int Dim>
void expect_sound(const TreeBuilder<double, Dim>& builder) {
  const TreeView<double, Dim> tree = builder.view();
  std::vector<int> visits(tree.nodes.size());
  std::uint32_t bodies = 0;
  EXPECT_EQ(tree.parents[0], kNoNode);
  for (std::uint32_t i = 0; i != kNoNode;) {
    ASSERT_LT(i, tree.nodes.size());
    ASSERT_EQ(++visits[i], 1);
    if (tree.nodes[i].first_child == 0) {
      EXPECT_EQ(tree.nodes[i].begin, bodies);
      bodies = tree.nodes[i].end;
      i = tree.nodes[i].next;
    } else {
      expect_children_fit(tree, i);
      if (testing::Test::HasFatalFailure()) return;
      i = tree.nodes[i].first_child;
    }
  }
  EXPECT_EQ(bodies, builder.size());
  EXPECT_EQ(std::count(visits.begin(), visits.end(), 1), static_cast<std::ptrdiff_t>(visits.size()));
  std::set<std::uint32_t> originals;
  for (std::size_t i = 0; i < builder.size(); ++i) originals.insert(builder.original(i));
  EXPECT_EQ(originals.size(), builder.size());
  EXPECT_LT(*originals.rbegin(), builder.size());
}

}  // namespace pericenter::test

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/radix_sort.h"
#include "sim/core/random.h"
#include "sim/core/space_filling_curves.h"
#include "sim/solvers/tree/group_walk.h"
#include "tests/support/tree_checks.h"

namespace pericenter::test {
namespace {

TEST(Morton, KeysInterleaveAndSeparate) {
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const auto pick = [&](int bits) { return static_cast<std::uint32_t>(random.next() >> (64 - bits)); };
    const std::uint32_t in_space[3] = {pick(21), pick(21), pick(21)};
    const std::uint64_t key3 = morton_key<3>(in_space);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(gather_bits<3>(key3 >> (2 - k)), in_space[k]);
    const std::uint32_t in_plane[2] = {pick(31), pick(31)};
    const std::uint64_t key2 = morton_key<2>(in_plane);
    for (int k = 0; k < 2; ++k) EXPECT_EQ(gather_bits<2>(key2 >> (1 - k)), in_plane[k]);
  }
}

TEST(Morton, CommonLevelIsTheDepthOfTheSmallestSharedCell) {
  EXPECT_EQ(common_level<3>(0, 0), 21);
  EXPECT_EQ(common_level<3>(0, 7), 20);
  EXPECT_EQ(common_level<3>(0, 8), 19);
  EXPECT_EQ(common_level<3>(0, std::uint64_t(1) << 62), 0);
  EXPECT_EQ(common_level<2>(0, std::uint64_t(1) << 61), 0);
  EXPECT_EQ(common_level<2>(4, 7), 30);
}

TEST(RadixSort, IsStableAtAwkwardSizes) {
  for (const std::size_t count : {0, 1, 2, 255, 257, 16383, 16384, 16385, 200'000}) {
    for (const int bits : {1, 12, 63}) {
      Random random(count + bits);
      std::vector<KeyIndex> items(count), scratch;
      for (std::size_t i = 0; i < count; ++i) items[i] = {random.next() >> (64 - bits), static_cast<std::uint32_t>(i)};
      std::vector<KeyIndex> expected = items;
      const auto by_key = [](const KeyIndex& a, const KeyIndex& b) { return a.key < b.key; };
      std::stable_sort(expected.begin(), expected.end(), by_key);
      radix_sort(items, scratch);
      ASSERT_TRUE(std::equal(items.begin(), items.end(), expected.begin(), expected.end(),
                             [](auto& a, auto& b) { return a.key == b.key && a.index == b.index; }))
          << count << " items of " << bits << " bits";
    }
  }
}

TEST(RadixSort, KeepsTheOrderOfKeysThatDifferInIgnoredBits) {
  for (const int ignored : {1, 33, 42}) {
    Random random(static_cast<std::uint64_t>(ignored));
    std::vector<KeyIndex> items(40'000), scratch;
    // The lowest bits only, so that many items differ in nothing else.
    for (std::uint32_t i = 0; i < items.size(); ++i) items[i] = {random.next() >> (61 - ignored), i};
    std::vector<KeyIndex> expected = items;
    std::stable_sort(expected.begin(), expected.end(),
                     [&](const KeyIndex& a, const KeyIndex& b) { return a.key >> ignored < b.key >> ignored; });
    radix_sort(items, scratch, ignored);
    ASSERT_TRUE(std::equal(items.begin(), items.end(), expected.begin(), expected.end(), [](auto& a, auto& b) {
      return a.key == b.key && a.index == b.index;
    })) << ignored;
  }
}

template <class Shape>
class Trees : public testing::Test {};
TYPED_TEST_SUITE(Trees, Dimensions);

TYPED_TEST(Trees, LinksVisitEveryNodeOnceAndLeavesHoldEveryBodyOnce) {
  constexpr int Dim = TypeParam::kDim;
  for (const std::size_t count : {1, 2, 16, 17, 255, 257, 5000}) {
    const auto builder = built(make_sorted_builder<double, Dim>(16), scene_bodies("plummer", count, Dim));
    const TreeView<double, Dim> tree = builder->view();
    std::vector<int> visits(tree.nodes.size());
    std::uint32_t next_body = 0;
    std::uint32_t i = 0;
    while (i != kNoNode) {
      const auto& node = tree.nodes[i];
      ++visits[i];
      if (node.first_child == 0) {
        EXPECT_EQ(node.begin, next_body);
        EXPECT_LE(node.end - node.begin, 16u);
        next_body = node.end;
        i = node.next;
      } else {
        EXPECT_EQ(tree.nodes[node.first_child].begin, node.begin);
        i = node.first_child;
      }
    }
    EXPECT_EQ(next_body, count);
    EXPECT_TRUE(std::all_of(visits.begin(), visits.end(), [](int n) { return n == 1; }));
    std::set<std::uint32_t> originals;
    for (std::size_t k = 0; k < count; ++k) originals.insert(builder->original(k));
    EXPECT_EQ(originals.size(), count);
  }
}

TYPED_TEST(Trees, SkippingANodeSkipsJustItsBodies) {
  constexpr int Dim = TypeParam::kDim;
  const auto builder = built(make_sorted_builder<double, Dim>(8), scene_bodies("uniform", 3000, Dim));
  const TreeView<double, Dim> tree = builder->view();
  for (const auto& node : tree.nodes) {
    EXPECT_EQ(node.next == kNoNode ? 3000u : tree.nodes[node.next].begin, node.end);
  }
}

TYPED_TEST(Trees, MomentsAndBoundsAreThoseOfTheBodies) {
  constexpr int Dim = TypeParam::kDim;
  Bodies bodies = scene_bodies("plummer", 2000, Dim);
  for (std::size_t i = 0; i < bodies.size(); ++i) bodies[i].mass *= 1 + static_cast<double>(i % 7);
  const auto builder = built(make_sorted_builder<double, Dim>(16), bodies);
  const TreeView<double, Dim> tree = builder->view();
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const auto& node = tree.nodes[n];
    double mass = 0;
    Vec<double, Dim> center;
    for (std::uint32_t i = node.begin; i < node.end; ++i) {
      mass += tree.mass[i];
      for (int k = 0; k < Dim; ++k) {
        center[k] += tree.mass[i] * tree.position[k][i];
        EXPECT_LE(tree.bounds[n].low[k], tree.position[k][i]);
        EXPECT_GE(tree.bounds[n].high[k], tree.position[k][i]);
      }
    }
    EXPECT_NEAR(tree.moments[n].mass, mass, 1e-12 * mass);
    double second[kMomentCount<Dim>] = {};
    for (int k = 0; k < Dim; ++k) EXPECT_NEAR(node.center_of_mass[k], center[k] / mass, 1e-12);
    for (std::uint32_t i = node.begin; i < node.end; ++i) {
      int at = 0;
      for (int j = 0; j < Dim; ++j) {
        for (int k = j; k < Dim; ++k) {
          second[at++] += 3 * tree.mass[i] * (tree.position[j][i] - node.center_of_mass[j]) *
                          (tree.position[k][i] - node.center_of_mass[k]);
        }
      }
    }
    for (int k = 0; k < kMomentCount<Dim>; ++k) {
      EXPECT_NEAR(tree.moments[n].moment[k], second[k], 1e-10 * mass * (1 + node.size * node.size));
    }
  }
}

TYPED_TEST(Trees, GroupsHoldEveryBodyOnceWithinTheirBounds) {
  constexpr int Dim = TypeParam::kDim;
  for (const std::size_t count : {1, 63, 64, 65, 4000}) {
    Bodies bodies = scene_bodies("plummer", count, Dim);
    for (std::size_t i = 0; i < count / 2; ++i) bodies[i].position = {0.1, 0.1, 0};  // a leaf larger than any group
    const auto builder = built(make_sorted_builder<double, Dim>(16), bodies);
    const auto groups = make_groups(builder->view(), 64);
    std::uint32_t next = 0;
    for (const auto& group : groups) {
      EXPECT_EQ(group.begin, next);
      EXPECT_LE(group.end - group.begin, 64u);
      for (std::uint32_t i = group.begin; i < group.end; ++i) {
        for (int k = 0; k < Dim; ++k) {
          EXPECT_LE(group.bounds.low[k], builder->view().position[k][i]);
          EXPECT_GE(group.bounds.high[k], builder->view().position[k][i]);
        }
      }
      next = group.end;
    }
    EXPECT_EQ(next, count);
  }
}

TYPED_TEST(Trees, BoxesHoldTheirBodiesAndLieInTheirParents) {
  constexpr int Dim = TypeParam::kDim;
  const Bodies bodies = scene_bodies("uniform", 2000, Dim);
  const auto simulation = Simulation::create({.precision = Precision::float64, .dimension = Dim}, bodies);
  simulation->accelerations({});
  std::vector<TreeBox> boxes;
  simulation->tree_boxes(0, 64, 1'000'000, boxes);
  ASSERT_FALSE(boxes.empty());
  EXPECT_EQ(boxes[0].level, 0);
  const auto deepest = std::max_element(boxes.begin(), boxes.end(), [](auto& a, auto& b) { return a.level < b.level; });
  EXPECT_EQ(simulation->tree_levels(), deepest->level + 1);
  for (const TreeBox& box : boxes) {
    EXPECT_NEAR(box.half_width[0], boxes[0].half_width[0] * std::ldexp(1.0f, -box.level), 1e-6 * box.half_width[0]);
    for (int k = 0; k < Dim; ++k) {
      EXPECT_LE(std::abs(box.center[k] - boxes[0].center[k]) + box.half_width[0], boxes[0].half_width[0] * 1.00001f);
    }
    const bool holds_one = std::any_of(bodies.begin(), bodies.end(), [&](const Body& body) {
      for (int k = 0; k < Dim; ++k) {
        if (std::abs(body.position[k] - static_cast<double>(box.center[k])) >
            static_cast<double>(box.half_width[0]) * 1.0001)
          return false;
      }
      return true;
    });
    EXPECT_TRUE(holds_one);
  }
}

bool same_box(const TreeBox& a, const TreeBox& b) {
  return std::ranges::equal(a.center, b.center) && std::ranges::equal(a.half_width, b.half_width) && a.level == b.level;
}

TYPED_TEST(Trees, BoxesOfSomeLevelsAreThoseOfTheWholeTree) {
  constexpr int Dim = TypeParam::kDim;
  const Bodies bodies = scene_bodies("plummer", 2000, Dim);
  for (const SolverInfo& solver : solvers()) {
    if (!solver.cpu || !solver.has_tree()) continue;
    const auto simulation = Simulation::create({.solver = std::string(solver.name), .dimension = Dim}, bodies);
    simulation->accelerations({});
    const auto boxes = [&](int first, int last, std::size_t limit) {
      std::vector<TreeBox> found;
      simulation->tree_boxes(first, last, limit, found);
      return found;
    };
    const std::vector<TreeBox> all = boxes(0, 64, 1'000'000);
    const int deepest = simulation->tree_levels() - 1;
    ASSERT_GE(deepest, 3) << solver.name;
    for (const auto& [first, last] : {std::pair{1, 2}, std::pair{0, 0}, std::pair{2, 2}, std::pair{3, deepest},
                                      std::pair{deepest, deepest}, std::pair{deepest + 1, 64}}) {
      std::vector<TreeBox> wanted;
      std::ranges::copy_if(all, std::back_inserter(wanted),
                           [&](const TreeBox& box) { return box.level >= first && box.level <= last; });
      EXPECT_EQ(wanted.empty(), first > deepest) << solver.name;
      EXPECT_TRUE(std::ranges::equal(boxes(first, last, 1'000'000), wanted, same_box))
          << solver.name << ", levels " << first << " to " << last;
      EXPECT_EQ(boxes(first, last, 3).size(), std::min<std::size_t>(3, wanted.size())) << solver.name;
    }
  }
}

}  // namespace
}  // namespace pericenter::test

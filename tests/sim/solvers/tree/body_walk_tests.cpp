#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "sim/core/random.h"
#include "sim/solvers/tree/body_walk.h"
#include "sim/solvers/tree/opening_criterion.h"
#include "sim/solvers/tree/tree_builder.h"
#include "tests/support/reference.h"

namespace pericenter::test {
namespace {

template <class R, int D>
struct Shape {
  using Real = R;
  static constexpr int kDim = D;
};
template <class Shape>
class BodyWalks : public testing::Test {};
using Shapes = testing::Types<Shape<float, 2>, Shape<float, 3>, Shape<double, 2>, Shape<double, 3>>;
TYPED_TEST_SUITE(BodyWalks, Shapes);

template <class Real, int Dim>
std::unique_ptr<TreeBuilder<Real, Dim>> sorted_tree(const Bodies& bodies, std::uint32_t leaf_size) {
  auto builder = make_sorted_builder<Real, Dim>(leaf_size);
  StageTimings timings;
  builder->build(to_arrays<Real, Dim>(bodies), 1, timings);
  return builder;
}

/// A chain with one step per key level: bodies in all other children of every cell, and the last in the low corner, so
/// that the stack of a walk reaches its maximum.
Bodies deepest_chain(int dimension) {
  const int levels = dimension == 3 ? kKeyLevels<3> : kKeyLevels<2>;
  Bodies bodies = {{.position = {0, 0, 0}, .velocity = {}, .mass = 1}};
  for (int level = 1; level <= levels; ++level) {
    for (unsigned child = 1; child < 1u << dimension; ++child) {
      Body body{.position = {}, .velocity = {}, .mass = 1};
      for (int k = 0; k < dimension; ++k) body.position[k] = (child >> k & 1u) * std::ldexp(0.9, -level);
      bodies.push_back(body);
    }
  }
  return bodies;
}

std::vector<Bodies> awkward_sets(int dimension) {
  std::vector<Bodies> sets;
  for (const std::size_t count : {1, 2, 17, 257, 1500}) sets.push_back(scene_bodies("plummer", count, dimension));
  for (std::size_t i = 0; i < 700; ++i) sets.back()[i].position = {0.1, 0.2, 0};
  sets.push_back(Bodies(300, Body{.position = {0.3, 0.3, 0}, .velocity = {}, .mass = 1}));
  sets.push_back(scene_bodies("collision", 1500, dimension));
  for (std::size_t i = 0; i < 1500; i += 50) sets.back()[i].mass *= 1e4;
  sets.back()[7].position = {1e30, 0, 0};
  sets.back()[8].position = {std::nan(""), 0, 0};
  sets.push_back(deepest_chain(dimension));
  return sets;
}

const WalkSettings kSettings[] = {
    {.theta = 0, .softening = 0.01},
    {.theta = 0.5, .softening = 0.01, .multipole = Multipole::monopole},
    {.theta = 0.5, .softening = 0.01, .multipole = Multipole::quadrupole},
    {.theta = 1.5, .softening = 0, .multipole = Multipole::quadrupole},
    {.theta = 0, .softening = 0.01, .multipole = Multipole::monopole, .leaf_points = true},
    {.theta = 0.5, .softening = 0.01, .multipole = Multipole::quadrupole, .leaf_points = true},
};

TYPED_TEST(BodyWalks, AllKindsVisitTheSameAndGiveTheSameBits) {
  using Real = typename TypeParam::Real;
  constexpr int Dim = TypeParam::kDim;
  for (const Bodies& bodies : awkward_sets(Dim)) {
    for (const std::uint32_t leaf_size : {1, 16}) {
      const auto builder = sorted_tree<Real, Dim>(bodies, leaf_size);
      for (const WalkSettings& settings : kSettings) {
        const BodyWalk<Real, Dim> skip(builder->view(), Walk::skip, settings);
        for (const Walk kind : {Walk::climb, Walk::stack}) {
          const BodyWalk<Real, Dim> other(builder->view(), kind, settings);
          for (std::uint32_t i = 0; i < bodies.size(); i += 1 + i / 16) {
            WorkCounts work, others_work;
            const BodyForce<Real, Dim> force = skip.run(i, work), others_force = other.run(i, others_work);
            ASSERT_EQ(std::memcmp(&force, &others_force, sizeof(force)), 0) << bodies.size() << " bodies, body " << i;
            ASSERT_EQ(work.node_visits, others_work.node_visits);
            ASSERT_EQ(work.body_interactions, others_work.body_interactions);
            ASSERT_EQ(work.cell_interactions, others_work.cell_interactions);
          }
        }
      }
    }
  }
}

/// Recursive reference in double precision. `voters` open a node together; without any, the target alone decides.
template <class Real, int Dim>
class Recursion {
 public:
  Recursion(const TreeView<Real, Dim>& tree, const WalkSettings& settings, std::uint32_t target,
            std::vector<std::uint32_t> voters = {})
      : tree_(tree), settings_(settings), target_(target), voters_(std::move(voters)) {
    if (voters_.empty()) voters_ = {target};
    add_node(0);
    if (settings.softening > 0 && !settings.leaf_points) potential += double(tree.mass[target]) / settings.softening;
  }

  Vec<double, Dim> acceleration;
  double potential = 0;
  double largest = 0;  ///< sum of the magnitudes of all terms
  WorkCounts work;

 private:
  Vec<double, Dim> separation(const auto& position) const {
    Vec<double, Dim> d;
    for (int k = 0; k < Dim; ++k) d[k] = double(position(k)) - double(tree_.position[k][target_]);
    return d;
  }

  void add_node(std::uint32_t index) {
    const TreeNode<Real, Dim>& node = tree_.nodes[index];
    ++work.node_visits;
    const Real opening = opening_squared(node.center_of_mass, tree_.bounds[index], node.size, settings_.theta);
    const bool accepted = std::all_of(voters_.begin(), voters_.end(), [&](std::uint32_t voter) {
      Real squared = 0;
      for (int k = 0; k < Dim; ++k) {
        const Real d = node.center_of_mass[k] - tree_.position[k][voter];
        squared += d * d;
      }
      return squared >= opening;
    });
    const auto center = separation([&](int k) { return node.center_of_mass[k]; });
    if (node.size == 0 || (settings_.leaf_points && node.first_child == 0)) {
      add_point(center, double(tree_.moments[index].mass));
      ++(node.size == 0 ? work.body_interactions : work.cell_interactions);
      const bool own = settings_.leaf_points && node.begin <= target_ && target_ < node.end;
      if (own && softened(center) > 0) potential += double(tree_.mass[target_]) / softened(center);
    } else if (accepted) {
      EXPECT_TRUE(target_ < node.begin || node.end <= target_) << "a cell acts on its own body";
      add_point(center, double(tree_.moments[index].mass));
      if (settings_.multipole == Multipole::quadrupole) add_quadrupole(center, tree_.moments[index]);
      ++work.cell_interactions;
    } else if (node.first_child == 0) {
      for (std::uint32_t j = node.begin; j < node.end; ++j) {
        add_point(separation([&](int k) { return tree_.position[k][j]; }), double(tree_.mass[j]));
        ++work.body_interactions;
      }
    } else {
      for (std::uint32_t c = node.first_child; c != node.next; c = tree_.nodes[c].next) add_node(c);
    }
  }

  double softened(const Vec<double, Dim>& d) const {
    return std::sqrt(dot(d, d) + settings_.softening * settings_.softening);
  }

  void add_point(const Vec<double, Dim>& d, double mass) {
    const double r = softened(d);
    if (r == 0) return;
    acceleration += d * (mass / (r * r * r));
    potential -= mass / r;
    largest += mass / (r * r);
  }

  /// Second-order expansion, summed over the points of the cell.
  void add_quadrupole(const Vec<double, Dim>& d, const NodeMoments<Real, Dim>& moments) {
    const double r = softened(d);
    double trace = 0;
    Vec<double, Dim> td;
    for (int i = 0, at = 0; i < Dim; ++i) {
      for (int j = i; j < Dim; ++j, ++at) {
        const double t = double(moments.moment[at]) / 3;
        td[i] += t * d[j];
        if (i != j) td[j] += t * d[i];
        if (i == j) trace += t;
      }
    }
    const double dtd = dot(td, d);
    acceleration += d * (7.5 * dtd / std::pow(r, 7) - 1.5 * trace / std::pow(r, 5)) - td * (3 / std::pow(r, 5));
    potential -= 1.5 * dtd / std::pow(r, 5) - 0.5 * trace / std::pow(r, 3);
  }

  const TreeView<Real, Dim> tree_;
  const WalkSettings settings_;
  const std::uint32_t target_;
  std::vector<std::uint32_t> voters_;
};

TYPED_TEST(BodyWalks, AddUpWhatTheOpeningRuleSays) {
  using Real = typename TypeParam::Real;
  constexpr int Dim = TypeParam::kDim;
  const double rounding = sizeof(Real) == 4 ? 1e-5 : 1e-13;
  Bodies bodies = scene_bodies("plummer", 1000, Dim);
  bodies.resize(1010, bodies[0]);
  for (const std::uint32_t leaf_size : {1, 16}) {
    const auto builder = sorted_tree<Real, Dim>(bodies, leaf_size);
    for (const WalkSettings& settings : kSettings) {
      const BodyWalk<Real, Dim> walk(builder->view(), Walk::skip, settings);
      for (std::uint32_t i = 0; i < bodies.size(); i += 3) {
        WorkCounts work;
        const BodyForce<Real, Dim> force = walk.run(i, work);
        const Recursion<Real, Dim> expected(builder->view(), settings, i);
        ASSERT_EQ(work.node_visits, expected.work.node_visits) << i;
        ASSERT_EQ(work.body_interactions, expected.work.body_interactions) << i;
        ASSERT_EQ(work.cell_interactions, expected.work.cell_interactions) << i;
        for (int k = 0; k < Dim; ++k) {
          ASSERT_NEAR(force.acceleration[k], expected.acceleration[k], rounding * expected.largest) << i;
        }
        ASSERT_NEAR(force.potential, expected.potential, rounding * std::abs(expected.potential)) << i;
      }
    }
  }
}

TYPED_TEST(BodyWalks, VotersOpenNodesTogether) {
  using Real = typename TypeParam::Real;
  constexpr int Dim = TypeParam::kDim;
  const double rounding = sizeof(Real) == 4 ? 1e-5 : 1e-13;
  Bodies bodies = scene_bodies("plummer", 600, Dim);
  bodies.resize(610, bodies[0]);
  for (const std::uint32_t leaf_size : {1, 16}) {
    const auto builder = sorted_tree<Real, Dim>(bodies, leaf_size);
    for (const WalkSettings& settings : kSettings) {
      const BodyWalk<Real, Dim> walk(builder->view(), Walk::vote, settings);
      for (const std::uint32_t count : {1u, 2u, 31u, kVoters}) {
        // Neighbours, and bodies from everywhere.
        for (const std::uint32_t stride : {1u, 19u}) {
          std::vector<std::uint32_t> voters(count);
          for (std::uint32_t k = 0; k < count; ++k) voters[k] = 5 + k * stride;
          std::vector<BodyForce<Real, Dim>> forces(count);
          WorkCounts work, expected_work;
          walk.run(voters, forces.data(), work);
          for (std::uint32_t i = 0; i < count; ++i) {
            const Recursion<Real, Dim> expected(builder->view(), settings, voters[i], voters);
            expected_work += expected.work;
            for (int k = 0; k < Dim; ++k) {
              ASSERT_NEAR(forces[i].acceleration[k], expected.acceleration[k], rounding * expected.largest) << count;
            }
            ASSERT_NEAR(forces[i].potential, expected.potential, rounding * std::abs(expected.potential)) << count;
          }
          ASSERT_EQ(work.node_visits, expected_work.node_visits) << count;
          ASSERT_EQ(work.body_interactions, expected_work.body_interactions) << count;
          ASSERT_EQ(work.cell_interactions, expected_work.cell_interactions) << count;
        }
      }
    }
  }
}

TYPED_TEST(BodyWalks, OneVoterWalksAlone) {
  using Real = typename TypeParam::Real;
  constexpr int Dim = TypeParam::kDim;
  for (const Bodies& bodies : awkward_sets(Dim)) {
    const auto builder = sorted_tree<Real, Dim>(bodies, 16);
    for (const WalkSettings& settings : kSettings) {
      const BodyWalk<Real, Dim> skip(builder->view(), Walk::skip, settings);
      const BodyWalk<Real, Dim> vote(builder->view(), Walk::vote, settings);
      for (std::uint32_t i = 0; i < bodies.size(); i += 1 + i / 16) {
        WorkCounts work;
        const BodyForce<Real, Dim> alone = skip.run(i, work);
        BodyForce<Real, Dim> voted;
        vote.run(std::span(&i, 1), &voted, work);
        ASSERT_EQ(std::memcmp(&alone, &voted, sizeof(alone)), 0) << bodies.size() << " bodies, body " << i;
      }
    }
  }
}

TYPED_TEST(BodyWalks, PotentialIsThatOfAllOthers) {
  using Real = typename TypeParam::Real;
  constexpr int Dim = TypeParam::kDim;
  Bodies bodies = scene_bodies("plummer", 500, Dim);
  bodies.resize(505, bodies[0]);
  const auto builder = sorted_tree<Real, Dim>(bodies, 4);
  for (const double softening : {0.0, 0.02}) {
    for (const double theta : {0.0, 0.4}) {
      const BodyWalk<Real, Dim> walk(builder->view(), Walk::stack, {.theta = theta, .softening = softening});
      for (std::uint32_t i = 0; i < bodies.size(); i += 7) {
        const std::uint32_t self = builder->original(i);
        double expected = 0;
        for (std::size_t j = 0; j < bodies.size(); ++j) {
          const Vec3 d = bodies[j].position - bodies[self].position;
          const double r = std::sqrt(dot(d, d) + softening * softening);
          if (j != self && r > 0) expected -= bodies[j].mass / r;
        }
        WorkCounts work;
        EXPECT_NEAR(walk.run(i, work).potential / expected, 1, theta > 0 ? 2e-3 : 1e-5) << i;
      }
    }
  }
}

/// The order of the walks over a tree built by insertion, as input indices.
template <class Real, int Dim>
std::vector<std::uint32_t> insertion_order_of(const Bodies& bodies, Order order, Sorting sorting = Sorting::radix) {
  Config config{.solver = "hybrid", .dimension = Dim};
  config.solver_options.set(SolverOption::order, order);
  config.solver_options.set(SolverOption::sorting, sorting);
  const auto builder = make_tree_builder<Real, Dim>(config);
  StageTimings timings;
  builder->build(to_arrays<Real, Dim>(bodies), 1, timings);
  std::vector<std::uint32_t> places = builder->insertion_order();
  for (std::uint32_t& place : places) place = builder->original(place);
  EXPECT_TRUE(std::ranges::equal(places, builder->inserted(), {}, {}, &KeyIndex::index));
  return places;
}

/// The walk order as input indices.
template <class Real, int Dim>
std::vector<std::uint32_t> order_of(const Bodies& bodies, Order order) {
  if (order == Order::morton10) return insertion_order_of<Real, Dim>(bodies, order);
  const auto builder = sorted_tree<Real, Dim>(bodies, 16);
  std::vector<std::uint32_t> original(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) original[i] = builder->original(i);
  std::vector<std::uint32_t> places = walk_order(builder->view(), original, order);
  for (std::uint32_t& place : places) place = original.at(place);
  return places;
}

TYPED_TEST(BodyWalks, OrdersHaveEveryBodyOnce) {
  using Real = typename TypeParam::Real;
  constexpr int Dim = TypeParam::kDim;
  for (const std::size_t count : {0, 1, 2, 255, 5000}) {
    const Bodies bodies = scene_bodies("plummer", count, Dim);
    std::vector<std::uint32_t> as_given(count);
    std::iota(as_given.begin(), as_given.end(), 0u);
    for (const Order order :
         {Order::tree, Order::morton, Order::morton10, Order::none, Order::shuffled, Order::regular}) {
      std::vector<std::uint32_t> places = order_of<Real, Dim>(bodies, order);
      if (order == Order::none) {
        EXPECT_EQ(places, as_given);
      }
      if (order == Order::morton) {
        EXPECT_EQ(places, (order_of<Real, Dim>(bodies, Order::tree)));
      }
      std::sort(places.begin(), places.end());
      EXPECT_EQ(places, as_given) << count;
    }
  }
}

TYPED_TEST(BodyWalks, ShuffledIsFarFromAnyOrderAndTheSameEveryTime) {
  using Real = typename TypeParam::Real;
  constexpr int Dim = TypeParam::kDim;
  constexpr std::size_t kCount = 4000;
  const auto places = order_of<Real, Dim>(scene_bodies("plummer", kCount, Dim), Order::shuffled);
  // The bodies have moved, and the tree differs.
  EXPECT_EQ(places, (order_of<Real, Dim>(scene_bodies("uniform", kCount, Dim), Order::shuffled)));
  double jump = 0;
  for (std::size_t i = 1; i < kCount; ++i) jump += std::abs(double(places[i]) - double(places[i - 1]));
  EXPECT_NEAR(jump / kCount, kCount / 3.0, kCount / 20.0);
}

TYPED_TEST(BodyWalks, RegularGoesRowAfterRow) {
  using Real = typename TypeParam::Real;
  constexpr int Dim = TypeParam::kDim;
  constexpr std::uint32_t kSide = 8;
  const std::uint32_t count = Dim == 3 ? kSide * kSide * kSide : kSide * kSide;
  // Permuted input; 11 and the count are coprime.
  Bodies bodies(count);
  std::vector<std::uint32_t> expected(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t cell = i * 11 % count;
    expected[cell] = i;
    bodies[i].position = {double(cell % kSide), double(cell / kSide % kSide), double(cell / (kSide * kSide))};
    bodies[i].mass = 1;
  }
  EXPECT_EQ((order_of<Real, Dim>(bodies, Order::regular)), expected);
}

TYPED_TEST(BodyWalks, TenBitsLeaveTheirCellsUnsorted) {
  using Real = typename TypeParam::Real;
  constexpr int Dim = TypeParam::kDim;
  // Two clusters, each within a cell of level 10, alternating in the input.
  Random random(1);
  Bodies bodies(200);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (int k = 0; k < Dim; ++k) bodies[i].position[k] = double(i % 2) + 1e-5 * random.uniform();
    bodies[i].mass = 1;
  }
  std::vector<std::uint32_t> expected(bodies.size());
  for (std::uint32_t i = 0; i < expected.size(); ++i) expected[i] = i < 100 ? 2 * i : 2 * (i - 100) + 1;
  EXPECT_EQ((order_of<Real, Dim>(bodies, Order::morton10)), expected);
  EXPECT_NE((order_of<Real, Dim>(bodies, Order::morton)), expected);
}

// One sort serves both: walks follow the order of insertion.
TYPED_TEST(BodyWalks, TenBitKeysOrderInsertionAndWalks) {
  using Real = typename TypeParam::Real;
  constexpr int Dim = TypeParam::kDim;
  const Bodies bodies = scene_bodies("plummer", 5000, Dim);
  const auto arrays = to_arrays<Real, Dim>(bodies);
  const KeyGrid<Dim> grid(key_cube(arrays));
  std::vector<KeyIndex> expected(bodies.size());
  for (std::uint32_t i = 0; i < expected.size(); ++i) {
    Real position[Dim];
    for (int k = 0; k < Dim; ++k) position[k] = arrays.position[k][i];
    expected[i] = {grid.key(position) >> Dim * (kKeyLevels<Dim> - 10), i};
  }
  std::ranges::stable_sort(expected, {}, &KeyIndex::key);
  const std::vector<std::uint32_t> order = insertion_order_of<Real, Dim>(bodies, Order::morton10);
  EXPECT_TRUE(std::ranges::equal(order, expected, {}, {}, &KeyIndex::index));
  EXPECT_NE(order, (insertion_order_of<Real, Dim>(bodies, Order::morton)));
}

TYPED_TEST(BodyWalks, QsortGivesTheOrderOfRadixSort) {
  using Real = typename TypeParam::Real;
  constexpr int Dim = TypeParam::kDim;
  for (const std::size_t count : {0, 1, 2, 255, 5000}) {
    Bodies bodies = scene_bodies("plummer", count, Dim);
    for (std::size_t i = 0; i + 1 < count; i += 3) bodies[i + 1].position = bodies[i].position;
    for (const Order order : {Order::morton, Order::morton10}) {
      EXPECT_EQ((insertion_order_of<Real, Dim>(bodies, order, Sorting::quick)),
                (insertion_order_of<Real, Dim>(bodies, order)))
          << count;
    }
  }
}

}  // namespace
}  // namespace pericenter::test

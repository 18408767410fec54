// Tests of the hybrid solvers in addition to those of all solvers: options change only the speed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "tests/gpu/device.h"
#include "tests/gpu/support.h"

namespace pericenter::test {
namespace {

constexpr Params kHybridParams{.dt = 0.02, .theta = 0.6, .softening = 0.05};

std::vector<Config> rows_of(std::string_view first, std::string_view second) {
  std::vector<Config> configs;
  for (const Config& config : all_configs()) {
    if (config.solver == first || config.solver == second) configs.push_back(config);
  }
  return configs;
}

template <class Choice>
Config with(Config config, SolverOption which, Choice choice) {
  config.solver_options.set(which, choice);
  return config;
}

std::string choices_in(const Config& config) {
  std::string text = describe(config);
  for (const SupportedOption& row : find_solver(config.solver)->options) {
    if (!has_option(config, row.which)) continue;
    const SolverOptionInfo& info = solver_option_info(row.which);
    text += " --" + std::string(info.name) + " ";
    text += info.values[static_cast<std::size_t>(value_index(config, row.which))].name;
  }
  return text;
}

/// Whether some values let a few threads do all the work, which takes seconds.
bool walks_alone(const Config& config) {
  return has_option(config, SolverOption::gpu_threads);
}

class HybridRows : public testing::TestWithParam<Config> {};
INSTANTIATE_TEST_SUITE_P(Solvers, HybridRows, testing::ValuesIn(rows_of("hybrid", "hybrid-shared")), test_name);

TEST_P(HybridRows, GiveSameBitsWithEveryOption) {
  const Bodies bodies = scene_bodies("collision", sized(walks_alone(GetParam()) ? 2000 : 10'000), GetParam().dimension);
  const auto standard = Simulation::create(GetParam(), bodies);
  const std::vector<Vec3> expected = standard->accelerations(kHybridParams);
  const WorkCounts work = standard->work();
  EXPECT_GT(work.node_visits, bodies.size());
  EXPECT_GE(work.lane_slots, work.node_visits);
  for (const Config& config : switched_configs(GetParam())) {
    if (value_index(config, SolverOption::depth) != value_index(GetParam(), SolverOption::depth)) continue;
    if (has_leaf_points(config) || config.solver_options[SolverOption::cell_size] != SolverOptions::kDefault) continue;
    const auto simulation = Simulation::create(config, bodies);
    EXPECT_TRUE(simulation->accelerations(kHybridParams) == expected) << choices_in(config);
    EXPECT_EQ(simulation->work().body_interactions, work.body_interactions) << choices_in(config);
    EXPECT_EQ(simulation->work().cell_interactions, work.cell_interactions) << choices_in(config);
    EXPECT_EQ(simulation->work().node_visits, work.node_visits) << choices_in(config);
    EXPECT_GE(simulation->work().lane_slots, work.node_visits) << choices_in(config);
  }
}

// The trees differ, but the sums do not.
TEST_P(HybridRows, MatchDirectSumAtThetaZero) {
  const Bodies bodies = scene_bodies("plummer", sized(3000), GetParam().dimension);
  const Params params{.theta = 0, .softening = 0.05};
  const bool single = GetParam().precision == Precision::float32;
  const std::vector<Vec3> expected = Simulation::create(GetParam(), bodies)->accelerations(params);
  for (const Config& config : switched_configs(GetParam())) {
    if (value_index(config, SolverOption::depth) == value_index(GetParam(), SolverOption::depth)) continue;
    const auto simulation = Simulation::create(config, bodies);
    const ForceErrors errors = pericenter::force_errors(simulation->accelerations(params), expected);
    EXPECT_LE(errors.percentile_99, single ? 4e-5 : 1e-12) << choices_in(config);
    EXPECT_LE(simulation->tree_levels(), 1 + static_cast<int>(value_number(config, SolverOption::depth)))
        << choices_in(config);
  }
}

void expect_cpu_work_and_forces(const Config& config) {
  const Bodies bodies = scene_bodies("collision", sized(20'000), config.dimension);
  const bool single = config.precision == Precision::float32;
  const auto cuda = Simulation::create(config, bodies), cpu = Simulation::create(on_cpu(config), bodies);
  const ForceErrors differences =
      pericenter::force_errors(cuda->accelerations(kHybridParams), cpu->accelerations(kHybridParams));
  EXPECT_LE(differences.median, single ? 2e-6 : 1e-14);
  EXPECT_LE(differences.percentile_99, single ? 2e-5 : 1e-12);
  EXPECT_EQ(cuda->tree_levels(), cpu->tree_levels());
  const auto expect_near = [&](std::uint64_t got, std::uint64_t expected, const char* what) {
    const auto share = (single ? 1e-4 : 1e-7) * static_cast<double>(expected);
    EXPECT_NEAR(static_cast<double>(got), static_cast<double>(expected), share) << what;
  };
  const WorkCounts got = cuda->work(), expected = cpu->work();
  expect_near(got.body_interactions, expected.body_interactions, "bodies");
  expect_near(got.cell_interactions, expected.cell_interactions, "cells");
  expect_near(got.node_visits, expected.node_visits, "visits");
  const double energy = cpu->diagnostics(kHybridParams).potential;
  EXPECT_NEAR(cuda->diagnostics(kHybridParams).potential / energy, 1, single ? 1e-5 : 1e-12);
}

TEST_P(HybridRows, MatchCpuWorkAndForces) {
  expect_cpu_work_and_forces(GetParam());
}

TEST(HybridShared, LeafPointsMatchCpu) {
  for (const Config& row : rows_of("hybrid-shared", {})) {
    SCOPED_TRACE(describe(row));
    const Config points = with(row, SolverOption::leaf, LeafForce::point);
    expect_cpu_work_and_forces(points);
    expect_cpu_work_and_forces(with(points, SolverOption::order, Order::none));
  }
}

// With few levels the tree fits into shared memory. Every variant of Sevic gives the same bits.
TEST(HybridShared, EveryMemoryGivesTheSameBits) {
  constexpr int kDepth4 = 9;
  for (const Config& row : rows_of("hybrid-shared", {})) {
    if (row.dimension == 3) continue;
    const Bodies bodies = scene_bodies("collision", 3000, row.dimension);
    for (const LeafForce leaf : {LeafForce::bodies, LeafForce::point}) {
      const Config shallow = with(with(row, SolverOption::depth, kDepth4), SolverOption::leaf, leaf);
      ASSERT_EQ(value_number(shallow, SolverOption::depth), 4u);
      const std::vector<Vec3> expected = Simulation::create(shallow, bodies)->accelerations(kHybridParams);
      for (const SharedTree memory : {SharedTree::none, SharedTree::plain, SharedTree::conflict_free}) {
        const Config base = with(shallow, SolverOption::shared_tree, memory);
        std::vector<Config> configs = {with(base, SolverOption::order, Order::none),
                                       with(base, SolverOption::buffers, Buffers::per_step)};
        const auto add_numbers = [&](SolverOption which) {
          const int count = static_cast<int>(solver_option_info(which).values.size());
          for (int k = 0; k < count; ++k) configs.push_back(with(base, which, k));
        };
        add_numbers(SolverOption::block);
        add_numbers(SolverOption::gpu_threads);
        for (const Config& config : configs) {
          const auto simulation = Simulation::create(config, bodies);
          EXPECT_TRUE(simulation->accelerations(kHybridParams) == expected) << choices_in(config);
          EXPECT_EQ(simulation->note(), "") << choices_in(config);
        }
      }
    }
  }
}

// Each stage is timed once, on the host clock or on the device clock.
TEST_P(HybridRows, TimeTransfers) {
  for (const Config& config : switched_configs(GetParam())) {
    const std::size_t count = sized(walks_alone(config) ? 2000 : 20'000);
    const auto simulation = Simulation::create(config, scene_bodies("plummer", count, config.dimension));
    simulation->step(kHybridParams);
    const auto begin = std::chrono::steady_clock::now();
    simulation->step(kHybridParams);
    const std::chrono::duration<float, std::milli> took = std::chrono::steady_clock::now() - begin;
    const StageTimings timings = simulation->timings();
    for (const Stage stage :
         {Stage::kick_drift, Stage::download, Stage::keys, Stage::build, Stage::moments, Stage::upload, Stage::walk}) {
      EXPECT_GT(timings[stage], 0) << choices_in(config) << ", " << kStageNames[static_cast<std::size_t>(stage)];
    }
    for (const Stage stage : {Stage::bounds, Stage::keys, Stage::sort, Stage::build, Stage::moments}) {
      EXPECT_EQ(timings.place(stage), StagePlace::cpu) << kStageNames[static_cast<std::size_t>(stage)];
    }
    const bool host =
        has_option(config, SolverOption::integration) && option_value<Integration>(config) == Integration::host;
    EXPECT_EQ(timings.place(Stage::kick_drift), host ? StagePlace::cpu : StagePlace::gpu) << choices_in(config);
    EXPECT_EQ(timings.place(Stage::walk), StagePlace::gpu);
    EXPECT_EQ(timings.place(Stage::upload), StagePlace::transfer);
    EXPECT_EQ(timings.place(Stage::download), StagePlace::transfer);
    EXPECT_LE(timings.total_ms(), 1.1f * took.count() + 0.2f) << choices_in(config);
  }
}

std::size_t single_bytes(const Config& config, std::size_t single, std::size_t in_doubles) {
  return config.precision == Precision::float32 ? single : in_doubles;
}

/// Bytes of a node, from the sizes in the description of SolverOption::node.
std::size_t node_bytes(const Config& config) {
  const bool flat = config.dimension == 2;
  switch (option_value<NodeLayout>(config)) {
    case NodeLayout::compact:
      return single_bytes(config, 32, 64);
    case NodeLayout::full:
      return single_bytes(config, 96, 192);
    case NodeLayout::unpacked:
      return flat ? single_bytes(config, 40, 72) : single_bytes(config, 44, 80);
  }
  return 0;
}

// Every copied byte is counted: nodes, one index per body (two for keys of 10 bits), and positions.
TEST(Hybrid, CountsCopiedBytes) {
  constexpr std::size_t kCount = 5000;
  for (const Config& row : rows_of("hybrid", {})) {
    const Bodies bodies = scene_bodies("plummer", kCount, row.dimension);
    const std::size_t vector_bytes = single_bytes(row, 16, 32);
    std::uint64_t nodes = 0;
    for (const NodeLayout layout : {NodeLayout::compact, NodeLayout::unpacked, NodeLayout::full}) {
      for (const Order order : {Order::none, Order::morton10, Order::morton}) {
        for (const Integration integration : {Integration::device, Integration::host}) {
          Config config = with(with(row, SolverOption::node, layout), SolverOption::order, order);
          config.solver_options.set(SolverOption::integration, integration);
          const auto simulation = Simulation::create(config, bodies);
          simulation->accelerations({.dt = 0, .theta = 0.6, .softening = 0.05});
          simulation->step({.dt = 0, .theta = 0.6, .softening = 0.05});
          const StageTimings timings = simulation->timings();
          const std::uint64_t lists = (order == Order::morton10 ? 2 : 1) * 4 * kCount;
          const std::uint64_t moved = integration == Integration::host ? 2 * vector_bytes * kCount : 0;
          const std::uint64_t of_nodes = timings.uploaded.bytes - lists - moved;
          if (nodes == 0) nodes = of_nodes / node_bytes(config);
          EXPECT_GT(nodes, kCount) << choices_in(config);
          EXPECT_EQ(of_nodes, nodes * node_bytes(config)) << choices_in(config);
          EXPECT_EQ(timings.downloaded.bytes, vector_bytes * kCount) << choices_in(config);
          for (const Transfer& transfer : {timings.uploaded, timings.downloaded}) {
            EXPECT_GT(transfer.gb_per_s(), 0.01) << choices_in(config);
            EXPECT_LT(transfer.gb_per_s(), 1000) << choices_in(config);
          }
          EXPECT_LE(timings.downloaded.ms, timings[Stage::download] + 0.05f) << choices_in(config);
        }
      }
    }
  }
}

TEST(Hybrid, OtherSolversCopyNothing) {
  for (const char* solver : {"octree", "direct"}) {
    const Config config{.solver = solver, .backend = Backend::cuda};
    const auto simulation = Simulation::create(config, scene_bodies("plummer", 1000, 3));
    simulation->step(kHybridParams, true);
    simulation->diagnostics(kHybridParams);
    const StageTimings timings = simulation->timings();
    EXPECT_EQ(timings.uploaded.bytes + timings.downloaded.bytes, 0u) << solver;
    for (std::size_t k = 0; k < kStageCount; ++k) {
      if (timings.ms[k] > 0) {
        EXPECT_EQ(timings.place(static_cast<Stage>(k)), StagePlace::gpu) << kStageNames[k];
      }
    }
  }
}

// Sorted bodies keep more lanes of a warp busy than bodies in random order.
TEST(Hybrid, SortingRaisesLaneEfficiency) {
  for (const Config& row : rows_of("hybrid", {})) {
    const Bodies bodies = scene_bodies("uniform", sized(20'000), row.dimension);
    const auto lanes_of = [&](Order order) {
      const auto simulation = Simulation::create(with(row, SolverOption::order, order), bodies);
      simulation->accelerations(kHybridParams);
      return simulation->work().lane_efficiency();
    };
    const double unsorted = lanes_of(Order::none), short_keys = lanes_of(Order::morton10);
    EXPECT_GT(unsorted, 0) << describe(row);
    EXPECT_GT(short_keys, unsorted) << describe(row);
    EXPECT_GT(lanes_of(Order::morton), unsorted) << describe(row);
    EXPECT_LE(short_keys, 1) << describe(row);
  }
}

TEST(Hybrid, WorksForFewBodies) {
  const Params params{.dt = 0.01, .theta = 0, .softening = 0.05};
  for (const Config& row : rows_of("hybrid", {})) {
    Config direct = row;
    direct.solver = "direct";
    std::vector<Config> configs = switched_configs(row);
    configs.push_back(row);
    for (const std::size_t count : {1, 2, 10}) {
      const Bodies bodies = scene_bodies("plummer", count, row.dimension);
      const std::vector<Vec3> expected = Simulation::create(direct, bodies)->accelerations(params);
      for (const Config& config : configs) {
        const auto simulation = Simulation::create(config, bodies);
        const std::vector<Vec3> got = simulation->accelerations(params);
        for (std::size_t i = 0; i < count; ++i) {
          EXPECT_LE(length(got[i] - expected[i]), 10 * rounding(config) * length(expected[i]))
              << choices_in(config) << ", body " << i << " of " << count;
        }
        EXPECT_GT(simulation->work().lane_slots, 0u) << choices_in(config);
        for (int step = 0; step < 3; ++step) simulation->step(params);
        EXPECT_EQ(simulation->diagnostics(params).non_finite, 0u) << choices_in(config);
      }
    }
  }
}

TEST(HybridShared, MatchesHybridBits) {
  for (const Config& row : rows_of("hybrid", {})) {
    Config shared = row;
    shared.solver = "hybrid-shared";
    const Config hybrid = with(row, SolverOption::depth, value_index(shared, SolverOption::depth));
    const Bodies bodies = scene_bodies("collision", sized(10'000), row.dimension);
    const auto one = Simulation::create(hybrid, bodies), other = Simulation::create(shared, bodies);
    EXPECT_TRUE(one->accelerations(kHybridParams) == other->accelerations(kHybridParams)) << describe(row);
    EXPECT_EQ(one->work().node_visits, other->work().node_visits) << describe(row);
  }
}

// At most 341 cells of at most 96 bytes.
TEST(HybridShared, ReportsTreeTooLarge) {
  constexpr int kDepth10 = 3, kDepth4 = 9;
  for (const Config& row : rows_of("hybrid-shared", {})) {
    const Bodies bodies = scene_bodies("collision", 20'000, row.dimension);
    const auto note_of = [&](const Config& config) {
      const auto simulation = Simulation::create(config, bodies);
      EXPECT_EQ(simulation->note(), "") << "no tree before the first step";
      simulation->step(kHybridParams);
      return simulation->note();
    };
    ASSERT_EQ(value_number(with(row, SolverOption::depth, kDepth10), SolverOption::depth), 10u);
    ASSERT_EQ(value_number(with(row, SolverOption::depth, kDepth4), SolverOption::depth), 4u);
    EXPECT_THAT(note_of(with(row, SolverOption::depth, kDepth10)), testing::HasSubstr(" KB")) << describe(row);
    EXPECT_EQ(note_of(with(row, SolverOption::shared_tree, SharedTree::none)), "") << describe(row);
    if (row.dimension == 3) continue;
    EXPECT_EQ(note_of(with(row, SolverOption::depth, kDepth4)), "") << describe(row);
  }
}

class HybridIntegration : public testing::TestWithParam<Config> {
 protected:
  std::unique_ptr<Simulation> simulation_with(Integration integration) const {
    return Simulation::create(with(GetParam(), SolverOption::integration, integration), bodies_);
  }

  const Bodies bodies_ = scene_bodies("collision", 3001, GetParam().dimension);
};
INSTANTIATE_TEST_SUITE_P(Solvers, HybridIntegration, testing::ValuesIn(rows_of("hybrid", {})), test_name);

TEST_P(HybridIntegration, MatchesDeviceIntegration) {
  const auto device = simulation_with(Integration::device), host = simulation_with(Integration::host);
  for (int i = 0; i < 20; ++i) {
    device->step(kHybridParams);
    host->step(kHybridParams, i % 2 == 0);
  }
  const bool single = GetParam().precision == Precision::float32;
  const Bodies expected = device->bodies(), got = host->bodies();
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_LE(length(got[i].position - expected[i].position), single ? 2e-4 : 1e-10) << i;
    ASSERT_LE(length(got[i].velocity - expected[i].velocity), single ? 2e-3 : 1e-9) << i;
    ASSERT_EQ(got[i].mass, expected[i].mass);
    ASSERT_EQ(got[i].tag, expected[i].tag);
  }
  const double energy = device->diagnostics(kHybridParams).energy();
  EXPECT_NEAR(host->diagnostics(kHybridParams).energy(), energy, (single ? 1e-5 : 1e-11) * std::abs(energy));
  EXPECT_NE(hash(got), hash(bodies_)) << "the bodies did not move";
}

// Changing parameters between two steps must download the new accelerations.
TEST_P(HybridIntegration, FollowsParameters) {
  const auto device = simulation_with(Integration::device), host = simulation_with(Integration::host);
  Params other = kHybridParams;
  other.gravity = 2;
  for (const auto& simulation : {device.get(), host.get()}) {
    simulation->step(kHybridParams);
    simulation->step(other);
    simulation->diagnostics(other);
    simulation->step(kHybridParams);
  }
  const bool single = GetParam().precision == Precision::float32;
  const Bodies expected = device->bodies(), got = host->bodies();
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_LE(length(got[i].position - expected[i].position), single ? 2e-5 : 1e-11) << i;
  }
}

TEST_P(HybridIntegration, HostAndDeviceBodiesAgree) {
  const auto host = simulation_with(Integration::host);
  const DeviceVertices in_step(bodies_.size()), later(bodies_.size());
  std::vector<Vertex> copy(bodies_.size());
  const VertexTarget target = in_step.target();
  host->step(kHybridParams, false, &target);
  host->write_vertices(later.target());
  host->write_vertices(host_target(copy));
  EXPECT_TRUE(same_bytes(in_step.read(), copy));
  EXPECT_TRUE(same_bytes(later.read(), copy));
  const Bodies bodies = host->bodies();
  for (std::size_t i = 0; i < copy.size(); ++i) ASSERT_EQ(copy[i].x, static_cast<float>(bodies[i].position[0])) << i;
}

}  // namespace
}  // namespace pericenter::test

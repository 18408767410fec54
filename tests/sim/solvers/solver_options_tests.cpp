#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/support/reference.h"

namespace pericenter::test {
namespace {

template <class Function>
void for_each_option(const Function& function) {
  for (std::size_t k = 0; k < kSolverOptionCount; ++k) function(static_cast<SolverOption>(k));
}

/// Every solver on each of its backends, with default options.
std::vector<Config> plain_configs() {
  std::vector<Config> configs;
  for (const SolverInfo& solver : solvers()) {
    for (const Backend backend : {Backend::cpu, Backend::cuda}) {
      if (solver.runs_on(backend)) configs.push_back({.solver = std::string(solver.name), .backend = backend});
    }
  }
  return configs;
}

bool has_blank(std::string_view text) {
  return text.find_first_of(" \t\n=,'\"") != std::string_view::npos;
}

/// Checks that names are valid on a command line and unique.
class Names {
 public:
  void add(std::string_view name) {
    EXPECT_FALSE(name.empty());
    EXPECT_FALSE(has_blank(name)) << name;
    EXPECT_TRUE(seen_.insert(name).second) << name << " twice";
  }

 private:
  std::set<std::string_view> seen_;
};

TEST(SolverOptionTable, NamesAreUniqueAndTextsComplete) {
  Names options;
  for_each_option([&](SolverOption which) {
    const SolverOptionInfo& info = solver_option_info(which);
    options.add(info.name);
    EXPECT_FALSE(info.title.empty()) << info.name;
    EXPECT_TRUE(info.summary.ends_with('.')) << info.name;
    EXPECT_GE(info.values.size(), 2u) << info.name;
    EXPECT_LE(info.values.size(), 32u) << info.name << ": SupportedValues::allowed has 32 bits";
    Names values;
    for (const SolverOptionValue& value : info.values) {
      values.add(value.name);
      EXPECT_FALSE(value.title.empty()) << info.name << " " << value.name;
      EXPECT_TRUE(value.tip.ends_with('.')) << info.name << " " << value.name;
    }
  });
}

TEST(SolverOptionTable, NumbersMatchNames) {
  for (const SolverOption which :
       {SolverOption::depth, SolverOption::block, SolverOption::streams, SolverOption::gpu_threads,
        SolverOption::expansion, SolverOption::threads_per_body, SolverOption::tile}) {
    for (const SolverOptionValue& choice : solver_option_info(which).values) {
      if (choice.number > 0) {
        EXPECT_EQ(choice.name, std::to_string(choice.number));
      }
    }
  }
  EXPECT_EQ(solver_option_info(SolverOption::depth).values[0].number, 0u);
  EXPECT_EQ(solver_option_info(SolverOption::gpu_threads).values[0].number, 0u);
}

TEST(SolverTable, OnlyFmmOpensByError) {
  for (const SolverInfo& solver : solvers()) {
    Config config{.solver = std::string(solver.name)};
    EXPECT_EQ(has_option(config, SolverOption::opening), solver.name == "fmm");
    EXPECT_FALSE(opens_by_error(config)) << solver.name << ": not the default";
    config.solver_options.set(SolverOption::opening, Opening::error);
    EXPECT_EQ(opens_by_error(config), solver.name == "fmm");
  }
}

// The boxes of the Hilbert hierarchy are its cells, and fmm compares radii of spheres.
TEST(SolverTable, TreesOfCellsHaveTheCellSize) {
  for (const Config& config : plain_configs()) {
    const bool cells =
        find_solver(config.solver)->has_tree() && config.solver != "fmm" && config.solver != "hilbert-bvh";
    EXPECT_EQ(has_option(config, SolverOption::cell_size), cells) << describe(config);
    EXPECT_EQ(cell_size(config), CellSize::box) << describe(config);
    Config changed = config;
    changed.solver_options.set(SolverOption::cell_size, CellSize::cell);
    EXPECT_EQ(cell_size(changed), cells ? CellSize::cell : CellSize::box) << describe(config);
  }
}

TEST(SolverTable, NamesAreUniqueAndTextsComplete) {
  Names names;
  for (const SolverInfo& solver : solvers()) {
    names.add(solver.name);
    EXPECT_EQ(find_solver(solver.name), &solver);
    EXPECT_FALSE(solver.title.empty()) << solver.name;
    EXPECT_FALSE(solver.summary.empty()) << solver.name;
    EXPECT_TRUE(solver.cpu || solver.cuda) << solver.name;
    EXPECT_TRUE(solver.has_tree() || !solver.quadrupoles) << solver.name;
  }
}

TEST(SolverTable, DefaultValuesAreValidAndUsed) {
  for (const Config& config : plain_configs()) {
    EXPECT_EQ(problem_with(config), "") << describe(config);
    for_each_option([&](SolverOption which) {
      if (!has_option(config, which)) return;
      const int standard = value_index(config, which);
      ASSERT_GE(standard, 0);
      ASSERT_LT(standard, static_cast<int>(solver_option_info(which).values.size()));
      EXPECT_EQ(problem_with_value(config, which, standard), "") << describe(config);
      EXPECT_EQ(problem_with_value(config, which, SolverOptions::kDefault), "") << describe(config);
      Config chosen_too = config;
      chosen_too.solver_options.set(which, standard);
      EXPECT_EQ(problem_with(chosen_too), "") << describe(chosen_too);
    });
  }
}

TEST(SolverTable, OptionsAppearOnceWithExistingValues) {
  for (const SolverInfo& solver : solvers()) {
    std::set<SolverOption> seen;
    for (const SupportedOption& row : solver.options) {
      const std::string_view name = solver_option_info(row.which).name;
      EXPECT_TRUE(seen.insert(row.which).second) << solver.name << " " << name << " twice";
      for (const SupportedValues& set : {row.cpu, row.cuda}) {
        EXPECT_EQ(std::uint64_t(set.allowed) >> solver_option_info(row.which).values.size(), 0u)
            << solver.name << " " << name;
        EXPECT_TRUE(set.allowed == 0 || (set.allowed >> set.default_value & 1u) != 0) << solver.name << " " << name;
      }
      EXPECT_TRUE(solver.cpu || row.cpu.allowed == 0) << solver.name << " " << name;
      EXPECT_TRUE(solver.cuda || row.cuda.allowed == 0) << solver.name << " " << name;
    }
  }
}

// A value that no combination allows could be neither used nor tested.
TEST(SolverTable, EveryAllowedValueIsReachable) {
  for (const Config& config : plain_configs()) {
    std::set<std::pair<SolverOption, int>> reached;
    for (const Config& switched : switched_configs(config)) {
      EXPECT_EQ(problem_with(switched), "") << describe(switched);
      for_each_option([&](SolverOption which) { reached.insert({which, switched.solver_options[which]}); });
    }
    for (const SupportedOption& row : find_solver(config.solver)->options) {
      const SupportedValues& set = config.backend == Backend::cpu ? row.cpu : row.cuda;
      for (int choice = 0; choice < 32; ++choice) {
        if ((set.allowed >> choice & 1u) == 0 || choice == set.default_value) continue;
        EXPECT_TRUE(reached.contains({row.which, choice}))
            << describe(config) << " " << solver_option_info(row.which).name;
      }
    }
  }
}

TEST(SolverOptionValues, ShortKeysNeedOneSort) {
  const auto& values = solver_option_info(SolverOption::order).values;
  const std::string tip(values[static_cast<std::size_t>(Order::morton10)].tip);
  EXPECT_NE(tip.find("one sort"), std::string::npos) << tip;
}

TEST(SolverOptionValues, AreDefaultsUntilSet) {
  Config config{.solver = "hybrid", .backend = Backend::cuda};
  EXPECT_EQ(option_value<Order>(config), Order::morton);
  EXPECT_EQ(value_number(config, SolverOption::block), 128u);
  EXPECT_EQ(value_number(config, SolverOption::depth), 0u);
  config.solver_options.set(SolverOption::order, Order::morton10);
  config.solver_options.set(SolverOption::block, 0);
  EXPECT_EQ(option_value<Order>(config), Order::morton10);
  EXPECT_EQ(value_number(config, SolverOption::block), 64u);
  config.solver_options.set(SolverOption::block, SolverOptions::kDefault);
  EXPECT_EQ(value_number(config, SolverOption::block), 128u);
  EXPECT_FALSE(has_option(config, SolverOption::walk));
  EXPECT_FALSE(has_option({.solver = "direct"}, SolverOption::walk));
  EXPECT_FALSE(has_option({.solver = "no such solver"}, SolverOption::walk));
}

TEST(SolverOptionValues, ConflictsAreExplained) {
  const auto problem = [](const Config& config, SolverOption which, auto choice) {
    return problem_with_value(config, which, static_cast<int>(choice));
  };
  Config octree;
  EXPECT_THAT(problem(octree, SolverOption::order, Order::shuffled), testing::HasSubstr("group walk"));
  EXPECT_EQ(problem(octree, SolverOption::walk, Walk::skip), "");
  EXPECT_EQ(problem(octree, SolverOption::walk, Walk::warp), "Octree does not support this value on the CPU");
  octree.backend = Backend::cuda;
  EXPECT_EQ(problem(octree, SolverOption::walk, Walk::warp), "");
  octree.solver_options.set(SolverOption::walk, Walk::skip);
  EXPECT_EQ(problem(octree, SolverOption::order, Order::shuffled), "");
  octree.solver_options.set(SolverOption::order, Order::shuffled);
  EXPECT_THAT(problem(octree, SolverOption::walk, Walk::group), testing::HasSubstr("group walk"));

  Config shared{.solver = "hybrid-shared"};
  EXPECT_EQ(problem(shared, SolverOption::leaf, LeafForce::point), "");
  shared.solver_options.set(SolverOption::walk, Walk::group);
  EXPECT_THAT(problem(shared, SolverOption::leaf, LeafForce::point), testing::HasSubstr("walk per body"));

  Config hybrid{.solver = "hybrid", .backend = Backend::cuda};
  EXPECT_THAT(problem(hybrid, SolverOption::host_memory, HostMemory::pageable), testing::HasSubstr("two streams"));
  hybrid.solver_options.set(SolverOption::streams, 1);
  EXPECT_EQ(problem(hybrid, SolverOption::host_memory, HostMemory::pageable), "");
  hybrid.solver_options.set(SolverOption::host_memory, HostMemory::pageable);
  EXPECT_THAT(problem(hybrid, SolverOption::streams, 0), testing::HasSubstr("two streams"));
  hybrid.solver_options.set(SolverOption::sorting, Sorting::quick);
  EXPECT_THAT(problem(hybrid, SolverOption::order, Order::none), testing::HasSubstr("not sorted"));
  EXPECT_EQ(problem(hybrid, SolverOption::order, Order::morton10), "");
}

TEST(SolverOptionValues, EachThreadOfABodyNeedsEightSourcesOfATile) {
  Config config{.solver = "direct-tiled", .backend = Backend::cuda};
  EXPECT_EQ(value_number(config, SolverOption::tile), 0u);
  config.solver_options.set(SolverOption::tile, 1);
  EXPECT_EQ(problem_with(config), "") << "automatic threads per body";
  for (const int threads : {1, 2, 3, 4}) {
    EXPECT_EQ(problem_with_value(config, SolverOption::threads_per_body, threads), "") << threads;
  }
  config.solver_options.set(SolverOption::threads_per_body, 5);
  EXPECT_EQ(problem_with(config),
            "threads-per-body cannot be '16': each thread of a body needs at least 8 sources of a tile, so 16 threads "
            "per body need a tile of 128 or more");
  EXPECT_EQ(problem_with_value(config, SolverOption::tile, 2), "");
  EXPECT_EQ(problem_with_value(config, SolverOption::tile, 0), "");
  config.backend = Backend::cpu;
  EXPECT_EQ(without_unsupported_values(config).solver_options, SolverOptions{});
}

TEST(SolverOptionValues, OwnLinksNeedTheirWalkAndOrder) {
  Config octree{.solver = "concurrent-octree", .backend = Backend::cuda};
  EXPECT_TRUE(has_option(octree, SolverOption::links));
  EXPECT_FALSE(has_option({.solver = "concurrent-octree"}, SolverOption::links)) << "on the CPU";
  octree.solver_options.set(SolverOption::links, Links::own);
  EXPECT_THAT(problem_with(octree), testing::HasSubstr("links cannot be 'own'"));
  EXPECT_THAT(problem_with(octree), testing::HasSubstr("order 'none'"));
  octree.solver_options.set(SolverOption::order, Order::none);
  EXPECT_EQ(problem_with(octree), "");
  octree.solver_options.set(SolverOption::walk, Walk::skip);
  EXPECT_THAT(problem_with(octree), testing::HasSubstr("default walk"));

  Config hierarchy{.solver = "hilbert-bvh", .backend = Backend::cuda};
  hierarchy.solver_options.set(SolverOption::links, Links::own);
  EXPECT_EQ(problem_with(hierarchy), "");
  hierarchy.solver_options.set(SolverOption::order, Order::none);
  EXPECT_EQ(problem_with(hierarchy), "");
  hierarchy.solver_options.set(SolverOption::order, Order::shuffled);
  EXPECT_THAT(problem_with(hierarchy), testing::HasSubstr("order of the tree"));
}

TEST(SolverOptionValues, ErrorsNameTheOption) {
  Config config{.solver = "direct"};
  config.solver_options.set(SolverOption::walk, Walk::skip);
  EXPECT_EQ(problem_with(config),
            "solver 'direct' has no option 'walk' on the CPU; solvers with it on the CPU: octree, concurrent-octree, "
            "tree-sorted, hilbert-bvh, hybrid, hybrid-shared");
  config = {.solver = "hybrid", .backend = Backend::cpu};
  config.solver_options.set(SolverOption::block, 0);
  EXPECT_EQ(problem_with(config),
            "solver 'hybrid' has no option 'block' on the CPU; solvers with it on CUDA: hybrid, hybrid-shared, direct, "
            "direct-tiled");
  config = {.solver = "direct", .backend = Backend::cuda};
  config.solver_options.set(SolverOption::parallel, Parallel::standard);
  EXPECT_EQ(problem_with(config),
            "solver 'direct' has no option 'parallel' on CUDA; solvers with it on the CPU: concurrent-octree, "
            "hilbert-bvh, direct, direct-pairs");
  config = {.solver = "octree", .backend = Backend::cuda};
  config.solver_options.set(SolverOption::order, Order::morton);
  EXPECT_EQ(problem_with(config), "order cannot be 'morton': Octree does not support this value on CUDA");
  config.solver_options.set(SolverOption::order, Order::regular);
  EXPECT_TRUE(problem_with(config).starts_with("order cannot be 'regular': a group consists")) << problem_with(config);
}

TEST(SolverOptionValues, UnsupportedOnesAreDropped) {
  Config config{.solver = "hybrid", .backend = Backend::cuda};
  config.solver_options.set(SolverOption::order, Order::none);
  config.solver_options.set(SolverOption::block, 3);
  config.solver_options.set(SolverOption::depth, 2);
  EXPECT_EQ(without_unsupported_values(config), config);

  Config expected = config;
  config.backend = expected.backend = Backend::cpu;
  expected.solver_options.set(SolverOption::block, SolverOptions::kDefault);
  EXPECT_EQ(without_unsupported_values(config), expected);

  config.solver = "direct";
  EXPECT_EQ(without_unsupported_values(config).solver_options, SolverOptions{});
}

TEST(SolverOptionValues, CarryOverBetweenAllSolvers) {
  for (const Config& from : plain_configs()) {
    for (Config switched : switched_configs(from)) {
      for (const Config& to : plain_configs()) {
        switched.solver = to.solver;
        switched.backend = to.backend;
        EXPECT_EQ(problem_with(without_unsupported_values(switched)), "") << describe(switched);
      }
    }
  }
}

}  // namespace
}  // namespace pericenter::test

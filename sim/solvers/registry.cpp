#include "sim/solvers/registry.h"

#include <array>

namespace pericenter {

// Each is in the file of its own name.
extern const SolverFactory<CpuSolver> kDirect, kDirectPairs, kFmm;
extern const SolverFactory<TreeBuilder> kSortedTree, kCoarseTree, kInsertionTree, kConcurrentTree, kTopDownTree,
    kBvhTree;

namespace {

template <class... Choices>
constexpr SupportedValues choices(auto standard, Choices... others) {
  return {((1u << static_cast<int>(standard)) | ... | (1u << static_cast<int>(others))), static_cast<int>(standard)};
}
/// All from the `first` to the `last`-th choice.
constexpr SupportedValues range(int standard, int first, int last) {
  return {((2u << last) - 1) & ~((1u << first) - 1), standard};
}
constexpr SupportedValues all_orders() {
  return choices(Order::tree, Order::none, Order::shuffled, Order::regular);
}
constexpr SupportedValues cpu_walks(Walk standard) {
  return choices(standard, Walk::group, Walk::skip, Walk::climb, Walk::stack);
}
constexpr SupportedValues cuda_walks(Walk standard) {
  return choices(standard, Walk::group, Walk::warp, Walk::skip, Walk::climb, Walk::stack);
}

constexpr std::array kOctreeOptions = {
    SupportedOption{SolverOption::walk, cpu_walks(Walk::group), cuda_walks(Walk::group)},
    SupportedOption{SolverOption::order, all_orders(), all_orders()},
};
constexpr std::array kHybridOptions = {
    SupportedOption{SolverOption::walk, cpu_walks(Walk::skip), {}},
    SupportedOption{SolverOption::order, choices(Order::morton, Order::morton10, Order::none),
                    choices(Order::morton, Order::morton10, Order::none)},
    SupportedOption{SolverOption::depth, range(0, 0, 5), range(0, 0, 5)},
    SupportedOption{SolverOption::node, {}, range(0, 0, 1)},
    SupportedOption{SolverOption::upper_levels, {}, range(0, 0, 1)},
    SupportedOption{SolverOption::block, {}, range(2, 0, 3)},
    SupportedOption{SolverOption::host_memory, {}, range(0, 0, 1)},
    SupportedOption{SolverOption::streams, {}, range(0, 0, 1)},
    SupportedOption{SolverOption::buffers, {}, range(0, 0, 1)},
    SupportedOption{SolverOption::integration, {}, range(0, 0, 1)},
};
constexpr std::array kSharedTreeOptions = {
    SupportedOption{SolverOption::shared_tree, {}, range(0, 0, 2)},
    SupportedOption{SolverOption::depth, range(3, 3, 12), range(3, 3, 12)},
    SupportedOption{SolverOption::gpu_threads, {}, range(0, 0, 16)},
    SupportedOption{SolverOption::walk, cpu_walks(Walk::stack), {}},
};
constexpr std::array kConcurrentOptions = {
    SupportedOption{SolverOption::walk, cpu_walks(Walk::climb), cuda_walks(Walk::climb)},
    SupportedOption{SolverOption::order, all_orders(), all_orders()},
};
constexpr std::array kTreeSortedOptions = {
    SupportedOption{SolverOption::order, all_orders(), all_orders()},
    SupportedOption{SolverOption::walk, cpu_walks(Walk::skip), cuda_walks(Walk::warp)},
};
constexpr std::array kBvhOptions = {
    SupportedOption{SolverOption::walk, cpu_walks(Walk::skip), cuda_walks(Walk::skip)},
    SupportedOption{SolverOption::order, all_orders(), all_orders()},
};
constexpr std::array kFmmOptions = {
    SupportedOption{SolverOption::expansion, range(2, 0, 2), range(2, 0, 2)},
    SupportedOption{SolverOption::opening, range(0, 0, 1), range(0, 0, 1)},
};

// Families together.
constexpr std::array kSolvers = {
    SolverInfo{.name = "octree",
               .title = "Octree",
               .summary =
                   "Barnes-Hut tree: sorted keys, leaf buckets, quadrupoles, groups of bodies that share their walk; "
                   "O(N log N)",
               .source = "Barnes and Hut 1986, doi:10.1038/324446a0; group walk: Barnes 1990, "
                         "doi:10.1016/0021-9991(90)90232-P",
               .cpu = true,
               .cuda = true,
               .family = "Trees",
               .tree = &kSortedTree,
               .quadrupoles = true,
               .options = kOctreeOptions},
    SolverInfo{.name = "fmm",
               .title = "Fast multipole",
               .summary =
                   "cells act on cells: far ones pass on a field that each cell hands down to its children, near "
                   "bodies act one by one; O(N)",
               .source = "Greengard and Rokhlin 1987, doi:10.1016/0021-9991(87)90140-9; Dehnen 2002, "
                         "doi:10.1006/jcph.2002.7026",
               .cpu = true,
               .cuda = true,
               .family = "Trees",
               .tree = &kCoarseTree,
               .own = &kFmm,
               .max_cuda_bodies = 1'000'000'000,
               .options = kFmmOptions},
    SolverInfo{.name = "concurrent-octree",
               .title = "Concurrent octree",
               .summary =
                   "all bodies are inserted at once, with a lock in each cell; moments climb from the leaves; a walk "
                   "that knows children and parents only",
               .source = "Cassell et al. 2024, doi:10.1109/SCW63240.2024.00099; Burtscher and Pingali 2011, "
                         "doi:10.1016/B978-0-12-384988-5.00006-1",
               .cpu = true,
               .cuda = true,
               .family = "Trees",
               .tree = &kConcurrentTree,
               .quadrupoles = true,
               .options = kConcurrentOptions},
    SolverInfo{.name = "tree-sorted",
               .title = "Tree-sorted octree",
               .summary =
                   "built from the root down by counting; bodies walk in the order of the tree, or in a worse one to "
                   "see what that costs",
               .source = "GASPHiA, Ye 2026, yekq.top/en/posts/gasphia/treecode",
               .cpu = true,
               .cuda = true,
               .family = "Trees",
               .tree = &kTopDownTree,
               .quadrupoles = true,
               .options = kTreeSortedOptions},
    SolverInfo{.name = "hilbert-bvh",
               .title = "Hilbert hierarchy",
               .summary =
                   "a balanced binary tree of overlapping boxes over the bodies in Hilbert order; no tree is quicker "
                   "to build",
               .source = "Skilling 2004, doi:10.1063/1.1751381; Cassell et al. 2024, doi:10.1109/SCW63240.2024.00099",
               .cpu = true,
               .cuda = true,
               .family = "Trees",
               .tree = &kBvhTree,
               .quadrupoles = true,
               .options = kBvhOptions},
    SolverInfo{.name = "hybrid",
               .title = "Hybrid",
               .summary =
                   "the CPU inserts body after body into a tree, the GPU walks it by skip links; each optimization on "
                   "the way from slow to fast is a switch",
               .source = "Bodin 2026, N-Body Simulation: CPU/GPU Hybrid Implementation with Barnes-Hut, Ensimag",
               .cpu = true,
               .cuda = true,
               .family = "Hybrids",
               .tree = &kInsertionTree,
               .options = kHybridOptions},
    SolverInfo{.name = "hybrid-shared",
               .title = "Hybrid, shared tree",
               .summary =
                   "the CPU builds a tree of at most ten levels, and on the GPU the whole of it lies in shared memory "
                   "if it fits; made for 2D in double precision",
               .source = "Sevic 2025",
               .cpu = true,
               .cuda = true,
               .family = "Hybrids",
               .tree = &kInsertionTree,
               .options = kSharedTreeOptions},
    SolverInfo{.name = "direct",
               .title = "Direct sum",
               .summary =
                   "every pair of bodies, exact to rounding, O(N^2); on the CPU all cores with SIMD, on CUDA one "
                   "thread a body",
               .source = {},
               .cpu = true,
               .cuda = true,
               .family = "Every pair",
               .own = &kDirect},
    SolverInfo{.name = "direct-tiled",
               .title = "Direct sum, tiled",
               .summary =
                   "every pair of bodies; tiles of them pass through the first-level cache of the CPU or the shared "
                   "memory of the GPU, there with several threads a body when there are few; O(N^2)",
               .source = "Nyland, Harris and Prins 2007, GPU Gems 3, chapter 31",
               .cpu = true,
               .cuda = true,
               .family = "Every pair",
               .own = &kDirect},
    SolverInfo{.name = "direct-pairs",
               .title = "Direct sum, pairs",
               .summary =
                   "one task for each pair, which adds to both bodies with atomic operations; half the arithmetic, and "
                   "slow because of them; O(N^2)",
               .source = "all-pairs-col of Cassell et al. 2024, doi:10.1109/SCW63240.2024.00099",
               .cpu = true,
               .cuda = true,
               .family = "Every pair",
               .own = &kDirectPairs,
               .reproducible = false},
};

/// nullptr when the solver has no such switch on any backend.
const SupportedValues* supported_values(const Config& config, SolverOption which) {
  const SolverInfo* solver = find_solver(config.solver);
  if (!solver) return nullptr;
  for (const SupportedOption& row : solver->options) {
    if (row.which != which) continue;
    const SupportedValues& set = config.backend == Backend::cpu ? row.cpu : row.cuda;
    return set.allowed != 0 ? &set : nullptr;
  }
  return nullptr;
}

/// Why two choices do not go together.
std::string conflict(const Config& config, SolverOption which, int choice) {
  const auto in_force = [&](SolverOption other, int standard) {
    if (other == which) return choice;
    return has_option(config, other) ? value_index(config, other) : standard;
  };
  const bool groups = in_force(SolverOption::walk, static_cast<int>(Walk::skip)) == static_cast<int>(Walk::group);
  const auto order = static_cast<Order>(in_force(SolverOption::order, static_cast<int>(Order::tree)));
  const bool scattered = order == Order::none || order == Order::shuffled || order == Order::regular;
  if ((which == SolverOption::walk || which == SolverOption::order) && groups && scattered) {
    return "groups are made of bodies that lie together in the tree, so only its own order goes with them";
  }
  const bool pageable = in_force(SolverOption::host_memory, 0) == static_cast<int>(HostMemory::pageable);
  const bool two_streams = has_option(config, SolverOption::streams) && in_force(SolverOption::streams, 0) == 0;
  if ((which == SolverOption::host_memory || which == SolverOption::streams) && pageable && two_streams) {
    return "copies from pageable memory wait for the processor, so that two streams have nothing to overlap";
  }
  return {};
}

}  // namespace

std::span<const SolverInfo> solvers() {
  return kSolvers;
}

const SolverInfo* find_solver(std::string_view name) {
  for (const SolverInfo& solver : kSolvers) {
    if (solver.name == name) return &solver;
  }
  return nullptr;
}

bool has_option(const Config& config, SolverOption which) {
  return supported_values(config, which) != nullptr;
}

int value_index(const Config& config, SolverOption which) {
  const int made = config.solver_options[which];
  return made != SolverOptions::kDefault ? made : supported_values(config, which)->default_value;
}

std::uint32_t value_number(const Config& config, SolverOption which) {
  return solver_option_info(which).values[static_cast<std::size_t>(value_index(config, which))].number;
}

bool opens_by_error(const Config& config) {
  return has_option(config, SolverOption::opening) && option_value<Opening>(config) == Opening::error;
}

std::string problem_with_value(const Config& config, SolverOption which, int choice) {
  if (choice < 0) return {};
  if ((supported_values(config, which)->allowed >> choice & 1u) == 0) {
    const std::string where = config.backend == Backend::cpu ? " on the CPU" : " on CUDA";
    return std::string(find_solver(config.solver)->title) + " does not do this" + where;
  }
  return conflict(config, which, choice);
}

Config on_cpu(Config config) {
  config.backend = Backend::cpu;
  return without_unsupported_values(config);
}

Config without_unsupported_values(Config config) {
  for (std::size_t k = 0; k < kSolverOptionCount; ++k) {
    const auto which = static_cast<SolverOption>(k);
    const int made = config.solver_options[which];
    if (made == SolverOptions::kDefault) continue;
    if (!has_option(config, which) || !problem_with_value(config, which, made).empty()) {
      config.solver_options.set(which, SolverOptions::kDefault);
    }
  }
  return config;
}

}  // namespace pericenter

#include "sim/solvers/registry.h"

#include <array>

#include "sim/solvers/solver_factory.h"

// Pointer to a part of a solver. The file that implements the part defines the factory `name`; the linker finds it, so
// that a new part needs no declaration here.
#define PERICENTER_PART(Factory, name) \
  [] {                                 \
    extern const Factory name;         \
    return &name;                      \
  }()
#define PERICENTER_TREE(name) PERICENTER_PART(SolverFactory<TreeBuilder>, name)
#define PERICENTER_CPU(name) PERICENTER_PART(SolverFactory<CpuSolver>, name)
#ifdef PERICENTER_HAS_CUDA
#define PERICENTER_CUDA(name) PERICENTER_PART(CudaSolverFactory, name)
#else
#define PERICENTER_CUDA(name) &kNotInThisBuild
#endif

namespace pericenter {
namespace {

/// Builds without CUDA list the same backends; Simulation::create() reports that the build has no CUDA.
[[maybe_unused]] constexpr CudaSolverFactory kNotInThisBuild = {};

template <class... Values>
constexpr SupportedValues values(auto default_value, Values... others) {
  return {((1u << static_cast<int>(default_value)) | ... | (1u << static_cast<int>(others))),
          static_cast<int>(default_value)};
}
/// All values from number `first` to number `last`.
constexpr SupportedValues range(int default_value, int first, int last) {
  return {((2u << last) - 1) & ~((1u << first) - 1), default_value};
}
constexpr SupportedValues all_orders() {
  return values(Order::tree, Order::none, Order::shuffled, Order::regular);
}
constexpr SupportedValues cpu_walks(Walk default_value) {
  return values(default_value, Walk::group, Walk::skip, Walk::climb, Walk::stack, Walk::vote);
}
constexpr SupportedValues cuda_walks(Walk default_value) {
  return values(default_value, Walk::group, Walk::warp, Walk::vote, Walk::skip, Walk::climb, Walk::stack);
}

constexpr SupportedOption kCellSizes = {SolverOption::cell_size, values(CellSize::box, CellSize::cell),
                                        values(CellSize::box, CellSize::cell)};

constexpr SupportedOption kParallel = {SolverOption::parallel, range(0, 0, 1), {}};

constexpr std::array kOctreeOptions = {
    SupportedOption{SolverOption::walk, cpu_walks(Walk::group), cuda_walks(Walk::group)},
    SupportedOption{SolverOption::order, all_orders(), all_orders()},
    kCellSizes,
};
constexpr std::array kHybridOptions = {
    SupportedOption{SolverOption::walk, cpu_walks(Walk::skip), {}},
    SupportedOption{SolverOption::order, values(Order::morton, Order::morton10, Order::none),
                    values(Order::morton, Order::morton10, Order::none)},
    SupportedOption{SolverOption::sorting, range(0, 0, 1), range(0, 0, 1)},
    SupportedOption{SolverOption::depth, range(0, 0, 5), range(0, 0, 5)},
    SupportedOption{SolverOption::node, {}, range(0, 0, 2)},
    SupportedOption{SolverOption::upper_levels, {}, range(0, 0, 1)},
    SupportedOption{SolverOption::block, {}, range(1, 0, 5)},
    SupportedOption{SolverOption::host_memory, {}, range(0, 0, 1)},
    SupportedOption{SolverOption::streams, {}, range(0, 0, 1)},
    SupportedOption{SolverOption::buffers, {}, range(0, 0, 1)},
    SupportedOption{SolverOption::integration, {}, range(0, 0, 1)},
    kCellSizes,
};
constexpr std::array kSharedTreeOptions = {
    SupportedOption{SolverOption::shared_tree, {}, range(0, 0, 2)},
    SupportedOption{SolverOption::depth, range(3, 3, 12), range(3, 3, 12)},
    SupportedOption{SolverOption::leaf, range(0, 0, 1), range(0, 0, 1)},
    SupportedOption{SolverOption::gpu_threads, {}, range(0, 0, 18)},
    SupportedOption{SolverOption::block, {}, range(5, 0, 5)},
    SupportedOption{SolverOption::order, values(Order::morton, Order::none), values(Order::morton, Order::none)},
    SupportedOption{SolverOption::buffers, {}, range(0, 0, 1)},
    SupportedOption{SolverOption::walk, cpu_walks(Walk::stack), {}},
    kCellSizes,
};
constexpr std::array kConcurrentOptions = {
    SupportedOption{SolverOption::walk, cpu_walks(Walk::climb), cuda_walks(Walk::climb)},
    SupportedOption{SolverOption::order, all_orders(), all_orders()},
    SupportedOption{SolverOption::links, {}, range(0, 0, 1)},
    kCellSizes,
    kParallel,
};
constexpr std::array kTreeSortedOptions = {
    SupportedOption{SolverOption::order, all_orders(), all_orders()},
    SupportedOption{SolverOption::walk, cpu_walks(Walk::skip), cuda_walks(Walk::warp)},
    kCellSizes,
};
constexpr std::array kBvhOptions = {
    SupportedOption{SolverOption::walk, cpu_walks(Walk::skip), cuda_walks(Walk::skip)},
    SupportedOption{SolverOption::order, all_orders(), all_orders()},
    SupportedOption{SolverOption::links, {}, range(0, 0, 1)},
    kParallel,
};
constexpr std::array kDirectOptions = {
    SupportedOption{SolverOption::block, {}, range(1, 0, 3)},
    kParallel,
};
constexpr std::array kPairsOptions = {
    SupportedOption{SolverOption::pairs, range(0, 0, 1), range(0, 0, 1)},
    kParallel,
};
constexpr std::array kTiledOptions = {
    SupportedOption{SolverOption::threads_per_body, {}, range(0, 0, 6)},
    SupportedOption{SolverOption::block, {}, range(5, 0, 5)},
    SupportedOption{SolverOption::tile, {}, range(0, 0, 5)},
};
constexpr std::array kFmmOptions = {
    SupportedOption{SolverOption::expansion, range(2, 0, 2), range(2, 0, 2)},
    SupportedOption{SolverOption::opening, range(0, 0, 1), range(0, 0, 1)},
};

}  // namespace

// Not in the unnamed namespace, because the factories are in `pericenter`. Solvers of one family are adjacent.
constexpr std::array kSolvers = {
    SolverInfo{.name = "octree",
               .title = "Octree",
               .summary =
                   "Barnes-Hut octree: sorted Morton keys, leaf buckets, quadrupoles, group walk with interaction "
                   "lists; O(N log N)",
               .source = "Barnes and Hut 1986, doi:10.1038/324446a0; group walk: Barnes 1990, "
                         "doi:10.1016/0021-9991(90)90232-P",
               .family = "Trees",
               .tree = PERICENTER_TREE(kSortedTree),
               .cpu = PERICENTER_CPU(kTreeSolver),
               .cuda = PERICENTER_CUDA(kCudaSortedTree),
               .quadrupoles = true,
               .benchmark_reference = true,
               .options = kOctreeOptions},
    SolverInfo{.name = "fmm",
               .title = "Fast multipole",
               .summary =
                   "Fast multipole method: distant cells interact through expansions, each cell passes its field "
                   "to its children, nearby bodies interact pairwise; O(N)",
               .source = "Greengard and Rokhlin 1987, doi:10.1016/0021-9991(87)90140-9; Dehnen 2002, "
                         "doi:10.1006/jcph.2002.7026",
               .family = "Trees",
               .tree = PERICENTER_TREE(kCoarseTree),
               .cpu = PERICENTER_CPU(kFmm),
               .cuda = PERICENTER_CUDA(kCudaFmm),
               .expansions = true,
               .several_gpus = true,
               .max_cuda_bodies = 1'000'000'000,
               .options = kFmmOptions},
    SolverInfo{.name = "concurrent-octree",
               .title = "Concurrent octree",
               .summary =
                   "Octree built by concurrent insertion with one lock per cell; moments propagate from the leaves "
                   "to the root; stackless walk with links to first child and parent",
               .source = "Cassell et al. 2024, doi:10.1109/SCW63240.2024.00099; Burtscher and Pingali 2011, "
                         "doi:10.1016/B978-0-12-384988-5.00006-1",
               .family = "Trees",
               .tree = PERICENTER_TREE(kConcurrentTree),
               .cpu = PERICENTER_CPU(kTreeSolver),
               .cuda = PERICENTER_CUDA(kCudaConcurrentTree),
               .quadrupoles = true,
               .keeps_input_order = true,
               .host_bytes_per_body = SolverInfo::kLargeTree,
               .options = kConcurrentOptions},
    SolverInfo{.name = "tree-sorted",
               .title = "Tree-sorted octree",
               .summary = "Octree built top-down by counting; bodies walk in tree order, or in a less local order to "
                          "measure its cost",
               .source = "GASPHiA, Ye 2026, yekq.top/en/posts/gasphia/treecode",
               .family = "Trees",
               .tree = PERICENTER_TREE(kTopDownTree),
               .cpu = PERICENTER_CPU(kTreeSolver),
               .cuda = PERICENTER_CUDA(kCudaTopDownTree),
               .quadrupoles = true,
               .host_bytes_per_body = SolverInfo::kLargeTree,
               .options = kTreeSortedOptions},
    SolverInfo{.name = "hilbert-bvh",
               .title = "Hilbert hierarchy",
               .summary =
                   "Balanced binary hierarchy of overlapping boxes over the bodies in Hilbert order; the fastest "
                   "tree to build",
               .source = "Skilling 2004, doi:10.1063/1.1751381; Cassell et al. 2024, doi:10.1109/SCW63240.2024.00099",
               .family = "Trees",
               .tree = PERICENTER_TREE(kBvhTree),
               .cpu = PERICENTER_CPU(kTreeSolver),
               .cuda = PERICENTER_CUDA(kCudaBvhTree),
               .quadrupoles = true,
               .boxes_overlap = true,
               .host_bytes_per_body = SolverInfo::kLargeTree,
               .options = kBvhOptions},
    SolverInfo{.name = "hybrid",
               .title = "Hybrid",
               .summary = "The CPU builds a tree by sequential insertion, the GPU walks it with skip links; each "
                          "optimisation is a separate option",
               .source = "Bodin 2026, N-Body Simulation: CPU/GPU Hybrid Implementation with Barnes-Hut, Ensimag",
               .family = "Hybrids",
               .tree = PERICENTER_TREE(kInsertionTree),
               .cpu = PERICENTER_CPU(kTreeSolver),
               .cuda = PERICENTER_CUDA(kCudaHybrid),
               .host_bytes_per_body = SolverInfo::kLargeTree,
               .options = kHybridOptions},
    SolverInfo{.name = "hybrid-shared",
               .title = "Hybrid, shared tree",
               .summary =
                   "The CPU builds a tree of at most ten levels; the GPU keeps the whole tree in shared memory if it "
                   "fits; designed for 2D in double precision",
               .source = "Sevic 2025",
               .family = "Hybrids",
               .tree = PERICENTER_TREE(kInsertionTree),
               .cpu = PERICENTER_CPU(kTreeSolver),
               .cuda = PERICENTER_CUDA(kCudaHybridShared),
               .host_bytes_per_body = SolverInfo::kLargeTree,
               .options = kSharedTreeOptions},
    SolverInfo{.name = "direct",
               .title = "Direct sum",
               .summary =
                   "Every pair of bodies, exact to rounding, O(N^2); SIMD on all CPU cores, one thread per body on "
                   "CUDA",
               .source = {},
               .family = "Every pair",
               .cpu = PERICENTER_CPU(kDirect),
               .cuda = PERICENTER_CUDA(kCudaDirect),
               .benchmark_reference = true,
               .options = kDirectOptions},
    SolverInfo{.name = "direct-tiled",
               .title = "Direct sum, tiled",
               .summary =
                   "Every pair of bodies, in tiles that fit the L1 cache of the CPU or the shared memory of the GPU; "
                   "on CUDA several threads per body when there are few bodies; O(N^2)",
               .source = "Nyland, Harris and Prins 2007, GPU Gems 3, chapter 31",
               .family = "Every pair",
               .cpu = PERICENTER_CPU(kDirect),
               .cuda = PERICENTER_CUDA(kCudaDirectTiled),
               .tiled = true,
               .options = kTiledOptions},
    SolverInfo{.name = "direct-pairs",
               .title = "Direct sum, pairs",
               .summary =
                   "One task per pair, which adds to both bodies, or to one, with atomic operations; slower than the "
                   "other direct sums because of the atomics; O(N^2)",
               .source = "all-pairs-col of Cassell et al. 2024, doi:10.1109/SCW63240.2024.00099",
               .family = "Every pair",
               .cpu = PERICENTER_CPU(kDirectPairs),
               .cuda = PERICENTER_CUDA(kCudaDirectPairs),
               .reproducible = false,
               .skips_itself = true,
               .options = kPairsOptions},
};

std::span<const SolverInfo> solvers() {
  return kSolvers;
}

const SolverInfo* find_solver(std::string_view name) {
  for (const SolverInfo& solver : kSolvers)
    if (solver.name == name) return &solver;
  return nullptr;
}

}  // namespace pericenter

#include "sim/solvers/registry.h"

#include <array>

namespace pericenter {
namespace {

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
               .has_tree = true},
    SolverInfo{.name = "direct",
               .title = "Direct sum",
               .summary =
                   "every pair of bodies, exact to rounding, O(N^2); on the CPU all cores with SIMD, on CUDA one "
                   "thread a body",
               .source = {},
               .cpu = true,
               .cuda = true},
    SolverInfo{.name = "direct-tiled",
               .title = "Direct sum, tiled",
               .summary =
                   "every pair of bodies; tiles of them pass through the shared memory of the GPU, several threads "
                   "a body when there are few; O(N^2)",
               .source = "Nyland, Harris and Prins 2007, GPU Gems 3, chapter 31",
               .cuda = true},
};

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

}  // namespace pericenter

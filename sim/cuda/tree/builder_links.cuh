#pragma once

#include <cstddef>
#include <memory>

#include "sim/cuda/simulation/cuda_solver.cuh"
#include "sim/cuda/tree/tree_solver.cuh"
#include "sim/solvers/registry.h"

// Tree solvers whose walks follow the links of the builder: Links::own.
namespace pericenter {

/// The cells of the concurrent octree: 4 bytes per cell for its first child, and 4 bytes per group of siblings for
/// their parent. The bodies stay in input order.
template <class Real, int Dim>
CudaSolverMaker<Real> concurrent_builder_links();
/// The Hilbert hierarchy as a heap, in which links are arithmetic.
template <class Real, int Dim>
CudaSolverMaker<Real> bvh_builder_links();

template <class Tree, class Real>
CudaSolverMaker<Real> maker_for_links(const Config& config) {
  if (option_value<Links>(config) == Links::walk) return cuda_tree_solver_factory<Tree>().template maker<Real>();
  return config.dimension == 2 ? Tree::template builder_links<Real, 2>() : Tree::template builder_links<Real, 3>();
}

/// Factory of a tree solver that has SolverOption::links, with Tree::build<Real, Dim>() and Tree::builder_links<Real,
/// Dim>().
template <class Tree>
constexpr CudaSolverFactory cuda_links_factory() {
  constexpr auto maker = []<class Real>(Real) -> CudaSolverMaker<Real> {
    return {[](const Config& config, std::size_t count) {
              return maker_for_links<Tree, Real>(config).bytes(config, count);
            },
            [](const Config& config, std::size_t count) {
              return maker_for_links<Tree, Real>(config).make(config, count);
            }};
  };
  return {maker(0.0f), maker(0.0)};
}

}  // namespace pericenter

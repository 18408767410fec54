#pragma once

#include <cstddef>
#include <memory>

#include "sim/cuda/simulation/cuda_solver.cuh"
#include "sim/cuda/tree/device_tree.cuh"

namespace pericenter {

/// Device memory of a tree solver, without the bodies.
template <class Real, int Dim>
std::size_t cuda_tree_solver_bytes(const DeviceBuild<Real, Dim>& build, const Config& config, std::size_t count);

/// A solver that builds its tree with `build` and walks it with the options of `config`.
template <class Real, int Dim>
std::unique_ptr<CudaSolver<Real>> make_cuda_tree_solver(const DeviceBuild<Real, Dim>& build, const Config& config,
                                                        std::size_t count);

/// Factory of the tree solver with the builder Tree::build<Real, Dim>().
template <class Tree>
constexpr CudaSolverFactory cuda_tree_solver_factory() {
  constexpr auto maker = []<class Real>(Real) -> CudaSolverMaker<Real> {
    return {[](const Config& config, std::size_t count) {
              return config.dimension == 2 ? cuda_tree_solver_bytes(Tree::template build<Real, 2>(), config, count)
                                           : cuda_tree_solver_bytes(Tree::template build<Real, 3>(), config, count);
            },
            [](const Config& config, std::size_t count) {
              return config.dimension == 2 ? make_cuda_tree_solver(Tree::template build<Real, 2>(), config, count)
                                           : make_cuda_tree_solver(Tree::template build<Real, 3>(), config, count);
            }};
  };
  return {maker(0.0f), maker(0.0)};
}

}  // namespace pericenter

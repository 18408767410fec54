#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sim/core/config.h"

namespace pericenter {

template <class Real, int Dim>
class CpuSolver;
template <class Real, int Dim>
class TreeBuilder;
template <template <class, int> class Base>
struct SolverFactory;
struct CudaSolverFactory;

/// The values of a solver option that a solver supports on one backend.
struct SupportedValues {
  std::uint32_t allowed = 0;  ///< bit i: value i of solver_option_info(); 0: the solver does not have this option
  int default_value = 0;
};
/// Least sources of a tile per thread that shares a body in the tiled direct sum.
inline constexpr std::uint32_t kTileShare = 8;
/// The supported values of one option on both backends.
struct SupportedOption {
  SolverOption which;
  SupportedValues cpu, cuda;
};

/// One row of the solver table. Panel, command line, tests and benchmarks loop over solvers().
struct SolverInfo {
  std::string_view name;                             ///< value of Config::solver and --solver
  std::string_view title;                            ///< title in the panel
  std::string_view summary;                          ///< one line for --list-solvers and tooltips
  std::string_view source;                           ///< author, year, DOI; empty for our own
  std::string_view family;                           ///< heading in the panel's list
  const SolverFactory<TreeBuilder>* tree = nullptr;  ///< builds the tree on the CPU; nullptr: no tree
  const SolverFactory<CpuSolver>* cpu = nullptr;     ///< nullptr: does not run on the CPU
  const CudaSolverFactory* cuda = nullptr;           ///< nullptr: does not run on CUDA; set in builds without CUDA, too
  bool expansions = false;                           ///< distant cells interact through expansions of the field
  bool quadrupoles = false;                          ///< supports Multipole::quadrupole
  bool reproducible = true;                          ///< the same input gives the same bits
  bool skips_itself = false;                         ///< the sum of a body has no term for the body itself
  bool tiled = false;                                ///< the sum goes in tiles that fit the L1 cache of the CPU
  bool keeps_input_order = false;                    ///< the builder of the tree leaves the bodies in input order
  bool boxes_overlap = false;                        ///< boxes of one level of the tree may overlap
  bool several_gpus = false;                         ///< Config::gpus can divide the forces
  bool benchmark_reference = false;  ///< others are compared with it: bench measures it in full by default
  /// Peak host memory per body on the CPU, in double precision, with vertices, while a scene of the same size replaces
  /// another. Measured at one million bodies: 520 for octree and fmm, 830 for hybrid, the largest of kLargeTree.
  double host_bytes_per_body = kUsualTree;
  std::size_t max_cuda_bodies = std::size_t{1} << 28;  ///< limit of the body indices on CUDA
  std::span<const SupportedOption> options = {};

  static constexpr double kUsualTree = 550, kLargeTree = 950;

  /// Whether theta matters and tree boxes can be drawn.
  constexpr bool has_tree() const { return tree != nullptr; }
  /// Whether it has an implementation for this backend.
  constexpr bool runs_on(Backend backend) const { return backend == Backend::cpu ? cpu != nullptr : cuda != nullptr; }
};

/// The solver table, in the order of the panel.
std::span<const SolverInfo> solvers();
/// nullptr if no solver has this name.
const SolverInfo* find_solver(std::string_view name);

// Implemented in solver_config.cpp.

/// Sentence that names what is wrong with `config` (unknown solver, unsupported backend or option value ...), empty if
/// it is valid.
std::string problem_with(const Config& config);

/// Whether the solver of `config` has this option on its backend.
bool has_option(const Config& config, SolverOption which);
/// Index in SolverOptionInfo::values of the value in use: the one in config.solver_options or the solver's default. The
/// solver must have the option.
int value_index(const Config& config, SolverOption which);
/// SolverOptionValue::number of that value.
std::uint32_t value_number(const Config& config, SolverOption which);

// The option whose values an enumeration lists.
#define PERICENTER_VALUES(Value, option)    \
  constexpr SolverOption option_of(Value) { \
    return SolverOption::option;            \
  }
PERICENTER_VALUES(Walk, walk)
PERICENTER_VALUES(Order, order)
PERICENTER_VALUES(NodeLayout, node)
PERICENTER_VALUES(UpperLevels, upper_levels)
PERICENTER_VALUES(HostMemory, host_memory)
PERICENTER_VALUES(Sorting, sorting)
PERICENTER_VALUES(Buffers, buffers)
PERICENTER_VALUES(Integration, integration)
PERICENTER_VALUES(SharedTree, shared_tree)
PERICENTER_VALUES(Opening, opening)
PERICENTER_VALUES(CellSize, cell_size)
PERICENTER_VALUES(Links, links)
PERICENTER_VALUES(LeafForce, leaf)
PERICENTER_VALUES(PairTasks, pairs)
PERICENTER_VALUES(Parallel, parallel)
#undef PERICENTER_VALUES

/// value_index() as an enumerator: option_value<Walk>(config).
template <class Value>
Value option_value(const Config& config) {
  return static_cast<Value>(value_index(config, option_of(Value{})));
}

/// The size that theta is compared with; CellSize::box in a solver without this option.
CellSize cell_size(const Config& config);

/// What runs the loops on the CPU; Parallel::own in a solver without this option.
Parallel parallel_loops(const Config& config);

/// Whether Opening::error is in use: then Params::accuracy decides, and theta only matters if it is 0.
bool opens_by_error(const Config& config);

/// Whether a leaf of the last level acts as one point.
bool has_leaf_points(const Config& config);

/// Why the option cannot have this value while the rest of `config` stays the same: a sentence without a full stop,
/// empty if it can. The solver must have the option.
std::string problem_with_value(const Config& config, SolverOption which, int value);
/// `config` with unsupported option values reset to their defaults; call it after a change of solver or backend.
Config without_unsupported_values(Config config);
/// The same solver on the CPU, with unsupported option values reset.
Config on_cpu(Config config);

}  // namespace pericenter

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sim/core/config.h"

namespace pericenter {

template <template <class, int> class Base>
struct SolverFactory;
template <class Real, int Dim>
class CpuSolver;
template <class Real, int Dim>
class TreeBuilder;

/// The choices that a solver has on one backend.
struct SupportedValues {
  std::uint32_t allowed = 0;  ///< bit i: choice i of solver_option_info(); none: the solver has no such switch there
  int default_value = 0;
};
/// A switch of a solver.
struct SupportedOption {
  SolverOption which;
  SupportedValues cpu, cuda;
};

/// One row of the solver table. Combo boxes, command line, tests and benchmarks loop over solvers().
struct SolverInfo {
  std::string_view name;     ///< as in Config::solver and --solver
  std::string_view title;    ///< for the panel
  std::string_view summary;  ///< one line for --list-solvers and tooltips
  std::string_view source;   ///< author, year, DOI; empty for our own
  bool cpu = false, cuda = false;
  std::string_view family;                             ///< the heading under which the panel has it
  const SolverFactory<TreeBuilder>* tree = nullptr;    ///< of a solver that has one; it says what the cells are
  const SolverFactory<CpuSolver>* own = nullptr;       ///< of one that walks no tree body by body or group by group
  bool quadrupoles = false;                            ///< its cells can act with them
  bool reproducible = true;                            ///< the same input gives the same bits
  std::size_t max_cuda_bodies = std::size_t{1} << 28;  ///< bodies that it can number there
  std::span<const SupportedOption> options = {};

  /// Theta matters, and there are boxes to draw.
  constexpr bool has_tree() const { return tree != nullptr; }
  /// Its cells act on cells, and are counted so.
  constexpr bool cells_act_on_cells() const { return tree != nullptr && own != nullptr; }
};

std::span<const SolverInfo> solvers();
/// nullptr when there is no such solver.
const SolverInfo* find_solver(std::string_view name);

/// Whether the solver of `config` has this switch on its backend.
bool has_option(const Config& config, SolverOption which);
/// The choice that is in force: the one that was made, else the solver's own. The solver must have the switch.
int value_index(const Config& config, SolverOption which);
/// The same as the number that it stands for.
std::uint32_t value_number(const Config& config, SolverOption which);

template <class Value>
inline constexpr SolverOption kOptionOf = SolverOption::count;
template <>
inline constexpr SolverOption kOptionOf<Walk> = SolverOption::walk;
template <>
inline constexpr SolverOption kOptionOf<Order> = SolverOption::order;
template <>
inline constexpr SolverOption kOptionOf<NodeLayout> = SolverOption::node;
template <>
inline constexpr SolverOption kOptionOf<UpperLevels> = SolverOption::upper_levels;
template <>
inline constexpr SolverOption kOptionOf<HostMemory> = SolverOption::host_memory;
template <>
inline constexpr SolverOption kOptionOf<Buffers> = SolverOption::buffers;
template <>
inline constexpr SolverOption kOptionOf<Integration> = SolverOption::integration;
template <>
inline constexpr SolverOption kOptionOf<SharedTree> = SolverOption::shared_tree;
template <>
inline constexpr SolverOption kOptionOf<Opening> = SolverOption::opening;
/// value_index() as its enumeration: option_value<Walk>(config).
template <class Value>
Value option_value(const Config& config) {
  return static_cast<Value>(value_index(config, kOptionOf<Value>));
}

/// Whether Opening::error is in force: Params::accuracy counts then, and of theta only whether it is 0.
bool opens_by_error(const Config& config);

/// Why `choice` cannot be taken while the rest of `config` stays; a sentence without its full stop, empty when it can.
/// The solver must have the switch.
std::string problem_with_value(const Config& config, SolverOption which, int choice);
/// `config` with only those choices left that its solver takes; for when solver or backend has changed.
Config without_unsupported_values(Config config);
/// The same solver on the CPU, with the choices that it takes there.
Config on_cpu(Config config);

}  // namespace pericenter

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
  int standard = 0;
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
  std::string_view family;                           ///< the heading under which the panel has it
  const SolverFactory<TreeBuilder>* tree = nullptr;  ///< of a solver that has one; it says what the cells are
  const SolverFactory<CpuSolver>* own = nullptr;     ///< of one that walks no tree body by body or group by group
  bool quadrupoles = false;                          ///< its cells can act with them
  bool reproducible = true;                          ///< the same input gives the same bits
  std::size_t most_on_cuda = std::size_t{1} << 28;   ///< bodies that it can number there
  std::span<const SupportedOption> switches = {};

  /// Theta matters, and there are boxes to draw.
  constexpr bool has_tree() const { return tree != nullptr; }
  /// Its cells act on cells, and are counted so.
  constexpr bool cells_act_on_cells() const { return tree != nullptr && own != nullptr; }
};

std::span<const SolverInfo> solvers();
/// nullptr when there is no such solver.
const SolverInfo* find_solver(std::string_view name);

/// Whether the solver of `config` has this switch on its backend.
bool has_switch(const Config& config, SolverOption which);
/// The choice that is in force: the one that was made, else the solver's own. The solver must have the switch.
int choice_of(const Config& config, SolverOption which);
/// The same as the number that it stands for.
std::uint32_t number_of(const Config& config, SolverOption which);

template <class Choice>
inline constexpr SolverOption kSwitchOf = SolverOption::count;
template <>
inline constexpr SolverOption kSwitchOf<Walk> = SolverOption::walk;
template <>
inline constexpr SolverOption kSwitchOf<Order> = SolverOption::order;
template <>
inline constexpr SolverOption kSwitchOf<NodeLayout> = SolverOption::node;
template <>
inline constexpr SolverOption kSwitchOf<UpperLevels> = SolverOption::upper_levels;
template <>
inline constexpr SolverOption kSwitchOf<HostMemory> = SolverOption::host_memory;
template <>
inline constexpr SolverOption kSwitchOf<Buffers> = SolverOption::buffers;
template <>
inline constexpr SolverOption kSwitchOf<Integration> = SolverOption::integration;
template <>
inline constexpr SolverOption kSwitchOf<SharedTree> = SolverOption::shared_tree;
template <>
inline constexpr SolverOption kSwitchOf<Opening> = SolverOption::opening;
/// choice_of() as its enumeration: chosen<Walk>(config).
template <class Choice>
Choice chosen(const Config& config) {
  return static_cast<Choice>(choice_of(config, kSwitchOf<Choice>));
}

/// Whether Opening::error is in force: Params::accuracy counts then, and of theta only whether it is 0.
bool opens_by_error(const Config& config);

/// Why `choice` cannot be taken while the rest of `config` stays; a sentence without its full stop, empty when it can.
/// The solver must have the switch.
std::string problem_with_choice(const Config& config, SolverOption which, int choice);
/// `config` with only those choices left that its solver takes; for when solver or backend has changed.
Config without_foreign_choices(Config config);
/// The same solver on the CPU, with the choices that it takes there.
Config on_cpu(Config config);

}  // namespace pericenter

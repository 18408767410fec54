#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sim/core/config.h"

namespace pericenter {

template <template <class, int> class Base>
struct Makers;
template <class Real, int Dim>
class CpuSolver;
template <class Real, int Dim>
class TreeBuilder;

/// The choices that a solver has on one backend.
struct ChoiceSet {
  std::uint32_t allowed = 0;  ///< bit i: choice i of switch_info(); none: the solver has no such switch there
  int standard = 0;
};
/// A switch of a solver.
struct SolverSwitch {
  Switch which;
  ChoiceSet cpu, cuda;
};

/// One row of the solver table. Combo boxes, command line, tests and benchmarks loop over solvers().
struct SolverInfo {
  std::string_view name;     ///< as in Config::solver and --solver
  std::string_view title;    ///< for the panel
  std::string_view summary;  ///< one line for --list-solvers and tooltips
  std::string_view source;   ///< author, year, DOI; empty for our own
  bool cpu = false, cuda = false;
  std::string_view family;                          ///< the heading under which the panel has it
  const Makers<TreeBuilder>* tree = nullptr;        ///< of a solver that has one; it says what the cells are
  const Makers<CpuSolver>* own = nullptr;           ///< of one that walks no tree body by body or group by group
  bool quadrupoles = false;                         ///< its cells can act with them
  bool reproducible = true;                         ///< the same input gives the same bits
  std::size_t most_on_cuda = std::size_t{1} << 28;  ///< bodies that it can number there
  std::span<const SolverSwitch> switches = {};

  /// Theta matters, and there are boxes to draw.
  constexpr bool has_tree() const { return tree != nullptr; }
  /// Its cells act on cells, and are counted so.
  constexpr bool cells_act_on_cells() const { return tree != nullptr && own != nullptr; }
};

std::span<const SolverInfo> solvers();
/// nullptr when there is no such solver.
const SolverInfo* find_solver(std::string_view name);

/// Whether the solver of `config` has this switch on its backend.
bool has_switch(const Config& config, Switch which);
/// The choice that is in force: the one that was made, else the solver's own. The solver must have the switch.
int choice_of(const Config& config, Switch which);
/// The same as the number that it stands for.
std::uint32_t number_of(const Config& config, Switch which);

template <class Choice>
inline constexpr Switch kSwitchOf = Switch::count;
template <>
inline constexpr Switch kSwitchOf<Walk> = Switch::walk;
template <>
inline constexpr Switch kSwitchOf<Order> = Switch::order;
template <>
inline constexpr Switch kSwitchOf<NodeLayout> = Switch::node;
template <>
inline constexpr Switch kSwitchOf<UpperLevels> = Switch::upper_levels;
template <>
inline constexpr Switch kSwitchOf<HostMemory> = Switch::host_memory;
template <>
inline constexpr Switch kSwitchOf<Buffers> = Switch::buffers;
template <>
inline constexpr Switch kSwitchOf<Integration> = Switch::integration;
template <>
inline constexpr Switch kSwitchOf<SharedTree> = Switch::shared_tree;
template <>
inline constexpr Switch kSwitchOf<Opening> = Switch::opening;
/// choice_of() as its enumeration: chosen<Walk>(config).
template <class Choice>
Choice chosen(const Config& config) {
  return static_cast<Choice>(choice_of(config, kSwitchOf<Choice>));
}

/// Whether Opening::error is in force: Params::accuracy counts then, and of theta only whether it is 0.
bool opens_by_error(const Config& config);

/// Why `choice` cannot be taken while the rest of `config` stays; a sentence without its full stop, empty when it can.
/// The solver must have the switch.
std::string problem_with_choice(const Config& config, Switch which, int choice);
/// `config` with only those choices left that its solver takes; for when solver or backend has changed.
Config without_foreign_choices(Config config);
/// The same solver on the CPU, with the choices that it takes there.
Config on_cpu(Config config);

}  // namespace pericenter

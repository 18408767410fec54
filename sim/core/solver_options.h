#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace pericenter {

/// What can be done in more than one way within a solver: the rungs of the optimization ladder.
enum class SolverOption {
  walk,
  order,
  depth,
  node,
  upper_levels,
  block,
  host_memory,
  streams,
  buffers,
  integration,
  shared_tree,
  gpu_threads,
  expansion,
  opening,
  count
};
inline constexpr std::size_t kSolverOptionCount = static_cast<std::size_t>(SolverOption::count);

// The choices of the switches that are not numbers, each in the order of its row in solver_option_info().

/// How a tree is walked. `group`: bodies that lie together share a walk. `warp`: 32 bodies visit what any of them
/// needs. `skip`: each body alone, by links past a subtree. `climb`: likewise, by links to child and parent. `stack`:
/// likewise, with an explicit stack.
enum class Walk { group, warp, skip, climb, stack };
/// Which body the i-th walk is of: the i-th of the tree, along Morton keys of all bits or of 10 an axis, as they were
/// given, at random, or row after row of a regular grid.
enum class Order { tree, morton, morton10, none, shuffled, regular };
enum class NodeLayout { compact, full };
enum class UpperLevels { shared, global };
enum class HostMemory { pinned, pageable };
enum class Buffers { kept, per_step };
enum class Integration { device, host };
/// Where the walk reads the tree: from shared memory, a field after the other or a cell after the other, or not.
enum class SharedTree { conflict_free, plain, none };
/// What decides whether a cell acts on another as a whole: how large both look from each other, or the error that this
/// makes in the acceleration.
enum class Opening { angle, error };

/// One way of doing it.
struct SolverOptionValue {
  std::string_view name;     ///< on the command line
  std::string_view title;    ///< in the panel
  std::string_view tip;      ///< what it does to speed and accuracy
  std::uint32_t number = 0;  ///< of a switch that is one: 0 stands for all
};

struct SolverOptionInfo {
  std::string_view name;  ///< as in --name
  std::string_view title;
  std::string_view summary;
  std::span<const SolverOptionValue> values;
};
const SolverOptionInfo& solver_option_info(SolverOption which);

/// The choices that were made; a solver's own where there is none.
class SolverOptions {
 public:
  static constexpr int kDefault = -1;

  constexpr int operator[](SolverOption which) const { return choice_[static_cast<std::size_t>(which)] - 1; }
  /// Takes a choice of solver_option_info(), or kStandard.
  constexpr void set(SolverOption which, int choice) {
    choice_[static_cast<std::size_t>(which)] = static_cast<std::int8_t>(choice + 1);
  }
  template <class Choice>
  constexpr void set(SolverOption which, Choice choice) {
    set(which, static_cast<int>(choice));
  }

  friend bool operator==(const SolverOptions&, const SolverOptions&) = default;

 private:
  std::array<std::int8_t, kSolverOptionCount> choice_ = {};  ///< plus one; 0 is the standard
};

}  // namespace pericenter

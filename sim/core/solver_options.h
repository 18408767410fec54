#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace pericenter {

/// Parts of a solver with several implementations, which an ablation compares.
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
  cell_size,
  links,
  leaf,
  pairs,
  threads_per_body,
  tile,
  sorting,
  parallel,
  count
};
inline constexpr std::size_t kSolverOptionCount = static_cast<std::size_t>(SolverOption::count);

// The values of options that are not numbers, each in the order of its row in solver_option_info().

/// How a tree is walked. `group`: adjacent bodies share a walk. `warp`: 32 bodies visit every node that one of them
/// needs. `skip`: one walk per body, with skip links past subtrees. `climb`: one walk per body, with links to child and
/// parent. `stack`: one walk per body, with an explicit stack. `vote`: like `warp`,
/// but all 32 bodies open a node if one of them must.
enum class Walk { group, warp, skip, climb, stack, vote };
/// The order of the walks over bodies: tree order, along Morton keys of all bits or of 10 bits per axis, input order,
/// random, or row by row of a regular grid.
enum class Order { tree, morton, morton10, none, shuffled, regular };
/// 32, 40 and 96 bytes in single precision.
enum class NodeLayout { compact, full, unpacked };
enum class UpperLevels { shared, global };   ///< memory from which walks read the upper levels of the tree
enum class HostMemory { pinned, pageable };  ///< host memory of copies to and from the device
enum class Buffers { kept, per_step };       ///< `per_step`: each step allocates the memory of the tree
enum class Integration { device, host };     ///< processor that updates positions and velocities
/// Where the walk reads the tree: from shared memory as a structure of arrays or an array of structures, or from global
/// memory.
enum class SharedTree { conflict_free, plain, none };
/// Opening criterion of cell-cell interactions: the angle between the cells, or the estimated error of the
/// acceleration.
enum class Opening { angle, error };
/// The size of a cell that theta is compared with: the longest side of the box around its bodies, or the side of the
/// cell.
enum class CellSize { box, cell };
/// The links that a walk follows: those made for walks, or those of the builder.
enum class Links { walk, own };
/// What a leaf of the last level acts as: its bodies, or one point with their mass.
enum class LeafForce { bodies, point };
/// Tasks of a direct sum by pairs: N(N-1)/2 pairs that add to both bodies, or N^2 ordered pairs that add to one.
enum class PairTasks { half, ordered };
/// What runs the loops of a solver on the CPU: oneTBB directly, or the parallel algorithms of the C++ standard library.
enum class Parallel { own, standard };

/// How keys are sorted: by their digits, or with std::qsort() on one thread.
enum class Sorting { radix, quick };

/// One value of an option.
struct SolverOptionValue {
  std::string_view name;     ///< value on the command line
  std::string_view title;    ///< label in the panel
  std::string_view tip;      ///< effect on speed and accuracy
  std::uint32_t number = 0;  ///< value of a numeric option: 0 stands for all
};

/// One option: its name and its values.
struct SolverOptionInfo {
  std::string_view name;  ///< option --name
  std::string_view title;
  std::string_view summary;
  std::span<const SolverOptionValue> values;
};
/// The row of an option; `which` must not be SolverOption::count.
const SolverOptionInfo& solver_option_info(SolverOption which);

/// The values of all options; kDefault selects the solver's default.
class SolverOptions {
 public:
  static constexpr int kDefault = -1;

  /// Index into SolverOptionInfo::values, or kDefault.
  constexpr int operator[](SolverOption which) const { return value_[static_cast<std::size_t>(which)] - 1; }
  /// Accepts an index into SolverOptionInfo::values, or kDefault.
  constexpr void set(SolverOption which, int value) {
    value_[static_cast<std::size_t>(which)] = static_cast<std::int8_t>(value + 1);
  }
  template <class Value>
  constexpr void set(SolverOption which, Value value) {
    set(which, static_cast<int>(value));
  }

  friend bool operator==(const SolverOptions&, const SolverOptions&) = default;

 private:
  std::array<std::int8_t, kSolverOptionCount> value_ = {};  ///< index plus one; 0: default
};

}  // namespace pericenter

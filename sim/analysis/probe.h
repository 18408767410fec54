#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/core/bodies.h"
#include "sim/core/config.h"
#include "sim/core/tree_box.h"
#include "sim/core/vec.h"

namespace pericenter {

/// A node visited by a walk.
struct ProbedNode {
  TreeBox box;
  bool accepted = false;  ///< acted as a whole; otherwise it was opened
  double pull = 0;        ///< magnitude of its acceleration; 0 if it was opened
};

/// The walk of one body through the tree of a solver, and the interactions that it finds.
struct Probe {
  std::uint32_t body = 0;  ///< index in Simulation::bodies()
  double time = 0;
  Vec3 position;
  int dimension = 3;
  double theta = 0;
  std::vector<ProbedNode> nodes;  ///< nodes in the order of the walk, at most kMaxProbedNodes
  /// The accepted nodes with the greatest pull, at most kStrongestCells, strongest first; indices into `nodes`.
  std::vector<std::uint32_t> strongest;
  double strongest_share = 0;   ///< their part of the sum of the magnitudes of all contributions
  std::vector<Vec3> bodies;     ///< bodies that acted directly, at most kMaxProbedBodies, nearest first
  std::uint64_t cells = 0;      ///< interactions with cells, including those not in `nodes`
  std::uint64_t pairs = 0;      ///< interactions with bodies
  std::uint64_t opened = 0;     ///< opened nodes
  std::uint64_t shared_by = 1;  ///< bodies that share the walk: a group, a warp or a leaf
  std::size_t all_bodies = 0;   ///< number of bodies in the simulation
  Vec3 sum;                     ///< sum of all contributions, in doubles
  double pulls = 0;             ///< sum of their magnitudes
  Vec3 acceleration;            ///< acceleration of the body, from the solver
  Vec3 exact;                   ///< acceleration from all bodies, in doubles; NaN if a body is not finite
};
inline constexpr std::size_t kMaxProbedNodes = 20'000, kMaxProbedBodies = 4'000, kStrongestCells = 60;

/// Repeats the walk of the solver of `config` for one body. The result is the same for all backends: they build the
/// same tree and open the same cells, which tests verify. A direct solver has no nodes. The pull of a cell of a solver
/// with cell-cell interactions is that of its monopole. Takes about as long as building
/// the tree on the CPU. The caller sets `acceleration` and `time`. Throws std::out_of_range if the body does not exist.
Probe probe(const Config& config, const Params& params, const Bodies& bodies, std::size_t body);

}  // namespace pericenter

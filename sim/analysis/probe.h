#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/core/bodies.h"
#include "sim/core/config.h"
#include "sim/core/tree_box.h"
#include "sim/core/vec.h"

namespace pericenter {

/// A node that a walk has looked at.
struct ProbedNode {
  TreeBox box;
  bool accepted = false;  ///< acted as a whole; else it was opened
};

/// The walk of one body through the tree of a solver: what acted on it, and with how much.
struct Probe {
  std::uint32_t body = 0;  ///< in the order of Simulation::bodies()
  double time = 0;
  Vec3 position;
  double theta = 0;
  std::vector<ProbedNode> nodes;  ///< in the order of the walk, at most kMaxProbedNodes
  std::vector<Vec3> bodies;       ///< that acted one by one, at most kMaxProbedBodies, the nearest first
  std::uint64_t cells = 0;        ///< interactions with cells, those that are not in `nodes` included
  std::uint64_t pairs = 0;        ///< and with bodies
  std::uint64_t opened = 0;       ///< nodes that were opened
  std::uint64_t shared_by = 1;    ///< bodies that walk together: those of a group, a warp or a leaf
  std::size_t all_bodies = 0;     ///< in the system
  Vec3 sum;                       ///< of all contributions, added up in doubles
  Vec3 acceleration;              ///< of the body as the solver has it
};
inline constexpr std::size_t kMaxProbedNodes = 20'000, kMaxProbedBodies = 4'000;

/// Walks for body `body` of `bodies` as the solver of `config` does, whatever its backend: all backends of a solver
/// build the same tree and open the same cells, which tests assert. A direct solver has no nodes. Takes about as long
/// as building the tree on the CPU. `acceleration` and `time` are left for the caller. Throws std::out_of_range when
/// there is no such body.
Probe probe(const Config& config, const Params& params, const Bodies& bodies, std::size_t body);

}  // namespace pericenter

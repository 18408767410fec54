#pragma once

#include <cstdint>

namespace pericenter {

/// Operation counts of the last force evaluation.
struct WorkCounts {
  std::uint64_t body_interactions = 0;  ///< body-body
  std::uint64_t cell_interactions = 0;  ///< body-cell, or cell-cell if SolverInfo::expansions
  std::uint64_t node_visits = 0;        ///< nodes visited by walks; a group walk counts once per group
  /// Warp lanes available during all visits, for walks in which the lanes of a warp wait for each other; else 0.
  std::uint64_t lane_slots = 0;

  /// Fraction of active lanes; 0 if not counted.
  double lane_efficiency() const {
    return lane_slots > 0 ? static_cast<double>(node_visits) / static_cast<double>(lane_slots) : 0;
  }
  /// Body-body and cell interactions.
  std::uint64_t interactions() const { return body_interactions + cell_interactions; }
  constexpr WorkCounts& operator+=(const WorkCounts& other) {
    body_interactions += other.body_interactions;
    cell_interactions += other.cell_interactions;
    node_visits += other.node_visits;
    lane_slots += other.lane_slots;
    return *this;
  }
};

}  // namespace pericenter

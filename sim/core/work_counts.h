#pragma once

#include <cstdint>

namespace pericenter {

/// What the last force evaluation did.
struct WorkCounts {
  std::uint64_t body_interactions = 0;  ///< of a body with a body
  std::uint64_t cell_interactions = 0;  ///< of a body with a cell; where cells act on cells, of a cell with a cell
  std::uint64_t node_visits = 0;        ///< nodes that walks have looked at; a group's walk counts once for all of it
  /// Lanes that could have worked on each visit, of walks in which the lanes of a warp wait for each other; else 0.
  std::uint64_t lane_slots = 0;

  /// The share of lanes that worked, 0 when it was not counted.
  double lane_efficiency() const {
    return lane_slots > 0 ? static_cast<double>(node_visits) / static_cast<double>(lane_slots) : 0;
  }
  /// Of bodies with bodies and cells.
  std::uint64_t interactions() const { return body_interactions + cell_interactions; }
  WorkCounts& operator+=(const WorkCounts& other) {
    body_interactions += other.body_interactions;
    cell_interactions += other.cell_interactions;
    node_visits += other.node_visits;
    lane_slots += other.lane_slots;
    return *this;
  }
};

}  // namespace pericenter

#include "sim/core/simulation.h"

#include "sim/core/vertex_target.h"

namespace pericenter {

bool Simulation::accepts(const VertexTarget& out) const {
  return out.capacity >= size_ && (!out.on_device || config_.backend == Backend::cuda);
}

}  // namespace pericenter

#include "sim/core/simulation.h"

#include "sim/core/vertex_target.h"

namespace pericenter {

bool Simulation::accepts(const VertexTarget& out) const {
  return out.capacity >= size_ && (!out.on_device || config_.backend == Backend::cuda);
}

Bodies Simulation::sampled_bodies(const BodySample& sample) const {
  Bodies sampled(sample.size());
  for (std::size_t k = 0; k < sampled.size(); ++k) sampled[k] = body(sample.index(k));
  return sampled;
}

}  // namespace pericenter

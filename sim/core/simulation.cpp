#include "sim/core/simulation.h"

#include "sim/core/vertex_target.h"

namespace pericenter {

bool Simulation::accepts(const VertexTarget& out) const {
  return out.suits(size_) && (!out.on_device || config_.backend == Backend::cuda);
}

Bodies Simulation::sampled_bodies(const BodySample& sample) const {
  Bodies sampled(sample.size());
  for (std::size_t k = 0; k < sampled.size(); ++k) sampled[k] = body(sample.index(k));
  return sampled;
}

void Simulation::set_values(Scalar scalar, std::shared_ptr<const std::vector<float>> values) {
  (scalar == Scalar::field ? field_ : force_errors_) = std::move(values);
}

std::span<const float> Simulation::shown_values() const {
  if (scalar_ == Scalar::field && field_) return *field_;
  if (scalar_ == Scalar::force_error && force_errors_) return *force_errors_;
  return {};
}

}  // namespace pericenter

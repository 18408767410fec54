#include "sim/analysis/reversibility_error.h"

#include <algorithm>
#include <cmath>

namespace pericenter {
namespace {

constexpr std::size_t kMaxCompared = 20'000;

}  // namespace

StartPositions::StartPositions(const Bodies& bodies)
    : stride_(std::max<std::size_t>((bodies.size() + kMaxCompared - 1) / kMaxCompared, 1)) {
  Vec3 mean;
  for (std::size_t i = 0; i < bodies.size(); i += stride_) mean += bodies[i].position;
  for (std::size_t i = 0; i < bodies.size(); i += stride_) positions_.push_back(bodies[i].position);
  if (positions_.empty()) return;
  const double share = 1 / static_cast<double>(positions_.size());
  mean *= share;
  double sum = 0;
  for (const Vec3& position : positions_) sum += dot(position - mean, position - mean);
  radius_ = std::sqrt(sum * share);
}

double StartPositions::rms_distance(const Bodies& bodies, int dimension) const {
  double sum = 0;
  for (std::size_t k = 0; k < positions_.size(); ++k) {
    const Vec3 change = bodies[k * stride_].position - positions_[k];
    for (int axis = 0; axis < dimension; ++axis) sum += change[axis] * change[axis];
  }
  return positions_.empty() ? 0 : std::sqrt(sum / static_cast<double>(positions_.size()));
}

}  // namespace pericenter

#include "app/view/light_ellipse.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pericenter::app {
namespace {

constexpr double kMost = 0.95;
constexpr int kRounds = 4;
constexpr float kFlat = 1e-6f;  // bodies on a line have an ellipse, too

}  // namespace

void LightEllipse::look(const glm::vec3& at, float distance) {
  seen_.clear();
  for (const glm::vec3& body : bodies_) {
    const glm::vec3 place = body - at;
    seen_.push_back(glm::vec2(place) / std::max(1 - place.z / distance, 0.1f));
  }
  for (int round = 0; round < kRounds; ++round) shrink();
}

/// Takes the moments of the bodies within the edge, and then the edge around most of all.
void LightEllipse::shrink() {
  float count = 0;
  glm::vec2 sum(0);
  for (std::size_t k = 0; k < seen_.size(); ++k)
    if (far_[k] <= edge_) ++count, sum += seen_[k];
  middle_ = sum / count;
  glm::mat2 squares(0);
  for (std::size_t k = 0; k < seen_.size(); ++k)
    if (far_[k] <= edge_) squares += glm::outerProduct(seen_[k] - middle_, seen_[k] - middle_);
  spread_ = squares / count;
  const float least = std::max(kFlat * (spread_[0][0] + spread_[1][1]), std::numeric_limits<float>::min());
  const glm::mat2 form = glm::inverse(spread_ + glm::mat2(least));
  for (std::size_t k = 0; k < seen_.size(); ++k) {
    const glm::vec2 place = seen_[k] - middle_;
    far_[k] = glm::dot(place, form * place);
  }
  order_ = far_;
  const auto last = order_.begin() + static_cast<std::ptrdiff_t>(kMost * static_cast<double>(order_.size() - 1));
  std::ranges::nth_element(order_, last);
  edge_ = *last;
}

glm::vec2 LightEllipse::half_size() const {
  return glm::sqrt(edge_ * glm::vec2(spread_[0][0], spread_[1][1]));
}

}  // namespace pericenter::app

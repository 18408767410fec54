#include "sim/scenes/suggested_softening.h"

#include <algorithm>
#include <cmath>

namespace pericenter {

double suggested_softening(const SceneInfo& scene, std::size_t bodies) {
  if (!(scene.softening > 0)) return 0;
  if (bodies <= kSofteningBodies) return scene.softening;
  const double share = static_cast<double>(bodies) / static_cast<double>(kSofteningBodies);
  const double exact = scene.softening * std::pow(share, kSofteningPower);
  const double digits = std::pow(10.0, 2 - std::floor(std::log10(exact)));
  return std::round(exact * digits) / digits;
}

bool has_suggested_softening(const SceneInfo& scene, const SceneRequest& request) {
  return request.softening > 0 && request.softening == suggested_softening(scene, request.bodies);
}

}  // namespace pericenter

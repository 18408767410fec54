#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/overlay/guides.h"
#include "app/overlay/labels.h"
#include "app/ui/ui_style.h"

namespace pericenter::app {
namespace {

constexpr int kOrbitParts = 256;
constexpr float kOrbitAlpha = 0.4f, kFarOrbit = 0.6f;  // opacity, and share of it at the far end

}  // namespace

void draw_orbits(const OverlayCanvas& canvas, const render::Camera& camera, const std::vector<OsculatingOrbit>& orbits,
                 const render::StarSample& sample) {
  const Projection on(canvas, camera);
  for (const OsculatingOrbit& orbit : orbits) {
    if (orbit.around >= sample.first.size()) continue;
    const glm::vec3 star = sample.first[orbit.around].position;
    const auto place = [&](int part) {
      const double anomaly = 2 * std::numbers::pi * part / kOrbitParts;
      return star + to_glm(orbit.center + orbit.major * std::cos(anomaly) + orbit.minor * std::sin(anomaly));
    };
    const float reach = static_cast<float>(length(orbit.major));
    for (int part = 0; part < kOrbitParts; ++part) {
      const glm::vec3 from = place(part), to = place(part + 1);
      ImVec2 a, b;
      if (!on.line(from, to, a, b)) continue;
      const float nearer = (camera.distance() - glm::distance(camera.position(), from)) / reach;  // -1 to 1
      const float strength = std::lerp(kFarOrbit, 1.0f, std::clamp(0.5f + 0.5f * nearer, 0.0f, 1.0f));
      canvas.draw.AddLine(a, b, packed(with_alpha(canvas.dim, kOrbitAlpha * strength)), canvas.em / 13);
    }
  }
}

}  // namespace pericenter::app

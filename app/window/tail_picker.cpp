#include "app/window/tail_picker.h"

#include <cstddef>
#include <optional>

#include "render/star_readback.h"
#include "sim/analysis/structure.h"

namespace pericenter::app {
namespace {

constexpr std::size_t kPart = std::size_t{1} << 22;  // stars on the host at a time: 64 MiB of vertices
constexpr std::size_t kMaxMeasured = 500'000;        // bodies that determine the positions of the galaxies

Vec3 position_of(const render::SampledStar& star) {
  return {star.position.x, star.position.y, star.position.z};
}

template <class Visit>
void visit_stars(const render::Stars& stars, const Visit& visit) {
  for (std::size_t first = 0; first < stars.count; first += kPart) {
    const std::vector<render::SampledStar> part = render::read_stars(stars, first, kPart);
    for (std::size_t k = 0; k < part.size(); ++k) visit(first + k, part[k]);
  }
}

}  // namespace

std::vector<std::uint32_t> stars_in_tails(const render::Stars& stars) {
  Bodies bodies;
  const std::size_t stride = (stars.count + kMaxMeasured - 1) / kMaxMeasured;
  visit_stars(stars, [&](std::size_t i, const render::SampledStar& star) {
    if (i % stride == 0) bodies.push_back({position_of(star), {}, 1, star.tag});
  });
  if (bodies.empty()) return {};
  const std::optional<TailCriterion> criterion = StructureMeter(bodies).tail_criterion(bodies);
  if (!criterion) return {};
  std::vector<std::uint32_t> found;
  visit_stars(stars, [&](std::size_t i, const render::SampledStar& star) {
    if (criterion->holds(position_of(star), star.tag)) found.push_back(static_cast<std::uint32_t>(i));
  });
  return found;
}

}  // namespace pericenter::app

#include "app/lessons/slide_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "app/lessons/pictured_run.h"
#include "sim/analysis/structure.h"
#include "sim/core/median.h"

namespace pericenter::app {
namespace {

constexpr float kLeastCell = 6;  ///< pixels

bool is_drawn(const Body& body) {
  return component_of(body.tag) != Component::halo;
}

std::vector<std::size_t> stars_of(const PicturedRun& run) {
  if (!run.highlighted.empty()) return {run.highlighted.begin(), run.highlighted.end()};
  std::vector<std::size_t> stars;
  for (std::size_t i = 0; i < run.bodies.size(); ++i)
    if (is_drawn(run.bodies[i])) stars.push_back(i);
  return stars;
}

std::vector<std::size_t> tail_stars(const Bodies& bodies) {
  const auto criterion = StructureMeter(bodies).tail_criterion(bodies);
  return criterion ? stars_in_tails(bodies, *criterion) : std::vector<std::size_t>();
}

double seen_share(std::span<const std::size_t> stars, const PicturedRun& run) {
  if (stars.size() < kFew) return kUnknown;
  const auto seen = std::ranges::count_if(
      stars, [&](std::size_t star) { return is_seen(pixel_of(point(run.bodies[star].position), run), run); });
  return 100.0 * static_cast<double>(seen) / static_cast<double>(stars.size());
}

/// The picture in squares, of which some have stars.
class Squares {
 public:
  static constexpr int kSide = 16;  ///< pixels

  explicit Squares(const PicturedRun& run) {
    for (const Body& body : run.bodies) {
      const auto at = is_drawn(body) ? pixel_of(point(body.position), run) : std::nullopt;
      if (is_inside(at, run)) taken_.insert(square_of(*at));
    }
  }
  /// Whether there is no star here or in the squares around it.
  bool is_empty(Pixel at) const {
    const auto [x, y] = square_of(at);
    for (const int dx : {-1, 0, 1})
      for (const int dy : {-1, 0, 1})
        if (taken_.contains({x + dx, y + dy})) return false;
    return true;
  }

 private:
  static std::pair<int, int> square_of(Pixel at) {
    return {static_cast<int>(at.x) / kSide, static_cast<int>(at.y) / kSide};
  }
  std::set<std::pair<int, int>> taken_;
};

}  // namespace

double stars_in_view(const PicturedRun& run) {
  return seen_share(stars_of(run), run);
}

double size_of_stars(const PicturedRun& run) {
  std::array<std::vector<float>, 2> pixels;
  for (const std::size_t star : stars_of(run)) {
    const auto at = pixel_of(point(run.bodies[star].position), run);
    if (!at) continue;
    pixels[0].push_back(at->x);
    pixels[1].push_back(at->y);
  }
  const std::size_t count = pixels[0].size(), part = count * 9 / 10;
  if (count < kFew) return kUnknown;
  float largest = 0;
  for (std::vector<float>& along : pixels) {
    std::ranges::sort(along);
    float smallest = std::numeric_limits<float>::infinity();
    for (std::size_t k = 0; k + part < count; ++k) smallest = std::min(smallest, along[k + part] - along[k]);
    largest = std::max(largest, smallest);
  }
  return largest;
}

double stars_outside(const PicturedRun& run) {
  const Bodies& bodies = run.bodies;
  const StructureMeter::Nuclei nuclei = StructureMeter(bodies).nuclei(bodies);
  const auto distance = [&](std::size_t star) -> std::optional<double> {
    const std::uint32_t galaxy = galaxy_of(bodies[star].tag);
    const auto nucleus = galaxy < nuclei.size() ? nuclei[galaxy] : std::nullopt;
    if (!nucleus || component_of(bodies[star].tag) != Component::disc) return std::nullopt;
    const auto at = pixel_of(point(bodies[star].position), run), middle = pixel_of(point(*nucleus), run);
    if (!at || !middle) return std::nullopt;
    return glm::distance(*at, *middle);
  };
  std::array<std::vector<double>, 2> all;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (const auto found = distance(i)) all[galaxy_of(bodies[i].tag)].push_back(*found);
  if (all[0].size() < kFew) return kUnknown;
  const auto limit = [](std::vector<double>& distances) {
    const auto at = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() * 3 / 4);
    if (at != distances.end()) std::ranges::nth_element(distances, at);
    return at == distances.end() ? 0 : *at;
  };
  const std::array<double, 2> limits = {limit(all[0]), limit(all[1])};
  const std::vector<std::size_t> stars = stars_of(run);
  const auto outside = std::ranges::count_if(stars, [&](std::size_t star) {
    const auto found = distance(star);
    return found && *found > limits[galaxy_of(bodies[star].tag)];
  });
  return 100.0 * static_cast<double>(outside) / static_cast<double>(stars.size());
}

double tails_in_view(const PicturedRun& run) {
  return seen_share(tail_stars(run.bodies), run);
}

double tail_brightness(const PicturedRun& run) {
  const Squares squares(run);
  std::vector<float> tails, sky;
  for (const std::size_t star : tail_stars(run.bodies)) {
    const auto at = pixel_of(point(run.bodies[star].position), run);
    if (is_seen(at, run)) tails.push_back(brightness(color_at(*at, run)));
  }
  for (int x = Squares::kSide / 2; x < kPictureWidth; x += Squares::kSide)
    for (int y = Squares::kSide / 2; y < kPictureHeight; y += Squares::kSide)
      if (is_inside(Pixel(x, y), run) && squares.is_empty(Pixel(x, y)))
        sky.push_back(brightness(color_at(Pixel(x, y), run)));
  if (tails.size() < kFew || sky.empty()) return kUnknown;
  return 100.0 * (median(std::move(tails)) - median(std::move(sky)));
}

double halo_brightness(const PicturedRun& run) {
  const Squares squares(run);
  std::vector<float> halo, all;
  for (const Body& body : run.bodies) {
    const auto at = is_drawn(body) ? std::nullopt : pixel_of(point(body.position), run);
    if (is_seen(at, run) && squares.is_empty(*at)) halo.push_back(brightness(color_at(*at, run)));
  }
  if (halo.size() < kFew) return kUnknown;
  for (int x = 0; x < kPictureWidth; x += Squares::kSide)
    for (int y = 0; y < kPictureHeight; y += Squares::kSide)
      if (is_inside(Pixel(x, y), run)) all.push_back(brightness(color_at(Pixel(x, y), run)));
  const auto darkest = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 100);
  std::ranges::nth_element(all, darkest);
  return 100.0 * (median(std::move(halo)) - *darkest);
}

double nuclei_apart(const PicturedRun& run) {
  const StructureMeter::Nuclei nuclei = StructureMeter(run.bodies).nuclei(run.bodies);
  if (!nuclei[0] || !nuclei[1]) return kUnknown;
  const auto first = pixel_of(point(*nuclei[0]), run), second = pixel_of(point(*nuclei[1]), run);
  return first && second ? glm::distance(*first, *second) : kUnknown;
}

double visible_cell_sizes(const PicturedRun& run) {
  std::set<int> levels;
  for (const TreeBox& cell : run.picture.cells) {
    if (levels.contains(cell.level)) continue;
    Pixel low{std::numeric_limits<float>::infinity()}, high = -low;
    bool inside = true;
    for (int corner = 0; corner < 8 && inside; ++corner) {
      glm::vec3 at;
      for (int k = 0; k < 3; ++k) at[k] = cell.center[k] + (corner >> k & 1 ? 1 : -1) * cell.half_width[k];
      const auto pixel = pixel_of(at, run);
      inside = is_inside(pixel, run);
      if (inside) low = glm::min(low, *pixel), high = glm::max(high, *pixel);
    }
    if (inside && std::max(high.x - low.x, high.y - low.y) >= kLeastCell) levels.insert(cell.level);
  }
  return run.picture.cells.empty() ? kUnknown : static_cast<double>(levels.size());
}

double readouts_in_view(const PicturedRun& run) {
  return run.picture.readouts;
}

}  // namespace pericenter::app

#include "app/lessons/slide_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <set>

#include "sim/analysis/structure.h"
#include "sim/core/median.h"

namespace pericenter::app {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr int kPatch = 4;         ///< pixels around one whose colours are averaged
constexpr float kLeastCell = 6;   ///< pixels
constexpr std::size_t kFew = 30;  ///< fewer stars are not measured

using Pixel = glm::vec2;  // coordinates from the upper left

glm::vec3 point(const Vec3& position) {
  return {position[0], position[1], position[2]};
}

/// Where a point is in the picture, also outside of it; nullopt: behind the camera.
std::optional<Pixel> pixel_of(const glm::vec3& position, const render::Camera& camera) {
  constexpr float kAspect = static_cast<float>(kPictureWidth) / kPictureHeight;
  const glm::vec4 clip = camera.projection(kAspect) * camera.view() * glm::vec4(position, 1);
  if (clip.w <= 0) return std::nullopt;
  return Pixel{(1 + clip.x / clip.w) * 0.5f * kPictureWidth, (1 - clip.y / clip.w) * 0.5f * kPictureHeight};
}

bool is_inside(const std::optional<Pixel>& at) {
  return at && at->x >= 0 && at->y >= 0 && at->x < kPictureWidth && at->y < kPictureHeight;
}

bool is_seen(const std::optional<Pixel>& at, const SlidePicture& picture) {
  return is_inside(at) &&
         !picture.words[static_cast<std::size_t>(at->y) * kPictureWidth + static_cast<std::size_t>(at->x)];
}

bool is_drawn(const Body& body) {
  return component_of(body.tag) != Component::halo;
}

std::vector<std::size_t> stars_of(const SlidePicture& picture, const Bodies& bodies) {
  if (!picture.highlighted.empty()) return picture.highlighted;
  std::vector<std::size_t> stars;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (is_drawn(bodies[i])) stars.push_back(i);
  return stars;
}

std::vector<std::size_t> tail_stars(const Bodies& bodies) {
  const auto criterion = StructureMeter(bodies).tail_criterion(bodies);
  return criterion ? stars_in_tails(bodies, *criterion) : std::vector<std::size_t>();
}

double seen_share(std::span<const std::size_t> stars, const SlidePicture& picture, const Bodies& bodies) {
  if (stars.size() < kFew) return kUnknown;
  const auto seen = std::ranges::count_if(stars, [&](std::size_t star) {
    return is_seen(pixel_of(point(bodies[star].position), picture.camera), picture);
  });
  return 100.0 * static_cast<double>(seen) / static_cast<double>(stars.size());
}

/// Mean colour about a pixel, 0 to 1.
glm::vec3 color_at(Pixel at, const render::Image& image) {
  glm::vec3 sum{0};
  float count = 0;
  const int x = static_cast<int>(at.x), y = static_cast<int>(at.y);
  for (int row = std::max(y - kPatch, 0); row <= std::min(y + kPatch, image.height - 1); ++row)
    for (int column = std::max(x - kPatch, 0); column <= std::min(x + kPatch, image.width - 1); ++column, ++count) {
      const std::uint8_t* const rgb = &image.rgb[3 * (static_cast<std::size_t>(row) * image.width + column)];
      sum += glm::vec3(rgb[0], rgb[1], rgb[2]);
    }
  return sum / (255 * count);
}

float brightness(const glm::vec3& color) {
  return 0.2126f * color.r + 0.7152f * color.g + 0.0722f * color.b;
}

/// A disc in space: its middle, and two axes in its plane as long as the radius with half of its stars.
struct DiscPlane {
  glm::vec3 center{0}, along{0}, across{0};
};

std::optional<DiscPlane> first_disc(const Bodies& bodies) {
  std::array<std::vector<double>, 3> middle;
  std::vector<const Body*> stars;
  Vec3 drift;
  for (const Body& body : bodies) {
    if (component_of(body.tag) != Component::disc || galaxy_of(body.tag) != 0) continue;
    stars.push_back(&body);
    drift += body.velocity;
    for (std::size_t k = 0; k < 3; ++k) middle[k].push_back(body.position[static_cast<int>(k)]);
  }
  if (stars.size() < kFew) return std::nullopt;
  const Vec3 center{median(middle[0]), median(middle[1]), median(middle[2])};
  drift *= 1 / static_cast<double>(stars.size());
  glm::dvec3 spin{0};
  std::vector<double> radii;
  for (const Body* star : stars) {
    const Vec3 at = star->position - center, velocity = star->velocity - drift;
    spin += glm::cross(glm::dvec3(at[0], at[1], at[2]), glm::dvec3(velocity[0], velocity[1], velocity[2]));
    radii.push_back(length(at));
  }
  const auto radius = static_cast<float>(median(std::move(radii)));
  const glm::vec3 axis = glm::normalize(glm::vec3(spin));
  const glm::vec3 other = std::abs(axis.x) < 0.7f ? glm::vec3(1, 0, 0) : glm::vec3(0, 1, 0);
  const glm::vec3 along = glm::normalize(glm::cross(axis, other));
  return DiscPlane{point(center), along * radius, glm::cross(axis, along) * radius};
}

constexpr int kRings = 20, kAngles = 96;
constexpr double kInner = 0.75, kOuter = 1.6;  ///< radii of the rings, in those with half of the stars
using Rings = std::array<std::array<glm::vec3, kAngles>, kRings>;

double ring_logarithm(int ring) {
  return std::lerp(std::log(kInner), std::log(kOuter), ring / (kRings - 1.0));
}

/// The colours of the picture on rings about the disc; nullopt if they are not completely in view.
std::optional<Rings> rings_of(const DiscPlane& disc, const SlidePicture& picture) {
  Rings rings;
  for (int ring = 0; ring < kRings; ++ring)
    for (int k = 0; k < kAngles; ++k) {
      const double angle = 2 * std::numbers::pi * k / kAngles, radius = std::exp(ring_logarithm(ring));
      const auto x = static_cast<float>(radius * std::cos(angle)), y = static_cast<float>(radius * std::sin(angle));
      const auto at = pixel_of(disc.center + x * disc.along + y * disc.across, picture.camera);
      if (!is_inside(at)) return std::nullopt;
      rings[ring][k] = color_at(*at, picture.image);
    }
  return rings;
}

/// Amplitude of the strongest logarithmic spiral of a value on the rings, in units of their means, or of 1.
template <class Value>
double strongest_spiral(const Rings& rings, bool relative, const Value& value) {
  double strongest = 0;
  for (int arms = 2; arms <= 6; ++arms) {
    std::array<std::complex<double>, kRings> waves;
    for (int ring = 0; ring < kRings; ++ring) {
      double mean = 0;
      for (int k = 0; k < kAngles; ++k) {
        const double here = value(rings[ring][k]) / kAngles;
        mean += here;
        waves[ring] += std::polar(here, -2 * std::numbers::pi * arms * k / kAngles);
      }
      if (relative) waves[ring] /= std::max(mean, 0.01);
    }
    for (int winding = -30; winding <= 30; ++winding) {
      std::complex<double> sum = 0;
      for (int ring = 0; ring < kRings; ++ring)
        sum += waves[ring] * std::polar(1.0 / kRings, winding * ring_logarithm(ring));
      strongest = std::max(strongest, 2 * std::abs(sum));
    }
  }
  return strongest;
}

}  // namespace

double stars_in_view(const SlidePicture& picture, const Bodies& bodies) {
  return seen_share(stars_of(picture, bodies), picture, bodies);
}

double size_of_stars(const SlidePicture& picture, const Bodies& bodies) {
  std::array<std::vector<float>, 2> pixels;
  for (const std::size_t star : stars_of(picture, bodies)) {
    const auto at = pixel_of(point(bodies[star].position), picture.camera);
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

double stars_outside(const SlidePicture& picture, const Bodies& bodies) {
  const StructureMeter::Nuclei nuclei = StructureMeter(bodies).nuclei(bodies);
  const auto distance = [&](std::size_t star) -> std::optional<double> {
    const std::uint32_t galaxy = galaxy_of(bodies[star].tag);
    const auto nucleus = galaxy < nuclei.size() ? nuclei[galaxy] : std::nullopt;
    if (!nucleus || component_of(bodies[star].tag) != Component::disc) return std::nullopt;
    const auto at = pixel_of(point(bodies[star].position), picture.camera),
               middle = pixel_of(point(*nucleus), picture.camera);
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
  const std::vector<std::size_t> stars = stars_of(picture, bodies);
  const auto outside = std::ranges::count_if(stars, [&](std::size_t star) {
    const auto found = distance(star);
    return found && *found > limits[galaxy_of(bodies[star].tag)];
  });
  return 100.0 * static_cast<double>(outside) / static_cast<double>(stars.size());
}

double tails_in_view(const SlidePicture& picture, const Bodies& bodies) {
  return seen_share(tail_stars(bodies), picture, bodies);
}

double tail_brightness(const SlidePicture& picture, const Bodies& bodies) {
  constexpr int kStep = 16;  // pixels, sides of cells with or without stars
  std::vector<float> tails, sky;
  std::set<std::pair<int, int>> occupied;
  for (const Body& body : bodies) {
    const auto at = is_drawn(body) ? pixel_of(point(body.position), picture.camera) : std::nullopt;
    if (!is_inside(at)) continue;
    for (const int dx : {-1, 0, 1})
      for (const int dy : {-1, 0, 1})
        occupied.emplace(static_cast<int>(at->x) / kStep + dx, static_cast<int>(at->y) / kStep + dy);
  }
  for (const std::size_t star : tail_stars(bodies)) {
    const auto at = pixel_of(point(bodies[star].position), picture.camera);
    if (is_seen(at, picture)) tails.push_back(brightness(color_at(*at, picture.image)));
  }
  for (int x = 0; x < kPictureWidth / kStep; ++x)
    for (int y = 0; y < kPictureHeight / kStep; ++y)
      if (!occupied.contains({x, y}))
        sky.push_back(brightness(color_at(Pixel(kStep * x + kStep / 2, kStep * y + kStep / 2), picture.image)));
  if (tails.size() < kFew || sky.empty()) return kUnknown;
  return 100.0 * (median(std::move(tails)) - median(std::move(sky)));
}

double arm_contrast(const SlidePicture& picture, const Bodies& bodies) {
  const auto disc = first_disc(bodies);
  const auto rings = disc ? rings_of(*disc, picture) : std::nullopt;
  if (!rings) return kUnknown;
  const auto blueness = [](const glm::vec3& color) {
    return (color.b - color.r) / std::max(color.r + color.g + color.b, 0.01f);
  };
  return 100 * std::max(strongest_spiral(*rings, true, brightness), strongest_spiral(*rings, false, blueness));
}

double visible_cell_sizes(const SlidePicture& picture, const Bodies&) {
  std::set<int> levels;
  for (const TreeBox& cell : picture.cells) {
    if (levels.contains(cell.level)) continue;
    Pixel low{std::numeric_limits<float>::infinity()}, high = -low;
    bool inside = true;
    for (int corner = 0; corner < 8 && inside; ++corner) {
      glm::vec3 at;
      for (int k = 0; k < 3; ++k) at[k] = cell.center[k] + (corner >> k & 1 ? 1 : -1) * cell.half_width[k];
      const auto pixel = pixel_of(at, picture.camera);
      inside = is_inside(pixel);
      if (inside) low = glm::min(low, *pixel), high = glm::max(high, *pixel);
    }
    if (inside && std::max(high.x - low.x, high.y - low.y) >= kLeastCell) levels.insert(cell.level);
  }
  return picture.cells.empty() ? kUnknown : static_cast<double>(levels.size());
}

}  // namespace pericenter::app

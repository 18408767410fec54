#include "render/sky.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/gtc/constants.hpp>
#include <random>

namespace pericenter::render {
namespace {

constexpr std::size_t kStars = 5000, kGalaxies = 600;  // total in all directions; an image shows about a sixteenth
constexpr float kReferencePixel = 6.76e-4f;            // radians per pixel of an image of 1080 lines
constexpr float kStarSize = 0.75f * kReferencePixel;
constexpr float kFaintestStar = 0.13f;
constexpr float kGalaxySize = 1.4f * kReferencePixel, kLargestGalaxy = 7 * kReferencePixel;
constexpr float kFaintestGalaxy = 0.13f, kBrightestGalaxy = 0.26f;
constexpr float kGamma = 2.2f;
constexpr float kSmallestSize = 0.6f;  // pixels: smaller spots flicker when they move
constexpr float kReach = 6;            // extent of a spot, in its sizes

const glm::vec3 kWarm(1.0f, 0.84f, 0.68f), kWhite(1.0f, 0.98f, 0.95f), kBlue(0.74f, 0.85f, 1.0f);

/// Random numbers of the standard's engine, whose values do not depend on the library.
class SkyRandom {
 public:
  explicit SkyRandom(std::uint32_t seed) : engine_(seed) {}
  /// Uniform in (0, 1).
  float uniform() { return (static_cast<float>(engine_() >> 8) + 0.5f) * 0x1p-24f; }
  float between(float low, float high) { return low + (high - low) * uniform(); }
  glm::vec3 direction() {
    const float z = between(-1, 1), angle = between(0, glm::two_pi<float>()), flat = std::sqrt(1 - z * z);
    return {flat * std::cos(angle), flat * std::sin(angle), z};
  }

 private:
  std::mt19937 engine_;
};

SkySource star(SkyRandom& dice) {
  SkySource source{.direction = dice.direction(), .size = kStarSize};
  const float hue = dice.between(-1, 1);
  glm::vec3 tint = glm::mix(kWhite, hue < 0 ? kWarm : kBlue, std::abs(hue));
  tint /= std::max({tint.r, tint.g, tint.b});
  // The u-th share of the brightest stars is brighter than u^(-2/3) times the faintest one.
  const float screen = kFaintestStar * std::pow(dice.uniform(), -2.0f / (3 * kGamma));
  source.color = std::min(screen, kBrightestSky) * tint;
  return source;
}

SkySource galaxy(SkyRandom& dice) {
  SkySource source{.direction = dice.direction(), .galaxy = true};
  source.axis = glm::normalize(glm::cross(source.direction, dice.direction()));
  source.size = std::min(kGalaxySize / std::cbrt(dice.uniform()), kLargestGalaxy);
  source.ratio = dice.between(0.25f, 1);
  source.color = dice.between(kFaintestGalaxy, kBrightestGalaxy) * glm::mix(kWarm, kBlue, dice.uniform());
  return source;
}

/// Projects directions to pixels.
class SkyView {
 public:
  SkyView(const Camera& camera, glm::ivec2 size)
      : half_(0.5f * glm::vec2(size)),
        clip_(camera.projection(half_.x / half_.y) * glm::mat4(glm::mat3(camera.view()))) {}

  glm::vec4 clip(const glm::vec3& direction) const { return clip_ * glm::vec4(direction, 0); }
  glm::vec2 pixel(const glm::vec4& clip) const { return (glm::vec2(clip) / clip.w + 1.0f) * half_; }
  bool is_near(const glm::vec2& pixel, float margin) const {
    const glm::vec2 off = glm::abs(pixel - half_) - half_;
    return std::max(off.x, off.y) < margin;
  }

 private:
  glm::vec2 half_;
  glm::mat4 clip_;
};

// Locations of the uniforms of shaders/sky.vert.
enum Location { first_pixel, tile_size };

constexpr std::uint32_t kSkySeed = 20;

}  // namespace

std::vector<SkySource> sky_sources(std::uint32_t seed) {
  SkyRandom dice(seed);
  std::vector<SkySource> sources;
  sources.reserve(kStars + kGalaxies);
  for (std::size_t k = 0; k < kStars; ++k) sources.push_back(star(dice));
  for (std::size_t k = 0; k < kGalaxies; ++k) sources.push_back(galaxy(dice));
  return sources;
}

std::vector<SkySpot> sky_spots(std::span<const SkySource> sources, const Camera& camera, glm::ivec2 size) {
  constexpr float kStep = 1e-3f;  // radians, for the direction of an axis in the image
  const SkyView view(camera, size);
  const float focal = 0.5f * static_cast<float>(std::min(size.x, size.y)) / std::tan(0.5f * camera.field_of_view());
  std::vector<SkySpot> spots;
  for (const SkySource& source : sources) {
    const glm::vec4 clip = view.clip(source.direction);
    if (clip.w <= 0) continue;
    const glm::vec2 center = view.pixel(clip);
    const float length = std::max(source.size * focal, kSmallestSize);
    if (!view.is_near(center, kReach * length)) continue;
    glm::vec2 axis(length, 0);
    if (source.galaxy) {
      const glm::vec2 shift = view.pixel(view.clip(source.direction + kStep * source.axis)) - center;
      axis = length * shift / std::max(glm::length(shift), 1e-6f);
    }
    spots.push_back({.center = center,
                     .axis = axis,
                     .color = source.color,
                     .across = std::max(source.ratio * length, kSmallestSize),
                     .exponential = source.galaxy ? 1.0f : 0.0f});
  }
  return spots;
}

bool shows_sky(const Frame& frame) {
  const ImageSettings& image = frame.settings;
  const bool marks = frame.stars.marks != 0 || (frame.split && frame.split->left.marks != 0);
  const bool measures = is_scalar(image.color) || image.color == ColorMode::origin || image.color == ColorMode::type ||
                        frame.boxes.show || frame.show_probe || marks;
  return image.sky && image.background == Background::dark && !frame.boxes.flat && !measures;
}

SkyPass::SkyPass(const ShaderLibrary& library)
    : program_(library, {"sky.vert", "sky.frag"}), sources_(sky_sources(kSkySeed)) {
  const GLuint name = attributes_.name();
  const auto add = [&](GLuint index, GLint numbers, std::size_t offset) {
    glVertexArrayAttribFormat(name, index, numbers, GL_FLOAT, GL_FALSE, static_cast<GLuint>(offset));
    glVertexArrayAttribBinding(name, index, 0);
    glEnableVertexArrayAttrib(name, index);
  };
  add(0, 4, offsetof(SkySpot, center));
  add(1, 4, offsetof(SkySpot, color));
  add(2, 1, offsetof(SkySpot, exponential));
  glVertexArrayBindingDivisor(name, 0, 1);
}

/// Projects the sky again if the camera has turned.
void SkyPass::place(const Camera& camera, glm::ivec2 size) {
  const float aspect = static_cast<float>(size.x) / static_cast<float>(size.y);
  const glm::mat4 view = camera.projection(aspect) * glm::mat4(glm::mat3(camera.view()));
  if (view == placed_view_ && size == placed_size_) return;
  placed_view_ = view;
  placed_size_ = size;
  const std::vector<SkySpot> spots = sky_spots(sources_, camera, size);
  count_ = static_cast<GLsizei>(spots.size());
  if (spots.empty()) return;
  allocate(spots_, spots.size() * sizeof spots[0], spots.data());
  glVertexArrayVertexBuffer(attributes_.name(), 0, spots_.name(), 0, sizeof spots[0]);
}

void SkyPass::draw(const Camera& camera, const ImageTile& tile) {
  place(camera, tile.whole);
  if (count_ == 0) return;
  glProgramUniform2f(program_.name(), first_pixel, static_cast<float>(tile.first.x), static_cast<float>(tile.first.y));
  glProgramUniform2f(program_.name(), tile_size, static_cast<float>(tile.size.x), static_cast<float>(tile.size.y));
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFuncSeparate(GL_ONE_MINUS_DST_COLOR, GL_ONE, GL_ZERO, GL_ONE);
  glUseProgram(program_.name());
  glBindVertexArray(attributes_.name());
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, count_);
  glDisable(GL_BLEND);
}

}  // namespace pericenter::render

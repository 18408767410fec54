#include "app/lessons/pictured_run.h"

#include <algorithm>
#include <cstdint>

namespace pericenter::app {
namespace {

constexpr int kPatch = 4;  ///< pixels around one whose colours are averaged

}  // namespace

std::optional<Pixel> pixel_of(const glm::vec3& position, const PicturedRun& run) {
  const glm::mat4 projection = run.picture.frame.clip_from_world(run.half, {kPictureWidth, kPictureHeight});
  const glm::vec4 clip = projection * glm::vec4(position, 1);
  if (clip.w <= 0) return std::nullopt;
  return Pixel{(1 + clip.x / clip.w) * 0.5f * kPictureWidth, (1 - clip.y / clip.w) * 0.5f * kPictureHeight};
}

bool is_inside(const std::optional<Pixel>& at, const PicturedRun& run) {
  if (!at || at->x < 0 || at->y < 0 || at->x >= kPictureWidth || at->y >= kPictureHeight) return false;
  return !run.picture.frame.split || run.picture.frame.half_at(at->x, kPictureWidth) == run.half;
}

bool is_seen(const std::optional<Pixel>& at, const PicturedRun& run) {
  return is_inside(at, run) &&
         !run.picture.words[static_cast<std::size_t>(at->y) * kPictureWidth + static_cast<std::size_t>(at->x)];
}

glm::vec3 color_at(Pixel at, const PicturedRun& run) {
  const render::Image& image = run.picture.image;
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

}  // namespace pericenter::app

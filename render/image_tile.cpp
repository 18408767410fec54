#include "render/image_tile.h"

#include <algorithm>
#include <cstdint>
#include <glm/gtc/matrix_transform.hpp>

#include "render/bloom_pass.h"

namespace pericenter::render {

glm::mat4 enlargement(const ImageTile& part) {
  const glm::vec2 whole(part.whole), extent(part.size * (1 << part.level));
  const glm::vec2 shift = (whole - 2.0f * glm::vec2(part.first)) / extent - 1.0f;
  return glm::scale(glm::translate(glm::mat4(1), {shift, 0}), {whole / extent, 1});
}

ImageTile overview_of(glm::ivec2 whole) {
  constexpr std::int64_t kMostPixels = std::int64_t{1} << 22;
  constexpr int kGlowing = 6;  // it need not be finer than what glows
  ImageTile part{.whole = whole, .level = std::clamp(BloomPass::coarsest(whole.y) - kGlowing, 1, 3)};
  const auto size = [&] { return (whole + ((1 << part.level) - 1)) / (1 << part.level); };
  while (std::int64_t{size().x} * size().y > kMostPixels) ++part.level;
  part.size = size();
  return part;
}

std::vector<ImageTile> tiles_of(glm::ivec2 whole, glm::ivec2 largest) {
  const glm::ivec2 number = (whole + largest - 1) / largest;
  const glm::ivec2 side = (whole + number - 1) / number;
  std::vector<ImageTile> tiles;
  for (int y = 0; y < whole.y; y += side.y) {
    for (int x = 0; x < whole.x; x += side.x) {
      const glm::ivec2 first(x, y);
      tiles.push_back({.whole = whole, .first = first, .size = glm::min(side, whole - first)});
    }
  }
  return tiles;
}

}  // namespace pericenter::render

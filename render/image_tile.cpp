#include "render/image_tile.h"

#include <algorithm>
#include <cstdint>
#include <glm/gtc/matrix_transform.hpp>

#include "render/light_levels.h"

namespace pericenter::render {

glm::mat4 tile_transform(const ImageTile& tile) {
  const glm::vec2 whole(tile.whole), extent(tile.size * (1 << tile.level));
  const glm::vec2 shift = (whole - 2.0f * glm::vec2(tile.first)) / extent - 1.0f;
  return glm::scale(glm::translate(glm::mat4(1), {shift, 0}), {whole / extent, 1});
}

ImageTile overview_of(glm::ivec2 whole) {
  constexpr std::int64_t kMaxPixels = std::int64_t{1} << 22;
  constexpr int kBloomLevels = 6;  // finer levels do not bloom
  ImageTile tile{.whole = whole, .level = std::clamp(LightLevels::coarsest(whole.y) - kBloomLevels, 1, 3)};
  const auto size = [&] { return (whole + ((1 << tile.level) - 1)) / (1 << tile.level); };
  while (std::int64_t{size().x} * size().y > kMaxPixels) ++tile.level;
  tile.size = size();
  return tile;
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

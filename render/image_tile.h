#pragma once

#include <glm/glm.hpp>
#include <vector>

namespace pericenter::render {

/// A tile of an image, drawn in one pass; rows from the bottom.
struct ImageTile {
  glm::ivec2 whole{0};  ///< size of the image
  glm::ivec2 first{0};  ///< lower left pixel of the tile in the image
  glm::ivec2 size{0};   ///< size of the tile in its own pixels
  int level = 0;        ///< one tile pixel covers 2^level x 2^level image pixels
};

/// Clip space transform that maps the tile to the whole viewport.
glm::mat4 tile_transform(const ImageTile& tile);

/// A coarse version of the whole image; bloom and exposure of all tiles are computed from it.
ImageTile overview_of(glm::ivec2 whole);

/// Tiles of similar size, none larger than `largest`, that cover the image.
std::vector<ImageTile> tiles_of(glm::ivec2 whole, glm::ivec2 largest);

}  // namespace pericenter::render

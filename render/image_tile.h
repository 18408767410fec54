#pragma once

#include <glm/glm.hpp>
#include <vector>

namespace pericenter::render {

/// What is drawn at once of a picture; rows from the bottom.
struct ImageTile {
  glm::ivec2 whole{0};  ///< size of the picture
  glm::ivec2 first{0};  ///< its pixel at the lower left of the part
  glm::ivec2 size{0};   ///< pixels of the part
  int level = 0;        ///< each is 2^level x 2^level of the picture
};

/// What enlarges the part of clip space that it shows to the whole.
glm::mat4 enlargement(const ImageTile& part);

/// A coarse view of the whole picture, from which the glow and the exposure of all its tiles come.
ImageTile overview_of(glm::ivec2 whole);

/// Tiles of nearly the same size, none larger than `largest`, that cover the picture.
std::vector<ImageTile> tiles_of(glm::ivec2 whole, glm::ivec2 largest);

}  // namespace pericenter::render

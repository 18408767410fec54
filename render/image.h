#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <string>
#include <vector>

namespace pericenter::render {

/// 8-bit RGB image, rows from the top.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

/// Linear light in red, green and blue, before exposure and tone curve. Rows from the bottom.
struct LightImage {
  int width = 0, height = 0;
  std::vector<float> rgb;
};

/// Encodes `image` as a Portable Float Map (PFM, little endian).
std::vector<std::uint8_t> encode_pfm(const LightImage& image);

/// Reads the colour of `framebuffer` (0: the back buffer of the window).
Image read_pixels(unsigned framebuffer, int width, int height);

/// A black image. Throws std::runtime_error when memory is exhausted.
Image black_image(int width, int height);

/// Copies `part` into `whole` at (x, y), its upper left pixel; it must fit.
void copy_into(const Image& part, int x, int y, Image& whole);

/// A text entry of a PNG file: a keyword of 1 to 79 Latin-1 characters, and UTF-8 text.
struct PngText {
  std::string keyword, text;
};

/// Encodes `image` as PNG, with `texts` in tEXt and iTXt chunks (ISO/IEC 15948:2004, 11.3.4).
std::vector<std::uint8_t> encode_png(const Image& image, std::span<const PngText> texts = {});

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

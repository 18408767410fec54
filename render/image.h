#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pericenter::render {

/// 8-bit RGB picture, rows from the top.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

/// Colour of framebuffer `framebuffer` (0: the window's back buffer).
Image read_pixels(unsigned framebuffer, int width, int height);

/// Bytes of a PNG file that shows `image`.
std::vector<std::uint8_t> encode_png(const Image& image);

}  // namespace pericenter::render

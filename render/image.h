#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pericenter::render {

/// 8-bit RGB image, rows from the top.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

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

}  // namespace pericenter::render

#pragma once

#include <cstdint>
#include <span>
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

/// A black one. Throws std::runtime_error when there is no memory for it.
Image empty_image(int width, int height);

/// Puts `part` into `whole`, its upper left pixel at x and y; it fits.
void copy_into(const Image& part, int x, int y, Image& whole);

/// Something that a PNG file says about itself: a keyword of 1 to 79 letters of Latin-1, and any text in UTF-8.
struct PngText {
  std::string keyword, text;
};

/// Bytes of a PNG file that shows `image` and holds `texts` in chunks tEXt and iTXt (ISO/IEC 15948:2004, 11.3.4).
std::vector<std::uint8_t> encode_png(const Image& image, std::span<const PngText> texts = {});

}  // namespace pericenter::render

#pragma once

#include <vector>

namespace pericenter::app {

struct DecodedImage {
  int width = 0, height = 0;
  std::vector<unsigned char> rgba;  ///< 4 bytes per pixel, rows from the top; empty: it could not be decoded
};

/// A PNG or JPEG file in memory.
DecodedImage decode_image(const unsigned char* begin, const unsigned char* end);

}  // namespace pericenter::app

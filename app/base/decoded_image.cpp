#include "app/base/decoded_image.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
#include <stb_image.h>

#include <cstddef>
#include <memory>

namespace pericenter::app {

DecodedImage decode_image(const unsigned char* begin, const unsigned char* end) {
  constexpr int kRgba = 4;
  DecodedImage image;
  const std::unique_ptr<unsigned char, decltype(&stbi_image_free)> pixels(
      stbi_load_from_memory(begin, static_cast<int>(end - begin), &image.width, &image.height, nullptr, kRgba),
      stbi_image_free);
  if (!pixels) return {};
  image.rgba.assign(pixels.get(), pixels.get() + std::ptrdiff_t{kRgba} * image.width * image.height);
  return image;
}

}  // namespace pericenter::app

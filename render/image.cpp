#include "render/image.h"

#include <glad/gl.h>
#include <stb_image_write.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>

namespace pericenter::render {

Image read_pixels(unsigned framebuffer, int width, int height) {
  Image image{.width = width, .height = height, .rgb = {}};
  const std::size_t row = static_cast<std::size_t>(width) * 3;
  image.rgb.resize(row * static_cast<std::size_t>(height));
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
  glNamedFramebufferReadBuffer(framebuffer, framebuffer == 0 ? GL_BACK : GL_COLOR_ATTACHMENT0);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, image.rgb.data());
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  // OpenGL's first row is the lowest.
  for (std::size_t top = 0, bottom = image.rgb.size() - row; top < bottom; top += row, bottom -= row) {
    std::swap_ranges(image.rgb.begin() + top, image.rgb.begin() + top + row, image.rgb.begin() + bottom);
  }
  return image;
}

std::vector<std::uint8_t> encode_png(const Image& image) {
  std::vector<std::uint8_t> bytes;
  const auto append = [](void* context, void* data, int size) {
    const auto* first = static_cast<const std::uint8_t*>(data);
    auto& out = *static_cast<std::vector<std::uint8_t>*>(context);
    out.insert(out.end(), first, first + size);
  };
  if (stbi_write_png_to_func(append, &bytes, image.width, image.height, 3, image.rgb.data(), image.width * 3) == 0) {
    throw std::runtime_error("a picture could not be encoded as PNG");
  }
  return bytes;
}

}  // namespace pericenter::render

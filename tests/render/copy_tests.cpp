#include <glad/gl.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "render/gl_info.h"
#include "render/headless_context.h"
#include "render/image.h"
#include "render/renderer.h"

namespace pericenter::render {
namespace {

constexpr glm::ivec2 kCopied(37, 23);  // pixels

using CopiedPixel = std::array<std::uint8_t, 3>;

CopiedPixel pattern(int x, int y) {
  return {static_cast<std::uint8_t>(7 * x), static_cast<std::uint8_t>(11 * y), static_cast<std::uint8_t>(x * y)};
}

/// Rows from the bottom, as OpenGL has them.
CopiedPixel pixel_of(const Image& image, int x, int y) {
  const std::size_t at = 3 * (static_cast<std::size_t>(image.height - 1 - y) * static_cast<std::size_t>(image.width) +
                              static_cast<std::size_t>(x));
  return {image.rgb[at], image.rgb[at + 1], image.rgb[at + 2]};
}

class Copy : public ::testing::Test {
 protected:
  Copy() {
    install_gl_debug(true);
    std::vector<std::uint8_t> pixels;
    for (int y = 0; y < kCopied.y; ++y) {
      for (int x = 0; x < kCopied.x; ++x) {
        const CopiedPixel pixel = pattern(x, y);
        pixels.insert(pixels.end(), pixel.begin(), pixel.end());
      }
    }
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTextureSubImage2D(source_.texture(), 0, 0, 0, kCopied.x, kCopied.y, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
  }

  HeadlessContext context_;
  Renderer renderer_;
  OffscreenTarget source_{kCopied.x, kCopied.y};
};

TEST_F(Copy, KeepsEveryPixelAndItsSurroundings) {
  constexpr int kLeft = 5, kBottom = 9, kSide = 64;
  const OffscreenTarget target(kSide, kSide);
  const float white[4] = {1, 1, 1, 1};
  glClearNamedFramebufferfv(target.framebuffer(), GL_COLOR, 0, white);
  glEnable(GL_BLEND);  // other code may leave this
  glEnable(GL_SCISSOR_TEST);
  glScissor(0, 0, 1, 1);
  renderer_.copy(source_, target.framebuffer(), {kLeft, kBottom}, kCopied);
  const Image image = read_pixels(target.framebuffer(), kSide, kSide);
  check_gl();
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      const int from_x = x - kLeft, from_y = y - kBottom;
      const bool inside = from_x >= 0 && from_y >= 0 && from_x < kCopied.x && from_y < kCopied.y;
      ASSERT_EQ(pixel_of(image, x, y), inside ? pattern(from_x, from_y) : CopiedPixel({255, 255, 255}))
          << x << ' ' << y;
    }
  }
}

TEST_F(Copy, StretchesTheImage) {
  const OffscreenTarget target(2 * kCopied.x, 2 * kCopied.y);
  renderer_.copy(source_, target.framebuffer(), {0, 0}, 2 * kCopied);
  const Image image = read_pixels(target.framebuffer(), 2 * kCopied.x, 2 * kCopied.y);
  check_gl();
  EXPECT_EQ(pixel_of(image, 0, 0), pattern(0, 0));
  EXPECT_EQ(pixel_of(image, 2 * kCopied.x - 1, 2 * kCopied.y - 1), pattern(kCopied.x - 1, kCopied.y - 1));
  // A quarter of a source pixel beyond the centre of pixel 9.
  EXPECT_NEAR(pixel_of(image, 19, 0)[0], 0.75 * pattern(9, 0)[0] + 0.25 * pattern(10, 0)[0], 1.01);
}

}  // namespace
}  // namespace pericenter::render

#include "render/image.h"

#include <glad/gl.h>
#include <stb_image_write.h>

#include <algorithm>
#include <cstddef>
#include <glm/gtc/matrix_transform.hpp>
#include <new>
#include <stdexcept>

#include "render/light_levels.h"

namespace pericenter::render {
namespace {

constexpr std::size_t kHeaderEnd = 8 + 25;  // a PNG file begins with its signature and IHDR chunk

void append_number(std::vector<std::uint8_t>& bytes, std::uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::uint8_t>(number >> shift));
}

/// CRC of a PNG chunk, ISO/IEC 15948:2004, annex D.
std::uint32_t check_sum(std::span<const std::uint8_t> bytes) {
  std::uint32_t sum = 0xFFFFFFFF;
  for (const std::uint8_t byte : bytes) {
    sum ^= byte;
    for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ (sum & 1 ? 0xEDB88320 : 0);
  }
  return ~sum;
}

bool is_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char letter) { return static_cast<unsigned char>(letter) < 128; });
}

/// Uses tEXt for ASCII, because more programs read it, and iTXt otherwise.
void append_text(std::vector<std::uint8_t>& bytes, const PngText& text) {
  const std::string data = is_ascii(text.text)
                               ? "tEXt" + text.keyword + '\0' + text.text
                               : "iTXt" + text.keyword + std::string(5, '\0') + text.text;  // uncompressed, no language
  append_number(bytes, static_cast<std::uint32_t>(data.size() - 4));
  const std::size_t first = bytes.size();
  bytes.insert(bytes.end(), data.begin(), data.end());
  append_number(bytes, check_sum(std::span(bytes).subspan(first)));
}

}  // namespace

Image read_pixels(unsigned framebuffer, int width, int height) {
  Image image{.width = width, .height = height, .rgb = {}};
  const std::size_t row = static_cast<std::size_t>(width) * 3;
  image.rgb.resize(row * static_cast<std::size_t>(height));
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
  glNamedFramebufferReadBuffer(framebuffer, framebuffer == 0 ? GL_BACK : GL_COLOR_ATTACHMENT0);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, image.rgb.data());
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  // OpenGL rows start at the bottom.
  for (std::size_t top = 0, bottom = image.rgb.size() - row; top < bottom; top += row, bottom -= row) {
    std::swap_ranges(image.rgb.begin() + top, image.rgb.begin() + top + row, image.rgb.begin() + bottom);
  }
  return image;
}

Image black_image(int width, int height) try {
  Image image{.width = width, .height = height, .rgb = {}};
  image.rgb.resize(3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  return image;
} catch (const std::bad_alloc&) {
  throw std::runtime_error("Out of memory for an image of " + std::to_string(width) + " x " + std::to_string(height) +
                           " pixels. Choose a smaller size.");
}

void copy_into(const Image& part, int x, int y, Image& whole) {
  const std::ptrdiff_t row = std::ptrdiff_t{3} * part.width;
  for (std::ptrdiff_t k = 0; k < part.height; ++k) {
    std::copy_n(part.rgb.begin() + k * row, row, whole.rgb.begin() + 3 * ((y + k) * whole.width + x));
  }
}

std::vector<std::uint8_t> encode_png(const Image& image, std::span<const PngText> texts) {
  std::vector<std::uint8_t> bytes;
  const auto append = [](void* context, void* data, int size) {
    const auto* first = static_cast<const std::uint8_t*>(data);
    auto& out = *static_cast<std::vector<std::uint8_t>*>(context);
    out.insert(out.end(), first, first + size);
  };
  if (stbi_write_png_to_func(append, &bytes, image.width, image.height, 3, image.rgb.data(), image.width * 3) == 0) {
    throw std::runtime_error("PNG encoding failed.");
  }
  std::vector<std::uint8_t> chunks;
  for (const PngText& text : texts) append_text(chunks, text);
  bytes.insert(bytes.begin() + kHeaderEnd, chunks.begin(), chunks.end());
  return bytes;
}

std::vector<std::uint8_t> encode_pfm(const LightImage& image) {
  const std::string header = "PF\n" + std::to_string(image.width) + ' ' + std::to_string(image.height) + "\n-1.0\n";
  std::vector<std::uint8_t> bytes(header.begin(), header.end());
  const auto values = std::as_bytes(std::span(image.rgb));
  for (const std::byte value : values) bytes.push_back(static_cast<std::uint8_t>(value));
  return bytes;
}

glm::mat4 tile_transform(const ImageTile& tile) {
  const glm::vec2 whole(tile.whole), extent(tile.size * (1 << tile.level));
  const glm::vec2 shift = (whole - 2.0f * glm::vec2(tile.first)) / extent - 1.0f;
  return glm::scale(glm::translate(glm::mat4(1), {shift, 0}), {whole / extent, 1});
}

ImageTile overview_of(glm::ivec2 whole) {
  constexpr std::int64_t kMaxPixels = std::int64_t{1} << 22;
  constexpr int kBloomLevels = 6;  // finer levels do not bloom
  ImageTile tile{.whole = whole, .level = std::clamp(LightLevels::coarsest(whole.y) - kBloomLevels, 1, 3)};
  const auto size = [&] { return (whole + ((1 << tile.level) - 1)) / (1 << tile.level); };
  while (std::int64_t{size().x} * size().y > kMaxPixels) ++tile.level;
  tile.size = size();
  return tile;
}

std::vector<ImageTile> tiles_of(glm::ivec2 whole, glm::ivec2 largest) {
  const glm::ivec2 number = (whole + largest - 1) / largest;
  const glm::ivec2 side = (whole + number - 1) / number;
  std::vector<ImageTile> tiles;
  for (int y = 0; y < whole.y; y += side.y) {
    for (int x = 0; x < whole.x; x += side.x) {
      const glm::ivec2 first(x, y);
      tiles.push_back({.whole = whole, .first = first, .size = glm::min(side, whole - first)});
    }
  }
  return tiles;
}

}  // namespace pericenter::render

#include "tests/render/golden_image.h"

#include <gtest/gtest.h>
#include <stb_image.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <memory>

#include "render/gl_info.h"
#include "tests/render/test_scene.h"

#include "tests/support/paths.h"

namespace pericenter::render {
namespace {

constexpr double kMaxMean = 0.6;
constexpr double kEqual = 999;
constexpr int kMaxOff = 8;
constexpr double kMaxShareOff = 0.001;
constexpr double kMinPsnr = 45;  // dB, on the software renderer; on a GPU a few stars may shift

void write_png(const std::string& path, const Image& image) {
  const std::vector<std::uint8_t> bytes = encode_png(image);
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

Image read_png(const std::string& path) {
  Image image;
  int channels = 0;
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load(path.c_str(), &image.width, &image.height, &channels, 3), stbi_image_free);
  if (pixels) image.rgb.assign(pixels.get(), pixels.get() + static_cast<std::size_t>(image.width) * image.height * 3);
  return image;
}

struct Difference {
  double mean = 255;
  double share_off = 1;
  double psnr = 0;  ///< dB; kEqual for equal images
};

Difference difference(const Image& got, const Image& wanted) {
  double sum = 0, squares = 0;
  std::size_t off = 0;
  for (std::size_t pixel = 0; pixel < got.rgb.size(); pixel += 3) {
    int worst = 0;
    for (std::size_t channel = pixel; channel < pixel + 3; ++channel) {
      const int error = std::abs(got.rgb[channel] - wanted.rgb[channel]);
      sum += error;
      squares += static_cast<double>(error) * error;
      worst = std::max(worst, error);
    }
    off += worst > kMaxOff ? 1 : 0;
  }
  const double channels = static_cast<double>(got.rgb.size());
  return {.mean = sum / channels,
          .share_off = 3.0 * static_cast<double>(off) / channels,
          .psnr = squares > 0 ? 10 * std::log10(255.0 * 255.0 * channels / squares) : kEqual};
}

}  // namespace

void expect_golden(const std::string& name, const Image& got) {
  const std::string path = std::string(test::kGoldenFolder) + '/' + name + ".png";
  if (std::getenv("PERICENTER_UPDATE_GOLDEN") != nullptr) return write_png(path, got);
  const Image wanted = read_png(path);
  ASSERT_TRUE(wanted.width == got.width && wanted.height == got.height) << "cannot read " << path;
  const Difference found = difference(got, wanted);
  const std::string got_path = std::string(test::kOutputFolder) + '/' + name + "_got.png";
  if (found.mean > kMaxMean || found.share_off > kMaxShareOff) write_png(got_path, got);
  EXPECT_LE(found.mean, kMaxMean) << "see " << got_path;
  EXPECT_LE(found.share_off, kMaxShareOff) << "see " << got_path;
  testing::Test::RecordProperty("psnr", std::to_string(found.psnr));
  EXPECT_GE(found.psnr, gl_info().software ? kMinPsnr : 0) << "see " << got_path;
}

void expect_golden(const std::string& name, const Scene& scene) {
  HeadlessContext context;
  install_gl_debug(true);
  Renderer renderer;
  expect_golden(name, draw(renderer, scene));
}

}  // namespace pericenter::render

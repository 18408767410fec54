// Pictures against stored ones. Two versions of Mesa draw one pixel of 230,400 differently (79 dB), so equality would
// be too strict; 45 dB is a mean error of 1.4 steps of 255, which the eye does not see, and 0.1 % of the pixels may hit
// another side of a pixel's edge altogether.
#include <gtest/gtest.h>
#include <stb_image.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <memory>

#include "render/gl_info.h"
#include "tests/render/picture.h"

namespace pericenter::render {
namespace {

constexpr double kMinPsnr = 45;
constexpr int kOffBy = 8;
constexpr double kMaxShareOff = 0.001;

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
  double psnr = 0;
  double share_off = 1;
};

Difference difference(const Image& got, const Image& wanted) {
  double squares = 0;
  std::size_t off = 0;
  for (std::size_t pixel = 0; pixel < got.rgb.size(); pixel += 3) {
    int worst = 0;
    for (std::size_t channel = pixel; channel < pixel + 3; ++channel) {
      const int error = std::abs(got.rgb[channel] - wanted.rgb[channel]);
      squares += error * error;
      worst = std::max(worst, error);
    }
    off += worst > kOffBy ? 1 : 0;
  }
  const double mean = squares / static_cast<double>(got.rgb.size());
  return {.psnr = mean == 0 ? INFINITY : 10 * std::log10(255 * 255 / mean),
          .share_off = 3.0 * static_cast<double>(off) / static_cast<double>(got.rgb.size())};
}

class Golden : public testing::Test {
 protected:
  void compare(const std::string& name, const Scene& scene) {
    HeadlessContext context;
    install_gl_debug(true);
    Renderer renderer;
    const Image got = draw(renderer, scene);
    const std::string path = std::string(PERICENTER_GOLDEN_DIR) + '/' + name + ".png";
    if (std::getenv("PERICENTER_UPDATE_GOLDEN") != nullptr) {
      write_png(path, got);
      GTEST_SKIP() << "wrote " << path;
    }
    const Image wanted = read_png(path);
    const std::string got_path = std::string(PERICENTER_OUTPUT_DIR) + '/' + name + "_got.png";
    ASSERT_TRUE(wanted.width == got.width && wanted.height == got.height) << "cannot read " << path;
    const Difference found = difference(got, wanted);
    if (found.psnr < kMinPsnr || found.share_off > kMaxShareOff) write_png(got_path, got);
    EXPECT_GE(found.psnr, kMinPsnr) << "see " << got_path;
    EXPECT_LE(found.share_off, kMaxShareOff) << "see " << got_path;
  }
};

TEST_F(Golden, SplatByComponent) {
  Scene scene = two_spirals(30'000);
  scene.picture.style = StarStyle::splat;
  compare("splat_component", scene);
}

TEST_F(Golden, SpritesByComponentWithHalo) {
  Scene scene = two_spirals(1'500);
  scene.picture.style = StarStyle::sprites;
  scene.picture.show_halo = true;
  compare("sprites", scene);
}

TEST_F(Golden, SplatByGalaxy) {
  Scene scene = two_spirals(30'000);
  scene.picture.color = ColorMode::origin;
  compare("galaxy", scene);
}

TEST_F(Golden, SplatBySpeed) {
  Scene scene = two_spirals(30'000);
  scene.picture.color = ColorMode::speed;
  compare("speed", scene);
}

TEST_F(Golden, Cubes) {
  Scene scene = two_spirals(3'000);
  scene.cells = tree_cells(6);
  scene.boxes = {.show = true, .opacity = 0.6f};
  compare("cubes", scene);
}

TEST_F(Golden, SquaresFromAbove) {
  Scene scene = two_spirals(3'000);
  scene.camera.look_down();
  scene.cells = tree_cells(6);
  scene.boxes = {.show = true, .opacity = 0.6f, .flat = true};
  compare("squares", scene);
}

}  // namespace
}  // namespace pericenter::render

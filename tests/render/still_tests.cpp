// Stills: images of any size, in tiles if large.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <stdexcept>

#include "render/gl_info.h"
#include "render/image.h"
#include "tests/render/test_scene.h"

namespace pericenter::render {
namespace {

class Stills : public testing::Test {
 protected:
  Stills() { install_gl_debug(true); }

  Image at_once(const Frame& frame, int width, int height) { return draw_in_one_pass(renderer_, frame, width, height); }

  HeadlessContext context_;
  Renderer renderer_;
};

TEST(Tiles, CoverEveryPixelOnce) {
  for (const glm::ivec2 whole : {glm::ivec2(1, 1), {2048, 2048}, {2049, 7}, {7680, 4320}, {16384, 16384}, {5001, 3}}) {
    std::int64_t pixels = 0;
    for (const ImageTile& tile : tiles_of(whole, {2048, 1800})) {
      EXPECT_TRUE(tile.size.x > 0 && tile.size.y > 0 && tile.size.x <= 2048 && tile.size.y <= 1800);
      EXPECT_TRUE(tile.first.x + tile.size.x <= whole.x && tile.first.y + tile.size.y <= whole.y);
      pixels += std::int64_t{tile.size.x} * tile.size.y;
    }
    EXPECT_EQ(pixels, std::int64_t{whole.x} * whole.y);
  }
}

TEST(Tiles, TransformMapsTheTileToTheViewport) {
  const ImageTile part{.whole = {400, 300}, .first = {100, 30}, .size = {50, 60}, .level = 1};
  const auto clip_of = [](float x, float y) { return glm::vec4(2 * x / 400 - 1, 2 * y / 300 - 1, 0, 1); };
  const glm::vec4 low = tile_transform(part) * clip_of(100, 30), high = tile_transform(part) * clip_of(200, 150);
  EXPECT_NEAR(low.x, -1, 1e-5);
  EXPECT_NEAR(low.y, -1, 1e-5);
  EXPECT_NEAR(high.x, 1, 1e-5);
  EXPECT_NEAR(high.y, 1, 1e-5);
  // Also with a depth.
  const glm::vec4 deep = tile_transform(part) * (3.0f * clip_of(200, 150));
  EXPECT_NEAR(deep.x / deep.w, 1, 1e-5);
}

TEST(Tiles, OverviewIsCoarseAndComplete) {
  for (const glm::ivec2 whole : {glm::ivec2(2304, 1700), {7680, 4320}, {16384, 16384}, {16384, 300}, {300, 16384}}) {
    const ImageTile part = overview_of(whole);
    EXPECT_LE(std::int64_t{part.size.x} * part.size.y, std::int64_t{1} << 22);
    EXPECT_GE(part.level, 1);
    EXPECT_TRUE(part.size.x << part.level >= whole.x && part.size.y << part.level >= whole.y);
  }
}

TEST_F(Stills, TilesMatchASinglePass) {
  Scene scene = two_spirals(4'000);
  renderer_.set_boxes(tree_cells(4));
  const VertexBuffer buffer(scene.vertices);
  for (const Background background : {Background::dark, Background::light}) {
    scene.settings.background = background;
    const Frame picture{.stars = buffer.stars(),
                        .camera = scene.camera,
                        .settings = scene.settings,
                        .boxes = {.show = background == Background::dark}};
    const Image whole = at_once(picture, 2560, 1440);
    int tiles = 0;
    const Image tiled = renderer_.still(picture, 2560, 1440, [&](const Tile&) { return ++tiles > 0; });
    EXPECT_TRUE(tiles == 2 || !gl_info().software);
    ASSERT_EQ(tiled.rgb.size(), whole.rgb.size());
    double sum = 0;
    int most = 0;
    std::size_t off = 0;
    for (std::size_t i = 0; i < whole.rgb.size(); ++i) {
      const int error = std::abs(whole.rgb[i] - tiled.rgb[i]);
      sum += error;
      most = std::max(most, error);
      off += error > 8 ? 1 : 0;
    }
    EXPECT_LT(sum / static_cast<double>(whole.rgb.size()), 0.5);
    // Tiles take the finest smoothed level from the overview, which is accumulated at a lower resolution.
    EXPECT_LT(static_cast<double>(off) / static_cast<double>(whole.rgb.size()), 0.005) << most;
  }
}

TEST_F(Stills, OverlaySeesEveryTileAndCanCancel) {
  const Scene scene = two_spirals(500);
  const VertexBuffer buffer(scene.vertices);
  const Frame picture{.stars = buffer.stars(), .camera = scene.camera};
  std::int64_t pixels = 0;
  int tiles = 0;
  const Image image = renderer_.still(picture, 5000, 2200, [&](const Tile& tile) {
    EXPECT_EQ(tile.whole, glm::ivec2(5000, 2200));
    pixels += std::int64_t{tile.size.x} * tile.size.y;
    ++tiles;
    return true;
  });
  EXPECT_EQ(pixels, std::int64_t{5000} * 2200);
  EXPECT_GT(tiles, 1);
  EXPECT_EQ(image.rgb.size(), static_cast<std::size_t>(pixels) * 3);
  EXPECT_TRUE(renderer_.still(picture, 5000, 2200, [](const Tile&) { return false; }).rgb.empty());
  EXPECT_TRUE(renderer_.still(picture, 30, 20, [](const Tile&) { return false; }).rgb.empty());
}

TEST_F(Stills, ImpossibleSizeThrows) {
  for (const auto& [width, height] : {std::pair{0, 10}, {10, -1}, {kMaxStillSide + 1, 10}}) {
    EXPECT_THROW(renderer_.still({}, width, height), std::runtime_error) << width;
  }
}

TEST_F(Stills, StillKeepsTheExposureOfTheWindow) {
  const Scene scene = two_spirals(3'000);
  const VertexBuffer all(scene.vertices), few({scene.vertices.begin(), scene.vertices.begin() + 50});
  Frame live{.stars = all.stars(), .camera = scene.camera};
  at_once(live, 320, 180);
  live.seconds = 0;
  const Image before = at_once(live, 320, 180);
  const Frame other{.stars = few.stars(), .camera = scene.camera};
  const Image still = renderer_.still(other, 320, 180);
  EXPECT_EQ(at_once(live, 320, 180).rgb, before.rgb);
  EXPECT_EQ(renderer_.still(other, 320, 180).rgb, still.rgb);
}

}  // namespace
}  // namespace pericenter::render

#include <glad/gl.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "render/box_pass.h"
#include "render/color_map.h"
#include "render/gl_info.h"
#include "tests/render/test_scene.h"

namespace pericenter::render {
namespace {

/// All cells of a regular tree with `depth` levels.
std::vector<Box> full_tree(int depth, float half) {
  std::vector<Box> boxes;
  for (int level = 0; level <= depth; ++level) {
    const int side = 1 << level;
    const float small = half / static_cast<float>(side);
    for (int i = 0; i < side * side * side; ++i) {
      const int at[3] = {i % side, i / side % side, i / side / side};
      Box box{.center = {}, .half_width = {small, small, small}, .level = level};
      for (int k = 0; k < 3; ++k) box.center[k] = small * static_cast<float>(2 * at[k] + 1) - half;
      boxes.push_back(box);
    }
  }
  return boxes;
}

OverlayView view_of(const Camera& camera, glm::ivec2 size = {640, 360}) {
  const float aspect = static_cast<float>(size.x) / static_cast<float>(size.y);
  return {.clip_from_world = camera.projection(aspect) * camera.view(),
          .size = size,
          .drawn = size,
          .focus = camera.distance()};
}

class Boxes : public testing::Test {
 protected:
  Boxes() {
    install_gl_debug(true);
    camera_.fit(10);
  }
  std::size_t seen(const std::vector<Box>& boxes) {
    const OffscreenTarget target(640, 360);
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer());
    pass_.set_boxes(boxes);
    pass_.draw({.show = true}, view_of(camera_));
    check_gl();
    return pass_.drawn();
  }

  HeadlessContext context_;
  ShaderLibrary library_{""};
  BoxPass pass_{library_};
  Camera camera_;
};

TEST_F(Boxes, OnlyVisibleBoxesAreDrawn) {
  const std::vector<Box> boxes = full_tree(4, 10);
  const std::size_t all = seen(boxes);
  EXPECT_GT(all, boxes.size() / 2);
  camera_.zoom(16);
  const std::size_t near = seen(boxes);
  EXPECT_LT(near, all / 4);
  EXPECT_GE(near, 5u);  // one per level contains the camera
  camera_.move_target({1000, 1000, 0});
  camera_.look_down();
  EXPECT_EQ(seen(boxes), 0u);
}

TEST_F(Boxes, BoxesAcrossTheEdgeOrAroundTheCameraAreDrawn) {
  const glm::vec3 eye = camera_.position();
  EXPECT_EQ(seen({{.center = {eye.x, eye.y, eye.z}, .half_width = {1, 1, 1}, .level = 0}}), 1u);
  EXPECT_EQ(seen({{.center = {0, 0, 0}, .half_width = {1e4f, 1e4f, 1e4f}, .level = 0}}), 1u);
  EXPECT_EQ(seen({{.center = {2 * eye.x, 2 * eye.y, 2 * eye.z}, .half_width = {1, 1, 1}, .level = 0}}), 0u);
  // A thin box across the whole frame, with both ends outside.
  EXPECT_EQ(seen({{.center = {0, 0, 0}, .half_width = {500, 0.01f, 0.01f}, .level = 3}}), 1u);
}

TEST_F(Boxes, SubpixelBoxesAreSkipped) {
  std::vector<Box> boxes = full_tree(2, 10);
  const std::size_t large = seen(boxes);
  for (int i = 0; i < 1000; ++i)
    boxes.push_back({.center = {1, 1, 1}, .half_width = {1e-3f, 1e-3f, 1e-3f}, .level = 9});
  EXPECT_EQ(seen(boxes), large);
}

TEST_F(Boxes, LargestBoxesAreDrawnWhenThereAreTooMany) {
  // Drawing 300,000 cells would take seconds in software.
  const std::size_t count = seen(full_tree(6, 10));
  EXPECT_GE(count, 1000u);
  EXPECT_LE(count, gl_info().software ? 20'000u : 40'000u);
}

TEST_F(Boxes, HiddenBoxesReleaseTheirMemory) {
  const auto held_with = [&](const std::vector<Box>& boxes) {
    seen(boxes);
    const auto now = mallinfo2();
    return now.uordblks + now.hblkhd;
  };
  const std::vector<Box> boxes = full_tree(6, 10);
  const std::size_t shown = held_with(boxes);
  if (shown == 0) GTEST_SKIP() << "a sanitizer counts the memory";
  EXPECT_LT(held_with({}), shown - boxes.size() * sizeof(Box));
}

TEST_F(Boxes, ImageDoesNotDependOnTheOrder) {
  Renderer renderer;
  Scene scene = two_spirals(100);
  scene.cells = full_tree(3, 6);
  scene.boxes = {.show = true, .fill = 0.3f};
  const Image first = draw(renderer, scene);
  EXPECT_EQ(draw(renderer, scene).rgb, first.rgb);
}

TEST_F(Boxes, FillShowsOverlap) {
  Renderer renderer;
  Scene scene;
  scene.camera.fit(2);
  scene.camera.look_down();
  scene.boxes = {.show = true, .opacity = 0, .fill = 1, .flat = true};
  const auto middle = [&](int boxes) {
    scene.cells.assign(static_cast<std::size_t>(boxes), {.center = {0, 0, 0}, .half_width = {1, 1, 0}, .level = 1});
    const Image image = draw(renderer, scene);
    const std::size_t at = 3 * (static_cast<std::size_t>(image.height / 2) * image.width + image.width / 2);
    return image.rgb[at] + image.rgb[at + 1] + image.rgb[at + 2];
  };
  EXPECT_GT(middle(1), middle(0) + 10);
  EXPECT_GT(middle(2), middle(1) + 10);
  // On a light background, overlap makes the image darker.
  scene.settings.background = Background::light;
  EXPECT_LT(middle(1), middle(0) - 10);
  EXPECT_LT(middle(60), middle(1));
}

TEST_F(Boxes, LineWidthScalesWithTheHeight) {
  Renderer renderer;
  Scene scene;
  scene.camera.fit(2);
  scene.camera.look_down();
  scene.cells = {{.center = {0, 0, 0}, .half_width = {1, 1, 0}, .level = 1}};
  scene.boxes = {.show = true, .opacity = 1, .fill = 0, .flat = true};
  const auto lit_share = [&](int height) {
    scene.width = height;
    scene.height = height;
    const Image image = draw(renderer, scene);
    scene.boxes.show = false;
    const Image without = draw(renderer, scene);
    scene.boxes.show = true;
    double light = 0;
    for (std::size_t k = 0; k < image.rgb.size(); ++k) light += std::abs(image.rgb[k] - without.rgb[k]);
    return light / static_cast<double>(image.rgb.size());
  };
  const double small = lit_share(720), large = lit_share(1440);
  EXPECT_NEAR(large, small, 0.1 * small);
}

TEST_F(Boxes, ADescentHidesDeeperLevels) {
  Renderer renderer;
  Scene scene;
  scene.camera.fit(2);
  scene.cells = {{.center = {0, 0, 0}, .half_width = {1, 1, 1}, .level = 0},
                 {.center = {0.5f, 0.5f, 0.5f}, .half_width = {0.5f, 0.5f, 0.5f}, .level = 1}};
  scene.boxes = {.show = false, .opacity = 1, .fill = 0};
  const Image without = draw(renderer, scene);
  scene.boxes.show = true;
  const auto lit = [&](float revealed) {
    scene.boxes.revealed = revealed;
    const Image image = draw(renderer, scene);
    double light = 0;
    for (std::size_t k = 0; k < image.rgb.size(); ++k) light += std::abs(image.rgb[k] - without.rgb[k]);
    return light;
  };
  EXPECT_EQ(lit(0), 0);
  const double root = lit(1), half = lit(1.5f), both = lit(2);
  EXPECT_GT(root, 0);
  EXPECT_GT(half, root);
  EXPECT_GT(both, half);
  EXPECT_EQ(lit(std::numeric_limits<float>::infinity()), both);
}

TEST(LevelColors, NeighborsDifferAndBothBackgroundsHaveContrast) {
  for (const Background background : {Background::dark, Background::light}) {
    const auto colors = level_colors(background);
    for (std::size_t k = 0; k < colors.size(); ++k) {
      if (k > 0) {
        EXPECT_GE(glm::distance(colors[k], colors[k - 1]), 0.15f) << k;
      }
      const float luminance = glm::dot(colors[k], glm::vec3(0.2126f, 0.7152f, 0.0722f));
      EXPECT_TRUE(background == Background::dark ? luminance > 0.35f : luminance < 0.6f) << k << ": " << luminance;
    }
  }
}

}  // namespace
}  // namespace pericenter::render

#include "render/renderer.h"

#include <glad/gl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ios>
#include <limits>
#include <numeric>
#include <utility>

#include "render/gl_info.h"
#include "tests/render/picture.h"

namespace pericenter::render {
namespace {

double mean_of(const Image& image) {
  return std::accumulate(image.rgb.begin(), image.rgb.end(), 0.0) / static_cast<double>(image.rgb.size());
}

class RendererTest : public testing::Test {
 protected:
  RendererTest() { install_gl_debug(true); }

  HeadlessContext context_;
  Renderer renderer_;
};

TEST_F(RendererTest, TheSameBodiesGiveTheSameBytes) {
  for (const StarStyle style : {StarStyle::splat, StarStyle::sprites}) {
    Scene scene = two_spirals(20'000);
    scene.picture.style = style;
    const Image first = draw(renderer_, scene);
    EXPECT_EQ(draw(renderer_, scene).rgb, first.rgb);
    std::reverse(scene.vertices.begin(), scene.vertices.end());
    EXPECT_EQ(draw(renderer_, scene).rgb, first.rgb) << "the order of the bodies shows";
  }
}

TEST_F(RendererTest, BrightnessDoesNotDependOnTheNumberOfBodies) {
  Scene few = two_spirals(15'000), many = two_spirals(60'000);
  // A glow of 1 smooths out how the stars are sprinkled.
  few.picture.glow = many.picture.glow = 1;
  EXPECT_NEAR(mean_of(draw(renderer_, few)), mean_of(draw(renderer_, many)), 1);
}

TEST_F(RendererTest, HandOverFromSpritesToSplatsDoesNotJump) {
  Scene scene = two_spirals(20'000);
  scene.picture.glow = 1;
  scene.picture.style = StarStyle::splat;
  const double splat = mean_of(draw(renderer_, scene));
  scene.picture.style = StarStyle::sprites;
  EXPECT_NEAR(mean_of(draw(renderer_, scene)), splat, 0.5);
}

TEST_F(RendererTest, ZoomingKeepsTheBrightnessOfASurface) {
  Scene sheet;
  for (int i = 0; i < 160'000; ++i) {
    const float x = static_cast<float>(i % 400) - 199.5f, y = static_cast<float>(i / 400) - 199.5f;
    sheet.vertices.push_back({.x = x, .y = y, .z = 0, .attribute = make_tag(0, Component::bulge)});
  }
  sheet.camera.fit(100);
  sheet.camera.look_down();
  sheet.picture.glow = 1;
  const double far = mean_of(draw(renderer_, sheet));
  sheet.camera.zoom(3);
  EXPECT_NEAR(mean_of(draw(renderer_, sheet)), far, 0.03 * far);
  sheet.width *= 2;
  sheet.height *= 2;
  EXPECT_NEAR(mean_of(draw(renderer_, sheet)), far, 0.03 * far);
}

TEST_F(RendererTest, NotANumberChangesNothing) {
  Scene scene = two_spirals(3'000);
  const Image before = draw(renderer_, scene);
  // At the same count, because that sets the fixed-point scale.
  Scene spoilt = scene;
  for (int i = 0; i < 200; ++i) {
    scene.vertices.push_back({.x = 0, .y = 0, .z = 0, .attribute = make_tag(0, Component::halo)});
    spoilt.vertices.push_back({.x = i % 2 ? std::numeric_limits<float>::quiet_NaN() : INFINITY, .y = 0, .z = 0});
  }
  EXPECT_EQ(draw(renderer_, spoilt).rgb, draw(renderer_, scene).rgb);
}

TEST_F(RendererTest, TheHaloIsHiddenByDefault) {
  Scene scene = two_spirals(3'000);
  const Image with_hidden = draw(renderer_, scene);
  for (Vertex& vertex : scene.vertices) {
    if (component_of(vertex.attribute) == Component::halo) vertex.x = vertex.y = vertex.z = 0;
  }
  EXPECT_EQ(draw(renderer_, scene).rgb, with_hidden.rgb);
  scene.picture.show_halo = true;
  EXPECT_NE(draw(renderer_, scene).rgb, with_hidden.rgb);
}

TEST_F(RendererTest, NoBodiesGiveADarkBlueBackground) {
  Scene scene;
  const Image image = draw(renderer_, scene);
  for (std::size_t i = 0; i < image.rgb.size(); i += 3) {
    ASSERT_LE(image.rgb[i + 2], 24);
    ASSERT_GE(image.rgb[i + 2], image.rgb[i]);
    ASSERT_GT(image.rgb[i + 2], 2);
  }
}

TEST_F(RendererTest, ExposureBrightens) {
  Scene scene = two_spirals(3'000);
  double last = 0;
  for (const float stops : {-2.0f, 0.0f, 2.0f}) {
    scene.picture.exposure = stops;
    const double mean = mean_of(draw(renderer_, scene));
    EXPECT_GT(mean, last + 1);
    last = mean;
  }
}

TEST_F(RendererTest, TheGlowIsCentredOnItsStar) {
  // Sizes that do not halve evenly.
  for (const auto& [width, height] : {std::pair{360, 202}, {203, 361}}) {
    Scene scene;
    scene.vertices = {{.x = 0, .y = 0, .z = 0, .attribute = 0}};
    scene.picture.glow = 1;
    scene.picture.exposure = -2;
    scene.width = width;
    scene.height = height;
    const Image image = draw(renderer_, scene);
    double sum = 0, x = 0, y = 0;
    for (int i = 0; i < width * height; ++i) {
      const double light = std::max(image.rgb[3 * i] - 10, 0);
      sum += light;
      x += light * (i % width + 0.5);
      y += light * (i / width + 0.5);
    }
    EXPECT_NEAR(x / sum, 0.5 * width, 2);
    EXPECT_NEAR(y / sum, 0.5 * height, 2);
  }
}

TEST_F(RendererTest, EverySizeWorksAndTheFirstComesBackTheSame) {
  Scene scene = two_spirals(3'000);
  scene.cells = tree_cells(3);
  scene.boxes.show = true;
  const Image first = draw(renderer_, scene);
  for (const auto& [width, height] : {std::pair{1, 1}, {2, 1}, {1, 700}, {37, 41}, {1920, 1080}, {320, 180}}) {
    scene.width = width;
    scene.height = height;
    EXPECT_EQ(draw(renderer_, scene).rgb.size(), static_cast<std::size_t>(width) * height * 3);
  }
  EXPECT_EQ(draw(renderer_, scene).rgb, first.rgb);
}

TEST_F(RendererTest, APictureBeyondWhatABufferHoldsIsDrawnWhole) {
  Scene scene = two_spirals(3'000);
  scene.width = 7680;
  scene.height = 4320;
  const Image image = draw(renderer_, scene);
  const auto brightest = [&](int left, int top) {
    int value = 0;
    for (int y = top; y < top + scene.height / 2; ++y) {
      const auto row = image.rgb.begin() + 3 * (static_cast<std::ptrdiff_t>(y) * scene.width + left);
      value = std::max<int>(value, *std::max_element(row, row + 3 * (scene.width / 2)));
    }
    return value;
  };
  for (const int left : {0, scene.width / 2}) {
    for (const int top : {0, scene.height / 2}) EXPECT_GT(brightest(left, top), 100) << left << ' ' << top;
  }
}

TEST_F(RendererTest, AnEmptyWindowIsLeftAlone) {
  renderer_.draw({}, 0, 0, 0);
  renderer_.draw({}, 0, 100, 0);
  EXPECT_NO_THROW(check_gl());
}

TEST_F(RendererTest, StateLeftOnByOthersDoesNotShow) {
  const Scene scene = two_spirals(1'000);
  const Image plain = draw(renderer_, scene);
  for (const GLenum capability : {GL_BLEND, GL_CULL_FACE, GL_DEPTH_TEST, GL_SCISSOR_TEST, GL_STENCIL_TEST}) {
    glEnable(capability);
  }
  glScissor(0, 0, 3, 3);
  glCullFace(GL_FRONT_AND_BACK);
  glColorMask(GL_TRUE, GL_FALSE, GL_FALSE, GL_TRUE);
  glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
  EXPECT_EQ(draw(renderer_, scene).rgb, plain.rgb);
}

TEST_F(RendererTest, NothingStaysBoundButTheTarget) {
  const OffscreenTarget target(32, 32);
  const Scene scene = two_spirals(100);
  const VertexBuffer buffer(scene.vertices);
  renderer_.draw({.stars = buffer.stars(), .camera = scene.camera}, target.framebuffer(), 32, 32);
  for (const GLenum binding : {GL_CURRENT_PROGRAM, GL_VERTEX_ARRAY_BINDING, GL_ARRAY_BUFFER_BINDING}) {
    GLint bound = -1;
    glGetIntegerv(binding, &bound);
    EXPECT_EQ(bound, 0) << std::hex << binding;
  }
  for (const GLuint index : {0u, 1u}) {
    GLint bound = -1;
    glGetIntegeri_v(GL_SHADER_STORAGE_BUFFER_BINDING, index, &bound);
    EXPECT_EQ(bound, 0) << index;
  }
  GLint bound = -1;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &bound);
  EXPECT_EQ(static_cast<unsigned>(bound), target.framebuffer());
  EXPECT_EQ(glIsEnabled(GL_BLEND), GL_FALSE);
}

TEST_F(RendererTest, BoxesLieOverThePictureUntilOthersAreSet) {
  Scene scene = two_spirals(1'000);
  const Image without = draw(renderer_, scene);
  scene.cells = tree_cells(5);
  EXPECT_EQ(draw(renderer_, scene).rgb, without.rgb) << "not asked to show them";
  scene.boxes.show = true;
  const Image with = draw(renderer_, scene);
  EXPECT_GT(mean_of(with), mean_of(without) + 0.5);
  scene.boxes.opacity = 0;
  EXPECT_EQ(draw(renderer_, scene).rgb, without.rgb);
  scene.boxes.opacity = 1;
  scene.cells.clear();
  EXPECT_EQ(draw(renderer_, scene).rgb, without.rgb);
}

}  // namespace
}  // namespace pericenter::render

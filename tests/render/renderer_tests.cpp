#include "render/renderer.h"

#include <glad/gl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ios>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "render/gl_info.h"
#include "sim/core/vertex_target.h"
#include "tests/render/test_scene.h"

namespace pericenter::render {
namespace {

class RendererTest : public testing::Test {
 protected:
  RendererTest() { install_gl_debug(true); }

  HeadlessContext context_;
  Renderer renderer_;
};

TEST_F(RendererTest, IsReproducible) {
  for (const StarStyle style : {StarStyle::splat, StarStyle::sprites}) {
    Scene scene = two_spirals(20'000);
    scene.settings.style = style;
    scene.settings.color = ColorMode::origin;  // the spectral class depends on the vertex index
    const Image first = draw(renderer_, scene);
    EXPECT_EQ(draw(renderer_, scene).rgb, first.rgb);
    std::reverse(scene.vertices.begin(), scene.vertices.end());
    EXPECT_EQ(draw(renderer_, scene).rgb, first.rgb) << "the order of the bodies shows";
  }
}

TEST_F(RendererTest, BrightnessDoesNotDependOnTheNumberOfBodies) {
  Scene few = two_spirals(15'000), many = two_spirals(60'000);
  // Full bloom smooths the distribution of stars.
  few.settings.bloom = many.settings.bloom = 1;
  few.settings.auto_exposure = many.settings.auto_exposure = false;
  EXPECT_NEAR(mean_of(draw(renderer_, few)), mean_of(draw(renderer_, many)), 1);
}

TEST_F(RendererTest, BlendFromSpritesToSplatsIsContinuous) {
  Scene scene = two_spirals(20'000);
  scene.settings.bloom = 1;
  scene.settings.auto_exposure = false;
  scene.settings.style = StarStyle::splat;
  const double splat = mean_of(draw(renderer_, scene));
  scene.settings.style = StarStyle::sprites;
  EXPECT_NEAR(mean_of(draw(renderer_, scene)), splat, 0.5);
}

TEST_F(RendererTest, ZoomKeepsSurfaceBrightness) {
  Scene sheet;
  for (int i = 0; i < 160'000; ++i) {
    const float x = static_cast<float>(i % 400) - 199.5f, y = static_cast<float>(i / 400) - 199.5f;
    sheet.vertices.push_back({.x = x, .y = y, .z = 0, .attribute = make_tag(0, Component::bulge)});
  }
  sheet.camera.fit(100);
  sheet.camera.look_down();
  sheet.settings.bloom = 1;
  sheet.settings.auto_exposure = false;
  const double far = mean_of(draw(renderer_, sheet));
  sheet.camera.zoom(3);
  EXPECT_NEAR(mean_of(draw(renderer_, sheet)), far, 0.03 * far);
  sheet.width *= 2;
  sheet.height *= 2;
  EXPECT_NEAR(mean_of(draw(renderer_, sheet)), far, 0.03 * far);
}

TEST_F(RendererTest, NonFiniteBodiesAreIgnored) {
  Scene scene = two_spirals(3'000);
  const Image before = draw(renderer_, scene);
  // Same count, because it sets the fixed-point scale.
  Scene spoilt = scene;
  for (int i = 0; i < 200; ++i) {
    scene.vertices.push_back({.x = 0, .y = 0, .z = 0, .attribute = make_tag(0, Component::halo)});
    spoilt.vertices.push_back({.x = i % 2 ? std::numeric_limits<float>::quiet_NaN() : INFINITY, .y = 0, .z = 0});
  }
  EXPECT_EQ(draw(renderer_, spoilt).rgb, draw(renderer_, scene).rgb);
}

TEST_F(RendererTest, HaloIsHiddenByDefault) {
  Scene scene = two_spirals(3'000);
  const Image with_hidden = draw(renderer_, scene);
  for (Vertex& vertex : scene.vertices) {
    if (component_of(vertex.attribute) == Component::halo) vertex.x = vertex.y = vertex.z = 0;
  }
  EXPECT_EQ(draw(renderer_, scene).rgb, with_hidden.rgb);
  scene.settings.show_halo = true;
  EXPECT_NE(draw(renderer_, scene).rgb, with_hidden.rgb);
}

TEST_F(RendererTest, EmptyFrameIsDarkBlue) {
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
    scene.settings.exposure = stops;
    const double mean = mean_of(draw(renderer_, scene));
    EXPECT_GT(mean, last + 1);
    last = mean;
  }
}

/// The brightest pixel of an image, 0 to 255.
int brightest(const Image& image) {
  return *std::max_element(image.rgb.begin(), image.rgb.end());
}

TEST_F(RendererTest, AutomaticExposureCompensatesForTheLight) {
  Scene scene = two_spirals(20'000);
  // Closer, surfaces cover more of the frame, and none saturates.
  for (const float notches : {4.0f, 8.0f}) {
    scene.camera.zoom(notches);
    const Image image = draw(renderer_, scene);
    EXPECT_GT(brightest(image), 150) << notches;
    EXPECT_LT(mean_of(image), 150) << notches;
  }
}

TEST_F(RendererTest, AutomaticExposureAdaptsInTimeAndAddsStops) {
  const Scene scene = two_spirals(5'000);
  const VertexBuffer all(scene.vertices), few({scene.vertices.begin(), scene.vertices.begin() + 60});
  const OffscreenTarget target(320, 180);
  const auto drawn = [&](const VertexBuffer& buffer, float seconds) {
    Frame picture{.stars = buffer.stars(), .camera = scene.camera, .seconds = seconds};
    renderer_.draw(picture, target.framebuffer(), 320, 180);
    return mean_of(read_pixels(target.framebuffer(), 320, 180));
  };
  drawn(few, INFINITY);
  const double at_first = drawn(all, 0);
  const double half_way = drawn(all, 0.1f);
  const double nearly = drawn(all, 1.5f);
  const double in_the_end = drawn(all, INFINITY);
  EXPECT_GT(std::abs(at_first - in_the_end), 1);
  EXPECT_GT(std::abs(half_way - in_the_end), 0.2 * std::abs(at_first - in_the_end));
  EXPECT_LT(std::abs(half_way - in_the_end), 0.9 * std::abs(at_first - in_the_end));
  EXPECT_NEAR(nearly, in_the_end, 0.05 * std::abs(at_first - in_the_end) + 0.02);
}

TEST_F(RendererTest, LightBackgroundHasDarkStars) {
  Scene scene = two_spirals(20'000);
  scene.settings.background = Background::light;
  for (const ToneCurve tone : {ToneCurve::filmic, ToneCurve::asinh}) {
    scene.settings.tone = tone;
    const Image image = draw(renderer_, scene);
    for (int channel = 0; channel < 3; ++channel) EXPECT_GT(image.rgb[channel], 220);
    EXPECT_LT(*std::min_element(image.rgb.begin(), image.rgb.end()), 40);
  }
}

TEST_F(RendererTest, LightBackgroundKeepsTheHue) {
  for (const auto& [tag, blue] : {std::pair{make_tag(0, Component::disc, 2) | decoration_tag(Decoration::young), true},
                                  {make_tag(0, Component::bulge), false}}) {
    Scene scene;
    scene.vertices = {{.x = 0, .y = 0, .z = 0, .attribute = tag}};
    scene.settings.background = Background::light;
    const Image image = draw(renderer_, scene);
    std::array<double, 3> sum{};
    for (std::size_t i = 0; i < image.rgb.size(); ++i) sum[i % 3] += image.rgb[i % 3] - image.rgb[i];
    EXPECT_EQ(sum[0] - sum[2] > 0, blue);
  }
}

TEST_F(RendererTest, DitherHidesBanding) {
  // A dithered sky has several values within two steps.
  const Image image = draw(renderer_, {});
  for (int channel = 0; channel < 3; ++channel) {
    int low = 255, high = 0;
    for (std::size_t i = static_cast<std::size_t>(channel); i < image.rgb.size(); i += 3) {
      low = std::min<int>(low, image.rgb[i]);
      high = std::max<int>(high, image.rgb[i]);
    }
    EXPECT_GE(high - low, 1);
    EXPECT_LE(high - low, 2);
  }
}

TEST_F(RendererTest, SingleStarIsRound) {
  // The subpixel position, and the position in a coarse bloom level, must not show.
  for (const float shift : {0.0f, 0.013f, 0.04f}) {
    Scene scene;
    scene.vertices = {{.x = shift, .y = 0.7f * shift, .z = 0, .attribute = make_tag(0, Component::bulge)}};
    scene.camera.look_down();
    const Image image = draw(renderer_, scene);
    double sum = 0, xx = 0, yy = 0, xxyy = 0, rrrr = 0, x0 = 0, y0 = 0;
    for (const bool centred : {false, true}) {
      for (int i = 0; i < scene.width * scene.height; ++i) {
        const double light = std::max(image.rgb[3 * i] - 8, 0);
        const double x = i % scene.width - x0, y = i / scene.width - y0, r = x * x + y * y;
        if (!centred) sum += light, xx += light * x, yy += light * y;
        if (centred && r < 1600) rrrr += light * r * r, xxyy += light * x * x * y * y;
      }
      if (!centred) x0 = xx / sum, y0 = yy / sum;
    }
    // The mean of (cos sin)^2 over a circle is 1/8; over a square it is larger.
    EXPECT_NEAR(xxyy / rrrr, 0.125, 0.008) << shift;
  }
}

TEST_F(RendererTest, StagesAreTimed) {
  EXPECT_EQ(renderer_.timings().total, 0);
  const Scene scene = two_spirals(3'000);
  for (int k = 0; k < 6; ++k) {
    draw(renderer_, scene);
    glFinish();
  }
  const auto [dust, stars, bloom, exposure, tone_map, overlays, total] = renderer_.timings();
  EXPECT_GT(total, 0);
  for (const float stage : {dust, stars, bloom, exposure, tone_map, overlays}) EXPECT_GE(stage, 0);
  EXPECT_NEAR(dust + stars + bloom + exposure + tone_map + overlays, total, 0.001 * total + 0.001);
}

TEST_F(RendererTest, StagesAreDebugGroupsForProfilers) {
  const Scene scene = two_spirals(3'000);
  std::vector<std::string> groups;
  glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
  glDebugMessageControl(GL_DEBUG_SOURCE_APPLICATION, GL_DONT_CARE, GL_DONT_CARE, 0, nullptr, GL_TRUE);
  glDebugMessageCallback(
      [](GLenum, GLenum type, GLuint, GLenum, GLsizei, const GLchar* message, const void* to) {
        auto& names = *static_cast<std::vector<std::string>*>(const_cast<void*>(to));
        names.push_back(type == GL_DEBUG_TYPE_PUSH_GROUP ? message : "end");
      },
      &groups);
  draw(renderer_, scene);
  glDebugMessageCallback(nullptr, nullptr);
  std::vector<std::string> expected;
  for (const char* name : kRenderStageNames) expected.insert(expected.end(), {name, "end"});
  EXPECT_EQ(groups, expected);
  GLint depth = 0;
  glGetIntegerv(GL_DEBUG_GROUP_STACK_DEPTH, &depth);
  EXPECT_EQ(depth, 1) << "a group is still open";
}

TEST_F(RendererTest, BloomIsCenteredOnItsStar) {
  // Sizes that are not powers of two.
  for (const auto& [width, height] : {std::pair{360, 202}, {203, 361}}) {
    Scene scene;
    scene.vertices = {{.x = 0, .y = 0, .z = 0, .attribute = 0}};
    scene.settings.bloom = 1;
    scene.settings.exposure = -2;
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

TEST_F(RendererTest, EverySizeWorksAndResizingIsReproducible) {
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

TEST_F(RendererTest, FrameLargerThanTheBufferLimitIsComplete) {
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

TEST_F(RendererTest, ZeroSizeDrawsNothing) {
  renderer_.draw({}, 0, 0, 0);
  renderer_.draw({}, 0, 100, 0);
  EXPECT_NO_THROW(check_gl());
}

TEST_F(RendererTest, ForeignGlStateHasNoEffect) {
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

TEST_F(RendererTest, OnlyTheTargetStaysBound) {
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

TEST_F(RendererTest, BoxesStayUntilReplaced) {
  Scene scene = two_spirals(1'000);
  const Image without = draw(renderer_, scene);
  scene.cells = tree_cells(5);
  EXPECT_EQ(draw(renderer_, scene).rgb, without.rgb) << "not asked to show them";
  scene.boxes.show = true;
  const Image with = draw(renderer_, scene);
  EXPECT_GT(mean_of(with), mean_of(without) + 0.5);
  scene.boxes.opacity = scene.boxes.fill = 0;
  EXPECT_EQ(draw(renderer_, scene).rgb, without.rgb);
  scene.boxes.opacity = 1;
  scene.cells.clear();
  EXPECT_EQ(draw(renderer_, scene).rgb, without.rgb);
}

}  // namespace
}  // namespace pericenter::render

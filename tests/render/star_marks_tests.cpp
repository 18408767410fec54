#include "render/star_marks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "render/gl_info.h"
#include "render/shader_interface.h"
#include "render/star_pass.h"
#include "sim/core/vertex_target.h"
#include "tests/render/golden_image.h"
#include "tests/render/test_scene.h"

namespace pericenter::render {
namespace {

constexpr glm::ivec2 kFrameSize(320, 180);

/// Position on the screen in pixels from the lower left.
glm::vec2 on_screen(const Camera& camera, const Vertex& v) {
  const glm::vec2 size(kFrameSize);
  const glm::vec4 clip = camera.projection(size.x / size.y) * camera.view() * glm::vec4(v.x, v.y, v.z, 1);
  return (glm::vec2(clip) / clip.w * 0.5f + 0.5f) * size;
}

class Marks : public testing::Test {
 protected:
  Marks() { install_gl_debug(true); }

  Frame frame_of(const VertexBuffer& buffer) const {
    Frame frame{.stars = buffer.stars(), .camera = scene_.camera, .settings = scene_.settings};
    frame.stars.marks = renderer_.marks().buffer(frame.stars.count);
    return frame;
  }
  Image image_of(const Frame& frame) {
    const OffscreenTarget target(kFrameSize.x, kFrameSize.y);
    renderer_.draw(frame, target.framebuffer(), kFrameSize.x, kFrameSize.y);
    Image image = read_pixels(target.framebuffer(), kFrameSize.x, kFrameSize.y);
    check_gl();
    return image;
  }
  /// The number of marks after an update of all stars of `scene_`, by a function of each star.
  template <class Selected>
  std::size_t expected(const Selected& selected) const {
    return static_cast<std::size_t>(std::count_if(scene_.vertices.begin(), scene_.vertices.end(), selected));
  }

  HeadlessContext context_;
  Renderer renderer_;
  Scene scene_ = two_spirals(20'000);
};

bool is_dark_matter(const Vertex& v) {
  return component_of(v.attribute) == Component::halo;
}

/// Relative luminance of a pixel (WCAG 2.1).
double luminance(const Image& image, int x, int y) {
  const std::size_t at =
      3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x));
  const auto linear = [&](std::size_t channel) {
    const double value = image.rgb[at + channel] / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(0) + 0.7152 * linear(1) + 0.0722 * linear(2);
}

TEST_F(Marks, StrokeMarksTheStarsUnderIt) {
  const VertexBuffer buffer(scene_.vertices);
  const Stroke stroke{{120, 80}, {180, 110}, 12};
  const auto under = [&](const Vertex& v) {
    const glm::vec2 along = stroke.to - stroke.from, from = on_screen(scene_.camera, v) - stroke.from;
    const float share = std::clamp(glm::dot(along, from) / glm::dot(along, along), 0.0f, 1.0f);
    return !is_dark_matter(v) && glm::length(from - share * along) <= stroke.radius;
  };
  renderer_.marks().add(frame_of(buffer), stroke, kFrameSize);
  const std::size_t stars = renderer_.marks().count();
  EXPECT_GT(stars, 100u);
  EXPECT_NEAR(static_cast<double>(stars), static_cast<double>(expected(under)), 3);  // at the edge: rounding
  // Again: each star counts once. Elsewhere: they are added.
  renderer_.marks().add(frame_of(buffer), stroke, kFrameSize);
  EXPECT_EQ(renderer_.marks().count(), stars);
  renderer_.marks().add(frame_of(buffer), {{220, 90}, {220, 90}, 20}, kFrameSize);
  EXPECT_GT(renderer_.marks().count(), stars);
}

TEST_F(Marks, StrokeMarksDarkMatterOnlyIfItIsShown) {
  const VertexBuffer buffer(scene_.vertices);
  const Stroke everything{{0, 90}, {320, 90}, 1000};
  const auto inside = [&](const Vertex& v) {
    const glm::vec2 at = on_screen(scene_.camera, v);
    return at.x >= 0 && at.x < 320;
  };
  renderer_.marks().add(frame_of(buffer), everything, kFrameSize);
  EXPECT_EQ(renderer_.marks().count(), expected([&](const Vertex& v) { return inside(v) && !is_dark_matter(v); }));
  scene_.settings.show_halo = true;
  renderer_.marks().add(frame_of(buffer), everything, kFrameSize);
  EXPECT_NEAR(static_cast<double>(renderer_.marks().count()), static_cast<double>(expected(inside)), 2);  // near plane
}

TEST_F(Marks, BirthRangeMarksARingOfAGalaxy) {
  const VertexBuffer buffer(scene_.vertices);
  const auto byte = [](const Vertex& v) { return static_cast<int>(v.attribute >> kTagRadiusShift & 0xFFu); };
  renderer_.marks().add(buffer.stars(), {.galaxy = 1, .low = 2, .high = 4});
  EXPECT_EQ(renderer_.marks().count(), expected([&](const Vertex& v) {
              return galaxy_of(v.attribute) == 1 && !is_dark_matter(v) && byte(v) >= 64 && byte(v) <= 128;
            }));
  renderer_.marks().clear();
  EXPECT_EQ(renderer_.marks().buffer(buffer.stars().count), 0u);
  renderer_.marks().add(buffer.stars(), {});
  EXPECT_EQ(renderer_.marks().count(), expected([](const Vertex& v) { return !is_dark_matter(v); }));
}

TEST_F(Marks, SetReplacesTheMarks) {
  const std::array<std::uint32_t, 5> indices = {3, 31, 32, 3, 70};
  renderer_.marks().set(indices, 64);
  EXPECT_EQ(renderer_.marks().count(), 3u);  // 3 twice, and 70 does not exist
  EXPECT_NE(renderer_.marks().buffer(64), 0u);
  EXPECT_EQ(renderer_.marks().buffer(65), 0u) << "other bodies";
  renderer_.marks().set(std::array<std::uint32_t, 1>{5}, 64);
  EXPECT_EQ(renderer_.marks().count(), 1u);
}

TEST_F(Marks, InvalidStrokesMarkNothing) {
  const VertexBuffer buffer(scene_.vertices);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  renderer_.marks().add(frame_of(buffer), {{nan, 5}, {7, 5}, 10}, kFrameSize);
  renderer_.marks().add(frame_of(buffer), {{7, 5}, {7, 5}, 10}, {0, 0});
  renderer_.marks().add({.camera = scene_.camera}, {{7, 5}, {7, 5}, 1000}, kFrameSize);
  EXPECT_EQ(renderer_.marks().count(), 0u);
}

TEST_F(Marks, StrokeInASplitFrameMarksStarsOfItsHalf) {
  // The left half has other positions of the same bodies.
  std::vector<Vertex> moved = scene_.vertices;
  for (Vertex& v : moved) v.x += 1e6f;
  const VertexBuffer right(scene_.vertices), left(moved);
  Frame frame = frame_of(right);
  frame.split = Split{.left = left.stars()};
  renderer_.marks().add(frame, {{80, 90}, {80, 90}, 60}, kFrameSize);
  EXPECT_EQ(renderer_.marks().count(), 0u);
  renderer_.marks().add(frame, {{240, 90}, {240, 90}, 1000}, kFrameSize);
  EXPECT_EQ(renderer_.marks().count(), expected([&](const Vertex& v) {
              const float x = on_screen(scene_.camera, v).x;
              return !is_dark_matter(v) && x >= 160 && x < 320;
            }));
}

/// A marked star alone in the sky, and one that is not marked at the mirrored place.
class MarkedPair : public Marks {
 protected:
  Image image(bool marked) {
    scene_.settings.auto_exposure = false;
    scene_.settings.exposure = -2;
    scene_.settings.style = StarStyle::sprites;
    const std::vector<Vertex> pair = {{.x = -3, .attribute = make_tag(0, Component::other)},
                                      {.x = 3, .attribute = make_tag(0, Component::other)}};
    scene_.camera.fit(7);
    scene_.settings.depth_cue = 0;
    const VertexBuffer buffer(pair);
    if (marked) renderer_.marks().set(std::array<std::uint32_t, 1>{0}, 2);
    spot_ = on_screen(scene_.camera, pair[0]);
    other_ = on_screen(scene_.camera, pair[1]);
    return image_of(frame_of(buffer));
  }
  static double luminance_at(const Image& image, glm::vec2 at) {
    return luminance(image, static_cast<int>(at.x), image.height - 1 - static_cast<int>(at.y));
  }
  glm::vec2 spot_{0}, other_{0};
};

TEST_F(MarkedPair, OthersHaveAQuarterOfTheirLuminance) {
  const Image before = image(false), after = image(true);
  const double full = luminance_at(before, other_), sky = luminance(before, 2, 2);
  ASSERT_GT(full, 0.3);
  EXPECT_NEAR((luminance_at(after, other_) - sky) / (full - sky), 0.25, 0.05);
  EXPECT_GT(luminance_at(after, spot_), 2.5 * luminance_at(after, other_)) << "distinct without hue";
  EXPECT_NEAR(luminance(after, 2, 2), sky, 0.002) << "the sky keeps its colour";
}

TEST_F(MarkedPair, InTheLightThemeMarkedStarsAreDarkest) {
  scene_.settings.background = Background::light;
  const Image before = image(false), after = image(true);
  const double paper = luminance(before, 2, 2);
  EXPECT_GT(luminance_at(after, other_), luminance_at(before, other_) + 0.1);
  EXPECT_LT(luminance_at(after, spot_), 0.5 * luminance_at(after, other_));
  EXPECT_NEAR(luminance(after, 2, 2), paper, 0.02);
}

TEST_F(MarkedPair, ColoursOfValuesAreDimmedToo) {
  scene_.settings.color = ColorMode::speed;
  scene_.settings.map = ColorMap::cividis;
  scene_.settings.low = -1;
  const Image after = image(true);
  EXPECT_GT(luminance_at(after, spot_), 2 * luminance_at(after, other_));
}

TEST_F(Marks, ExposureIgnoresThem) {
  const VertexBuffer buffer(scene_.vertices);
  const Image before = image_of(frame_of(buffer));
  renderer_.marks().add(buffer.stars(), {.galaxy = 0, .low = 3, .high = 8});
  image_of(frame_of(buffer));
  renderer_.marks().clear();
  EXPECT_EQ(image_of(frame_of(buffer)).rgb, before.rgb);
}

TEST_F(Marks, LiveFramesWithFewerStarsKeepTheirLight) {
  // The accumulated light of marked stars, for whole frames and for one group in four.
  StarPass pass{ShaderLibrary("")};
  FrameUniforms values{.size = {64, 48}, .units = 1000, .radius = 1};
  std::vector<Vertex> bodies;
  for (int i = 0; i < 16 * 128; ++i)
    bodies.push_back({.x = 0, .y = 0, .z = 0, .attribute = make_tag(0, Component::other)});
  const VertexBuffer buffer(bodies);
  renderer_.marks().add(buffer.stars(), {});
  Stars stars = buffer.stars();
  stars.marks = renderer_.marks().buffer(stars.count);
  Buffer uniforms = make_buffer();
  glNamedBufferStorage(uniforms.name(), sizeof values, &values, 0);
  pass.resize(64, 48);
  for (const unsigned every : {1u, 4u}) {
    glBindBufferBase(GL_UNIFORM_BUFFER, kFrameBinding, uniforms.name());
    pass.draw(stars, {.every = every});
    GLint light = 0;
    glGetTextureLevelParameteriv(pass.light(), 0, GL_TEXTURE_BUFFER_DATA_STORE_BINDING, &light);
    std::array<std::uint32_t, 4> pixel{};
    glGetNamedBufferSubData(static_cast<GLuint>(light), 16 * (24 * 64 + 32), sizeof pixel, pixel.data());
    EXPECT_EQ(pixel[3], 1000u * bodies.size()) << every;
  }
}

TEST_F(Marks, StillsInTilesMatchASinglePass) {
  const VertexBuffer buffer(scene_.vertices);
  renderer_.marks().add(buffer.stars(), {.galaxy = 0, .low = 2, .high = 4});
  const Frame frame = frame_of(buffer);
  const Image tiles = renderer_.still(frame, 2304, 300), once = [&] {
    const OffscreenTarget target(2304, 300);
    renderer_.draw(frame, target.framebuffer(), 2304, 300);
    return read_pixels(target.framebuffer(), 2304, 300);
  }();
  std::size_t different = 0;
  for (std::size_t i = 0; i < once.rgb.size(); ++i)
    different += std::abs(int{tiles.rgb[i]} - int{once.rgb[i]}) > 8 ? 1 : 0;
  EXPECT_LT(different, once.rgb.size() / 1000);
}

TEST_F(Marks, Golden) {
  for (const Background background : {Background::dark, Background::light}) {
    scene_.settings.background = background;
    const VertexBuffer buffer(scene_.vertices);
    renderer_.marks().clear();
    renderer_.marks().add(buffer.stars(), {.galaxy = 0, .low = 2.5, .high = 3.5});
    expect_golden(background == Background::dark ? "marks" : "marks_light", image_of(frame_of(buffer)));
  }
}

}  // namespace
}  // namespace pericenter::render

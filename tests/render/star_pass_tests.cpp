#include "render/star_pass.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/packing.hpp>
#include <ios>
#include <limits>

#include "render/gl_info.h"
#include "render/shader_interface.h"
#include "sim/core/vertex_target.h"
#include "tests/render/test_scene.h"

namespace pericenter::render {
namespace {

constexpr int kWidth = 64, kHeight = 48;

/// Runs StarPass alone and reads its integers. Positions are in pixels.
class Accumulation : public testing::Test {
 protected:
  Accumulation() { install_gl_debug(true); }

  Vertex at(float x, float y, std::uint32_t tag = make_tag(0, Component::other), float speed = 0) const {
    return {.x = 2 * x / kWidth - 1, .y = 2 * y / kHeight - 1, .z = 0, .attribute = attribute_of(tag, speed)};
  }

  /// Four values per pixel, as in shaders/accumulation.glsl.
  const std::vector<std::uint32_t>& accumulate(const std::vector<Vertex>& bodies, Footprint footprint, float units = 0,
                                               unsigned every = 1) {
    const VertexBuffer buffer(bodies), before(before_.empty() ? bodies : before_);
    Stars stars = buffer.stars();
    if (!before_.empty()) stars.before = before.stars().buffer;
    stars.way = way_;
    stars.bends = bends_;
    frame_.units = units > 0 ? units : fixed_point_units(bodies.size());
    Buffer uniforms = make_buffer();
    glNamedBufferStorage(uniforms.name(), sizeof frame_, &frame_, 0);
    glBindBufferBase(GL_UNIFORM_BUFFER, kFrameBinding, uniforms.name());
    pass_.resize(kWidth, kHeight);
    pass_.draw(stars, {.footprint = footprint, .color = color_, .every = every});
    light_ = accumulated(pass_);
    visible_ = light_[4 * kWidth * kHeight];
    light_.resize(4 * kWidth * kHeight);
    check_gl();
    return light_;
  }

  /// Sum of a channel over all pixels, in units of the light of a body.
  double total(int channel) const {
    double sum = 0;
    for (std::size_t i = static_cast<std::size_t>(channel); i < light_.size(); i += 4) sum += light_[i];
    return sum / frame_.units;
  }
  std::array<double, 3> color() const { return {total(0), total(1), total(2)}; }
  std::uint32_t visible() const { return visible_; }

  HeadlessContext context_;
  StarPass pass_{ShaderLibrary("")};
  ColorMode color_ = ColorMode::stars;
  std::vector<Vertex> before_;  ///< earlier positions of the bodies, or empty
  float way_ = 1;
  bool bends_ = false;
  FrameUniforms frame_{.size = {kWidth, kHeight}, .radius = 2.5f};
  std::vector<std::uint32_t> light_;
  std::uint32_t visible_ = 0;
};

constexpr Footprint kAll[] = {Footprint::pixel, Footprint::bilinear, Footprint::crowded, Footprint::pixel_or_sprite,
                              Footprint::bilinear_or_sprite};

/// Maximum difference of two images, as a fraction of the light of a body.
double largest_difference(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b, float units) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  }
  return most / units;
}

/// A ball of 3,000 bodies of radius 1.
std::vector<Vertex> ball() {
  std::vector<Vertex> bodies;
  for (int i = 0; i < 3000; ++i) {
    const float height = 2 * (static_cast<float>(i) + 0.5f) / 3000 - 1, turn = 2.399963f * static_cast<float>(i);
    const float radius = std::cbrt(static_cast<float>(i * 7 % 3000 + 1) / 3000);
    const float across = radius * std::sqrt(1 - height * height);
    bodies.push_back({.x = across * std::cos(turn),
                      .y = across * std::sin(turn),
                      .z = radius * height,
                      .attribute = make_tag(0, Component::other)});
  }
  return bodies;
}

TEST_F(Accumulation, LightIsTheSameOnAndOffPixelBoundaries) {
  for (const Footprint footprint : kAll) {
    for (const float shift : {0.0f, 0.01f, 0.25f, 0.5f, 0.77f, 0.999f}) {
      accumulate({at(20 + shift, 20 - 0.6f * shift)}, footprint);
      EXPECT_NEAR(total(2), 1, 0.01) << static_cast<int>(footprint) << ' ' << shift;
    }
  }
}

TEST_F(Accumulation, StarIsCenteredAtItsPosition) {
  for (const Footprint footprint : kAll) {
    accumulate({at(20.3f, 10.8f)}, footprint);
    double sum = 0, x = 0, y = 0;
    for (int i = 0; i < kWidth * kHeight; ++i) {
      sum += light_[4 * i + 2];
      x += light_[4 * i + 2] * (i % kWidth + 0.5);
      y += light_[4 * i + 2] * (i / kWidth + 0.5);
    }
    const double tolerance = footprint == Footprint::pixel ? 0.51 : 0.05;
    EXPECT_NEAR(x / sum, 20.3, tolerance) << static_cast<int>(footprint);
    EXPECT_NEAR(y / sum, 10.8, tolerance) << static_cast<int>(footprint);
  }
}

TEST_F(Accumulation, BodiesAreOnTheWayBetweenTwoBuffers) {
  const std::uint32_t galaxy = make_tag(3, Component::other), other = make_tag(1, Component::other);
  for (const Footprint footprint : {Footprint::pixel, Footprint::bilinear, Footprint::pixel_or_sprite}) {
    const auto light_at = [&](float x, float y) {
      before_.clear();
      return std::vector<std::uint32_t>(accumulate({at(x, y, galaxy), at(8.5f, 40.5f)}, footprint));
    };
    const std::vector<std::uint32_t> start = light_at(10.5f, 4.5f), middle = light_at(20.5f, 8.5f),
                                     end = light_at(30.5f, 12.5f);
    before_ = {at(10.5f, 4.5f, other), at(8.5f, 40.5f)};
    for (const auto& [way, expected] : {std::pair{0.0f, &start}, {0.5f, &middle}, {1.0f, &end}}) {
      way_ = way;
      EXPECT_EQ(accumulate({at(30.5f, 12.5f, galaxy), at(8.5f, 40.5f)}, footprint), *expected) << way;
    }
  }
}

TEST_F(Accumulation, BodiesAreOnAParabolaBetweenTwoBuffers) {
  // A length of 0.75 to the right; down by 0.64 of it times s (1 - s): 2.88 of 48 pixels at its middle.
  const Vertex start = at(10.5f, 20.5f), end = at(34.5f, 20.5f);
  const std::uint32_t bend = (32u - 12u) << (16 + 5);
  before_ = {start};
  bends_ = true;
  for (const auto& [way, x, y] : {std::array{0.0f, 10.5f, 20.5f}, {0.5f, 22.5f, 17.62f}, {1.0f, 34.5f, 20.5f}}) {
    way_ = way;
    Vertex moved = end;
    moved.attribute = (end.attribute & 0xFFFFu) | bend;
    const std::vector<std::uint32_t>& light = accumulate({moved}, Footprint::pixel);
    const std::size_t pixel = static_cast<std::size_t>(y) * kWidth + static_cast<std::size_t>(x);
    EXPECT_GT(light[4 * pixel], 0u) << way;
  }
}

TEST_F(Accumulation, LightPerBodyDoesNotDependOnTheCount) {
  for (const Footprint footprint : kAll) {
    for (const std::size_t count : {1u, 100u, 129u, 50'000u}) {
      std::vector<Vertex> bodies;
      for (std::size_t i = 0; i < count; ++i) {
        bodies.push_back(at(10 + 0.37f * static_cast<float>(i % 100), 10 + 0.23f * static_cast<float>(i % 97)));
      }
      accumulate(bodies, footprint);
      EXPECT_NEAR(total(2) / static_cast<double>(count), 1, 0.01) << static_cast<int>(footprint) << ' ' << count;
      EXPECT_EQ(visible(), count);
    }
  }
}

TEST_F(Accumulation, AllBodiesOnOnePixelDoNotOverflow) {
  const std::size_t count = 200'000;
  for (const Footprint footprint : {Footprint::pixel, Footprint::crowded}) {
    accumulate(std::vector<Vertex>(count, at(20.5f, 20.5f)), footprint);
    EXPECT_NEAR(total(2), count, 0.001 * count);
  }
}

TEST_F(Accumulation, CrowdedEqualsBilinear) {
  std::vector<Vertex> bodies;
  for (int i = 0; i < 5000; ++i) {
    // Most bodies in a nucleus at the edge, some elsewhere and outside.
    const float x = static_cast<float>(i * 37 % 1009) / 1009, y = static_cast<float>(i * 61 % 997) / 997;
    bodies.push_back(i % 5 == 0 ? at(80 * x - 8, 60 * y - 6) : at(3 * x, 44 + 5 * y * x));
  }
  const std::vector<std::uint32_t> bilinear = accumulate(bodies, Footprint::bilinear);
  EXPECT_EQ(accumulate(bodies, Footprint::crowded), bilinear);
}

TEST_F(Accumulation, TotalLightDependsNeitherOnZoomNorOnStarSize) {
  const std::vector<Vertex> bodies = ball();
  for (const Footprint footprint : kAll) {
    for (const float size : {0.25f, 1.0f, 4.0f}) {
      for (const float notches : {-25.0f, -12.0f, -6.0f, -3.0f, -1.0f}) {
        Camera camera;
        camera.fit(1);
        camera.zoom(notches);
        frame_.clip_from_world = camera.projection(static_cast<float>(kWidth) / kHeight) * camera.view();
        frame_.radius = 2 * size * camera.fitted_distance();
        accumulate(bodies, footprint);
        EXPECT_NEAR(total(2), 3000, 30) << static_cast<int>(footprint) << ' ' << size << ' ' << notches;
      }
    }
  }
}

TEST_F(Accumulation, LightIsConservedWithFewUnitsPerBody) {
  // Units and radii as with 100M bodies.
  std::vector<Vertex> bodies = ball();
  frame_.clip_from_world = glm::mat4(0.3f);
  frame_.clip_from_world[3][3] = 1;
  for (const Footprint footprint : kAll) {
    for (const float radius : {0.9f, 1.5f, 2.3f}) {
      frame_.radius = radius;
      accumulate(bodies, footprint, 42.5f);
      EXPECT_NEAR(total(2), 3000, 60) << static_cast<int>(footprint) << ' ' << radius;
    }
  }
}

TEST_F(Accumulation, SplatToSpriteIsContinuous) {
  for (const Footprint footprint : {Footprint::pixel_or_sprite, Footprint::bilinear_or_sprite}) {
    for (const float radius : {1.0f, 1.25f, 1.5f, 2.0f, 5.0f}) {
      for (const float shift : {0.0f, 0.3f, 0.5f}) {
        frame_.radius = radius - 0.01f;
        const auto before = accumulate({at(20 + shift, 20)}, footprint);
        frame_.radius = radius + 0.01f;
        const auto after = accumulate({at(20 + shift, 20)}, footprint);
        EXPECT_LT(largest_difference(before, after, frame_.units), 0.03) << radius << ' ' << shift;
      }
    }
  }
}

TEST_F(Accumulation, FarBodiesAreSplatsAndNearBodiesAreSprites) {
  // Same pixel, different depth: clip.w is 1 - z here.
  frame_.clip_from_world[2][3] = -1;
  frame_.radius = 3;
  const auto lit = [&] {
    int pixels = 0;
    for (std::size_t i = 2; i < light_.size(); i += 4) pixels += light_[i] > 0 ? 1 : 0;
    return pixels;
  };
  int last = 1000;
  for (const float depth : {0.4f, 1.0f, 1.4f, 4.0f}) {
    accumulate({{.x = 0.01f, .y = 0.01f, .z = 1 - depth, .attribute = make_tag(0, Component::other)}},
               Footprint::bilinear_or_sprite);
    EXPECT_LT(lit(), last) << depth;
    last = lit();
  }
  EXPECT_EQ(last, 4);
}

TEST_F(Accumulation, LargeSpriteIsRoundWithATightCore) {
  frame_.radius = 20;
  accumulate({at(32, 24)}, Footprint::bilinear_or_sprite);
  const auto pixel = [&](int x, int y) {
    return light_[static_cast<std::size_t>(4 * (y * kWidth + x) + 2)] / static_cast<double>(frame_.units);
  };
  EXPECT_GT(pixel(32, 24), 6 * pixel(32 + 7, 24));
  EXPECT_GT(pixel(32 + 14, 24), 0);
  // Two positions at a distance of 13.5 pixels, along an axis and the diagonal.
  EXPECT_NEAR(pixel(32 + 13, 24) / pixel(32 + 9, 24 + 9), 1, 0.2);
  EXPECT_EQ(pixel(32 + 17, 24 + 17), 0);
}

TEST(FixedPoint, NeverOverflows) {
  for (const std::size_t count : {0u, 1u, 2u, 255u, 256u, 257u, 1'000'003u, 50'000'000u, 1'000'000'000u}) {
    const double units = fixed_point_units(count);
    EXPECT_GE(units, 1);
    EXPECT_LE(units * static_cast<double>(count), 4294967295.0) << count;
  }
}

TEST_F(Accumulation, NonFiniteBodiesAreSkipped) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const std::vector<Vertex> good{at(20, 20), at(33.3f, 8.1f)};
  std::vector<Vertex> bad = good;
  for (const float value : {nan, -nan, inf, -inf}) {
    bad.push_back({.x = value, .y = 0, .z = 0, .attribute = 0});
    bad.push_back({.x = 0, .y = value, .z = 0, .attribute = 0});
    bad.push_back({.x = 0, .y = 0, .z = value, .attribute = 0});
  }
  for (const Footprint footprint : kAll) {
    accumulate(bad, footprint);
    EXPECT_EQ(visible(), 2u);
    EXPECT_NEAR(total(2), 2, 0.01);
  }
}

TEST_F(Accumulation, BodiesOutsideAreCountedButNotDrawn) {
  std::vector<Vertex> bodies;
  for (const float value : {3.0f, 1e6f, 1e30f, 3e38f}) {
    for (const float sign : {-1.0f, 1.0f}) {
      bodies.push_back({.x = sign * value, .y = 0, .z = 0, .attribute = 0});
      bodies.push_back({.x = 0, .y = sign * value, .z = 0, .attribute = 0});
    }
  }
  for (const Footprint footprint : kAll) {
    accumulate(bodies, footprint);
    EXPECT_EQ(visible(), bodies.size());
    EXPECT_EQ(total(2), 0) << static_cast<int>(footprint);
  }
}

TEST_F(Accumulation, BodiesBehindTheCameraAreNotDrawn) {
  Camera camera;
  camera.fit(1);
  frame_.clip_from_world = camera.projection(1) * camera.view();
  const glm::vec3 behind = 2.0f * camera.position();
  accumulate({{.x = behind.x, .y = behind.y, .z = behind.z, .attribute = 0}, at(32, 24)},
             Footprint::bilinear_or_sprite);
  EXPECT_NEAR(total(2), 1, 0.35);  // blue of a disc body is slightly below 1
}

TEST_F(Accumulation, HaloIsHiddenUnlessEnabled) {
  const std::vector<Vertex> bodies{at(20, 20, make_tag(0, Component::halo)), at(40, 20, make_tag(0, Component::disc))};
  accumulate(bodies, Footprint::pixel);
  const double without = total(0);
  EXPECT_EQ(visible(), 1u);
  frame_.show_halo = 1;
  accumulate(bodies, Footprint::pixel);
  EXPECT_EQ(visible(), 2u);
  EXPECT_GT(total(0), without);
}

TEST_F(Accumulation, GalaxyComesFromTheTag) {
  color_ = ColorMode::origin;
  accumulate({at(20, 20, make_tag(0, Component::bulge, 8), 60000)}, Footprint::pixel);
  EXPECT_GT(color()[2], color()[0]);  // blue
  accumulate({at(20, 20, make_tag(1, Component::bulge, 8), 60000)}, Footprint::pixel);
  EXPECT_GT(color()[0], color()[2]);  // orange
}

TEST_F(Accumulation, ComponentComesFromTheTag) {
  accumulate({at(20, 20, make_tag(15, Component::bulge))}, Footprint::pixel);
  EXPECT_GT(color()[0], 1.5 * color()[2]);  // gold
  accumulate({at(20, 20, make_tag(15, Component::disc, kTagRadiusRange) | decoration_tag(Decoration::young))},
             Footprint::pixel);
  EXPECT_GT(color()[2], color()[0]);  // blue-white
}

TEST_F(Accumulation, BirthRadiusComesFromTheTag) {
  // Mean over many radii, because bodies vary.
  std::array<double, 2> blueness{};
  for (const int outer : {0, 1}) {
    std::vector<Vertex> bodies;
    for (int i = 0; i < 64; ++i) bodies.push_back(at(20, 20, make_tag(0, Component::disc, 4 * outer + i / 64.0)));
    accumulate(bodies, Footprint::pixel);
    blueness[outer] = color()[2] / color()[0];
  }
  EXPECT_GT(blueness[1], 1.2 * blueness[0]);
}

TEST_F(Accumulation, ScalarIsTheUpperHalfOfTheAttribute) {
  color_ = ColorMode::speed;
  frame_.high = 4;
  std::array<double, 3> last{};
  for (const float speed : {0.0f, 2.0f, 4.0f}) {
    // Uses the packing of the simulation, not that of these tests.
    Vertex body = at(20, 20, make_tag(3, Component::disc, 5));
    body.attribute = (body.attribute & 0xFFFFu) | static_cast<std::uint32_t>(glm::packHalf1x16(speed)) << 16;
    accumulate({body}, Footprint::pixel);
    EXPECT_NE(color(), last) << speed;
    last = color();
  }
  EXPECT_GT(last[1], last[2]);  // the hot end is yellow
  accumulate({at(20, 20, make_tag(3, Component::disc, 5), 60000)}, Footprint::pixel);
  EXPECT_EQ(color(), last);
  for (const std::uint32_t not_a_number : {0x7E00u, 0xFE00u, 0x7C00u, 0xFC00u}) {
    Vertex body = at(20, 20);
    body.attribute = not_a_number << 16;
    accumulate({body}, Footprint::pixel);
    EXPECT_EQ(color(), last) << std::hex << not_a_number;
  }
}

bool has_sprites(const StarShape& shape) {
  return shape.footprint == Footprint::pixel_or_sprite || shape.footprint == Footprint::bilinear_or_sprite;
}

TEST(StarShape, FewOrNearBodiesAreSprites) {
  const ImageSettings automatic;
  for (const bool software : {false, true}) {
    const auto shape_of = [&](std::size_t count, float closeness) {
      return star_shape({.count = count, .closeness = closeness, .height = 720, .software = software}, automatic);
    };
    EXPECT_TRUE(has_sprites(shape_of(5'000, 1)));
    EXPECT_GT(shape_of(5'000, 1).radius, 2);
    EXPECT_GT(shape_of(100, 1).radius, shape_of(5'000, 1).radius);
    EXPECT_GT(shape_of(2'000, 3).radius, shape_of(2'000, 1).radius);
    EXPECT_LT(shape_of(1'000'000, 1).radius, 1);
    EXPECT_LT(shape_of(10'000'000, 100).radius, 1);
  }
}

TEST(StarShape, SpriteHasAtMostOnePixelPerUnit) {
  for (const std::size_t count : {100u, 100'000u, 10'000'000u, 200'000'000u}) {
    const StarShape shape = star_shape({.count = count, .closeness = 1, .height = 720}, {.style = StarStyle::sprites});
    EXPECT_LE(3.2f * shape.max * shape.max, std::max(fixed_point_units(count), 13.0f)) << count;
    EXPECT_GE(shape.max, shape.min);
  }
}

TEST(StarShape, DistantSceneIsCrowded) {
  const StarView far{.count = 10'000'000, .closeness = 0.01f, .height = 1080};
  EXPECT_EQ(star_shape(far, {}).footprint, Footprint::crowded);
  EXPECT_EQ(star_shape({.count = 10'000'000, .closeness = 1, .height = 1080}, {.style = StarStyle::splat}).footprint,
            Footprint::bilinear);
}

// Regression: in the window of a machine without a GPU, asteroids were blobs of six pixels.
TEST(StarShape, PointsAreFineInHalvedFrames) {
  const auto footprint = [](StarStyle style, bool halved, bool by_mass) {
    return star_shape({.count = 4000, .height = 360, .software = true, .halved = halved},
                      {.style = style, .by_mass = by_mass})
        .footprint;
  };
  EXPECT_EQ(footprint(StarStyle::splat, false, false), Footprint::bilinear);
  EXPECT_EQ(footprint(StarStyle::splat, true, false), Footprint::pixel);
  EXPECT_EQ(footprint(StarStyle::splat, true, true), Footprint::pixel_or_sprite);
  EXPECT_EQ(footprint(StarStyle::automatic, true, false), Footprint::bilinear_or_sprite);
}

TEST(StarShape, RadiusScalesWithTheHeight) {
  for (const std::size_t count : {1'000u, 20'000u, 1'000'000u}) {
    const auto radius = [&](float height) {
      return star_shape({.count = count, .height = height, .software = true}, {}).radius;
    };
    EXPECT_NEAR(radius(2160), 3 * radius(720), 0.01) << count;
  }
}

TEST(StarShape, ExplicitStyleWins) {
  const StarView view{.count = 1'000'000, .closeness = 1, .height = 720, .software = true};
  EXPECT_TRUE(has_sprites(star_shape(view, {.style = StarStyle::sprites})));
  EXPECT_GE(star_shape(view, {.style = StarStyle::sprites}).min, 2);
  EXPECT_EQ(star_shape(view, {.style = StarStyle::splat}).footprint, Footprint::pixel);
  EXPECT_EQ(star_shape({.count = 10, .height = 720}, {.style = StarStyle::splat}).footprint, Footprint::bilinear);
}

TEST_F(Accumulation, DecimationKeepsTheLight) {
  color_ = ColorMode::origin;  // does not depend on the vertex index
  std::vector<Vertex> bodies, drawn;
  for (std::size_t i = 0; i < 9 * 128 + 77; ++i) {
    const float x = static_cast<float>(i % 61) + 1.5f, y = static_cast<float>(i % 43) + 1.5f;
    bodies.push_back(at(x, y));
    if (i / 128 % 4 == 0) drawn.push_back(bodies.back());
  }
  accumulate(drawn, Footprint::pixel, 1000);
  const std::array<double, 3> quarter = color();
  ASSERT_GT(quarter[0], 0);
  accumulate(bodies, Footprint::pixel, 1000, 4);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(color()[k], 4 * quarter[k], 0.004 * quarter[k]);
  EXPECT_EQ(visible(), 4 * drawn.size());
}

}  // namespace
}  // namespace pericenter::render

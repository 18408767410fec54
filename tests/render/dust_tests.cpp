// Dust in front of stars, and knots where cold matter is dense.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "render/dust_pass.h"
#include "render/gl_info.h"
#include "render/shader_interface.h"
#include "render/star_pass.h"
#include "sim/core/vertex_target.h"
#include "tests/render/test_scene.h"

namespace pericenter::render {
namespace {

constexpr std::uint32_t kDark = make_tag(0, Component::halo);  // not shown
constexpr std::uint32_t kDusty = kDark | decoration_tag(Decoration::little_dust);
constexpr std::uint32_t kStar = make_tag(0, Component::bulge);

/// Evenly spread over [-0.5, 0.5).
float spread(int i, double step) {
  return static_cast<float>(std::fmod(i * step, 1.0) - 0.5);
}

/// A sheet of dust in the plane z = 0 seen from above, with a cluster behind it at x = -3 and one in front at x = 3.
class Dust : public testing::Test {
 protected:
  Dust() {
    install_gl_debug(true);
    scene_.camera.fit(6);
    scene_.camera.look_down();
    scene_.settings.auto_exposure = false;
    scene_.settings.exposure = -4;
    scene_.settings.depth_cue = 0;
    scene_.settings.bloom = 0;
    scene_.settings.style = StarStyle::splat;
  }

  void add_sheet(int bodies, std::uint32_t tag = kDusty) {
    for (int i = 0; i < bodies; ++i) add(10 * spread(i, 0.754878), 5 * spread(i, 0.569840), 0, tag);
  }
  void add_cluster(float x, float z, int bodies = 4000, std::uint32_t tag = kStar) {
    for (int i = 0; i < bodies; ++i) add(x + 0.5f * spread(i, 0.754878), 0.5f * spread(i, 0.569840), z, tag);
  }
  void add(float x, float y, float z, std::uint32_t tag) {
    scene_.vertices.push_back({.x = x, .y = y, .z = z, .attribute = tag});
  }

  struct Sides {
    double left[3] = {}, right[3] = {};  ///< mean channels of the brightest pixels, where the clusters are
  };
  Sides drawn(float dust) {
    scene_.settings.dust = dust;
    const Image image = draw(renderer_, scene_);
    Sides sides;
    for (int c = 0; c < 3; ++c) {
      sides.left[c] = brightest(image, c, 0, image.width / 2);
      sides.right[c] = brightest(image, c, image.width / 2, image.width);
    }
    return sides;
  }
  static double brightest(const Image& image, int channel, int first, int end) {
    std::vector<int> values;
    for (int y = 0; y < image.height; ++y)
      for (int x = first; x < end; ++x)
        values.push_back(image.rgb[static_cast<std::size_t>(3 * (y * image.width + x) + channel)]);
    constexpr int kPixels = 30;
    std::ranges::partial_sort(values, values.begin() + kPixels, std::greater());
    return std::accumulate(values.begin(), values.begin() + kPixels, 0) / static_cast<double>(kPixels);
  }

  HeadlessContext context_;
  Renderer renderer_;
  Scene scene_;
};

TEST_F(Dust, DimsAndReddensTheStarsBehindIt) {
  add_sheet(4096);
  add_cluster(-3, -2);
  add_cluster(3, 2);
  const Sides without = drawn(0), with = drawn(1);
  const auto [red, green, blue] = with.left;
  EXPECT_LT(green, 0.85 * without.left[1]);
  EXPECT_GT(red / without.left[0], 1.03 * green / without.left[1]);
  EXPECT_GT(green / without.left[1], 1.03 * blue / without.left[2]);
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(with.right[c] / without.right[c], 1, 0.1) << "in front of the dust";
}

TEST_F(Dust, AbsorbsMoreTheStrongerItIs) {
  add_sheet(4096);
  add_cluster(-3, -2);
  double before = std::numeric_limits<double>::infinity();
  for (const float strength : {0.0f, 0.25f, 0.5f, 1.0f, 2.0f}) {
    const double now = drawn(strength).left[1];
    EXPECT_LT(now, 0.97 * before) << strength;
    before = now;
  }
}

// Where the asinh curve is linear.
TEST_F(Dust, AbsorbsInProportionToTheAmount) {
  scene_.settings.exposure = -8;
  scene_.settings.tone = ToneCurve::asinh;
  for (const std::uint32_t k : {1u, 2u, 3u}) {
    scene_.vertices.clear();
    for (int i = 0; i < 1'000'000; ++i) {
      const float x = 10 * spread(i, 0.754878);
      add(x, 5 * spread(i, 0.569840), 0, with_dust(kDark, x < 0 ? 0 : k));
    }
    add_cluster(-3, -2);
    add_cluster(3, -2);
    const Sides without = drawn(0), with = drawn(1);
    const double amount = std::log(with.right[0] / without.right[0]) / std::log(with.left[0] / without.left[0]);
    EXPECT_NEAR(amount / dust_amount(k), 1, k == 3 ? 0.1 : 0.15) << k;
  }
}

TEST_F(Dust, AmountDoesNotDependOnTheNumberOfBodies) {
  double expected = 0;
  for (const int bodies : {4096, 16'384, 65'536, 300'000}) {
    scene_.vertices.clear();
    add_sheet(bodies);
    add_cluster(-3, -2, bodies);  // the brightness per body depends on their number
    const double share = drawn(1).left[1] / drawn(0).left[1];
    if (expected == 0) expected = share;
    EXPECT_NEAR(share, expected, 0.05) << bodies;
  }
  EXPECT_LT(expected, 0.9);
}

// Light passes between bodies, and more of it where they are at random than where they are as even as those of galaxies
// at their start, for which this is corrected. At this exposure the screen value is proportional to the light.
TEST_F(Dust, OfFewBodiesAbsorbsAsMuchAsThatOfMany) {
  scene_.settings.exposure = -4;
  scene_.settings.tone = ToneCurve::asinh;
  const double black = mean_of(draw(renderer_, scene_));
  const auto passed = [&](int dust, const std::function<glm::vec2(int)>& place) {
    constexpr int kStars = 20'000;
    scene_.vertices.clear();
    for (int i = 0; i < kStars; ++i) add(8 * spread(i, 0.754878), 4 * spread(i, 0.569840), -1, kStar);
    for (int i = 0; i < dust; ++i) {
      const glm::vec2 at = place(i);
      add(10 * at.x, 5 * at.y, 0, kDusty);
    }
    const auto light = [&](float strength) {
      scene_.settings.dust = strength;
      return mean_of(draw(renderer_, scene_)) - black;
    };
    return light(1) / light(0);
  };
  int first = 0;
  std::mt19937 random(1);
  const auto evenly = [&](int i) { return glm::vec2(spread(first + i, 0.754878), spread(first + i, 0.569840)); };
  const auto by_chance = [&](int) { return glm::vec2{random(), random()} / 4294967296.0f - 0.5f; };
  const double expected = passed(100'000, evenly);
  constexpr int kTrials = 20, kFew = 400;
  double even = 0, chance = 0;
  for (; first < kTrials * kFew; first += kFew) {
    even += passed(kFew, evenly) / kTrials;
    chance += passed(kFew, by_chance) / kTrials;
  }
  EXPECT_NEAR(even / expected, 1, 0.03) << "as galaxies start";
  EXPECT_NEAR(chance / expected, 1.05, 0.03) << "gaps between bodies";
  EXPECT_LT(expected, 0.8);
}

// As in DustColumn, through the renderer: the light of the strongest channel in the middle of the image, from the
// inverse of the asinh curve of shaders/tone_map.frag.
TEST_F(Dust, AbsorbsTheShareOfItsOpticalDepthInAnImage) {
  scene_.settings.tone = ToneCurve::asinh;
  scene_.settings.exposure = -2;
  scene_.settings.bloom = 1;  // no grain
  add_sheet(50'000);
  for (int i = 0; i < 20'000; ++i) add(8 * spread(i, 0.754878), 4 * spread(i, 0.569840), -1, kStar);
  const auto red = [&](float dust) {
    scene_.settings.dust = dust;
    const Image image = draw(renderer_, scene_);
    double sum = 0;
    for (int y = image.height / 2 - 8; y < image.height / 2 + 8; ++y)
      for (int x = image.width / 2 - 8; x < image.width / 2 + 8; ++x)
        sum += image.rgb[static_cast<std::size_t>(3 * (y * image.width + x))];
    constexpr double kNight = 0.016, kWhite = 25, kSoftening = 0.03;
    return std::sinh((sum / (16 * 16 * 255) - kNight) * std::asinh(kWhite / kSoftening));
  };
  EXPECT_NEAR(-std::log(red(1) / red(0)) / (0.82 * 3.5 * 6.2832 / (10 * 5)), 1, 0.05);
}

TEST_F(Dust, ChangesNoColorThatEncodesAValue) {
  add_sheet(4096);
  add_cluster(-3, -2);
  for (const ColorMode mode : {ColorMode::origin, ColorMode::speed, ColorMode::density}) {
    scene_.settings.color = mode;
    scene_.settings.dust = 0;
    const Image without = draw(renderer_, scene_);
    scene_.settings.dust = 2;
    EXPECT_EQ(draw(renderer_, scene_).rgb, without.rgb) << static_cast<int>(mode);
  }
}

TEST_F(Dust, OfNoBodyChangesNothing) {
  add_sheet(4096, kDark);
  add_cluster(-3, -2);
  scene_.settings.dust = 0;
  const Image without = draw(renderer_, scene_);
  scene_.settings.dust = 2;
  EXPECT_EQ(draw(renderer_, scene_).rgb, without.rgb);
}

TEST_F(Dust, OfOddPlacesIsHarmless) {
  const float far = 1e30f, nothing = std::numeric_limits<float>::quiet_NaN();
  const std::vector<std::vector<Vertex>> cases = {
      {},
      std::vector<Vertex>(5000, Vertex{0, 0, 0, kDusty}),
      {{far, 0, 0, kDusty}, {nothing, 0, 0, kDusty}, {0, 0, far, kDusty}, {0, 0, 0, kStar}},
      std::vector<Vertex>(1000, Vertex{0, 0, 15.6f, kDusty}),  // near the camera
  };
  for (const std::vector<Vertex>& vertices : cases) {
    scene_.vertices = vertices;
    EXPECT_EQ(draw(renderer_, scene_).rgb, draw(renderer_, scene_).rgb) << vertices.size();
  }
}

TEST_F(Dust, OfOneHalfDoesNotReachTheOther) {
  add_sheet(4096);
  add_cluster(3, -2);
  const VertexBuffer dusty(scene_.vertices);
  scene_.vertices.clear();
  add_cluster(3, -2);
  const VertexBuffer clear(scene_.vertices);
  const auto right_half = [&](const VertexBuffer& left) {
    Frame frame{
        .stars = clear.stars(), .split = Split{left.stars()}, .camera = scene_.camera, .settings = scene_.settings};
    const Image image = draw_in_one_pass(renderer_, frame, 320, 180);
    std::vector<std::uint8_t> pixels;
    for (int y = 0; y < 180; ++y)
      pixels.insert(pixels.end(), &image.rgb[3 * (320 * y + 161)], &image.rgb[3 * (320 * y + 319)]);
    return pixels;
  };
  EXPECT_EQ(right_half(dusty), right_half(clear));
}

TEST_F(Dust, MakesYoungStarsBrighterWhereItIsDense) {
  const std::uint32_t young = make_tag(0, Component::disc, 3) | decoration_tag(Decoration::young);
  add_cluster(-3, 0.2f, 4000, young);
  add_cluster(3, 0.2f, 4000, young);
  add_cluster(3, 0, 4000, kDusty);  // all dust of a galaxy in a small place
  add_cluster(-3, 0, 4000, kDark);
  scene_.settings.dust = 0.001f;  // absorbs nothing
  const Sides sides = drawn(0.001f);
  EXPECT_GT(sides.right[0], 1.2 * sides.left[0]);
}

/// A sheet of dust of known area, seen from above, and stars at a chosen height; measures the light before the tone
/// map.
class DustColumn : public testing::Test {
 protected:
  static constexpr float kLength = 10, kBreadth = 5;  // sides of the sheet, scale lengths
  static constexpr float kReach = 3;                  // dust is expected up to this distance from the sheet

  DustColumn() {
    install_gl_debug(true);
    camera_.fit(6);
    camera_.look_down();
  }

  /// The share of the light of stars at height `z` that passes the dust of so many galaxies, per channel.
  std::array<double, 3> passed(float z, int galaxies, float strength = 1) {
    const std::array<double, 3> all = light(z, galaxies, 0), rest = light(z, galaxies, strength);
    return {rest[0] / all[0], rest[1] / all[1], rest[2] / all[2]};
  }

  HeadlessContext context_;

 private:
  std::array<double, 3> light(float z, int galaxies, float strength) {
    std::vector<Vertex> bodies;
    for (int i = 0; i < 200'000; ++i)
      bodies.push_back({kLength * spread(i, 0.754878), kBreadth * spread(i, 0.569840), 0,
                        make_tag(i % galaxies, Component::halo) | decoration_tag(Decoration::little_dust)});
    for (int i = 0; i < 2000; ++i) bodies.push_back({spread(i, 0.754878), spread(i, 0.569840), z, kStar});
    const VertexBuffer buffer(bodies);
    const glm::ivec2 size(160, 90);
    const float aspect = static_cast<float>(size.x) / static_cast<float>(size.y);
    const glm::mat4 projection = camera_.projection(aspect);
    const DustView view{.clip_from_world = projection * camera_.view(),
                        .aspect = aspect,
                        .near = camera_.distance() - kReach,
                        .far = camera_.distance() + kReach,
                        .height = 2 / projection[1][1]};
    const FrameUniforms frame{.clip_from_world = view.clip_from_world,
                              .size = size,
                              .units = fixed_point_units(bodies.size()),
                              .dust = strength};
    Buffer uniforms;
    allocate(uniforms, sizeof frame, &frame);
    dust_.fill(buffer.stars(), view);
    glBindBufferBase(GL_UNIFORM_BUFFER, kFrameBinding, uniforms.name());
    stars_.resize(size.x, size.y);
    stars_.draw(buffer.stars(), {.footprint = Footprint::bilinear, .dust = &dust_});
    const std::vector<std::uint32_t> numbers = accumulated(stars_);
    std::array<double, 3> sums = {};
    for (std::size_t i = 0; i + 4 < numbers.size(); ++i)
      if (i % 4 < 3) sums[i % 4] += numbers[i];
    return sums;
  }

  ShaderLibrary library_ = ShaderLibrary("");
  DustPass dust_{library_};
  StarPass stars_{library_};
  Camera camera_;
};

// An exponential disc of a galaxy has an optical depth of 3.5 at its centre, seen face-on, and as much dust as an area
// of 2 pi square scale lengths with this depth. A(R) : A(V) : A(B) = 0.82 : 1 : 1.32.
TEST_F(DustColumn, AbsorbsTheShareOfItsOpticalDepthInEachColor) {
  constexpr double kDepth = 3.5 * 6.2832 / (kLength * kBreadth), kExtinction[3] = {0.82, 1, 1.32};
  struct Case {
    float z;
    int galaxies;
    float strength;
    double columns;  ///< dust in front of the stars, in that of a galaxy
  };
  for (const Case& each : {Case{-1, 1, 1, 1}, {1, 1, 1, 0}, {0, 1, 1, 0.5}, {-1, 2, 1, 2}, {-1, 1, 0.5f, 0.5}}) {
    const std::array<double, 3> shares = passed(each.z, each.galaxies, each.strength);
    for (int c = 0; c < 3; ++c)
      EXPECT_NEAR(-std::log(shares[c]), each.columns * kDepth * kExtinction[c], 0.03 * kDepth)
          << "channel " << c << " at " << each.z << ", strength " << each.strength;
  }
}

/// The factor that sharpens lanes, in a row of the grid over a scene that is seen from above.
class Lanes : public testing::Test {
 protected:
  Lanes() {
    install_gl_debug(true);
    camera_.fit(6);
    camera_.look_down();
  }

  void add(int bodies, float breadth, float length, std::uint32_t tag = kDusty) {
    for (int i = 0; i < bodies; ++i)
      bodies_.push_back({breadth * spread(i, 0.754878), length * spread(i, 0.569840), 0, tag});
  }
  /// Columns of the grid from left to right, in the middle row.
  std::vector<float> factors(float absorption = 1) {
    const VertexBuffer buffer(bodies_);
    const glm::mat4 projection = camera_.projection(16.0f / 9);
    dust_.fill(buffer.stars(), {.clip_from_world = projection * camera_.view(),
                                .aspect = 16.0f / 9,
                                .near = camera_.distance() - 3,
                                .far = camera_.distance() + 3,
                                .height = 2 / projection[1][1],
                                .absorption = absorption});
    GLint width = 0, height = 0;
    glGetTextureLevelParameteriv(dust_.lanes(), 0, GL_TEXTURE_WIDTH, &width);
    glGetTextureLevelParameteriv(dust_.lanes(), 0, GL_TEXTURE_HEIGHT, &height);
    std::vector<float> all(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    glGetTextureImage(dust_.lanes(), 0, GL_RED, GL_FLOAT, static_cast<GLsizei>(all.size() * sizeof(float)), all.data());
    const auto row = all.begin() + static_cast<std::ptrdiff_t>(height) / 2 * width;
    return {row, row + width};
  }

  HeadlessContext context_;
  std::vector<Vertex> bodies_;
  ShaderLibrary library_ = ShaderLibrary("");
  DustPass dust_{library_};
  Camera camera_;
};

TEST_F(Lanes, AreDarkerInTheMiddleAndLighterBeside) {
  add(50'000, 10, 5);
  add(20'000, 0.1f, 5);  // as wide as a cell
  const std::vector<float> row = factors(), weak = factors(0.1f);
  const auto least = std::ranges::min_element(row);
  EXPECT_NEAR(static_cast<double>(least - row.begin()), 0.5 * static_cast<double>(row.size()), 2);
  EXPECT_LT(*least, 0.95);
  EXPECT_GT(*std::max_element(least, least + 5), 1.05);
  EXPECT_GT(*std::max_element(least - 5, least), 1.05);
  EXPECT_EQ(row.front(), 1) << "no dust";
  EXPECT_GT(*std::ranges::min_element(weak), *least + 0.04) << "weaker dust";
}

TEST_F(Lanes, AreNotSpotsOfSingleBodies) {
  add(1000, 10, 5);
  add(20'000, 10, 5, kDark);  // for a fine grid
  const std::vector<float> row = factors();
  EXPECT_GT(*std::ranges::min_element(row), 0.98);
}

}  // namespace
}  // namespace pericenter::render

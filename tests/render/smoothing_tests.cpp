// Light of few bodies, spread over the distance to their neighbours.
#include "render/smoothing_pass.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <vector>

#include "render/crowd_pass.h"
#include "render/gl_info.h"
#include "render/light_levels.h"
#include "render/post_processing.h"
#include "render/shader_interface.h"
#include "render/star_pass.h"
#include "sim/core/vertex_target.h"
#include "tests/render/test_scene.h"

namespace pericenter::render {
namespace {

TEST(Neighbours, GrowWithTheNumberOfBodiesButKernelsShrink) {
  EXPECT_NEAR(neighbours(160'000) / neighbours(20'000), 4, 1e-3);
  EXPECT_NEAR(neighbours(160'000'000) / neighbours(20'000'000), 4, 1e-3);
  EXPECT_GE(neighbours(20'000), 32);
  EXPECT_LE(neighbours(20'000), 64);
}

TEST(WidestLevel, IsAsWideAPartOfEveryImage) {
  EXPECT_NEAR(widest_level(1440), widest_level(720) + 1, 1e-5);
  EXPECT_NEAR(widest_level(720), 5.5, 1e-5);
}

constexpr int kSmoothWidth = 256, kSmoothHeight = 192;

/// Runs the passes up to the smoothing, and combines its levels as the tone map does. Positions are in pixels.
class Smoothing : public testing::Test {
 protected:
  Smoothing() { install_gl_debug(true); }

  static Vertex at(float x, float y) {
    return {.x = 2 * x / kSmoothWidth - 1,
            .y = 2 * y / kSmoothHeight - 1,
            .z = 0,
            .attribute = make_tag(0, Component::other)};
  }

  static std::vector<float> pixels_of(GLuint texture, int width, int height) {
    std::vector<float> pixels(static_cast<std::size_t>(4 * width * height));
    glGetTextureImage(texture, 0, GL_RGBA, GL_FLOAT, static_cast<GLsizei>(pixels.size() * 4), pixels.data());
    return pixels;
  }

  /// `spreads`: whether light is spread at all.
  void smooth(const std::vector<Vertex>& bodies, bool spreads) {
    const ImageTile tile{.whole = {kSmoothWidth, kSmoothHeight}, .size = {kSmoothWidth, kSmoothHeight}};
    const VertexBuffer buffer(bodies);
    frame_.units = fixed_point_units(bodies.size());
    frame_.gain = 100'000 / frame_.units;
    Buffer uniforms = make_buffer();
    glNamedBufferStorage(uniforms.name(), sizeof frame_, &frame_, 0);
    glBindBufferBase(GL_UNIFORM_BUFFER, kFrameBinding, uniforms.name());
    smoothing_.arrange(tile, spreads ? LightLevels::coarsest(kSmoothHeight) : 0);
    stars_.resize(kSmoothWidth, kSmoothHeight, smoothing_.plane_pixels());
    crowd_.clear(tile, bodies.size());
    crowd_.add(buffer.stars(), {0, kSmoothWidth});
    crowd_.finish(widest_level(kSmoothHeight), 1);
    const StarPass::Spread spread{.levels = crowd_.levels(),
                                  .place = crowd_.place_of(tile),
                                  .widest = widest_level(kSmoothHeight),
                                  .planes = smoothing_.planes()};
    stars_.draw(buffer.stars(), {.spread = spreads ? &spread : nullptr});
    smoothing_.resolve(stars_.light(), nullptr);
    smoothing_.collect({});
    const ColorTarget sharp(GL_RGBA32F, kSmoothWidth, kSmoothHeight);
    linear_.draw(stars_.light(), SmoothingPass(library_), sharp);
    sharp_ = pixels_of(sharp.texture.name(), kSmoothWidth, kSmoothHeight);
    smooth_ = smoothing_.finest() != 0 ? pixels_of(smoothing_.finest(), kSmoothWidth / 2, kSmoothHeight / 2)
                                       : std::vector<float>();
    check_gl();
  }

  /// Light of the blue channel at a pixel, without the filter of the tone map.
  double light(int x, int y) const {
    const double sharp = sharp_[static_cast<std::size_t>(4 * (y * kSmoothWidth + x) + 2)];
    if (smooth_.empty()) return sharp;
    const std::size_t coarse = static_cast<std::size_t>(4 * ((y / 2) * (kSmoothWidth / 2) + x / 2));
    return sharp + smooth_[coarse + 2];
  }
  double total() const {
    double sum = 0;
    for (int y = 0; y < kSmoothHeight; ++y)
      for (int x = 0; x < kSmoothWidth; ++x) sum += light(x, y);
    return sum;
  }

  HeadlessContext context_;
  ShaderLibrary library_ = ShaderLibrary("");
  StarPass stars_{library_};
  LinearPass linear_{library_};
  SmoothingPass smoothing_{library_};
  CrowdPass crowd_{library_};
  FrameUniforms frame_{.size = {kSmoothWidth, kSmoothHeight}};
  std::vector<float> sharp_, smooth_;
  std::size_t bodies_ = 0;
};

/// Bodies of a disc of radius 60, with a density that falls from the centre.
template <class At>
std::vector<Vertex> disc(int bodies, const At& at) {
  std::vector<Vertex> result;
  for (int i = 0; i < bodies; ++i) {
    const float share = (static_cast<float>(i) + 0.5f) / static_cast<float>(bodies);
    const float radius = 60 * share, turn = 2.399963f * static_cast<float>(i);
    result.push_back(at(128.0f + radius * std::cos(turn), 96.0f + radius * std::sin(turn)));
  }
  return result;
}

// Light that is spread beyond the edge of the image is lost.
TEST_F(Smoothing, ConservesTheLight) {
  for (const int bodies : {1000, 20'000}) {
    smooth(disc(bodies, at), true);
    EXPECT_NEAR(total() / 100'000.0, 1, 0.02) << bodies;
  }
}

TEST_F(Smoothing, OffChangesNothing) {
  smooth(disc(1000, at), false);
  EXPECT_EQ(smoothing_.finest(), 0u);
}

TEST_F(Smoothing, OfAGroupDoesNotDependOnADistantOne) {
  const auto group = [](int x, int y) {
    std::vector<Vertex> bodies;
    for (int k = 0; k < 256; ++k)
      bodies.push_back(at(static_cast<float>(x + 2 * (k % 16) - 16), static_cast<float>(y + 2 * (k / 16) - 16)));
    return bodies;
  };
  const auto light_around = [&](int x, int y) {
    double sum = 0;
    for (int row = y - 24; row < y + 24; ++row)
      for (int column = x - 24; column < x + 24; ++column) sum += light(column, row);
    return sum * static_cast<double>(std::max<std::size_t>(bodies_, 50));
  };
  std::vector<Vertex> bodies = group(200, 152);
  bodies_ = bodies.size();
  smooth(bodies, true);
  const double alone = light_around(200, 152);
  for (const Vertex& body : group(60, 50)) bodies.push_back(body);
  bodies_ = bodies.size();
  smooth(bodies, true);
  EXPECT_NEAR(light_around(200, 152) / alone, 1, 0.05);
}

TEST_F(Smoothing, KeepsDensePlacesSharp) {
  smooth(std::vector<Vertex>(5000, at(128.5f, 96.5f)), true);
  EXPECT_GT(light(128, 96), 0.95 * total());
}

// A ring of the disc has the same mean light for any number of bodies, and few bodies leave no gaps in it.
TEST_F(Smoothing, MakesADiscOfFewBodiesLikeADiscOfMany) {
  const auto ring = [&] {
    double sum = 0, squares = 0;
    int pixels = 0;
    for (int y = 0; y < kSmoothHeight; ++y) {
      for (int x = 0; x < kSmoothWidth; ++x) {
        const double r = std::hypot(x + 0.5 - 128, y + 0.5 - 96);
        if (r < 25 || r > 35) continue;
        sum += light(x, y);
        squares += light(x, y) * light(x, y);
        ++pixels;
      }
    }
    const double mean = sum / pixels;
    return std::pair{mean, std::sqrt(squares / pixels - mean * mean) / mean};
  };
  smooth(disc(500'000, at), false);
  const double expected = ring().first;
  smooth(disc(1500, at), false);
  const double sharp_noise = ring().second;
  smooth(disc(1500, at), true);
  const auto [mean, noise] = ring();
  EXPECT_NEAR(mean / expected, 1, 0.05);
  EXPECT_LT(noise, 0.35 * sharp_noise);
}

/// Mean screen value of the scene with this number of bodies.
double brightness(Renderer& renderer, std::size_t bodies) {
  Scene scene = two_spirals(bodies);
  scene.width = 640;
  scene.height = 360;
  return mean_of(draw(renderer, scene));
}

/// The same for the start of the scene `collision`, as the program shows it.
double brightness_of_collision(Renderer& renderer, std::size_t bodies, std::uint64_t seed) {
  return mean_of(draw(renderer, start_of("collision", bodies, seed)));
}

TEST(Brightness, DoesNotDependOnTheNumberOfBodies) {
  HeadlessContext context;
  install_gl_debug(true);
  Renderer renderer;
  const double expected = brightness(renderer, 1'000'000);
  for (const std::size_t bodies : {5'000u, 20'000u, 100'000u, 300'000u})
    EXPECT_NEAR(brightness(renderer, bodies) / expected, 1, 0.02) << bodies;
}

// Separate points of light look darker than the same light without gaps: few bodies that were smoothed, and so many
// that no gaps are left, would look 1 to 2 % brighter than a million.
TEST(Brightness, GrainIsCompensated) {
  HeadlessContext context;
  install_gl_debug(true);
  Renderer renderer;
  const double expected = brightness(renderer, 1'000'000);
  for (const std::size_t bodies : {5'000u, 10'000'000u})
    EXPECT_NEAR(brightness(renderer, bodies) / expected, 1, 0.01) << bodies;
}

// Of the mean over random seeds: a single seed with 5,000 bodies deviates by about 2 %.
TEST(Brightness, OfGalaxiesWithDustDoesNotDependOnTheNumberOfBodies) {
  HeadlessContext context;
  install_gl_debug(true);
  Renderer renderer;
  constexpr int kSeeds = 4;
  const std::size_t numbers[] = {5'000, 20'000, 100'000};
  double ratios[std::size(numbers)] = {};
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const double expected = brightness_of_collision(renderer, 1'000'000, seed);
    for (std::size_t k = 0; k < std::size(numbers); ++k)
      ratios[k] += brightness_of_collision(renderer, numbers[k], seed) / expected / kSeeds;
  }
  for (std::size_t k = 0; k < std::size(numbers); ++k) EXPECT_NEAR(ratios[k], 1, 0.02) << numbers[k];
}

/// Pixels of `image` where `is_so` holds for red, green and blue, as a share.
template <typename Is>
double share_of(const Image& image, const Is& is_so) {
  std::size_t found = 0;
  for (std::size_t k = 0; k < image.rgb.size(); k += 3)
    found += is_so(k, int{image.rgb[k]}, int{image.rgb[k + 1]}, int{image.rgb[k + 2]}) ? 1 : 0;
  return 3.0 * static_cast<double>(found) / static_cast<double>(image.rgb.size());
}

// A nucleus has twenty times the light of the disc around it.
TEST(Nuclei, AreWhiteInYellowBulges) {
  HeadlessContext context;
  install_gl_debug(true);
  Renderer renderer;
  const Image image = draw(renderer, start_of("galaxy", 100'000, 1));
  // Mean colour at these distances from the nucleus, which is in the middle.
  const auto ring = [&](double from, double to) {
    glm::dvec4 sum(0);
    for (int y = 0; y < image.height; ++y) {
      for (int x = 0; x < image.width; ++x) {
        const double r = std::hypot(x + 0.5 - image.width / 2, y + 0.5 - image.height / 2);
        const std::uint8_t* pixel = &image.rgb[3 * (static_cast<std::size_t>(y) * image.width + x)];
        if (r >= from && r < to) sum += glm::dvec4(pixel[0], pixel[1], pixel[2], 1);
      }
    }
    return glm::dvec3(sum) / sum.w;
  };
  const glm::dvec3 core = ring(0, 3), bulge = ring(18, 24), disc = ring(40, 46);
  EXPECT_GT(core.b, 0.8 * core.r) << "white";
  EXPECT_LT(bulge.b, 0.85 * bulge.r) << "yellow";
  EXPECT_GT(core.g, disc.g + 35) << "the disc is darker";
}

TEST(LightTheme, ShowsPopulationsWithoutStains) {
  HeadlessContext context;
  install_gl_debug(true);
  Renderer renderer;
  const auto on_paper = [&](std::size_t bodies) {
    Scene scene = start_of("galaxy", bodies, 1);
    scene.settings.background = Background::light;
    return draw(renderer, scene);
  };
  const Image few = on_paper(20'000), many = on_paper(1'000'000);
  const int paper = many.rgb[1];
  EXPECT_LT(share_of(few, [&](std::size_t k, int, int green,
                              int) { return green < paper - 20 && many.rgb[k + 1] > paper - 5; }),
            0.003)
      << "single stars far outside";
  EXPECT_GT(share_of(few, [](std::size_t, int red, int, int blue) { return blue > red + 20; }), 0.003) << "arms";
  EXPECT_GT(share_of(few, [](std::size_t, int red, int, int blue) { return red > blue + 40; }), 0.008)
      << "old stars; of many bodies 0.0101";
}

// Dense light that dust has reddened was a red gash in black.
TEST(LightTheme, DenseLightIsDarkInEveryHue) {
  HeadlessContext context;
  install_gl_debug(true);
  Renderer renderer;
  Scene scene = start_of("galaxy", 100'000, 1);
  scene.settings.background = Background::light;
  scene.settings.exposure = 2;
  CameraPose pose = scene.camera.pose();
  pose.pitch = 0.05f;
  scene.camera.set_pose(pose);
  const Image edge_on = draw(renderer, scene);
  const auto is_dense = [](int green) { return green < 50; };
  EXPECT_GT(share_of(edge_on, [&](std::size_t, int, int green, int) { return is_dense(green); }), 0.02);
  EXPECT_LT(share_of(edge_on, [&](std::size_t, int red, int green, int) { return is_dense(green) && red > 110; }),
            2e-4);
}

}  // namespace
}  // namespace pericenter::render

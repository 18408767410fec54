// Light of few bodies, spread over the distance to their neighbours.
#include "render/smoothing_pass.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <vector>

#include "render/gl_info.h"
#include "render/shader_interface.h"
#include "render/star_pass.h"
#include "sim/core/vertex_target.h"
#include "sim/scenes/registry.h"
#include "tests/render/test_scene.h"

namespace pericenter::render {
namespace {

TEST(SmoothingLevel, FallsWithTheNumberOfBodiesAndGrowsWithTheImage) {
  EXPECT_NEAR(smoothing_level(20'000, 1, 720), std::log2(60), 1e-5);
  EXPECT_NEAR(smoothing_level(80'000, 2, 720), smoothing_level(80'000, 1, 1440), 1e-5);
  EXPECT_NEAR(smoothing_level(80'000, 1, 720), smoothing_level(20'000, 1, 720) - 1.5, 1e-5);
  EXPECT_EQ(smoothing_level(10'000'000, 1, 1080), 0);
  EXPECT_EQ(smoothing_level(999, 1, 720), 0);
  EXPECT_GT(smoothing_level(1000, 1, 720), 5);
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

  void smooth(const std::vector<Vertex>& bodies, float last) {
    const VertexBuffer buffer(bodies);
    frame_.units = fixed_point_units(bodies.size());
    frame_.gain = 100'000 / frame_.units;
    Buffer uniforms = make_buffer();
    glNamedBufferStorage(uniforms.name(), sizeof frame_, &frame_, 0);
    glBindBufferBase(GL_UNIFORM_BUFFER, kFrameBinding, uniforms.name());
    stars_.resize(kSmoothWidth, kSmoothHeight);
    stars_.draw(buffer.stars(), {});
    levels_.resize({kSmoothWidth, kSmoothHeight}, {kSmoothWidth, kSmoothHeight}, 0);
    levels_.resolve(stars_.light(), levels_.image(), {kSmoothWidth, kSmoothHeight});
    levels_.shrink();
    smoothing_.smooth(levels_, stars_.light(), {.last = last, .body = 1});
    sharp_ = pixels_of(levels_.image().texture.name(), kSmoothWidth, kSmoothHeight);
    smooth_ = smoothing_.finest().result != 0
                  ? pixels_of(smoothing_.finest().result, kSmoothWidth / 2, kSmoothHeight / 2)
                  : std::vector<float>();
    check_gl();
  }

  /// Light of the blue channel at a pixel, without the filter of the tone map.
  double light(int x, int y) const {
    const double sharp = sharp_[static_cast<std::size_t>(4 * (y * kSmoothWidth + x) + 2)];
    if (smooth_.empty()) return sharp;
    const std::size_t coarse = static_cast<std::size_t>(4 * ((y / 2) * (kSmoothWidth / 2) + x / 2));
    return smooth_[coarse + 3] * sharp + smooth_[coarse + 2];
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
  LightLevels levels_{library_};
  SmoothingPass smoothing_{library_};
  FrameUniforms frame_{.size = {kSmoothWidth, kSmoothHeight}};
  std::vector<float> sharp_, smooth_;
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

TEST_F(Smoothing, ConservesTheLight) {
  for (const int bodies : {1, 100, 1000, 20'000}) {
    smooth(disc(bodies, at), 5);
    EXPECT_NEAR(total() / (100'000.0 * bodies / std::max(bodies, 50)), 1, 0.02) << bodies;
  }
}

TEST_F(Smoothing, OffChangesNothing) {
  smooth(disc(1000, at), 0);
  EXPECT_EQ(smoothing_.finest().result, 0u);
}

// Otherwise the outskirts of a few bodies are separate discs, which look darker than the same light without gaps.
TEST_F(Smoothing, OfASingleBodyReachesTheCoarsestLevel) {
  smooth({at(128.5f, 96.5f)}, 6);
  EXPECT_NE(smoothing_.at(levels_.last()).arrived, 0u);
  EXPECT_NEAR(total(), 100'000.0 / 50, 0.02 * 100'000 / 50);
}

// With about one body per pixel of the coarsest level, where the density decides how much of the light stays.
TEST_F(Smoothing, OfAGroupDoesNotDependOnADistantOne) {
  const auto group = [](int x, int y) {
    std::vector<Vertex> bodies;
    for (int k = 0; k < 16; ++k)
      bodies.push_back(at(static_cast<float>(x + 12 * (k % 4) - 18), static_cast<float>(y + 12 * (k / 4) - 18)));
    return bodies;
  };
  const auto light_around = [&](int x, int y) {
    double sum = 0;
    for (int row = y - 24; row < y + 24; ++row)
      for (int column = x - 24; column < x + 24; ++column) sum += light(column, row);
    return sum;
  };
  std::vector<Vertex> bodies = group(200, 152);
  smooth(bodies, 6);
  const double alone = light_around(200, 152);
  for (const Vertex& body : group(100, 76)) bodies.push_back(body);
  smooth(bodies, 6);
  EXPECT_NEAR(light_around(200, 152) / alone, 1, 0.01);
}

TEST_F(Smoothing, KeepsDensePlacesSharp) {
  std::vector<Vertex> bodies(5000, at(128.5f, 96.5f));
  smooth(bodies, 5);
  EXPECT_GT(light(128, 96), 0.95 * total());
}

TEST_F(Smoothing, SpreadsASingleBodyButKeepsItsPlace) {
  smooth({at(128.5f, 96.5f)}, 5);
  EXPECT_NEAR(light(128, 96) / total(), 0.12, 0.02);
  double x = 0, y = 0;
  for (int row = 0; row < kSmoothHeight; ++row) {
    for (int column = 0; column < kSmoothWidth; ++column) {
      x += (column + 0.5) * light(column, row) / total();
      y += (row + 0.5) * light(column, row) / total();
    }
  }
  EXPECT_NEAR(x, 128.5, 2);
  EXPECT_NEAR(y, 96.5, 2);
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
  smooth(disc(500'000, at), 0);
  const double expected = ring().first;
  smooth(disc(1500, at), 0);
  const double sharp_noise = ring().second;
  smooth(disc(1500, at), 5);
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
  const pericenter::Scene start = find_scene("collision")->make({.bodies = bodies, .seed = seed});
  Scene scene;
  for (const Body& body : start.bodies) {
    scene.vertices.push_back({.x = static_cast<float>(body.position[0]),
                              .y = static_cast<float>(body.position[1]),
                              .z = static_cast<float>(body.position[2]),
                              .attribute = attribute_of(body.tag, 0)});
  }
  scene.camera.fit(static_cast<float>(start.view_radius));
  scene.width = 1280;
  scene.height = 720;
  return mean_of(draw(renderer, scene));
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

}  // namespace
}  // namespace pericenter::render

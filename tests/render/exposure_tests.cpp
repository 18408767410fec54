// Automatic exposure of light that changes by a known factor.
#include <gtest/gtest.h>

#include <cmath>

#include "render/gl_info.h"
#include "render/headless_context.h"
#include "render/post_processing.h"
#include "render/star_pass.h"
#include "tests/render/test_scene.h"

namespace pericenter::render {
namespace {

class ExposureOfUniformLight : public testing::Test {
 protected:
  ExposureOfUniformLight() {
    install_gl_debug(true);
    levels_.resize({128, 80}, {128, 80}, 0);
    stars_.resize(128, 80, 0);
  }

  /// Stops after a frame of an image whose left part has `left` and whose rest has `right`, `seconds` after the last
  /// one.
  float stops(float left, float right, float seconds) {
    for (int k = levels_.first(); k <= levels_.last(); ++k) {
      const ColorTarget& level = levels_.at(k);
      const auto fill = [&](int first, int width, float light) {
        const float color[4] = {0.5f * light, light, 0.25f * light, 1};
        glClearTexSubImage(level.texture.name(), 0, first, 0, 0, width, level.height, 1, GL_RGBA, GL_FLOAT, color);
      };
      const int middle = level.width / 2;
      fill(0, middle, left);
      fill(middle, level.width - middle, right);
    }
    pass_.follow({.light = stars_.light(), .levels = levels_, .smoothing = smoothing_, .bodies = kSamples}, seconds,
                 exposure_);
    float result = 0;
    glGetNamedBufferSubData(exposure_.buffer(), 0, sizeof result, &result);
    check_gl();
    return result;
  }
  float stops(float light, float seconds) { return stops(light, light, seconds); }

  HeadlessContext context_;
  ShaderLibrary library_ = ShaderLibrary("");
  LightLevels levels_{library_};
  StarPass stars_{library_};
  SmoothingPass smoothing_{library_};
  ExposurePass pass_{library_};
  Exposure exposure_;
};

constexpr float kBin = 1.0f / 16;  // stops, the resolution with which brightness is measured
constexpr float kTarget = 1.15f;   // log2 of the brightness, as in the shader

TEST_F(ExposureOfUniformLight, MakesItsBrightnessTheTarget) {
  for (const float light : {0.02f, 1.0f, 40.0f})
    EXPECT_NEAR(stops(light, INFINITY), kTarget - std::log2(light), kBin) << light;
}

// The faintest 5 % and the brightest 40 % of the light do not count. Of the 55 % that count, 6 % are the darker half.
TEST_F(ExposureOfUniformLight, IgnoresTheBrightestAndTheFaintestLight) {
  EXPECT_NEAR(stops(1, 64, INFINITY), kTarget - 6, kBin) << "the darker half has 1.5 % of the light";
  const float share = (1 / (1 + 8.0f) - 0.05f) / 0.55f;
  EXPECT_NEAR(stops(1, 8, INFINITY), kTarget - 3 * (1 - share), kBin);
}

// A scene that becomes eight times as bright or as faint. After the time constant, 1/e of the change is left.
TEST_F(ExposureOfUniformLight, FollowsWithATimeConstantOf170MillisecondsAtEveryFrameRate) {
  constexpr double kTimeConstant = 0.17, kTime = 0.24;
  for (const float factor : {8.0f, 1 / 8.0f}) {
    for (const int frames : {1, 2, 6, 24, 96}) {
      const float before = stops(1, INFINITY), target = before - std::log2(factor);
      float now = before;
      for (int k = 0; k < frames; ++k) now = stops(factor, static_cast<float>(kTime / frames));
      const double rest = (now - target) / (before - target);
      EXPECT_NEAR(kTime / -std::log(rest), kTimeConstant, 0.01 * kTimeConstant) << factor << ' ' << frames;
    }
  }
}

TEST_F(ExposureOfUniformLight, StaysInAFrameThatLastsNoTimeAndWhereThereIsNoLight) {
  const float before = stops(1, INFINITY);
  EXPECT_EQ(stops(8, 0), before);
  EXPECT_EQ(stops(0, INFINITY), 0);
}

/// Stops of a scene after another, found by comparison with settled images at other manual exposures.
class ExposureOfImages : public testing::Test {
 protected:
  ExposureOfImages() { install_gl_debug(true); }

  double brightness(const VertexBuffer& bodies, float seconds, float manual) {
    Frame frame{.stars = bodies.stars(), .camera = scene_.camera, .settings = scene_.settings, .seconds = seconds};
    frame.settings.exposure = manual;
    return mean_of(draw_in_one_pass(renderer_, frame, 160, 90));
  }
  /// Stops above the settled exposure at which the image has this brightness.
  float stops_of(double value) {
    float low = -8, high = 8;
    for (int k = 0; k < 14; ++k) {
      const float middle = (low + high) / 2;
      (brightness(all_, INFINITY, middle) < value ? low : high) = middle;
    }
    return low;
  }

  HeadlessContext context_;
  Renderer renderer_;
  Scene scene_ = two_spirals(3000);
  VertexBuffer all_{scene_.vertices};
};

TEST_F(ExposureOfImages, FollowsTheTimeOfTheFrames) {
  const VertexBuffer few({scene_.vertices.begin(), scene_.vertices.begin() + 60});
  brightness(few, INFINITY, 0);
  const double at_first = brightness(all_, 0, 0), later = brightness(all_, 0.17f, 0);
  const float change = stops_of(at_first);
  EXPECT_GT(std::abs(change), 0.5f);
  EXPECT_NEAR(stops_of(later) / change, std::exp(-1.0), 0.02);
}

}  // namespace
}  // namespace pericenter::render

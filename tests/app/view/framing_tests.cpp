#include "app/view/framing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/core/bodies.h"

namespace pericenter::app {
namespace {

constexpr float kAspect = 16.0f / 9;

/// A thousand stars in a ball that fills a tenth of the view, and tails of `tails` of them that reach `reach` times as
/// far as the fitted radius of the camera.
render::StarSample stars(int tails, float reach) {
  render::StarSample sample;
  for (int k = 0; k < 1000; ++k) {
    const auto angle = static_cast<float>(k);
    const float radius = k < tails ? reach : 0.1f;
    sample.stars.push_back(
        {10 * radius * glm::vec3(std::cos(angle), std::sin(angle), 0), make_tag(0, Component::disc)});
  }
  return sample;
}

class FramingTest : public ::testing::Test {
 protected:
  FramingTest() {
    camera.fit(10);
    framing.start(camera);
  }

  /// Share of the stars in the image.
  double inside(const render::StarSample& sample, float aspect = kAspect) const {
    int count = 0;
    for (const render::SampledStar& star : sample.stars) {
      const glm::vec4 clip = camera.projection(aspect) * camera.view() * glm::vec4(star.position, 1);
      if (clip.w > 0 && std::abs(clip.x) < clip.w && std::abs(clip.y) < clip.w) ++count;
    }
    return count / static_cast<double>(sample.stars.size());
  }
  /// Shows stars for some seconds; returns the largest change of the distance in a frame, as a factor.
  float show(const render::StarSample& sample, float seconds, float frame = 0.02f, float aspect = kAspect) {
    float largest = 1;
    for (float time = 0; time < seconds; time += frame) {
      const float before = camera.distance();
      framing.advance({framing_distance(sample, camera, aspect), framing_distance(sample, camera, kAspect)}, frame,
                      camera);
      largest = std::max(largest, std::max(camera.distance() / before, before / camera.distance()));
    }
    return largest;
  }

  render::Camera camera;
  Framing framing;
  const render::StarSample compact = stars(0, 0), tails = stars(70, 2.5f);
};

TEST_F(FramingTest, TailsStayInTheImageAndTheViewReturns) {
  const float fitted = camera.distance();
  show(compact, 1);
  EXPECT_EQ(camera.distance(), fitted) << "everything is in the image";
  EXPECT_LT(inside(tails), 0.96);
  show(tails, 1);
  EXPECT_GT(camera.distance(), fitted);
  EXPECT_LT(camera.distance(), 1.15f * fitted) << "slowly";
  show(tails, 30);
  EXPECT_GT(inside(tails), 0.985);
  show(compact, 30);
  EXPECT_NEAR(camera.distance(), fitted, 1e-3f * fitted);
}

TEST_F(FramingTest, NeverMovesInJerks) {
  show(compact, 1);
  EXPECT_LT(show(tails, 30), 1.004f);
  EXPECT_LT(show(compact, 5), 1.004f) << "a jump on the timeline";
  EXPECT_LT(show(tails, 10, 2), 1.02f) << "with few frames per second";
}

TEST_F(FramingTest, LeavesACameraThatSomebodyHasMoved) {
  show(compact, 1);
  camera.zoom(1);
  const render::CameraPose zoomed = camera.pose();
  show(tails, 5);
  EXPECT_EQ(camera.pose(), zoomed);
  camera.fit(10);
  framing.restart(camera);
  EXPECT_GT(inside(tails), 0.985) << "fitted again, it is as far away as is needed";
  camera.orbit(100, 20, 720);
  show(stars(70, 4), 30);
  EXPECT_GT(inside(stars(70, 4)), 0.985) << "a turn is no reason to lose sight";
}

TEST_F(FramingTest, WhatASceneStartsWithOutsideOfItsImageStaysThere) {
  const float fitted = camera.distance();
  show(tails, 5);
  EXPECT_EQ(camera.distance(), fitted);
  show(stars(70, 4), 30);
  EXPECT_GT(camera.distance(), fitted) << "but the view follows what spreads";
}

TEST_F(FramingTest, WhatIsWholeInTheImageBecomesWholeInAHalf) {
  constexpr float kHalf = kAspect / 2;
  const float fitted = camera.distance();
  const render::StarSample wide = stars(70, 1.4f);
  ASSERT_LT(inside(wide, kHalf), 0.98);
  show(wide, 20, 0.02f, kHalf);
  EXPECT_GT(camera.distance(), fitted) << "also from the first frame";
  EXPECT_GT(inside(wide, kHalf), 0.985);
  show(wide, 20);
  EXPECT_LT(camera.distance(), 1.001f * fitted) << "the comparison has ended";
}

TEST_F(FramingTest, IgnoresHalosAndBodiesThatWereFlungOut) {
  render::StarSample sample = stars(8, 100);
  for (int k = 0; k < 500; ++k) sample.stars.push_back({{90, 0, 0}, make_tag(0, Component::halo)});
  EXPECT_LT(framing_distance(sample, camera, kAspect), camera.distance());
  for (render::SampledStar& star : sample.stars) star.tag = make_tag(0, Component::halo);
  EXPECT_EQ(framing_distance(sample, camera, kAspect), 0);
  sample.stars = {{glm::vec3(NAN), make_tag(0, Component::disc)}};
  EXPECT_EQ(framing_distance(sample, camera, kAspect), 0);
}

}  // namespace
}  // namespace pericenter::app

#include "app/view/framing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/gtc/constants.hpp>

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
      framing.advance(*framed(sample, camera, {.aspect = aspect}), frame, camera);
      largest = std::max(largest, std::max(camera.distance() / before, before / camera.distance()));
    }
    return largest;
  }

  render::Camera camera;
  Framing framing;
  const render::StarSample compact = stars(0, 0), tails = stars(70, 2.5f);
};

TEST_F(FramingTest, TakesTheFirstFrameAtOnceAndThenMovesSlowly) {
  const float fitted = camera.distance();
  show(compact, 0.02f);
  EXPECT_LT(camera.distance(), 0.5f * fitted) << "what is small fills the image from the first frame";
  const float near = camera.distance();
  EXPECT_LT(inside(tails), 0.96);
  show(tails, 0.5f);
  EXPECT_GT(camera.distance(), near);
  EXPECT_LT(camera.distance(), 1.5f * near) << "slowly";
  show(tails, 30);
  EXPECT_GT(inside(tails), 0.97);
  show(compact, 30);
  EXPECT_NEAR(camera.distance(), near, 0.13f * near);
}

TEST_F(FramingTest, ComesAsNearAsTheLightNeedsToBeLarge) {
  render::StarSample spread = stars(45, 2.5f);  // two of a hundred are beyond each edge
  for (render::SampledStar& star : spread.stars)
    if (glm::length(star.position) < 2) star.position *= 4;
  const auto light = [&](const render::StarSample& sample, int axis) {
    float half = 0;
    for (const render::SampledStar& star : sample.stars) {
      const glm::vec4 clip = camera.projection(kAspect) * camera.view() * glm::vec4(star.position, 1);
      if (glm::length(star.position) < 5) half = std::max(half, std::abs(clip[axis] / clip.w));
    }
    return half;
  };
  show(spread, 30);
  EXPECT_NEAR(light(spread, 1), 0.55, 0.08);
  for (render::SampledStar& star : spread.stars) star.position.y = 0;
  show(spread, 30);
  EXPECT_GT(light(spread, 0), 0.6);
  EXPECT_LT(light(spread, 0), 0.95) << "without height, its width remains in the image";
}

TEST_F(FramingTest, NeverMovesInJerksNorSwings) {
  show(compact, 1);
  EXPECT_LT(show(tails, 30), 1.02f);
  EXPECT_LT(show(compact, 5), 1.02f) << "a jump on the timeline";
  show(tails, 1);
  float before = camera.distance();
  for (int k = 0; k < 500; ++k) {
    show(tails, 0.02f);
    EXPECT_GE(camera.distance(), before - 1e-4f * before) << k;
    before = camera.distance();
  }
}

TEST_F(FramingTest, RestsWhileLittleChanges) {
  show(tails, 30);
  const render::CameraPose rests = camera.pose();
  show(stars(70, 2.4f), 5);
  EXPECT_EQ(camera.pose(), rests);
}

TEST_F(FramingTest, GoesOnFromWhereSomebodyHasPutTheCamera) {
  camera.zoom(1);
  const float zoomed = camera.distance();
  show(compact, 0.02f);
  EXPECT_NEAR(camera.distance(), zoomed, 0.02f * zoomed);
}

TEST_F(FramingTest, TurnsToTheDirectionOfTheStory) {
  const auto wanted = framed(tails, camera, {.aspect = kAspect, .toward = ViewAngles{-60, 70}});
  framing.advance(*wanted, 1, camera);
  const float at_once = camera.pose().yaw;
  EXPECT_NEAR(glm::degrees(at_once), -60, 0.01);
  const auto back = framed(tails, camera, {.aspect = kAspect, .toward = ViewAngles{-50, 70}});
  framing.advance(*back, 0.02f, camera);
  EXPECT_LT(glm::degrees(camera.pose().yaw), -59);
  for (int k = 0; k < 500; ++k) framing.advance(*back, 0.02f, camera);
  EXPECT_NEAR(glm::degrees(camera.pose().yaw), -50, 0.1);
}

TEST_F(FramingTest, LeavesRoomForACaption) {
  const auto free = framed(tails, camera, {.aspect = kAspect}),
             above = framed(tails, camera, {.aspect = kAspect, .covered = 0.3f});
  camera.set_pose(above->pose);
  float lowest = 1;
  for (const render::SampledStar& star : tails.stars) {
    const glm::vec4 clip = camera.projection(kAspect) * camera.view() * glm::vec4(star.position, 1);
    lowest = std::min(lowest, clip.y / clip.w);
  }
  EXPECT_GT(lowest, -1 + 2 * 0.3f);
  EXPECT_GT(above->pose.distance, free->pose.distance);
}

// Regression: at UI scale 2 it lay over the galaxies of a new scene.
TEST_F(FramingTest, NothingIsBehindTheLegend) {
  render::StarSample sample;
  for (int k = 0; k < 1000; ++k)
    sample.stars.push_back(
        {{static_cast<float>(k % 40) - 20, 2, static_cast<float>(k / 40) - 12}, make_tag(0, Component::disc)});
  camera.set_pose({.yaw = -glm::half_pi<float>(), .distance = 30});
  for (const glm::vec2& legend : {glm::vec2(0.2f, 0.2f), glm::vec2(0.7f, 0.2f)}) {
    const FrameShape shape{.aspect = kAspect, .covered = 0.2f, .legend = legend};
    camera.set_pose(framed(sample, camera, shape)->pose);
    int behind = 0, outside = 0;
    for (const render::SampledStar& star : sample.stars) {
      const glm::vec4 clip = camera.projection(kAspect) * camera.view() * glm::vec4(star.position, 1);
      behind += clip.x / clip.w > 1 - 2 * legend.x && clip.y / clip.w > 1 - 2 * legend.y;
      outside += std::abs(clip.x) > clip.w || std::abs(clip.y) > clip.w;
    }
    EXPECT_LT(behind, 25) << legend.x;
    EXPECT_LT(outside, 25) << legend.x;
  }
}

TEST_F(FramingTest, OfOrbitsItKeepsTheScale) {
  const float fitted = camera.distance();
  const auto showing = [&](const render::StarSample& sample) {
    for (int k = 0; k < 500; ++k)
      framing.advance(*framed(sample, camera, {.aspect = kAspect, .keeps_scale = true}), 0.02f, camera);
    return camera.distance();
  };
  EXPECT_EQ(showing(compact), fitted) << "no nearer";
  const float wide = showing(stars(70, 2.5f));
  EXPECT_GT(wide, 1.5f * fitted);
  EXPECT_EQ(showing(compact), wide) << "they will be there again";
}

TEST_F(FramingTest, OrbitsStayInTheMiddleWhateverIsFarOut) {
  const FrameShape shape{.aspect = kAspect, .covered = 0.3f, .keeps_scale = true};
  EXPECT_EQ(framed(stars(70, 100), camera, shape)->pose.target, glm::vec3(0));
}

TEST_F(FramingTest, WhatAFileStartsWithOutsideOfItsImageStaysThere) {
  const float fitted = camera.distance();
  framing.advance(*framed(tails, camera, {.aspect = kAspect, .keeps_scale = true}), 0.02f, camera);
  EXPECT_EQ(camera.distance(), fitted);
}

// The second galaxy is a single point mass, which is not among the evenly spaced stars.
TEST_F(FramingTest, KeepsANucleusInTheImageUntilItHasLeft) {
  const auto sees = [&](float far) {
    render::StarSample sample = compact;
    sample.first = {{{far, 0, 0}, make_tag(1, Component::bulge)}};
    camera.set_pose(framed(sample, camera, {.aspect = kAspect})->pose);
    const glm::vec4 clip = camera.projection(kAspect) * camera.view() * glm::vec4(far, 0, 0, 1);
    return std::abs(clip.x) < clip.w && std::abs(clip.y) < clip.w;
  };
  EXPECT_TRUE(sees(1.6f));
  EXPECT_FALSE(sees(20)) << "the rest would be small";
}

TEST_F(FramingTest, LetsANucleusGoThatHasLeft) {
  const auto target = [&](float far) {
    render::StarSample sample = compact;
    if (far > 0) sample.first = {{{far, 0, 0}, make_tag(1, Component::bulge)}};
    return framed(sample, camera, {.aspect = kAspect})->pose;
  };
  EXPECT_GT(target(1.6f).distance, 1.05f * target(0).distance);
  EXPECT_EQ(target(20), target(0));
}

TEST_F(FramingTest, IgnoresHalosAndBodiesThatWereFlungOut) {
  render::StarSample sample = stars(8, 100);
  for (int k = 0; k < 500; ++k) sample.stars.push_back({{90, 0, 0}, make_tag(0, Component::halo)});
  EXPECT_LT(framed(sample, camera, {.aspect = kAspect})->pose.distance, camera.distance());
  for (render::SampledStar& star : sample.stars) star.tag = make_tag(0, Component::halo);
  EXPECT_FALSE(framed(sample, camera, {.aspect = kAspect}));
  sample.stars = {{glm::vec3(NAN), make_tag(0, Component::disc)}};
  EXPECT_FALSE(framed(sample, camera, {.aspect = kAspect}));
}

}  // namespace
}  // namespace pericenter::app

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <set>
#include <string>
#include <vector>

#include "app/base/decoded_image.h"
#include "app/headless/headless_render.h"
#include "tests/support/program.h"

namespace pericenter::app {
namespace {

TEST(HeadlessStars, ShowMomentsOfTheNextStep) {
  Offscreen offscreen("");
  HeadlessStars stars(offscreen.renderer(), Bridge::automatic, false);
  Session session;
  session.load(request::LoadScene{"two-body", {.bodies = 2}});
  const auto x_at = [&](float way) {
    EXPECT_EQ(stars.update(session, way).count, 2u);
    EXPECT_FLOAT_EQ(static_cast<float>(stars.sample().time / session.state().params.dt),
                    way + static_cast<float>(session.state().steps));
    return stars.sample().first[1].position.x;
  };
  const float start = x_at(0), middle = x_at(0.5f);
  session.step();
  const float end = x_at(0);
  EXPECT_NE(start, end);
  EXPECT_FLOAT_EQ(middle, (start + end) / 2);
  EXPECT_EQ(x_at(0), end) << "a whole step is not mixed";
}

// Regression: in images without annotations, the mass that passes a disc was a point among many.
TEST(HeadlessStars, PointMassesHaveDotsWithoutAnnotations) {
  const test::TemporaryFolder folder;
  const auto white = [&](const char* scene) {
    const test::Outcome run = test::run_program(
        {.arguments = {"--headless", "--scene-string", std::string("pericenter/1 n=2000 exposure=-6 scene=") + scene,
                       "-s", "0", "--size", "640x360", "--no-annotations", "--screenshot", folder / "i.png"},
         .folder = folder.path()});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const std::string file = test::text_of(folder / "i.png");
    const auto* const bytes = reinterpret_cast<const unsigned char*>(file.data());
    const DecodedImage image = decode_image(bytes, bytes + file.size());
    int count = 0;
    for (std::size_t k = 0; k < image.rgba.size(); k += 4)
      count += std::min({image.rgba[k], image.rgba[k + 1], image.rgba[k + 2]}) > 200;
    return count;
  };
  EXPECT_EQ(white("collision"), 0);
  const int dots = white("toomre-retrograde");
  EXPECT_GT(dots, 16) << "two";
  EXPECT_LT(dots, 60);
}

/// Mean place of the bright pixels in the right half of an image, where one of the two bodies is.
glm::dvec2 star_in(const std::filesystem::path& path) {
  const std::string file = test::text_of(path);
  const auto* const bytes = reinterpret_cast<const unsigned char*>(file.data());
  const DecodedImage image = decode_image(bytes, bytes + file.size());
  glm::dvec2 sum(0);
  double weights = 0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = image.width / 2; x < image.width; ++x) {
      const double weight = std::max(image.rgba[static_cast<std::size_t>(4 * (y * image.width + x))] - 80, 0);
      sum += weight * glm::dvec2(x, y);
      weights += weight;
    }
  }
  return sum / weights;
}

// Ten steps per second in a video of 30 frames per second: the star moves in each frame, about as far as in others.
TEST(HeadlessStars, VideosShowMomentsBetweenSlowSteps) {
  const test::TemporaryFolder folder;
  const test::Outcome run = test::run_program(
      {.arguments = {"--headless", "--scene", "two-body", "--dt", "0.3", "--pace", "3", "--steps", "2", "--size",
                     "320x180", "--fps", "30", "--no-annotations", "--record", folder / "f.png"},
       .folder = folder.path()});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  std::set<std::filesystem::path> images;
  for (const auto& file : std::filesystem::directory_iterator(folder / "f-frames")) images.insert(file.path());
  ASSERT_EQ(images.size(), 7u);
  std::vector<glm::dvec2> places;
  for (const std::filesystem::path& image : images) places.push_back(star_in(image));
  const double whole = glm::distance(places.front(), places.back());
  EXPECT_GT(whole, 2) << "pixels";
  for (std::size_t k = 1; k < places.size(); ++k)
    EXPECT_NEAR(glm::distance(places[k - 1], places[k]) / whole, 1.0 / 6, 0.1) << "to frame " << k;
}

}  // namespace
}  // namespace pericenter::app

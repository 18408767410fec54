#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

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

// Ten steps per second in a video of 30 frames per second.
TEST(HeadlessStars, VideosShowMomentsBetweenSlowSteps) {
  const test::TemporaryFolder folder;
  const test::Outcome run = test::run_program(
      {.arguments = {"--headless", "--scene", "two-body", "--dt", "0.3", "--pace", "3", "--steps", "2", "--size",
                     "320x180", "--fps", "30", "--no-annotations", "--record", folder / "f.png"},
       .folder = folder.path()});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  std::set<std::string> images;
  for (const auto& file : std::filesystem::directory_iterator(folder / "f-frames"))
    images.insert(test::text_of(file.path()));
  EXPECT_EQ(images.size(), 7u) << "no two are equal";
}

}  // namespace
}  // namespace pericenter::app

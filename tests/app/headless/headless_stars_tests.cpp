#include <gtest/gtest.h>

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

}  // namespace
}  // namespace pericenter::app

#include <gtest/gtest.h>

#include "sim/session/session.h"
#include "tests/support/recording_session.h"

namespace pericenter::test {
namespace {

Params after(Session& session, const SceneRequest& next) {
  session.load(request::LoadScene{"collision", next});
  return session.state().params;
}

// Regression: bodies made for one softening moved with another, and more bodies with the short steps of few.
TEST(Reset, SuggestedParametersFollowTheBodies) {
  RecordingSession session("collision", 500);
  const Params first = session.state().params;
  EXPECT_EQ(first.softening, 0.1);
  EXPECT_EQ(after(session, {.bodies = 500, .softening = 0.05}).softening, 0.05);
  EXPECT_EQ(after(session, {.bodies = 500}), first);
  EXPECT_EQ(after(session, {.bodies = 10'000}).dt, 2 * first.dt);
}

TEST(Reset, KeepsWhatTheUserHasSet) {
  RecordingSession session("collision", 500);
  Params own = session.state().params;
  own.theta = 0.4;
  own.softening = 0.3;
  own.dt = -own.dt;
  session.apply(request::SetParams{own});
  const Params next = after(session, {.bodies = 10'000});
  EXPECT_EQ(next.theta, 0.4);
  EXPECT_EQ(next.softening, 0.3);
  EXPECT_EQ(next.dt, 2 * own.dt) << "backwards";
  session.apply(request::Reset{});
  EXPECT_EQ(session.state().params, next);
}

}  // namespace
}  // namespace pericenter::test

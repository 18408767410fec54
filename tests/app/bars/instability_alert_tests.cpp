#include <gmock/gmock.h>

#include <string>

#include "tests/support/panel_fixture.h"

// Ways to recover from non-finite bodies, and the warning before.

namespace pericenter::app {
namespace {

class InstabilityPanel : public Panels {
 protected:
  InstabilityPanel() {
    state.diagnostics.non_finite = 3;
    state.first_nonfinite = "body 17 (disc of galaxy 2)";
    state.rollback_target = RollbackTarget{1.5, 50};
    state.message_is_error = true;
  }
};

TEST_F(InstabilityPanel, Fault24OffersRollbacks) {
  click("rollback-half-dt");
  ASSERT_TRUE(asked<request::Rollback>());
  Params half = state.params;
  half.dt /= 2;
  EXPECT_EQ(asked<request::Rollback>()->params, half);
  EXPECT_EQ(ui.edited.params.value(), half) << "the sliders follow immediately";

  click("rollback-double-softening");
  ASSERT_TRUE(asked<request::Rollback>());
  half.softening *= 2;
  EXPECT_EQ(asked<request::Rollback>()->params, half);

  click("rollback-only");
  ASSERT_TRUE(asked<request::Rollback>());
  EXPECT_FALSE(asked<request::Rollback>()->params);
}

TEST_F(InstabilityPanel, Fault24ExplainsOverflow) {
  EXPECT_THAT(tip_of("nonfinite-bodies"), testing::HasSubstr("A force overflowed"));
  state.diagnostics.non_finite = 0;
  frame();
  EXPECT_FALSE(find("nonfinite-bodies"));
  EXPECT_FALSE(find("rollback-only"));
}

TEST_F(InstabilityPanel, Fault24NeedsCheckpointForRollback) {
  state.rollback_target.reset();
  frame();
  EXPECT_TRUE(find("nonfinite-bodies"));
  EXPECT_FALSE(find("rollback-only"));
}

TEST_F(Panels, WarnsAboutLongTimestep) {
  state.params = {.dt = 0.05, .softening = 0.1};
  state.diagnostics.strongest = 1.9;
  frame(1);
  frame();
  EXPECT_FALSE(find("long-step"));
  state.diagnostics.strongest = 8;
  frame();
  EXPECT_THAT(tip_of("long-step"), testing::HasSubstr("below 0.345 Myr"));
  state.playback = TimeRange{0, 1};
  frame();
  EXPECT_FALSE(find("long-step"));
}

TEST_F(Panels, WarnsAboutShortOrbitsWithoutSoftening) {
  state.params = state.suggested = {.dt = 0.05, .softening = 0};
  state.diagnostics.shortest_orbit = 1.01;
  frame(1);
  frame();
  EXPECT_FALSE(find("long-step"));
  state.diagnostics.shortest_orbit = 0.5;
  frame();
  EXPECT_FALSE(find("long-step")) << "the suggested step is not to be shortened";
  state.suggested.dt = 0.02;
  frame();
  const std::string tip = tip_of("long-step");
  EXPECT_THAT(tip, testing::HasSubstr("completes it in 10 steps. Fewer than 20"));
  EXPECT_THAT(tip, testing::HasSubstr("below 0.345 Myr"));
}

}  // namespace
}  // namespace pericenter::app

#include <cmath>
#include <limits>

#include "app/base/format.h"
#include "tests/support/panel_fixture.h"

namespace pericenter::app {
namespace {

class PlaybackPanel : public Panels {
 protected:
  PlaybackPanel() {
    state.playback = TimeRange{2, 12, {2, 4, 6, 8, 10, 12}};
    state.time = 5;
    state.timeline = {.first = 2, .last = 12, .shown = 5, .is_playback = true};
    state.diagnostics.potential = state.energy_error = std::numeric_limits<double>::quiet_NaN();
  }

  /// Presses the mouse button on the centre of a control; ui.requests are those of that frame.
  void press_on(const std::string& label) {
    press_mouse(false);
    frame();
    const auto item = find(label);
    ASSERT_TRUE(item) << label;
    point_at(*item);
    frame();
    press_mouse(true);
    frame();
  }
};

TEST_F(PlaybackPanel, IsShownOnlyForPlayback) {
  frame();
  EXPECT_TRUE(find("simulate-from-here"));
  EXPECT_FALSE(find("ablation-panel"));
  state.playback.reset();
  state.timeline.is_playback = false;
  frame();
  EXPECT_FALSE(find("simulate-from-here"));
  EXPECT_TRUE(find("ablation-panel"));
}

TEST_F(PlaybackPanel, OffersNoPauseAfterEnd) {
  state.highlight_time = 11;
  frame();
  EXPECT_TRUE(find("pause-at-highlight"));
  state.highlight_time = 12.5;
  frame();
  EXPECT_FALSE(find("pause-at-highlight"));
  state.playback.reset();
  frame();
  EXPECT_TRUE(find("pause-at-highlight"));
}

TEST_F(PlaybackPanel, PlayButtonFollowsEnd) {
  click("play");
  ASSERT_TRUE(asked<request::Play>());
  EXPECT_TRUE(ui.edited.running.value());
  handle_requests();
  frame();
  EXPECT_FALSE(ui.edited.running.value());
}

TEST_F(PlaybackPanel, SimulatesFromHere) {
  click("simulate-from-here");
  EXPECT_TRUE(asked<request::Simulate>());
}

TEST_F(PlaybackPanel, FollowsASeriesThatMayGrow) {
  frame();
  EXPECT_FALSE(find("follow-series")) << "named files have no folder";
  state.playback->can_follow = true;
  frame();
  EXPECT_FALSE(find("follow-state"));
  click("follow-series");
  ASSERT_TRUE(asked<request::Follow>());
  EXPECT_TRUE(asked<request::Follow>()->follow);
  state.playback->follows = true;
  frame();
  EXPECT_TRUE(find("follow-state"));
  click("follow-series");
  EXPECT_FALSE(asked<request::Follow>()->follow);
}

TEST_F(PlaybackPanel, DisablesForceSettings) {
  for (const char* label : {"theta", "softening"}) {
    press_on(label);
    EXPECT_FALSE(asked<request::SetParams>()) << label;
  }
  press_mouse(false);
  click("algorithm");
  frame();
  EXPECT_FALSE(find("algorithm/direct"));  // the combo box is disabled
  click("backwards");
  ASSERT_TRUE(asked<request::SetParams>());
  EXPECT_EQ(asked<request::SetParams>()->params.dt, -state.params.dt);
  press_on("timestep");
  ASSERT_TRUE(asked<request::SetParams>());
  EXPECT_NEAR(std::abs(asked<request::SetParams>()->params.dt), std::sqrt(1e-4 * 0.25) * 10, 0.01);
}

TEST_F(PlaybackPanel, ExplainsUnavailableColors) {
  ui.view.image.color = render::ColorMode::acceleration;
  click("color-panel");
  frame();
  EXPECT_TRUE(find("color-unavailable"));
  ui.view.image.color = render::ColorMode::speed;
  frame();
  EXPECT_FALSE(find("color-unavailable"));
}

TEST(Format, WritesUnknownNumberAsDash) {
  EXPECT_EQ(signed_error(std::numeric_limits<double>::quiet_NaN()), "–");
}

}  // namespace
}  // namespace pericenter::app

#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "tests/support/panel_fixture.h"

namespace pericenter::app {
namespace {

using testing::Contains;
using testing::HasSubstr;

class ComparisonPanel : public Panels {
 protected:
  ComparisonPanel() {
    ui.layout.side_bar.open["comparison-panel"] = true;
    for (const auto& [side, shift] : {std::pair{render::Half::left, 0.0f}, std::pair{render::Half::right, 2.0f}})
      ui.comparison.meter.add(side, {.time = 1, .stars = {{.position = {shift, 0, 0}}}, .chosen = {}});
  }
  /// B with θ 1.2 is compared with A with θ 0.3.
  void compare() {
    a_ = state;
    a_.params.theta = 0.3;
    state.params.theta = 1.2;
    a_.bodies_per_second = 1e6;  // 20 ms per step
    state.bodies_per_second = 4e6;
    reference = &a_;
    ui.comparison.phase = ComparisonState::Phase::on;
    ui.comparison.differences = differences(a_, state);
  }

  SessionState a_;
};

TEST_F(ComparisonPanel, StartsAComparison) {
  click("start-comparison");
  EXPECT_THAT(ui.commands, Contains(Command{Action::toggle_comparison}));
  EXPECT_FALSE(find("swap-comparison"));
  EXPECT_FALSE(find("divider"));
}

TEST_F(ComparisonPanel, ShowsBothSettingsAndStepTimes) {
  compare();
  frame();
  EXPECT_EQ(find("comparison-a")->label, "θ 0.3");
  EXPECT_EQ(find("comparison-b")->label, "θ 1.2");
  ASSERT_TRUE(find("comparison-ms-a") && find("comparison-ms-b"));
  EXPECT_FALSE(find("start-comparison"));
  click("swap-comparison");
  EXPECT_THAT(ui.commands, Contains(Command{Action::swap_comparison}));
  click("end-comparison");
  EXPECT_THAT(ui.commands, Contains(Command{Action::toggle_comparison}));
}

TEST_F(ComparisonPanel, SideBySideHasNoDividerToDrag) {
  compare();
  frame();
  EXPECT_TRUE(find("divider"));
  EXPECT_FALSE(ui.comparison.side_by_side);
  ui.comparison.divider = 0.3f;
  click("side-by-side");
  EXPECT_TRUE(ui.comparison.side_by_side);
  EXPECT_FALSE(find("divider"));
  EXPECT_EQ(ui.comparison.shown_divider(), 0.5f);
}

TEST_F(ComparisonPanel, ShowsTheDistanceInKpc) {
  compare();
  state.units.length_kpc = 3.5;
  frame();
  EXPECT_THAT(find("divergence-median")->label, HasSubstr("median"));
  EXPECT_THAT(tip_of("divergence-median"), HasSubstr("Exactly 0"));
}

TEST_F(ComparisonPanel, APresetRequestsItsSettings) {
  click("compare-theta");
  ASSERT_TRUE(ui.comparison.wanted);
  EXPECT_EQ(ui.comparison.wanted->a.params.theta, 0.3);
  EXPECT_EQ(ui.comparison.wanted->b.params.theta, 1.2);
  EXPECT_EQ(ui.comparison.wanted->b.params.softening, state.params.softening);
}

TEST_F(ComparisonPanel, AnUnavailablePresetGivesItsReason) {
  click("compare-backend");
  EXPECT_FALSE(ui.comparison.wanted);
  EXPECT_EQ(tip_of("compare-backend"), "CUDA cannot be used: this build has no CUDA.");
  state.timeline.rewound = true;
  EXPECT_THAT(tip_of("compare-theta"), HasSubstr("earlier moment"));
}

TEST_F(ComparisonPanel, TheDividerIsDraggedWithinTheImage) {
  compare();
  frame();
  const auto middle = find("divider");
  ASSERT_TRUE(middle);
  const float left = ui.layout.panel_width, width = kWidth - left, y = 500;
  EXPECT_NEAR((middle->x0 + middle->x1) / 2, left + width / 2, 1);
  move_mouse((middle->x0 + middle->x1) / 2, y);
  frame();
  press_mouse(true);
  frame();
  move_mouse(left + 0.25f * width, y);
  frame();
  EXPECT_NEAR(ui.comparison.divider, 0.25f, 0.01f);
  move_mouse(kWidth + 50, y);
  frame();
  press_mouse(false);
  frame();
  EXPECT_GT(ui.comparison.divider, 0.9f);
  EXPECT_LT(ui.comparison.divider, 1.0f);
}

TEST_F(ComparisonPanel, IsAbsentDuringPlayback) {
  state.playback = TimeRange{0, 1};
  frame();
  EXPECT_FALSE(find("comparison-panel"));
}

}  // namespace
}  // namespace pericenter::app

#include <gmock/gmock.h>

#include <string>

#include "tests/support/panel_fixture.h"

// What the panel offers when bodies are not finite, and its caution before that.

namespace pericenter::app {
namespace {

class Alarm : public Panels {
 protected:
  Alarm() {
    state.diagnostics.non_finite = 3;
    state.lost_body = "body 17 (disc of galaxy 2)";
    state.rollback_target = RollbackTarget{1.5, 50};
    state.message_is_error = true;
  }
  std::string tip_of(const std::string& label) {
    frame();
    const auto item = find(label);
    if (!item) return "there is no " + label;
    point_at(*item, 0.2f);
    frame(1);
    frame(1);
    return log.tooltip;
  }
};

TEST_F(Alarm, Fault24OffersThreeWaysBack) {
  click("Back with half the step");
  ASSERT_TRUE(asked<request::GoBack>());
  Params half = state.params;
  half.dt /= 2;
  EXPECT_EQ(asked<request::GoBack>()->params, half);
  EXPECT_EQ(ui.params.value(), half) << "the sliders follow at once";

  click("Twice the softening");
  ASSERT_TRUE(asked<request::GoBack>());
  half.softening *= 2;
  EXPECT_EQ(asked<request::GoBack>()->params, half);

  click("Back as it was");
  ASSERT_TRUE(asked<request::GoBack>());
  EXPECT_FALSE(asked<request::GoBack>()->params);
}

TEST_F(Alarm, Fault24SaysWhatHappened) {
  EXPECT_THAT(tip_of("Not finite"), testing::HasSubstr("grew beyond all numbers"));
  state.diagnostics.non_finite = 0;
  frame();
  EXPECT_FALSE(find("Not finite"));
  EXPECT_FALSE(find("Back as it was"));
}

TEST_F(Alarm, Fault24WithoutAGoodStateThereIsNoWayBack) {
  state.rollback_target.reset();
  frame();
  EXPECT_TRUE(find("Not finite"));
  EXPECT_FALSE(find("Back as it was"));
}

TEST_F(Panels, AStepTooLongForTheFastestBodyIsFlagged) {
  state.params = {.dt = 0.05, .softening = 0.1};
  state.diagnostics.fastest = 0.9;
  frame(1);
  frame();
  EXPECT_FALSE(find("Fastest body"));
  state.diagnostics.fastest = 2;
  frame();
  const auto item = find("Fastest body");
  ASSERT_TRUE(item);
  point_at(*item, 0.2f);
  frame(1);
  frame(1);
  EXPECT_THAT(log.tooltip, testing::HasSubstr("below 0.025"));
  state.recorded = TimeRange{0, 1};
  frame();
  EXPECT_FALSE(find("Fastest body"));
}

}  // namespace
}  // namespace pericenter::app

#include <gtest/gtest.h>

#include <memory>

#include "tests/support/panel_fixture.h"

namespace pericenter::app {
namespace {

class PaceControls : public Panels {
 protected:
  PaceControls() {
    state.speed = default_speed(state);
    state.steps_per_frame = 3;
    state.running = true;
  }
  void press_command(Action action) {
    keyed = {{action}};
    frame();
  }
  double wanted_speed() { return asked<request::SetSpeed>() ? asked<request::SetSpeed>()->speed : -1; }
  /// The machine reaches this share of the speed.
  void reach(double share) {
    speed_reached = share;
    frame();
    frame();
  }
};

TEST_F(PaceControls, TheSliderShowsTheClocksUnit) {
  frame();
  ASSERT_TRUE(find("pace"));
  EXPECT_FALSE(find("steps-per-frame"));
  point_at(*find("pace"), 0.9f);
  frame();
  press_mouse(true);
  frame();
  press_mouse(false);
  EXPECT_GT(wanted_speed(), 2 * state.speed);
}

TEST_F(PaceControls, StepsPerFrameAreAChoice) {
  frame();
  choose("pace-unit", "steps");
  ASSERT_TRUE(asked<request::SetStepsPerFrame>());
  EXPECT_EQ(asked<request::SetStepsPerFrame>()->steps, 3);
  state.speed = 0;
  frame();
  frame();
  EXPECT_TRUE(find("steps-per-frame"));
  EXPECT_FALSE(find("pace"));
  choose("pace-unit", "time");
  EXPECT_EQ(wanted_speed(), 0) << "that of the scene";
}

TEST_F(PaceControls, KeysGoToTheNextRoundSpeed) {
  const auto myr = [&] { return wanted_speed() * state.units.time_myr; };
  frame();  // 15.6 Myr/s
  for (const double next : {20.0, 50.0, 100.0}) {
    press_command(Action::more_steps);
    EXPECT_NEAR(myr(), next, 1e-6);
  }
  for (const double next : {50.0, 20.0, 10.0, 5.0, 2.0, 1.0, 0.5}) {
    press_command(Action::fewer_steps);
    EXPECT_NEAR(myr(), next, 1e-6);
  }
  for (int k = 0; k < 100; ++k) press_command(Action::fewer_steps);
  EXPECT_NEAR(myr(), 1e-9, 1e-15);
}

TEST_F(PaceControls, KeysCountStepsPerFrameWhereThoseAreChosen) {
  state.speed = 0;
  frame();
  press_command(Action::more_steps);
  ASSERT_TRUE(asked<request::SetStepsPerFrame>());
  EXPECT_EQ(asked<request::SetStepsPerFrame>()->steps, 4);
}

TEST_F(PaceControls, AFastMachineSaysNothing) {
  reach(0.99);
  EXPECT_FALSE(find("speed-reached"));
  EXPECT_FALSE(find("health-speed"));
  EXPECT_FALSE(find("fewer-bodies"));
}

TEST_F(PaceControls, ASlowMachineSaysSoAndOffersFewerBodies) {
  reach(0.62);
  ASSERT_TRUE(find("speed-reached"));
  EXPECT_EQ(find("speed-reached")->label, "62 % of the chosen speed");
  EXPECT_TRUE(find("health-speed"));
  reach(0.95);
  EXPECT_TRUE(find("speed-reached")) << "no flicker";
  reach(0.62);
  click("fewer-bodies");
  ASSERT_TRUE(asked<request::LoadScene>());
  EXPECT_EQ(asked<request::LoadScene>()->name, "collision");
  EXPECT_EQ(asked<request::LoadScene>()->scene.bodies, 10'000u);
  reach(0.98);
  EXPECT_FALSE(find("speed-reached"));
}

TEST_F(PaceControls, NothingIsOfferedWhereTheNumberIsNotFree) {
  auto lesson = std::make_shared<Lesson>();
  lesson->slides.resize(1);
  ui.lesson.lesson = lesson;
  reach(0.5);
  EXPECT_FALSE(find("fewer-bodies"));
  ui.lesson.lesson.reset();
  state.file = "/a.hdf5";
  reach(0.5);
  EXPECT_TRUE(find("speed-reached"));
  EXPECT_FALSE(find("fewer-bodies"));
}

TEST_F(PaceControls, APausedRunIsNotSlow) {
  state.running = false;
  reach(0.5);
  EXPECT_FALSE(find("speed-reached"));
}

}  // namespace
}  // namespace pericenter::app

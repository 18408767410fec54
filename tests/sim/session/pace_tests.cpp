#include "sim/session/pace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>
#include <thread>
#include <vector>

#include "sim/core/clock.h"
#include "sim/scenes/registry.h"
#include "sim/session/frame_pacing.h"
#include "sim/session/session.h"
#include "tests/support/running_simulation.h"

namespace pericenter {
namespace {

using test::RunningSimulation;

constexpr double kFrame = 1.0 / 64;  // exact in binary

/// Steps that are due in this many frames, if all are taken.
int steps_in_frames(PaceClock& clock, int frames, double rate) {
  int steps = 0;
  for (int k = 0; k < frames; ++k) {
    clock.pass(kFrame, rate);
    steps += clock.take();
  }
  return steps;
}

TEST(PaceClock, CarriesTheRemainderFromFrameToFrame) {
  for (const double rate : {0.5, 5.0, 63.0, 100.0, 1000.0}) {
    PaceClock clock;
    EXPECT_EQ(steps_in_frames(clock, 64 * 20, rate), static_cast<int>(20 * rate)) << rate;
    EXPECT_EQ(clock.share(), 1) << rate;
  }
}

TEST(PaceClock, TellsTheFractionOfTheWayToTheNextStep) {
  PaceClock clock;
  clock.pass(0.25, 3);
  EXPECT_EQ(clock.take(), 0);
  EXPECT_EQ(clock.due(), 0.75);
}

TEST(PaceClock, MakesUpForNoPause) {
  PaceClock clock;
  for (const double seconds : {1.0, 10.0, 1e9, std::numeric_limits<double>::infinity(), -5.0}) clock.pass(seconds, 60);
  EXPECT_EQ(clock.take(), 0);
  EXPECT_EQ(clock.share(), 1) << "nobody was watching";
}

TEST(PaceClock, ASlowFrameLeavesAShortBacklog) {
  PaceClock clock;
  clock.pass(0.9, 100);
  EXPECT_EQ(clock.take(), 26);
  clock.pass(0.9, 100, 20);
  EXPECT_EQ(clock.take(), 6) << "with those that wait";
}

TEST(PaceClock, TellsTheShareThatASlowMachineReaches) {
  PaceClock clock;
  int waiting = 0, taken = 0;
  for (int frame = 0; frame < 64 * 20; ++frame) {
    clock.pass(kFrame, 50, waiting);
    waiting += clock.take();
    if (frame % 4 == 0 && waiting > 0) --waiting, ++taken;  // 16 steps per second
  }
  EXPECT_NEAR(taken, 16 * 20, 1);
  EXPECT_NEAR(clock.share(), 16.0 / 50, 0.02);
  clock.pass(kFrame, 10, waiting);
  EXPECT_EQ(clock.share(), 1) << "of another speed nothing is known yet";
}

TEST(PaceClock, SaysNothingInTheFirstSecond) {
  PaceClock clock;
  for (int frame = 0; frame < 60; ++frame) clock.pass(kFrame, 100);
  EXPECT_EQ(clock.share(), 1);
  for (int frame = 0; frame < 60; ++frame) clock.pass(kFrame, 100);
  EXPECT_LT(clock.share(), 0.5);
}

TEST(PaceClock, SurvivesAnySpeed) {
  const double infinite = std::numeric_limits<double>::infinity(), nan = std::nan("");
  for (const double rate : {0.0, -1.0, 1e30, infinite, nan, steps_per_second(1, 0), steps_per_second(0, 0)}) {
    PaceClock clock;
    clock.pass(kFrame, rate);
    const int steps = clock.take();
    EXPECT_GE(steps, 0) << rate;
    EXPECT_LE(steps, PaceClock::kMaxRate) << rate;
    EXPECT_GE(clock.share(), 0) << rate;
  }
}

TEST(PaceClock, ANegativeTimeStepIsAsFast) {
  EXPECT_EQ(steps_per_second(3, -0.5), 6);
}

TEST(VideoPace, FramesAdvanceBySpeedOverRate) {
  for (const double per_frame : {0.3, 0.5, 1.0, 1.7, 12.25, 1.0 / 7}) {
    VideoPace pace;
    int steps = 0, frames = 0;
    while (frames < 1500) {
      const VideoPace::Advance next = pace.next(per_frame);
      ASSERT_GE(next.steps, 1);
      ASSERT_GE(next.frames, 1);
      steps += next.steps;
      for (int frame = 0; frame < next.frames; ++frame) {
        ++frames;
        const double shown = steps - 1 + next.way(frame);
        ASSERT_NEAR(shown, frames * per_frame, per_frame > 1 ? 1 : 1e-6) << per_frame;
      }
    }
  }
}

TEST(VideoPace, SurvivesAnySpeed) {
  for (const double per_frame : {0.0, -1.0, 1e-30, 1e30, std::nan("")}) {
    VideoPace pace;
    for (int k = 0; k < 10; ++k) {
      const VideoPace::Advance next = pace.next(per_frame);
      EXPECT_GE(next.steps, 1);
      EXPECT_GE(next.frames, 1);
      EXPECT_LE(next.frames, VideoPace::kMaxFrames);
    }
  }
}

TEST(DefaultSpeed, ShowsTheKeyMomentAfterTwentyFiveSeconds) {
  RunState run;
  run.highlight_time = 50;
  EXPECT_EQ(default_speed(run), 2);
}

TEST(DefaultSpeed, APlaybackLastsAsLong) {
  RunState run;
  run.highlight_time = 50;
  run.playback = TimeRange{100, 350};
  EXPECT_EQ(default_speed(run), 10);
}

TEST(DefaultSpeed, ShowsAnOuterOrbitOfFewBodies) {
  RunState run;
  run.view_radius = 4;
  run.diagnostics.mass = 2;
  run.bodies = 3;
  const double period = 2 * std::numbers::pi * std::sqrt(64 / 2.0);
  EXPECT_NEAR(default_speed(run), period / 25, 1e-12);
  run.bodies = 1000;
  EXPECT_NEAR(default_speed(run), period / 50, 1e-12);
}

TEST(DefaultSpeed, OfBodiesWithoutMassIsAStepPerFrame) {
  RunState run;
  run.suggested.dt = -0.5;
  EXPECT_EQ(default_speed(run), 30);
}

class SessionPace : public ::testing::Test {
 protected:
  SessionPace() { load("plummer"); }
  void load(const std::string& scene) {
    session.load(request::LoadScene{scene, {.bodies = find_scene(scene)->allowed(50)}});
  }
  double speed() { return session.state().speed; }

  Session session{SessionOptions{}};
};

TEST_F(SessionPace, StepsPerFrameCountUntilASpeedIsChosen) {
  EXPECT_EQ(speed(), 0);
  session.apply(request::SetSpeed{3});
  EXPECT_EQ(speed(), 3);
  session.apply(request::SetStepsPerFrame{2});
  EXPECT_EQ(speed(), 0);
  EXPECT_EQ(session.state().steps_per_frame, 2);
}

TEST_F(SessionPace, EachSceneHasItsOwn) {
  session.apply(request::SetSpeed{});
  EXPECT_EQ(speed(), default_speed(session.state()));
  const double own = speed();
  session.apply(request::SetSpeed{3});
  session.apply(request::Reset{});
  EXPECT_EQ(speed(), 3) << "a reset keeps the choice";
  load("figure-eight");
  EXPECT_EQ(speed(), default_speed(session.state()));
  EXPECT_NE(speed(), own);
  load("cold-collapse");
  EXPECT_NEAR(speed(), session.state().highlight_time / 25, 1e-12);
}

TEST_F(SessionPace, RefusesWhatIsNoSpeed) {
  session.apply(request::SetSpeed{3});
  for (const double bad : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    session.apply(request::SetSpeed{bad});
    EXPECT_EQ(speed(), 3) << bad;
  }
}

TEST(PaceOfAThread, TakesTheStepsThatAreDue) {
  using namespace std::chrono_literals;
  using Clock = std::chrono::steady_clock;
  RunningSimulation show;
  ASSERT_TRUE(show.load("two-body", 2));
  show.request(request::SetSpeed{0.4});  // 40 steps per second
  show.request(request::Play{});
  ASSERT_TRUE(show.wait_until([](const SessionState& state) { return state.running && state.speed == 0.4; }));
  ASSERT_TRUE(show.takes_allowed_steps());
  const std::uint64_t before = show.state().steps;
  const Clock::time_point start = Clock::now();
  struct {
    Clock::time_point begin, end;
  } last = {start, start};
  double least = 0;  // seconds whose steps are due, with slow frames as on a busy machine
  while (Clock::now() - start < 2s) {
    std::this_thread::sleep_for(5ms);
    ASSERT_TRUE(show.takes_allowed_steps());
    const Clock::time_point begin = Clock::now();
    show.frame();
    const Clock::time_point end = Clock::now();
    if (seconds_between(last.begin, end) < PaceClock::kPause)
      least += std::min(PaceClock::kMaxBacklog, seconds_between(last.end, begin));
    last = {begin, end};
  }
  ASSERT_TRUE(show.takes_allowed_steps());
  const auto taken = static_cast<double>(show.state().steps - before);
  EXPECT_LE(taken, 40 * seconds_between(start, last.end) + 12);
  EXPECT_GE(taken, 40 * least - 12);
  std::this_thread::sleep_for(1500ms);
  show.frame();
  ASSERT_TRUE(show.takes_allowed_steps());
  EXPECT_LE(static_cast<double>(show.state().steps - before), taken + 1) << "a pause is not made up for";
}

TEST(FramePacing, AVideoFollowsAnotherSpeedAtOnce) {
  FramePacing pacing;
  pacing.set_exact_pace(true, 30);
  pacing.set_steps_per_second(10);
  pacing.on_step();
  EXPECT_EQ(pacing.on_published()->frames, 3);
  // The next frame was planned with the speed of before.
  pacing.set_steps_per_second(300);
  pacing.on_step();
  EXPECT_EQ(pacing.on_published()->frames, 1) << "one of ten steps";
  for (int k = 0; k < 10; ++k) pacing.on_step();
  EXPECT_TRUE(pacing.wants_to_publish(true, 1));
  pacing.on_published();
  // The same speed again, as after any request, does not begin another plan.
  pacing.set_steps_per_second(40);
  for (const int steps : {2, 1, 1, 2}) {
    for (int k = 0; k < steps; ++k) {
      EXPECT_FALSE(pacing.wants_to_publish(true, 1)) << k << " of " << steps << " steps";
      pacing.on_step();
      pacing.set_steps_per_second(40);
    }
    EXPECT_TRUE(pacing.wants_to_publish(true, 1));
    pacing.on_published();
  }
}

TEST(PaceOfAThread, DoesNotDependOnTheLastSpeed) {
  RunningSimulation show;
  ASSERT_TRUE(show.load("two-body", 2));
  show.request(request::SetSpeed{1e30});
  show.request(request::Play{});
  ASSERT_TRUE(show.wait_until([](const SessionState& state) { return state.steps > 100; }));
  show.request(request::SetSpeed{1e-9});
  ASSERT_TRUE(show.wait_until([](const SessionState& state) { return state.speed == 1e-9; }));
  show.frame();
  const std::uint64_t before = show.state().steps;
  for (int k = 0; k < 100; ++k) {
    show.frame();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  EXPECT_LE(show.state().steps, before + 2);
}

TEST(PaceOfAThread, AVideoHasEveryStepAtItsPlace) {
  RunningSimulation show;
  ASSERT_TRUE(show.load("two-body", 2));
  show.request(request::SetSpeed{0.75});  // 75 steps per second: 2.5 in a frame
  show.request(request::SetExactPace{true, 30});
  show.request(request::Play{});
  std::vector<std::uint64_t> shown;
  ASSERT_TRUE(test::eventually([&] {
    if (show.frame() && (shown.empty() || show.last.steps != shown.back())) shown.push_back(show.last.steps);
    return shown.size() > 12;
  }));
  const auto first = std::ranges::find_if(shown, [](std::uint64_t steps) { return steps >= 2; });
  for (auto at = first; at + 2 < shown.end(); ++at) EXPECT_EQ(*(at + 2) - *at, 5u) << *at;
}

TEST(PaceOfAThread, AVideoShowsLongStepsInSeveralFrames) {
  RunningSimulation show;
  ASSERT_TRUE(show.load("two-body", 2));
  show.request(request::SetSpeed{0.1});  // 10 steps per second
  show.request(request::SetExactPace{true, 30});
  show.request(request::Play{});
  ASSERT_TRUE(test::eventually([&] { return show.frame() && show.last.steps >= 5; }));
  ASSERT_TRUE(show.last.video);
  EXPECT_EQ(show.last.video->frames, 3);
  EXPECT_NEAR(show.last.video->way(0), 1.0 / 3, 1e-9);
  EXPECT_NEAR(show.last.video->way(2), 1, 1e-9);

  // A single step in a pause is one frame, also where frames of the plan have several steps.
  show.request(request::Play{false});
  show.request(request::SetSpeed{3});
  ASSERT_TRUE(show.wait_until([](const SessionState& state) { return !state.running && state.speed == 3; }));
  const std::uint64_t before = show.state().steps;
  show.request(request::Step{});
  ASSERT_TRUE(show.shows([&](const PublishedFrame& frame) { return frame.steps == before + 1; }));
  ASSERT_TRUE(show.last.video);
  EXPECT_EQ(show.last.video->frames, 1);
  EXPECT_EQ(show.last.video->way(0), 1);
}

}  // namespace
}  // namespace pericenter

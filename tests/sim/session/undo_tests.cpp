#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "sim/session/session.h"
#include "tests/support/recording_session.h"

namespace pericenter::test {
namespace {

using namespace std::chrono_literals;

void set_theta(Session& session, double theta) {
  Params params = session.state().params;
  params.theta = theta;
  session.apply(request::SetParams{params});
}

/// Continues with this opening angle from a recorded moment to another step.
void branch(RecordingSession& session, double from, double theta, std::uint64_t to) {
  session.apply(request::Seek{from});
  set_theta(session, theta);
  session.run_to(to);
}

/// What an undo must bring back.
struct Shown {
  explicit Shown(Session& session)
      : bodies(session.simulation()->bodies()), state(session.state()), reference(*session.run().initial_energy()) {
    for (const TimelineMark& mark : state.timeline.details->marks)
      marks.push_back(std::to_string(mark.position) + ": " + mark.text);
    for (const LabSample& sample : state.record->samples) {
      samples.push_back(sample.position);
      energy_errors.push_back(sample.energy_error);
    }
  }
  Bodies bodies;
  SessionState state;
  Diagnostics reference;
  std::vector<std::string> marks;
  std::vector<double> samples, energy_errors;
};

void expect_same(const Shown& now, const Shown& before) {
  EXPECT_TRUE(same_motion(now.bodies, before.bodies));
  EXPECT_EQ(now.state.steps, before.state.steps);
  EXPECT_EQ(now.state.time, before.state.time);
  EXPECT_EQ(now.state.params, before.state.params);
  EXPECT_EQ(now.state.config, before.state.config);
  EXPECT_EQ(now.state.timeline.undo, before.state.timeline.undo);
  EXPECT_EQ(now.state.timeline.details->ghosts.size(), before.state.timeline.details->ghosts.size());
  EXPECT_EQ(now.state.record->events, before.state.record->events);
  EXPECT_EQ(now.reference.energy(), before.reference.energy());
  EXPECT_EQ(now.marks, before.marks);
  EXPECT_EQ(now.samples, before.samples);
  EXPECT_EQ(now.energy_errors, before.energy_errors);
  EXPECT_EQ(now.state.rollback_target->steps, before.state.steps) << "not a checkpoint of the branch";
}

TEST(Undo, TakesBackParametersOneDragAtATime) {
  RecordingSession session("plummer", 50);
  const Params first = session.state().params;
  session.apply(request::Undo{});
  EXPECT_THAT(session.state().message, testing::HasSubstr("nothing to undo"));
  EXPECT_EQ(session.state().timeline.undo, "");
  for (const double theta : {0.5, 0.4, 0.3}) set_theta(session, theta);
  EXPECT_EQ(session.state().timeline.undo, "change of theta");
  Params both = session.state().params;
  both.dt *= 2;
  both.softening *= 2;
  session.apply(request::SetParams{both});
  EXPECT_EQ(session.state().timeline.undo, "change of dt and softening");
  session.apply(request::Undo{});
  EXPECT_EQ(session.state().params.dt, first.dt);
  EXPECT_EQ(session.state().params.theta, 0.3);
  session.apply(request::Undo{});
  EXPECT_EQ(session.state().params, first);
  EXPECT_EQ(session.state().timeline.undo, "");
}

TEST(Undo, KeepsTheDirectionOfTime) {
  RecordingSession session("plummer", 50);
  const Params first = session.state().params;
  Params params = first;
  params.dt *= 2;
  session.apply(request::SetParams{params});
  session.run_to(5);
  set_theta(session, 0.4);
  session.run_to(8);
  session.apply(request::RunBackwards{});
  session.run_to(9);
  session.apply(request::Undo{});
  EXPECT_EQ(session.state().params.theta, first.theta);
  EXPECT_EQ(session.state().params.dt, -2 * first.dt);
  session.apply(request::Undo{});
  EXPECT_EQ(session.state().params.dt, -first.dt);
  EXPECT_TRUE(session.state().returning);
}

TEST(Undo, SeparatesDragsByAPause) {
  RecordingSession session("plummer", 50);
  set_theta(session, 0.5);
  std::this_thread::sleep_for(600ms);
  set_theta(session, 0.4);
  session.apply(request::Undo{});
  EXPECT_EQ(session.state().params.theta, 0.5);
}

TEST(Undo, BringsBackTheRunBeforeAReset) {
  RecordingSession session("collision", 200);
  session.run_to(10);
  set_theta(session, 0.4);
  session.run_to(20);
  const Bodies newest = session.simulation()->bodies();
  const SessionState before = session.state();
  const double reference = session.run().initial_energy()->energy();
  session.apply(request::Reset{});
  EXPECT_EQ(session.state().steps, 0u);
  EXPECT_EQ(session.state().timeline.last, 0);
  EXPECT_EQ(session.state().timeline.undo, "Reset");
  session.run_to(3);
  session.apply(request::Undo{});
  const SessionState after = session.state();
  EXPECT_EQ(after.steps, 20u);
  EXPECT_EQ(after.time, before.time);
  EXPECT_EQ(after.scene_serial, before.scene_serial + 2);
  EXPECT_TRUE(same_motion(session.simulation()->bodies(), newest));
  EXPECT_EQ(session.run().initial_energy()->energy(), reference);
  EXPECT_EQ(after.timeline.details->marks.size(), 1u);
  EXPECT_EQ(after.timeline.undo, "change of theta");
  session.apply(request::Seek{7});
  EXPECT_EQ(session.state().steps, 7u) << "its history is back";
  session.apply(request::Undo{});
  EXPECT_EQ(session.state().params, before.suggested);
}

TEST(Undo, BringsBackTheSceneBefore) {
  RecordingSession session("collision", 200, {.precision = Precision::float64});
  session.run_to(10);
  const Bodies newest = session.simulation()->bodies();
  session.apply(request::LoadScene{"plummer", {.bodies = 77}, Config{.solver = "direct"}});
  EXPECT_EQ(session.state().timeline.undo, "change of scene");
  session.run_to(5);
  set_theta(session, 0.1);
  session.apply(request::Undo{});
  session.apply(request::Undo{});
  const SessionState state = session.state();
  EXPECT_EQ(state.scene, "collision");
  EXPECT_EQ(state.bodies, 200u);
  EXPECT_EQ(state.config.precision, Precision::float64);
  EXPECT_EQ(state.config.solver, "octree");
  EXPECT_EQ(state.scene_request.bodies, 200u);
  EXPECT_TRUE(same_motion(session.simulation()->bodies(), newest));
  session.run_to(12);
  session.apply(request::Reset{});
  EXPECT_EQ(session.state().bodies, 200u);
}

// Regression: it ended the program.
TEST(Undo, BringsBackASceneWithoutSteps) {
  RecordingSession session("collision", 200);
  const Bodies first = session.simulation()->bodies();
  session.apply(request::LoadScene{"plummer", {.bodies = 77}});
  session.apply(request::Undo{});
  EXPECT_EQ(session.state().scene, "collision");
  EXPECT_TRUE(same_motion(session.simulation()->bodies(), first));
}

TEST(Undo, RestoredRunIsMeasuredAgainstItsOwnStart) {
  RecordingSession session("collision", 200);
  session.run_to(10);
  session.apply(request::LoadScene{"plummer", {.bodies = 500}});
  session.run_to(3);
  session.apply(request::Undo{});
  session.apply(request::RunBackwards{});
  for (int k = 0; k < 20 && session.state().running; ++k) session.step();
  EXPECT_EQ(session.state().steps, 20u);
  EXPECT_NEAR(session.state().time, 0, 1e-9);
  EXPECT_THAT(session.state().message, testing::HasSubstr("rms distance"));
  EXPECT_LT(session.state().record->samples.back().start_distance, 1e-3);
}

TEST(Undo, SceneThatFailsLosesNothing) {
  RecordingSession session("collision", 100);
  session.run_to(10);
  session.apply(request::LoadScene{"none such", {.bodies = 77}});
  EXPECT_EQ(session.state().steps, 10u);
  session.apply(request::Seek{4});
  EXPECT_EQ(session.state().steps, 4u);
}

TEST(Undo, SecondResetKeepsTheRunBeforeTheFirst) {
  RecordingSession session("plummer", 50);
  session.run_to(10);
  session.apply(request::Reset{});
  session.apply(request::Reset{});
  session.apply(request::Undo{});
  EXPECT_EQ(session.state().steps, 10u);
}

TEST(Undo, SaysWhyARunIsLost) {
  RecordingSession session("plummer", 50, {}, 2);
  session.run_to(10);
  session.apply(request::Reset{});
  EXPECT_EQ(session.state().timeline.undo, "");
  session.apply(request::Undo{});
  EXPECT_THAT(session.state().message, testing::HasSubstr("not in memory. The history is off"));
  EXPECT_EQ(session.state().steps, 0u);
}

TEST(Undo, TakesBackABranch) {
  RecordingSession session("plummer", 100);
  session.run_to(10);
  set_theta(session, 0.4);
  session.run_to(20);
  const Bodies newest = session.simulation()->bodies();
  const std::vector<TimelineMark> marks = session.state().timeline.details->marks;
  session.apply(request::Seek{10});
  set_theta(session, 0.2);
  session.run_to(15);
  session.apply(request::SetConfig{{.solver = "direct"}});
  session.run_to(16);
  session.apply(request::Undo{});
  EXPECT_EQ(session.state().params.theta, 0.4);
  EXPECT_EQ(session.state().timeline.undo, "continuing from an earlier moment");
  session.apply(request::Undo{});
  EXPECT_EQ(session.state().steps, 20u);
  EXPECT_EQ(session.state().config.solver, "octree");
  EXPECT_EQ(session.state().params.theta, 0.4);
  EXPECT_TRUE(same_motion(session.simulation()->bodies(), newest));
  EXPECT_TRUE(session.state().timeline.details->ghosts.empty());
  ASSERT_EQ(session.state().timeline.details->marks.size(), marks.size());
  EXPECT_EQ(session.state().timeline.details->marks[0].text, marks[0].text);
  // The line is that of the parent again, with its parameters at the start of the branch.
  session.apply(request::Seek{10.5});
  EXPECT_EQ(session.state().params.theta, 0.4);
  session.apply(request::ContinueFromHere{});
  session.run_to(20);
  EXPECT_TRUE(same_motion(session.simulation()->bodies(), newest));
}

TEST(Undo, TakesBackBranchesOfBranches) {
  RecordingSession session("plummer", 100);
  const auto shown = [&] {
    session.advance(nullptr, true);
    return Shown(session);
  };
  session.run_to(12);
  set_theta(session, 0.5);
  session.run_to(19);
  const Shown first = shown();
  branch(session, 12, 0.4, 17);
  const Shown second = shown();
  branch(session, 15, 0.3, 21);  // within the branch
  const Shown third = shown();
  session.apply(request::Seek{5});  // before all of them
  session.apply(request::SetParams{{.dt = -0.01, .softening = 0.1}});
  session.run_to(9);
  session.apply(request::SetConfig{{.solver = "direct", .precision = Precision::float64}});
  session.advance(nullptr, true);
  for (const Shown* before : {&third, &second, &first}) {
    SCOPED_TRACE(before->state.steps);
    session.apply(request::Undo{});
    session.apply(request::Undo{});
    expect_same(Shown(session), *before);
  }
  session.apply(request::Undo{});
  EXPECT_EQ(session.state().params, session.state().suggested);
  session.apply(request::Undo{});
  EXPECT_THAT(session.state().message, testing::HasSubstr("nothing to undo"));
}

TEST(Undo, LeavesNothingOfTheBranchBetweenKeyframes) {
  RecordingSession session("plummer", 100, {}, 16);
  session.run_to(7);
  const Snapshot seventh = session.snapshot();
  session.run_to(35);
  ASSERT_GE(session.run().history().spacing(), 4u);
  session.apply(request::Seek{6});
  session.apply(request::SetParams{{.dt = 0.02}});
  session.run_to(7);
  session.apply(request::SetConfig{{.solver = "direct", .precision = Precision::float64}});
  session.run_to(9);
  session.apply(request::Undo{});
  session.apply(request::Undo{});
  ASSERT_EQ(session.state().steps, 35u);
  session.apply(request::Seek{7});
  EXPECT_EQ(session.state().config, Config{});
  const Snapshot again = session.snapshot();
  EXPECT_TRUE(same_motion(again.bodies, seventh.bodies));
  EXPECT_EQ(again.time, seventh.time);
  EXPECT_EQ(again.run->params, seventh.run->params);
}

TEST(Undo, BringsBackTheStartOfTheRun) {
  RecordingSession session("plummer", 100);
  const Snapshot start = session.snapshot();
  session.run_to(10);
  session.apply(request::Seek{0});
  session.apply(request::SetConfig{{.solver = "direct", .precision = Precision::float64, .dimension = 2}});
  session.run_to(3);
  session.apply(request::Undo{});
  EXPECT_EQ(session.state().steps, 10u);
  session.apply(request::Seek{0});
  const Snapshot again = session.snapshot();
  EXPECT_TRUE(same_motion(again.bodies, start.bodies));
  EXPECT_EQ(again.run->config, start.run->config);
  EXPECT_EQ(again.run->start->energy(), start.run->start->energy());
}

TEST(Undo, MarksOfABranchAreItsOwn) {
  RecordingSession session("plummer", 50);
  const auto marks = [&] { return Shown(session).marks; };
  session.run_to(5);
  set_theta(session, 0.5);
  session.run_to(20);
  const std::vector<std::string> before = marks();
  ASSERT_THAT(before, testing::ElementsAre("5.000000: theta 0.7 -> 0.5"));
  branch(session, 5, 0.4, 6);
  EXPECT_THAT(marks(), testing::ElementsAre(before[0], "5.000000: continued from here", "5.000000: theta 0.5 -> 0.4"));
  session.apply(request::Undo{});
  session.apply(request::Undo{});
  set_theta(session, 0.9);
  session.run_to(22);
  EXPECT_THAT(marks(), testing::ElementsAre(before[0], "20.000000: theta 0.5 -> 0.9"));
}

TEST(Undo, OfABranchForgetsItsSettings) {
  RecordingSession session("plummer", 50);
  session.run_to(20);
  branch(session, 12, 0.4, 15);
  session.apply(request::Undo{});
  session.apply(request::Undo{});
  session.apply(request::RunBackwards{});
  EXPECT_EQ(session.state().message, "Running backwards to the start, 20 steps.");
}

TEST(Undo, OfABranchBeforeARollbackIsNotPossible) {
  RecordingSession session("plummer", 50);
  session.run_to(20);
  branch(session, 12, 0.4, 15);
  session.apply(request::Rollback{});
  session.apply(request::Undo{});
  EXPECT_EQ(session.state().steps, 12u);
  EXPECT_EQ(session.state().timeline.undo, "");
}

TEST(Undo, TakesBackAnotherConfigurationAtARecordedMoment) {
  RecordingSession session("plummer", 100, {}, 10);
  session.run_to(40);
  const Bodies newest = session.simulation()->bodies();
  session.apply(request::Seek{13});
  session.apply(request::SetConfig{{.solver = "direct", .precision = Precision::float64}});
  session.run_to(16);
  session.apply(request::Undo{});
  EXPECT_EQ(session.state().steps, 40u);
  EXPECT_TRUE(same_motion(session.simulation()->bodies(), newest));
  EXPECT_TRUE(session.state().timeline.details->marks.empty());
  session.apply(request::Seek{13});
  EXPECT_EQ(session.state().config, Config{});
  session.apply(request::ContinueFromHere{});
  session.run_to(40);
  EXPECT_TRUE(same_motion(session.simulation()->bodies(), newest));
}

TEST(Undo, ReturnsFromARecordedMomentFirst) {
  RecordingSession session("plummer", 50);
  session.run_to(5);
  set_theta(session, 0.4);
  session.run_to(10);
  session.apply(request::Seek{2});
  session.apply(request::Undo{});
  EXPECT_FALSE(session.run().is_rewound());
  EXPECT_EQ(session.state().steps, 10u);
  EXPECT_EQ(session.state().params, session.state().suggested);
}

}  // namespace
}  // namespace pericenter::test

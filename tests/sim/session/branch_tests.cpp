// A run that continues from a recorded moment.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "sim/session/session.h"
#include "sim/solvers/registry.h"
#include "tests/support/recording_session.h"

namespace pericenter::test {
namespace {

/// Keyframes by step.
using Keyframes = std::map<std::uint64_t, std::shared_ptr<const PackedMotion>>;

Keyframes keyframes_of(const Session& session) {
  Keyframes found;
  for (const HistoryKeyframe& keyframe : session.run().history().line().keyframes)
    found[keyframe.at.step] = keyframe.motion;
  return found;
}

bool same_bits(const PackedMotion& a, const PackedMotion& b) {
  return a.layout().bytes() == b.layout().bytes() &&
         std::memcmp(a.values<std::byte>(), b.values<std::byte>(), a.layout().bytes()) == 0;
}

/// Expects that keyframes of the same step after `step` have the same bits.
void expect_same(const Keyframes& parent, const Keyframes& child, std::uint64_t step) {
  for (const auto& [at, motion] : child) {
    const auto other = parent.find(at);
    if (at <= step || other == parent.end()) continue;
    EXPECT_TRUE(same_bits(*motion, *other->second)) << "step " << at;
  }
}

/// Bodies of some steps.
using Course = std::map<std::uint64_t, Bodies>;

void expect_same(const Course& parent, const Course& child) {
  ASSERT_GE(child.size(), 5u);
  for (const auto& [step, bodies] : child) EXPECT_TRUE(same_motion(bodies, parent.at(step))) << "step " << step;
}

Params with_theta(Params params, double theta) {
  params.theta = theta;
  return params;
}

/// Steps to `end`. The parameters change at steps 10 and 27, the energy is evaluated every `energy_period` steps.
Course run_with_changes(Session& session, std::uint64_t end, std::uint64_t energy_period) {
  Course course;
  const Params params = session.state().params;
  while (session.simulation()->steps() < end) {
    const std::uint64_t step = session.simulation()->steps();
    Params now = session.state().params;
    if (step == 10) now = {.dt = 0.6 * params.dt, .theta = 0.4, .softening = 1.5 * params.softening};
    if (step == 27) now = with_theta(now, 0.9);
    session.apply(request::SetParams{now});
    session.advance(nullptr, step % energy_period == 0);
    if (step % 4 == 0) course[step + 1] = session.simulation()->bodies();
  }
  return course;
}

class Branches : public testing::TestWithParam<std::tuple<const char*, Precision, int>> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Branches,
                         testing::Combine(testing::Values("octree", "fmm", "direct"),
                                          testing::Values(Precision::float32, Precision::float64),
                                          testing::Values(3, 2)),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param)) + "_" +
                                  std::string(enum_name(std::get<1>(test.param))) + "_" +
                                  std::to_string(std::get<2>(test.param)) + "D";
                         });

TEST_P(Branches, WithoutChangeAreBitIdentical) {
  const auto [solver, precision, dimension] = GetParam();
  const Config config{.solver = solver, .precision = precision, .dimension = dimension};
  RecordingSession session("collision", 500, config, 16);
  const Course course = run_with_changes(session, 60, 5);
  EXPECT_GE(session.run().history().spacing(), 4u) << "steps between keyframes must be repeated";
  const Keyframes parent = keyframes_of(session);
  const double time_before = session.run().history().line().time_at(14);
  session.apply(request::Seek{14.6});
  session.apply(request::ContinueFromHere{});
  ASSERT_EQ(session.state().message, "");
  ASSERT_FALSE(session.run().is_rewound());
  EXPECT_EQ(session.state().steps, 14u);
  EXPECT_NEAR(session.state().time, time_before, 1e-12);
  EXPECT_EQ(session.state().params.theta, 0.4);
  expect_same(course, run_with_changes(session, 60, 3));
  expect_same(parent, keyframes_of(session), 14);
}

TEST(BranchedRun, RepeatsChangesOfTheConfiguration) {
  RecordingSession session("collision", 400, {.solver = "octree"}, 16);
  session.run_to(9);
  session.apply(request::SetConfig{{.solver = "fmm", .precision = Precision::float64}});
  session.run_to(21);
  session.apply(request::SetConfig{{.solver = "direct"}});
  session.run_to(60);
  const Keyframes parent = keyframes_of(session);
  const Bodies end = session.simulation()->bodies();
  for (const std::uint64_t step : {5u, 9u, 15u}) {
    session.apply(request::Seek{static_cast<double>(step)});
    EXPECT_EQ(session.state().config.solver, step < 9 ? "octree" : "fmm");
    session.apply(request::ContinueFromHere{});
    EXPECT_EQ(session.state().config.solver, step < 9 ? "octree" : "fmm");
    if (step < 9) {
      session.run_to(9);
      session.apply(request::SetConfig{{.solver = "fmm", .precision = Precision::float64}});
    }
    session.run_to(21);
    session.apply(request::SetConfig{{.solver = "direct"}});
    session.run_to(60);
    expect_same(parent, keyframes_of(session), step);
    EXPECT_TRUE(same_motion(session.simulation()->bodies(), end));
  }
}

TEST(BranchedRun, LeavesTheRestAsAGhost) {
  RecordingSession session("plummer", 200);
  session.run_to(20);
  session.apply(request::Seek{12.5});
  session.apply(request::ContinueFromHere{});
  Timeline timeline = session.state().timeline;
  EXPECT_EQ(timeline.last, 12);
  EXPECT_EQ(timeline.shown, 12);
  ASSERT_EQ(timeline.details->ghosts.size(), 1u);
  EXPECT_EQ(timeline.details->ghosts[0].first, 12);
  EXPECT_EQ(timeline.details->ghosts[0].last, 20);
  ASSERT_EQ(timeline.details->marks.size(), 1u);
  EXPECT_EQ(timeline.details->marks[0].kind, TimelineMarkKind::branch);
  session.run_to(15);
  session.apply(request::Seek{3});
  session.apply(request::ContinueFromHere{});
  timeline = session.state().timeline;
  ASSERT_EQ(timeline.details->ghosts.size(), 2u);
  EXPECT_EQ(timeline.details->ghosts[0].row, 1);
  EXPECT_EQ(timeline.details->ghosts[1].row, 0);
  EXPECT_EQ(timeline.details->ghosts[1].last, 15);
}

TEST(BranchedRun, StartsWhenSettingsChange) {
  RecordingSession session("plummer", 200);
  const Params params = session.state().params;
  session.run_to(10);
  session.apply(request::Seek{4});
  session.apply(request::SetParams{params});
  EXPECT_TRUE(session.run().is_rewound()) << "nothing changed";
  session.apply(request::SetParams{with_theta(params, 0.2)});
  EXPECT_FALSE(session.run().is_rewound());
  EXPECT_EQ(session.state().steps, 4u);
  EXPECT_EQ(session.state().params.theta, 0.2);

  session.run_to(10);
  session.apply(request::Seek{6});
  session.apply(request::SetConfig{session.state().config});
  EXPECT_TRUE(session.run().is_rewound());
  session.apply(request::SetConfig{{.solver = "direct"}});
  EXPECT_FALSE(session.run().is_rewound());
  EXPECT_EQ(session.state().steps, 6u);
  EXPECT_EQ(session.state().config.solver, "direct");

  session.run_to(10);
  session.apply(request::Seek{7});
  session.apply(request::ChooseSolver{true});
  EXPECT_FALSE(session.run().is_rewound());
  EXPECT_EQ(session.state().steps, 7u);
  EXPECT_EQ(session.state().config.solver, "octree");
}

TEST(BranchedRun, ContinuesWithTheParametersOfThatTime) {
  RecordingSession session("plummer", 200);
  const Params params = session.state().params;
  session.run_to(10);
  session.apply(request::SetParams{with_theta(params, 0.3)});
  session.run_to(20);
  session.apply(request::Seek{9});
  EXPECT_EQ(session.state().params.theta, params.theta);
  session.apply(request::Seek{9.9});
  EXPECT_EQ(session.state().params.theta, params.theta) << "of the step in progress";
  session.apply(request::Seek{20});
  EXPECT_EQ(session.state().params.theta, 0.3) << "of the newest step";
  session.apply(request::Seek{10});
  EXPECT_EQ(session.state().params.theta, 0.3) << "of the step that starts there";
  session.apply(request::Seek{5});
  session.apply(request::ContinueFromHere{});
  EXPECT_EQ(session.state().params.theta, params.theta);
}

TEST(BranchedRun, KeepsTheReferenceOfTheEnergyError) {
  RecordingSession session("plummer", 200, {.precision = Precision::float64});
  const double start = session.run().initial_energy()->energy();
  session.run_to(20);
  session.apply(request::Seek{15});
  session.apply(request::ContinueFromHere{});
  EXPECT_EQ(session.run().initial_energy()->energy(), start);
}

TEST(BranchedRun, RunsBackwardsFromARecordedMoment) {
  RecordingSession session("plummer", 200);
  session.run_to(20);
  session.apply(request::Seek{5});
  session.apply(request::RunBackwards{});
  EXPECT_FALSE(session.run().is_rewound());
  for (int k = 0; k < 20 && session.state().running; ++k) session.step();
  EXPECT_EQ(session.state().steps, 10u);
  EXPECT_NEAR(session.state().time, 0, 1e-9);
  const Timeline timeline = session.state().timeline;
  EXPECT_NEAR(timeline.time_at(5), 5 * session.state().params.dt, 1e-9);
  EXPECT_NEAR(timeline.time_at(8), 2 * session.state().params.dt, 1e-9);
}

TEST(BranchedRun, CancelledKeepsTheOldState) {
  bool cancel = false;
  RecordingSession session("collision", 2000, {}, 10, [&](const SessionState&) { return !cancel; });
  session.run_to(40);
  ASSERT_GE(session.run().history().spacing(), 4u);
  const Bodies newest = session.simulation()->bodies();
  session.apply(request::Seek{7.5});
  cancel = true;
  session.apply(request::ContinueFromHere{});
  cancel = false;
  EXPECT_THAT(session.state().message, testing::HasSubstr("Cancelled"));
  EXPECT_TRUE(session.run().is_rewound());
  EXPECT_EQ(session.state().timeline.shown, 7.5);
  session.apply(request::Seek{40});
  EXPECT_TRUE(same_motion(session.simulation()->bodies(), newest));
}

TEST(BranchedRun, SnapshotOfARecordedMomentIsExact) {
  RecordingSession session("collision", 300, {}, 10);
  session.run_to(13);
  const Snapshot wanted = session.snapshot();
  session.apply(request::SetParams{with_theta(session.state().params, 0.3)});
  session.run_to(40);
  session.apply(request::Seek{13.2});
  const Snapshot got = session.snapshot();
  EXPECT_TRUE(session.run().is_rewound());
  EXPECT_TRUE(same_motion(got.bodies, wanted.bodies));
  EXPECT_EQ(got.time, wanted.time);
  EXPECT_EQ(got.run->steps, 13u);
  EXPECT_EQ(got.run->start->energy(), wanted.run->start->energy());
  session.apply(request::Seek{12.9});
  const Params params = session.snapshot().run->params;
  EXPECT_EQ(params, wanted.run->params);
}

TEST(BranchedRun, SnapshotHasTheReferenceOfItsMoment) {
  RecordingSession session("plummer", 200, {.precision = Precision::float64});
  const double start = session.run().initial_energy()->energy();
  session.run_to(10);
  Params params = session.state().params;
  params.softening *= 2;
  session.apply(request::SetParams{params});
  session.run_to(20);
  session.apply(request::Seek{9});
  EXPECT_EQ(session.snapshot().run->start->energy(), start);
  session.apply(request::Seek{15});
  EXPECT_NE(session.snapshot().run->start->energy(), start);
}

/// Whether the timeline has a mark of each event of the encounter.
bool marks_events(Session& session) {
  const auto marks = session.state().timeline.details->marks;
  return std::ranges::all_of(session.run().encounter_events(), [&](const EncounterEvent& event) {
    return std::ranges::find(marks, event.position, &TimelineMark::position) != marks.end();
  });
}

TEST(BranchedRun, HasNoMeasurementsOfTheEarlierCourse) {
  RecordingSession session("collision", 100);
  session.run_to(1);
  Params params = session.state().params;
  params.dt *= 10;
  session.apply(request::SetParams{params});
  std::vector<EncounterEvent> events;
  for (int k = 0; k < 2; ++k) {
    while (session.run().encounter_events() == events && session.state().steps < 1000) session.advance(nullptr, false);
    ASSERT_NE(session.run().encounter_events(), events);
    events = session.run().encounter_events();
    EXPECT_TRUE(marks_events(session));
  }
  ASSERT_FALSE(session.state().record->structure.empty());
  session.apply(request::Seek{2});
  session.apply(request::ContinueFromHere{});
  EXPECT_TRUE(session.run().encounter_events().empty());
  for (const TimelineMark& mark : session.state().timeline.details->marks) EXPECT_LE(mark.position, 2) << mark.text;
  EXPECT_LE(session.state().record->structure.back().position, 2);
  session.apply(request::Undo{});
  EXPECT_EQ(session.run().encounter_events(), events);
  EXPECT_TRUE(marks_events(session));
}

TEST(BranchedRun, BeforeAChangeOfSettingsReturnsExactly) {
  RecordingSession session("plummer", 50);
  session.run_to(10);
  session.apply(request::SetParams{with_theta(session.state().params, 0.3)});
  session.run_to(20);
  session.apply(request::Seek{10});
  session.apply(request::RunBackwards{});
  EXPECT_THAT(session.state().message, testing::HasSubstr("Settings were changed")) << "for the way back";
  session.apply(request::Seek{9});
  session.apply(request::RunBackwards{});
  EXPECT_EQ(session.state().message, "Running backwards to the start, 9 steps.");
}

TEST(BranchedRun, RollsBackOnlyToItsOwnCheckpoints) {
  RecordingSession session("plummer", 50);
  session.run_to(10);
  session.apply(request::SetConfig{{.solver = "direct"}});
  session.apply(request::Seek{4});
  session.apply(request::ContinueFromHere{});
  session.run_to(8);
  session.apply(request::SetConfig{{.solver = "fmm"}});
  session.apply(request::Undo{});
  EXPECT_EQ(session.state().steps, 10u);
  for (int k = 0; k < 2; ++k) session.apply(request::Rollback{});
  EXPECT_EQ(session.state().steps, 10u) << "not that of the branch";
  session.apply(request::Seek{4});
  session.apply(request::ContinueFromHere{});
  for (int k = 0; k < 2; ++k) session.apply(request::Rollback{});
  EXPECT_EQ(session.state().steps, 4u);
}

TEST(BranchedRun, RollbackIsABranch) {
  RecordingSession session("plummer", 200);
  session.run_to(10);
  session.apply(request::Rollback{});
  const Timeline timeline = session.state().timeline;
  EXPECT_EQ(timeline.last, static_cast<double>(session.state().steps));
  ASSERT_EQ(timeline.details->ghosts.size(), 1u);
  EXPECT_EQ(timeline.details->ghosts[0].last, 10);
  session.run_to(5);
  session.apply(request::Seek{1});
  EXPECT_TRUE(session.run().is_rewound());
}

TEST(BranchedRun, LostGpuKeepsTheLine) {
  RecordingSession session("plummer", 200);
  session.run_to(10);
  session.recover(DeviceLost("test"));
  EXPECT_EQ(session.state().timeline.first, 0);
  session.run_to(5);
  session.apply(request::Seek{2});
  EXPECT_TRUE(session.run().is_rewound());
  EXPECT_EQ(session.state().steps, 2u);
}

}  // namespace
}  // namespace pericenter::test

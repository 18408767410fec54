// Recorded moments: seek and replay.
#include "sim/run/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "sim/core/fault_injection.h"
#include "sim/session/session.h"
#include "tests/support/recording_session.h"
#include "tests/support/running_simulation.h"

namespace pericenter::test {
namespace {

Timeline with_points(std::vector<TimelinePoint> points, double last, double last_time) {
  Timeline timeline{.first = points.front().position, .last = last, .last_time = last_time};
  timeline.details = std::make_shared<const TimelineDetails>(TimelineDetails{std::move(points), {}, {}});
  return timeline;
}

TEST(Timeline, ConvertsPositionsAndTimes) {
  const Timeline timeline = with_points({{0, 1}, {10, 2}, {20, 4}}, 30, 3);
  EXPECT_EQ(timeline.time_at(-5), 1);
  EXPECT_EQ(timeline.time_at(5), 1.5);
  EXPECT_EQ(timeline.time_at(15), 3);
  EXPECT_EQ(timeline.time_at(25), 3.5) << "to the end";
  EXPECT_EQ(timeline.time_at(40), 3);
  EXPECT_EQ(timeline.position_at(1.5), 5);
  EXPECT_EQ(timeline.position_at(3.5), 25) << "the latest";
  EXPECT_EQ(timeline.position_at(0), 0);
  EXPECT_EQ(Timeline{}.time_at(3), 3) << "without points";
  EXPECT_EQ(with_points({{0, 0}, {10, 20}}, 10, std::nan("")).time_at(5), 10);
}

/// Largest distance between vertices and bodies.
double distance(const std::vector<Vertex>& vertices, const Bodies& bodies) {
  double largest = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec3 shown{vertices[i].x, vertices[i].y, vertices[i].z};
    largest = std::max(largest, length(shown - bodies[i].position));
  }
  return largest;
}

TEST(RecordedMoments, KeyframesAreShownExactly) {
  RecordingSession session("plummer", 300);
  session.run_to(16);
  const Bodies wanted = session.simulation()->bodies();
  const double time = session.simulation()->time();
  session.run_to(40);
  session.apply(request::Seek{16});
  EXPECT_EQ(distance(session.vertices(), wanted), 0);
  EXPECT_EQ(session.last.steps, 16u);
  EXPECT_EQ(session.last.time, time);
  EXPECT_EQ(session.state().steps, 16u);
  EXPECT_EQ(session.state().time, time);
  EXPECT_EQ(session.simulation()->steps(), 40u) << "the simulation stays where it is";
  EXPECT_TRUE(session.state().timeline.rewound);
  EXPECT_EQ(session.state().timeline.shown, 16);
  EXPECT_EQ(session.state().timeline.last, 40);
}

TEST(RecordedMoments, BetweenKeyframesAreInterpolated) {
  RecordingSession session("plummer", 300, {}, 10);
  session.run_to(21);
  const Bodies wanted = session.simulation()->bodies();
  const double time = session.simulation()->time(), dt = session.state().params.dt;
  session.run_to(64);
  ASSERT_GE(session.run().history().spacing(), 8u);
  session.apply(request::Seek{21});
  const double error = distance(session.vertices(), wanted);
  EXPECT_GT(error, 0);
  EXPECT_LT(error, 0.05 * length(wanted[0].velocity) * dt * 8);
  EXPECT_NEAR(session.last.time, time, 1e-9);
  session.apply(request::Seek{20.5});
  session.vertices();
  EXPECT_NEAR(session.last.time, time - dt / 2, 1e-9);
  EXPECT_EQ(session.last.steps, 20u);
}

TEST(RecordedMoments, ReachTheNewestStep) {
  RecordingSession session("plummer", 100, {}, 10);
  session.run_to(61);
  const Bodies newest = session.simulation()->bodies();
  session.run_to(62);
  session.apply(request::Seek{61.5});
  EXPECT_LT(distance(session.vertices(), newest), 0.02);
  session.apply(request::Seek{62});
  EXPECT_FALSE(session.run().is_rewound());
  EXPECT_EQ(session.state().steps, 62u);
  EXPECT_EQ(distance(session.vertices(), session.simulation()->bodies()), 0);
  session.apply(request::Seek{-3});
  EXPECT_EQ(session.state().timeline.shown, 0);
  session.apply(request::Seek{std::nan("")});
  EXPECT_EQ(session.state().timeline.shown, 0);
  session.apply(request::Seek{1e300});
  EXPECT_FALSE(session.run().is_rewound());
}

TEST(RecordedMoments, JumpsAreDiscontinuities) {
  RecordingSession session("plummer", 50);
  session.run_to(10);
  const auto jumps = [&] {
    session.vertices();
    return session.last.continuity.discontinuities;
  };
  EXPECT_EQ(jumps(), 0u);
  session.apply(request::Seek{3});
  EXPECT_EQ(jumps(), 1u);
  session.apply(request::Seek{4});
  EXPECT_EQ(jumps(), 1u) << "a step forward";
  session.apply(request::Seek{3});
  EXPECT_EQ(jumps(), 2u);
  session.apply(request::Seek{10});
  EXPECT_EQ(jumps(), 3u);
  session.apply(request::Seek{5});
  session.apply(request::ContinueFromHere{});
  EXPECT_EQ(jumps(), 5u);
  session.run_to(7);
  session.apply(request::Undo{});
  EXPECT_EQ(jumps(), 6u);
}

TEST(RecordedMoments, AreReplayedToTheEndAndThenContinue) {
  RecordingSession session("plummer", 50);
  session.run_to(4);
  session.apply(request::Seek{1});
  session.apply(request::SetReplaySpeed{0.5});
  session.apply(request::Play{true});
  std::vector<double> shown;
  while (session.simulation()->steps() < 6) {
    ASSERT_TRUE(session.wants_to_step(1));
    session.step();
    shown.push_back(session.state().timeline.shown);
    session.vertices();
  }
  EXPECT_THAT(shown, testing::ElementsAre(1.5, 2, 2.5, 3, 3.5, 4, 5, 6));
  EXPECT_EQ(session.last.continuity.discontinuities, 1u) << "only the seek";
  session.apply(request::Play{false});
  session.apply(request::Seek{2.5});
  session.apply(request::Step{});
  ASSERT_TRUE(session.wants_to_step(0));
  session.step();
  EXPECT_EQ(session.state().timeline.shown, 3);
  session.apply(request::Step{2});
  session.apply(request::Seek{1});
  EXPECT_FALSE(session.wants_to_step(0)) << "the steps were asked for before";
  session.apply(request::SetReplaySpeed{100});
  EXPECT_EQ(session.state().timeline.speed, 10);
  session.apply(request::SetReplaySpeed{0});
  EXPECT_EQ(session.state().timeline.speed, 0.1);
}

TEST(RecordedMoments, HaveNoForcesAndNoTree) {
  RecordingSession session("plummer", 200);
  session.apply(request::ShowTree{.show = true});
  ASSERT_FALSE(session.new_tree_boxes()->empty());
  session.apply(request::ShowProbe{3});
  ASSERT_TRUE(session.new_probe().value().has_value());
  session.run_to(10);
  session.apply(request::Seek{5});
  EXPECT_TRUE(session.new_tree_boxes().value().empty());
  EXPECT_FALSE(session.new_probe().value().has_value());
  EXPECT_THAT(session.state().message, testing::HasSubstr("no tree"));
  session.apply(request::MeasureForceErrors{});
  EXPECT_THAT(session.state().message, testing::HasSubstr("no forces"));
  EXPECT_FALSE(session.state().force_errors);
  session.apply(request::ShowScalar{Scalar::acceleration});
  for (const Vertex& vertex : session.vertices()) ASSERT_EQ(vertex.attribute >> 16, half_bits(kNoScalar));
  session.apply(request::Seek{10});
  EXPECT_FALSE(session.new_tree_boxes().value().empty());
  EXPECT_TRUE(session.new_probe().value().has_value());
  EXPECT_NE(session.vertices()[0].attribute >> 16, half_bits(kNoScalar));
}

TEST(RecordedMoments, AreNotWrittenToADevice) {
  RecordingSession session("plummer", 50);
  session.run_to(5);
  session.apply(request::Seek{2});
  std::vector<Vertex> buffer(50);
  VertexTarget target = host_target(buffer);
  target.on_device = true;
  EXPECT_EQ(session.write_vertices(target).count, 0u);
  EXPECT_FALSE(session.publishes_in_step(1, target));
  EXPECT_EQ(session.write_vertices(host_target(buffer)).count, 50u);
}

// Also of the present.
TEST(RecordedMoments, ShowOneBodyInThree) {
  RecordingSession session("plummer", 50);
  session.run_to(5);
  std::vector<Vertex> buffer(17);
  VertexTarget target = host_target(buffer);
  target.every = 3;
  for (const double position : {2.5, 5.0}) {
    session.apply(request::Seek{position});
    const std::vector<Vertex> all = session.vertices();
    EXPECT_EQ(session.last.every, 1u);
    const PublishedFrame frame = session.write_vertices(target);
    EXPECT_EQ(frame.count, 17u);
    EXPECT_EQ(frame.every, 3u);
    for (std::size_t k = 0; k < buffer.size(); ++k)
      EXPECT_EQ(std::memcmp(&buffer[k], &all[3 * k], sizeof(Vertex)), 0) << k << " at " << position;
    target.capacity = 16;
    EXPECT_EQ(session.write_vertices(target).count, 0u) << "too small";
    target.capacity = 17;
  }
}

TEST(RecordedMoments, ShowTheConfigurationOfTheirTime) {
  RecordingSession session("plummer", 100, {.solver = "octree"});
  session.run_to(6);
  session.apply(request::SetConfig{{.solver = "direct", .precision = Precision::float64, .dimension = 2}});
  session.run_to(12);
  session.apply(request::Seek{3});
  EXPECT_EQ(session.state().config.solver, "octree");
  session.apply(request::Seek{5.5});
  EXPECT_NE(session.vertices()[0].z, 0) << "between both";
  session.apply(request::Seek{8});
  EXPECT_EQ(session.state().config.solver, "direct");
  EXPECT_EQ(session.vertices()[0].z, 0);
  session.apply(request::Seek{12});
  EXPECT_EQ(session.state().config.solver, "direct");
}

TEST(RecordedMoments, OfARunBackwards) {
  RecordingSession session("two-body", 2, {.precision = Precision::float64});
  Params params = session.state().params;
  session.run_to(21);
  params.dt = -params.dt;
  session.apply(request::SetParams{params});
  session.run_to(42);
  const Timeline timeline = session.state().timeline;
  EXPECT_NEAR(timeline.time_at(42), 0, 1e-12);
  EXPECT_NEAR(timeline.time_at(30), -12 * params.dt, 1e-9);
  session.apply(request::Seek{10.5});
  const std::vector<Vertex> forth = session.vertices();
  session.apply(request::Seek{31.5});
  const std::vector<Vertex> back = session.vertices();
  EXPECT_NEAR(session.last.time, -10.5 * params.dt, 1e-9);
  EXPECT_NEAR(forth[0].x, back[0].x, 1e-5) << "a leapfrog returns";
  EXPECT_NEAR(forth[0].y, back[0].y, 1e-5);
}

TEST(RecordedMoments, OfTwoTurnsOfTheTimeWithFewKeyframes) {
  RecordingSession session("two-body", 2, {.precision = Precision::float64}, 10);
  Params params = session.state().params;
  std::vector<Bodies> bodies{session.simulation()->bodies()};
  std::vector<double> times{0};
  for (const std::size_t last : {21u, 30u, 64u}) {
    session.apply(request::SetParams{params});
    while (times.size() <= last) {
      session.run_to(times.size());
      bodies.push_back(session.simulation()->bodies());
      times.push_back(session.simulation()->time());
    }
    params.dt = -params.dt;
  }
  ASSERT_GE(session.run().history().spacing(), 8u);
  for (std::size_t step = 15; step < 40; ++step) {
    SCOPED_TRACE(step);
    session.apply(request::Seek{static_cast<double>(step)});
    EXPECT_LT(distance(session.vertices(), bodies[step]), 0.002);
    EXPECT_NEAR(session.last.time, times[step], 1e-12);
    session.apply(request::Seek{static_cast<double>(step) + 0.25});
    EXPECT_EQ(session.state().steps, step);
    EXPECT_NEAR(session.state().time, std::lerp(times[step], times[step + 1], 0.25), 1e-12);
    EXPECT_EQ(session.state().params.dt < 0, step >= 21 && step < 30);
  }
  session.apply(request::Seek{25.5});
  session.apply(request::ContinueFromHere{});
  session.run_to(30);
  EXPECT_TRUE(same_motion(session.simulation()->bodies(), bodies[30])) << "still backwards";
}

TEST(RecordedMoments, MarkChanges) {
  RecordingSession session("plummer", 50, {.solver = "octree"});
  session.run_to(5);
  Params params = session.state().params;
  const double theta = params.theta;
  for (int k = 1; k <= 4; ++k) {
    params.theta = theta + 0.05 * k;
    session.apply(request::SetParams{params});
    session.run_to(5 + static_cast<std::uint64_t>(k));
  }
  session.apply(request::SetConfig{{.solver = "fmm"}});
  session.run_to(12);
  const std::vector<TimelineMark> marks = session.state().timeline.details->marks;
  ASSERT_EQ(marks.size(), 2u);
  EXPECT_EQ(marks[0].position, 5) << "one mark for the drag";
  EXPECT_EQ(marks[0].text, "theta 0.7 -> 0.9");
  EXPECT_EQ(marks[1].text, "octree -> fmm");
  EXPECT_EQ(marks[1].position, 9);
}

TEST(RecordedMoments, MarkTheKeyMomentOfTheScene) {
  RecordingSession session("collision", 100);
  Params params = session.state().params;
  const double moment = session.state().highlight_time;
  ASSERT_GT(moment, 0);
  params.dt = 0.3 * moment;
  session.apply(request::SetParams{params});
  session.run_to(8);
  std::vector<TimelineMark> marks = session.state().timeline.details->marks;
  // The encounter has marks too, as many as it was measured in time for.
  std::erase_if(marks, [](const TimelineMark& mark) { return mark.kind != TimelineMarkKind::highlight; });
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(marks[0].position, 4);
}

TEST(RecordedMoments, NeedASessionThatRecords) {
  Session session;
  session.load(request::LoadScene{"plummer", {.bodies = 50}});
  for (int k = 0; k < 5; ++k) session.advance(nullptr, false);
  EXPECT_EQ(session.state().timeline.keyframes, 0u);
  EXPECT_EQ(session.state().timeline.first, 5);
  session.apply(request::Seek{2});
  EXPECT_FALSE(session.run().is_rewound());
  EXPECT_THAT(session.state().message, testing::HasSubstr("Cannot go back"));
}

TEST(RecordedMoments, OffWithoutMemory) {
  RecordingSession session("plummer", 100, {}, 7);
  EXPECT_EQ(session.state().timeline.keyframes, 0u);
  EXPECT_THAT(session.state().timeline.off_because, testing::HasSubstr("one keyframe takes 1 MB, and at least 8"));
  session.run_to(5);
  session.apply(request::Seek{2});
  EXPECT_THAT(session.state().message, testing::HasSubstr("at least 8 must fit"));
  session.apply(request::SetHistoryBudget{std::size_t{1} << 20});
  EXPECT_EQ(session.state().timeline.off_because, "");
  EXPECT_EQ(session.state().timeline.first, 5) << "recorded from now on";
  session.run_to(10);
  session.apply(request::Seek{7});
  EXPECT_TRUE(session.run().is_rewound());
  session.apply(request::SetHistoryBudget{0});
  EXPECT_FALSE(session.run().is_rewound());
  EXPECT_EQ(session.state().steps, 10u);
  EXPECT_EQ(session.state().timeline.bytes, 0u);
  EXPECT_THAT(session.state().timeline.off_because, testing::HasSubstr("budget is 0"));
}

TEST(RecordedMoments, KeepFewerOrNoneWhenMemoryRunsOut) {
  RecordingSession session("plummer", 100, {}, 10);
  // A keyframe that takes long, on a busy machine, doubles their spacing. Odd steps have none.
  std::uint64_t last = 65;
  session.run_to(last);
  for (; session.state().timeline.keyframes < 5 && last < 10'000; last += 2) session.run_to(last + 2);
  const auto end = static_cast<double>(last);
  const std::size_t before = session.state().timeline.bytes;
  plan_fault("history_memory:1");
  session.apply(request::Seek{end - 0.5});
  plan_fault({});
  EXPECT_TRUE(session.run().is_rewound());
  session.apply(request::Seek{end});
  EXPECT_LT(session.state().timeline.bytes, before);
  EXPECT_GT(session.state().timeline.keyframes, 1u);
  plan_fault("history_memory");
  session.run_to(last + 2000);
  plan_fault({});
  EXPECT_EQ(session.state().timeline.keyframes, 0u);
  EXPECT_THAT(session.state().timeline.off_because, testing::HasSubstr("not enough memory"));
  session.run_to(last + 2001);
}

TEST(RecordedMoments, SeekIsAppliedWhenTheNextRequestCancelsTheStep) {
  RunningSimulation show;
  show.request(request::SetConfig{{.solver = "direct", .simd = Simd::plain}});
  ASSERT_TRUE(show.load("plummer", 5000));
  ASSERT_TRUE(show.play_to_step(4));
  ASSERT_TRUE(show.wait_until([](const SessionState& state) { return state.step_progress > 0.1; }));
  show.request(request::Seek{2});
  show.request(request::Play{false});
  show.request(request::SetConfig{{.solver = "octree"}});
  ASSERT_TRUE(show.wait_until([](const SessionState& state) { return state.config.solver == "octree"; }));
  EXPECT_EQ(show.state().timeline.last, 2);
  EXPECT_EQ(show.state().timeline.details->ghosts.size(), 1u);
}

TEST(RecordedMoments, SurviveRequestsFromAnotherThread) {
  RunningSimulation show;
  ASSERT_TRUE(show.load("plummer", 300));
  ASSERT_TRUE(show.play_to_step(20));
  show.request(request::Seek{5});
  ASSERT_TRUE(show.shows([](const PublishedFrame& frame) { return frame.steps >= 5 && frame.steps < 20; }));
  show.request(request::Play{false});
  show.request(request::Seek{8});
  ASSERT_TRUE(show.shows([](const PublishedFrame& frame) { return frame.steps == 8; }));
  Params params = show.state().params;
  params.theta = 0.4;
  show.request(request::SetParams{params});
  ASSERT_TRUE(show.wait_until([](const SessionState& state) { return !state.timeline.rewound && state.steps == 8; }));
  ASSERT_TRUE(show.play_to_step(15));
  show.request(request::Play{false});
  show.request(request::Seek{10});
  show.request(request::ContinueFromHere{});
  ASSERT_TRUE(show.wait_until([](const SessionState& state) { return state.timeline.details->ghosts.size() == 2; }));
  show.request(request::Undo{});
  ASSERT_TRUE(show.wait_until([](const SessionState& state) { return state.timeline.details->ghosts.size() == 1; }));
  show.request(request::Reset{});
  ASSERT_TRUE(show.wait_until([](const SessionState& state) { return state.scene_serial == 2 && !state.busy; }));
  show.request(request::Undo{});
  ASSERT_TRUE(show.wait_until([](const SessionState& state) { return state.scene_serial == 3 && !state.busy; }));
  show.request(request::Play{true});
  EXPECT_TRUE(show.takes_more_steps());
}

}  // namespace
}  // namespace pericenter::test

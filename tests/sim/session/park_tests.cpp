#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "sim/session/session.h"
#include "tests/support/recording_session.h"

namespace pericenter::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint64_t kFirst = 1, kSecond = 2, kThird = 3;
/// Steps of fewer bodies may be so fast that the history has fewer keyframes (History::note_cost).
constexpr std::size_t kManyBodies = 1000;

/// Parks the run and loads a scene in its place.
void leave_for(RecordingSession& session, std::uint64_t key, std::size_t bodies = 77) {
  session.apply(request::ParkRun{key});
  session.apply(request::LoadScene{"plummer", {.bodies = bodies}});
}

TEST(ParkedRuns, ComeBackWithEqualBodiesAndTheirHistory) {
  RecordingSession session("collision", 200);
  session.run_to(10);
  const Bodies middle = session.simulation()->bodies();
  session.run_to(20);
  const Bodies newest = session.simulation()->bodies();
  const SessionState before = session.state();
  leave_for(session, kFirst);
  EXPECT_THAT(session.state().parked, ElementsAre(kFirst));
  session.run_to(7);
  session.apply(request::RestoreRun{kFirst});
  SessionState after = session.state();
  EXPECT_EQ(after.scene, "collision");
  EXPECT_EQ(after.steps, 20u);
  EXPECT_EQ(after.time, before.time);
  EXPECT_EQ(after.params, before.params);
  EXPECT_GT(after.scene_serial, before.scene_serial);
  EXPECT_THAT(after.parked, IsEmpty());
  EXPECT_TRUE(same_motion(session.simulation()->bodies(), newest));
  session.apply(request::Seek{10});
  EXPECT_TRUE(same_motion(session.snapshot().bodies, middle));
}

TEST(ParkedRuns, ContinueAsIfTheyHadNotBeenLeft) {
  RecordingSession session("collision", 200), other("collision", 200);
  session.run_to(20);
  leave_for(session, kFirst);
  session.run_to(3);
  session.apply(request::RestoreRun{kFirst});
  session.run_to(40);
  other.run_to(40);
  EXPECT_TRUE(same_motion(session.simulation()->bodies(), other.simulation()->bodies()));
}

// Regression: a run without steps has no parameters in its history, and its return ended the program.
TEST(ParkedRuns, ComeBackWithoutHavingTakenAStep) {
  RecordingSession session("collision", 200);
  const Bodies first = session.simulation()->bodies();
  const Params params = session.state().params;
  leave_for(session, kFirst);
  session.apply(request::RestoreRun{kFirst});
  EXPECT_TRUE(same_motion(session.simulation()->bodies(), first));
  EXPECT_EQ(session.state().params, params);
  session.run_to(3);
  session.apply(request::Seek{1});
  EXPECT_EQ(session.state().steps, 1u);
}

TEST(ParkedRuns, ShowTheWantedMoment) {
  RecordingSession session("collision", 200);
  session.run_to(12);
  const Bodies then = session.simulation()->bodies();
  session.run_to(20);
  leave_for(session, kFirst);
  session.apply(request::RestoreRun{kFirst, 12});
  EXPECT_EQ(session.state().steps, 12u);
  EXPECT_TRUE(session.state().timeline.rewound);
  EXPECT_EQ(session.state().timeline.last, 20);
  EXPECT_TRUE(same_motion(session.snapshot().bodies, then));
}

TEST(ParkedRuns, AreWholeWhileAnEarlierMomentIsShown) {
  RecordingSession session("collision", 200);
  session.run_to(20);
  const Bodies newest = session.simulation()->bodies();
  session.apply(request::Seek{5});
  session.apply(request::ParkRun{kFirst});
  EXPECT_EQ(session.state().steps, 5u) << "still shown";
  session.apply(request::LoadScene{"plummer", {.bodies = 77}});
  session.apply(request::RestoreRun{kFirst});
  EXPECT_EQ(session.state().steps, 20u);
  EXPECT_TRUE(same_motion(session.simulation()->bodies(), newest));
}

TEST(ParkedRuns, SwapWithEachOther) {
  RecordingSession session("collision", 200);
  session.run_to(10);
  leave_for(session, kFirst);
  session.run_to(5);
  const Bodies plummer = session.simulation()->bodies();
  for (int k = 0; k < 2; ++k) {
    session.apply(request::ParkRun{kSecond});
    session.apply(request::RestoreRun{kFirst});
    EXPECT_EQ(session.state().steps, 10u);
    session.apply(request::ParkRun{kFirst});
    session.apply(request::RestoreRun{kSecond});
    EXPECT_TRUE(same_motion(session.simulation()->bodies(), plummer));
  }
  EXPECT_THAT(session.state().parked, ElementsAre(kFirst));
}

TEST(ParkedRuns, LeaveUndoAsItWas) {
  RecordingSession session("plummer", 50);
  session.run_to(8);
  session.apply(request::LoadScene{"collision", {.bodies = 200}});
  session.run_to(4);
  leave_for(session, kFirst);
  session.run_to(3);
  session.apply(request::ParkRun{kSecond});
  session.apply(request::RestoreRun{kFirst});
  EXPECT_EQ(session.state().timeline.undo, "change of scene");
  session.apply(request::Undo{});
  EXPECT_EQ(session.state().scene, "plummer");
  EXPECT_EQ(session.state().bodies, 50u);
  EXPECT_EQ(session.state().steps, 8u);
}

TEST(ParkedRuns, AChangeAfterParkingCanBeUndone) {
  RecordingSession session("collision", 200);
  session.run_to(5);
  session.apply(request::ParkRun{kFirst});
  session.run_to(9);
  session.apply(request::LoadScene{"plummer", {.bodies = 77}});
  session.apply(request::Undo{});
  EXPECT_EQ(session.state().steps, 9u);
}

// The oldest ones give way, so that the current run keeps at least a quarter of the memory.
TEST(ParkedRuns, StayWithinHalfOfTheMemory) {
  RecordingSession session("plummer", kManyBodies, {}, 64);
  const std::size_t budget = session.run().history().budget();
  for (const std::uint64_t key : {kFirst, kSecond, kThird}) {
    session.run_to(60);
    leave_for(session, key, kManyBodies);
  }
  EXPECT_THAT(session.state().parked, ElementsAre(kSecond, kThird));
  session.run_to(100);
  EXPECT_LE(session.state().timeline.bytes, budget / 2);
  EXPECT_TRUE(session.run().history().is_on());
  session.apply(request::RestoreRun{kFirst});
  EXPECT_EQ(session.state().steps, 100u) << "dropped: nothing happens";
  session.apply(request::ForgetRuns{});
  EXPECT_THAT(session.state().parked, IsEmpty());
  session.apply(request::RestoreRun{kThird});
  EXPECT_EQ(session.state().steps, 100u);
}

TEST(ParkedRuns, KeyZeroIsDroppedLast) {
  RecordingSession session("plummer", kManyBodies, {}, 64);
  for (const std::uint64_t key : {std::uint64_t{0}, kFirst, kSecond}) {
    session.run_to(60);
    leave_for(session, key, kManyBodies);
  }
  EXPECT_THAT(session.state().parked, ElementsAre(0, kSecond));
}

TEST(ParkedRuns, NeedAHistory) {
  RecordingSession session("plummer", 50, {}, 2);
  session.run_to(10);
  session.apply(request::ParkRun{kFirst});
  EXPECT_THAT(session.state().parked, IsEmpty());
}

}  // namespace
}  // namespace pericenter::test

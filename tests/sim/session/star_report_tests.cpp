// RunState::stars: selected stars and nuclei, now and at recorded moments.
#include <gtest/gtest.h>

#include "sim/session/simulation_thread.h"
#include "tests/support/recording_session.h"
#include "tests/support/running_simulation.h"

namespace pericenter::test {
namespace {

bool same_star(const StarReport::Star& star, const Body& body) {
  return same_motion({star.body}, {body});
}

/// A recorded moment may be interpolated: a slow machine keeps every second keyframe only. It is then near the step,
/// far from its neighbours.
bool is_recorded_star(const StarReport::Star& star, const std::vector<Bodies>& steps, std::size_t step,
                      std::size_t index) {
  const Vec3 there = steps[step][index].position;
  return length(star.body.position - there) < 0.1 * length(steps[step - 1][index].position - there);
}

TEST(StarReports, HaveTheBodiesOfTheStepOrOfTheRecordedMoment) {
  RecordingSession session("collision", 2000);
  session.update_stars();
  EXPECT_FALSE(session.state().stars) << "nothing is tracked";
  session.apply(request::TrackStars{{{3, 1999, 2000}, false}});
  std::vector<Bodies> steps;
  for (int step = 0; step <= 6; ++step) {
    session.run_to(static_cast<std::uint64_t>(step));
    session.update_stars();
    steps.push_back(session.simulation()->bodies());
    const StarReport& report = *session.state().stars;
    ASSERT_EQ(report.stars.size(), 2u) << "body 2000 does not exist";
    EXPECT_EQ(report.time, session.simulation()->time());
    EXPECT_TRUE(same_star(report.stars[0], steps.back()[3]));
    EXPECT_TRUE(same_star(report.stars[1], steps.back()[1999]));
    EXPECT_TRUE(report.nuclei.empty());
    EXPECT_TRUE(report.has_velocities);
  }
  session.apply(request::Seek{4});
  session.update_stars();
  EXPECT_EQ(session.state().stars->time, session.state().time);
  EXPECT_TRUE(is_recorded_star(session.state().stars->stars[0], steps, 4, 3));
  session.apply(request::Seek{2});
  session.update_stars();
  EXPECT_TRUE(is_recorded_star(session.state().stars->stars[0], steps, 2, 3)) << "from one recorded moment to another";
  session.apply(request::Seek{6});
  session.update_stars();
  EXPECT_TRUE(same_star(session.state().stars->stars[0], steps[6][3]));
  session.apply(request::TrackStars{});
  session.update_stars();
  EXPECT_FALSE(session.state().stars);
}

TEST(StarReports, HaveTheNucleiOfASample) {
  RecordingSession session("collision", 60'000);
  session.apply(request::TrackStars{{{}, true}});
  session.update_stars();
  const StarReport before = *session.state().stars;
  ASSERT_EQ(before.nuclei.size(), 2u);
  const StructureMeter meter(session.simulation()->bodies());
  const auto exact = meter.nuclei(session.simulation()->bodies());
  session.run_to(4);
  session.apply(request::TrackStars{{{}, true}});
  session.update_stars();
  const StarReport after = *session.state().stars;
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(before.nuclei[k].galaxy, k);
    EXPECT_LE(length(before.nuclei[k].position - *exact[k]), 0.1);
    // The galaxies approach with about 0.5: both velocities are those of the scene's orbit.
    const Vec3 path = after.nuclei[k].position - before.nuclei[k].position;
    EXPECT_LE(length(path * (1 / (after.time - before.time)) - before.nuclei[k].velocity), 0.1);
    EXPECT_GE(length(before.nuclei[k].velocity), 0.1);
  }
  session.apply(request::Seek{0});
  session.update_stars();
  ASSERT_EQ(session.state().stars->nuclei.size(), 2u);
  EXPECT_EQ(session.state().stars->nuclei[1].position, before.nuclei[1].position);
}

TEST(StarReports, FollowARunOnAThread) {
  SimulationThread thread;
  thread.request(request::LoadScene{"plummer", {.bodies = 100}});
  thread.request(request::TrackStars{{{5}, false}});
  thread.request(request::Step{3});
  ASSERT_TRUE(eventually([&] {
    const SessionState state = thread.state();
    return state.steps == 3 && state.stars && state.stars->time == state.time;
  }));
}

}  // namespace
}  // namespace pericenter::test

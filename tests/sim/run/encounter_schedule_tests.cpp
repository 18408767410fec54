#include "sim/run/encounter_schedule.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "sim/run/encounter_track.h"

namespace pericenter {
namespace {

struct Watched {
  std::vector<EncounterEvent> events;
  double share = 0;  ///< of the time
  int measurements = 0;
};

/// The steps of one second from `first` to `last`, with a measurement that takes `cost` seconds.
Watched watched(EncounterSchedule& watch, const std::function<double(double)>& separation, int first, int last,
                double cost) {
  EncounterTrack track;
  Watched result;
  for (int step = first; step <= last; ++step) {
    watch.note_step(1);
    if (!watch.is_due(step)) continue;
    StructureSample sample{.position = 1.0 * step, .time = 0.03 * step, .separation = separation(step)};
    for (LagrangeRadii& radii : sample.galaxies) radii = {1, 2, 4};
    track.append(sample);
    watch.note(sample, cost);
    result.share += cost / (last - first + 1);
    ++result.measurements;
  }
  result.events = track.events();
  return result;
}
Watched watched(const std::function<double(double)>& separation, int steps, double cost) {
  EncounterSchedule watch;
  return watched(watch, separation, 1, steps, cost);
}

/// A passage that is slower on the way out, so that the squared separation is no parabola.
double passage(double step) {
  const double x = 0.045 * (step - 642.3);
  return std::sqrt(20 + x * x * (x < 0 ? 1 : 0.5));
}

TEST(EncounterSchedule, PericentreIsExactToAStep) {
  for (const double cost : {0.001, 0.01, 0.05, 0.1, 0.2}) {
    const Watched run = watched(passage, 900, cost);
    ASSERT_EQ(run.events.size(), 1u) << cost;
    EXPECT_NEAR(run.events[0].position, 642.3, 1) << cost;
    EXPECT_LT(run.share, 0.011) << cost;
  }
}

TEST(EncounterSchedule, FirstPericentreIsExactAtAnyCost) {
  const auto falling = [](double step) { return std::hypot(0.05, 0.06 * (step - 333.6)); };
  const Watched slow = watched(passage, 900, 10), fast = watched(falling, 500, 10);
  ASSERT_FALSE(slow.events.empty());
  EXPECT_NEAR(slow.events[0].position, 642.3, 1);
  ASSERT_FALSE(fast.events.empty());
  EXPECT_NEAR(fast.events[0].position, 333.6, 1);
}

TEST(EncounterSchedule, EachPericentreOfAnOrbitIsExact) {
  const auto orbit = [](double step) { return 10 - 8 * std::cos((step - 250.4) / 100); };
  const Watched run = watched(orbit, 2400, 0.05);
  int found = 0;
  for (const EncounterEvent& event : run.events) {
    if (event.kind != EncounterEventKind::pericenter) continue;
    const double turns = (event.position - 250.4) / (200 * std::acos(-1));
    EXPECT_NEAR(turns, std::round(turns), 1.0 / (200 * std::acos(-1)));
    ++found;
  }
  EXPECT_EQ(found, 4);
  EXPECT_LT(run.share, 0.01);
}

TEST(EncounterSchedule, FallThroughTheCentreIsExact) {
  const auto falling = [](double step) { return std::hypot(0.05, 0.06 * (step - 333.6)); };
  const Watched run = watched(falling, 500, 0.1);
  ASSERT_EQ(run.events.size(), 1u);
  EXPECT_NEAR(run.events[0].position, 333.6, 1);
}

TEST(EncounterSchedule, PericentreIsExactAfterGoingBack) {
  EncounterSchedule watch;
  watched(watch, passage, 1, 900, 0.2);
  const Watched again = watched(watch, passage, 590, 760, 0.2);
  ASSERT_EQ(again.events.size(), 1u);
  EXPECT_NEAR(again.events[0].position, 642.3, 1);
}

TEST(EncounterSchedule, OneGalaxyIsMeasuredOnce) {
  EXPECT_EQ(watched([](double) { return kNotMeasured; }, 500, 0.1).measurements, 1);
}

TEST(EncounterTrack, ThinningKeepsTheEvents) {
  EncounterTrack track;
  for (int step = 0; step < 20'000; ++step) {
    StructureSample sample{.position = 1.0 * step, .time = 0.03 * step, .separation = passage(0.3 * step)};
    track.append(sample);
  }
  ASSERT_EQ(track.events().size(), 1u);
  EXPECT_NEAR(track.events()[0].position, 642.3 / 0.3, 1);
}

TEST(EncounterTrack, LateSampleKeepsThoseBehindIt) {
  EncounterTrack track;
  for (int step = 0; step < 900; step += 10) {
    const StructureSample sample{.position = 1.0 * step, .time = 0.03 * step, .separation = passage(step)};
    track.append(sample);
  }
  track.insert({.position = 105, .time = 3.15, .separation = passage(105)}, 0);
  EXPECT_EQ(track.events().size(), 1u);
  track.append({.position = 105, .time = 3.15, .separation = passage(105)});
  EXPECT_TRUE(track.events().empty()) << "the run continues from there";
}

}  // namespace
}  // namespace pericenter

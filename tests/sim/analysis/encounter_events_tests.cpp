#include "sim/analysis/encounter_events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "sim/analysis/structure.h"
#include "sim/core/random.h"
#include "sim/core/simulation.h"
#include "tests/support/measure.h"

namespace pericenter {
namespace {

constexpr double kNucleus = 2;  ///< radius of a tenth of the mass

/// Samples of separation(time) at `count` times from `from` to `to`.
std::vector<StructureSample> sampled(const std::function<double(double)>& separation, double from, double to,
                                     int count = 200) {
  std::vector<StructureSample> samples;
  for (int k = 0; k < count; ++k) {
    const double time = std::lerp(from, to, k / (count - 1.0));
    samples.push_back({.position = 10.0 * k, .time = time, .separation = separation(time)});
    for (LagrangeRadii& radii : samples.back().galaxies) radii = {kNucleus, 2 * kNucleus, 4 * kNucleus};
  }
  return samples;
}

double passage(double time) {
  return std::hypot(3, 2 * (time - 10.05));
}

/// Falls from 20, passes, and stays below a quarter of the size.
double merging(double time) {
  return std::abs(20 * std::exp(-time / 6) * std::cos(time / 3));
}

/// Swings apart less and less.
double shrinking(double time) {
  return 0.6 + 40 * std::exp(-time / 7) * std::pow(std::sin(time / 2), 2);
}

TEST(EncounterEvents, PericentreOfAStraightPassageIsExact) {
  const auto events = encounter_events(sampled(passage, 0, 20, 60));
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, EncounterEventKind::pericenter);
  EXPECT_NEAR(events[0].time, 10.05, 1e-9);
  EXPECT_NEAR(events[0].separation, 3, 1e-9);
  EXPECT_NEAR(events[0].position, 10.05 / 20 * 590, 1e-6);
}

TEST(EncounterEvents, OrbitAlternates) {
  const auto orbit = [](double time) { return 10 - 5 * std::cos(time); };
  const auto events = encounter_events(sampled(orbit, 1, 12));
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].kind, EncounterEventKind::apocenter);
  EXPECT_EQ(events[1].kind, EncounterEventKind::pericenter);
  EXPECT_EQ(events[2].kind, EncounterEventKind::apocenter);
  EXPECT_NEAR(events[0].time, 3.1416, 1e-3);
  EXPECT_NEAR(events[1].separation, 5, 1e-3);
}

TEST(EncounterEvents, NoiseCreatesNone) {
  Random random(1, 1);
  const auto noisy = [&](double time) { return passage(time) * (1 + 0.06 * (random.uniform() - 0.5)); };
  const auto events = encounter_events(sampled(noisy, 0, 20, 2000));
  ASSERT_EQ(events.size(), 1u);
  EXPECT_NEAR(events[0].time, 10.05, 0.6);
  const auto still = [&](double) { return 0.9 * kNucleus + 0.08 * random.uniform(); };
  EXPECT_TRUE(encounter_events(sampled(still, 0, 20, 2000)).empty());
}

TEST(EncounterEvents, StartIsNoEvent) {
  const auto leaving = [](double time) { return 3 + time; };
  EXPECT_TRUE(encounter_events(sampled(leaving, 0, 20)).empty());
  EXPECT_TRUE(encounter_events({}).empty());
  EXPECT_TRUE(encounter_events(sampled(leaving, 0, 20, 2)).empty());
}

TEST(EncounterEvents, MergerIsWhereTheSeparationStaysSmall) {
  const auto events = encounter_events(sampled(merging, 0, 60, 600));
  std::vector<EncounterEvent> mergers;
  for (const EncounterEvent& event : events)
    if (event.kind == EncounterEventKind::merger) mergers.push_back(event);
  ASSERT_EQ(mergers.size(), 1u);
  EXPECT_EQ(mergers[0].separation, kNucleus / 4);
  for (double later = mergers[0].time; later < 60; later += 0.1) EXPECT_LE(merging(later), kNucleus / 4 + 0.01);
  EXPECT_LE(events.size(), 6u) << "no pericentres within a merged galaxy";
  EXPECT_EQ(events.front().kind, EncounterEventKind::pericenter);
}

TEST(EncounterEvents, MergedGalaxyHasNoMoreEvents) {
  const auto noisy = [](double time) {
    if (time < 60) return std::max(20 - time, 0.4);
    return 0.4 + 3 * std::pow(std::sin(time), 2);
  };
  const auto events = encounter_events(sampled(noisy, 0, 90, 900));
  EXPECT_TRUE(std::ranges::any_of(
      events, [](const EncounterEvent& event) { return event.kind == EncounterEventKind::merger; }));
  for (const EncounterEvent& event : events) EXPECT_LT(event.time, 60);
}

TEST(EncounterEvents, NucleiThatSwingApartALittleHaveMerged) {
  const auto events = encounter_events(sampled(shrinking, 1, 40, 2000));
  ASSERT_EQ(events.back().kind, EncounterEventKind::merger);
  EXPECT_LT(events.back().separation, 0.1 * events.front().separation);
  EXPECT_EQ(std::ranges::count(events, EncounterEventKind::apocenter, &EncounterEvent::kind), 3);
  EXPECT_NEAR(events.back().time, 7 * std::acos(-1), 0.5);
}

TEST(EncounterEvents, FallThroughTheCentreIsNoMerger) {
  const auto falling = [](double time) { return std::hypot(0.1, 1.5 * (time - 10)); };
  const auto events = encounter_events(sampled(falling, 0, 20, 2000));
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, EncounterEventKind::pericenter);
}

// A run that turns round at t = 8, before the pericentre, and returns.
TEST(EncounterEvents, TurnOfTimeIsNoPericentre) {
  std::vector<StructureSample> samples = sampled(passage, 0, 8, 100);
  for (StructureSample sample : sampled(passage, 8, 0, 100)) {
    sample.position += 1000;
    samples.push_back(sample);
  }
  EXPECT_TRUE(encounter_events(samples).empty());
}

TEST(EncounterEvents, WayBackHasTheSamePericentre) {
  std::vector<StructureSample> samples = sampled(passage, 0, 20, 100);
  for (StructureSample sample : sampled(passage, 20, 0, 100)) {
    sample.position += 1000;
    samples.push_back(sample);
  }
  const auto events = encounter_events(samples);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_NEAR(events[0].time, events[1].time, 1e-9);
  EXPECT_GT(events[1].position, 1000);
}

TEST(EncounterEvents, AreTheSameBackwardsInTime) {
  for (const auto& [separation, end] : {std::pair(&passage, 20.0), {&merging, 60.0}, {&shrinking, 40.0}}) {
    const auto forwards = encounter_events(sampled(separation, 1, end, 1000));
    const auto backwards =
        encounter_events(sampled([&, back = separation](double time) { return back(-time); }, -1, -end, 1000));
    ASSERT_EQ(backwards.size(), forwards.size());
    for (std::size_t k = 0; k < forwards.size(); ++k) {
      EXPECT_EQ(backwards[k].kind, forwards[k].kind) << k;
      EXPECT_NEAR(backwards[k].time, -forwards[k].time, 1e-9) << k;
      EXPECT_NEAR(backwards[k].separation, forwards[k].separation, 1e-9) << k;
      EXPECT_NEAR(backwards[k].position, forwards[k].position, 1e-6) << k;
    }
  }
}

/// The same samples without some of them: alternately the next one and the fourth is kept.
std::vector<StructureSample> thinned(const std::vector<StructureSample>& samples, std::size_t first = 0) {
  std::vector<StructureSample> kept;
  for (std::size_t k = first; k < samples.size(); k += kept.size() % 2 == 0 ? 4 : 1) kept.push_back(samples[k]);
  return kept;
}

TEST(EncounterEvents, AreExactWithUnequalTimesBetweenSamples) {
  for (const double end : {20.0, -20.0})
    for (std::size_t first = 0; first < 5; ++first) {
      const auto separation = [](double time) { return passage(std::abs(time)); };
      const auto events = encounter_events(thinned(sampled(separation, 0, end, 200), first));
      ASSERT_EQ(events.size(), 1u);
      EXPECT_NEAR(events[0].time, std::copysign(10.05, end), 1e-9) << first;
      EXPECT_NEAR(events[0].separation, 3, 1e-9) << first;
      EXPECT_NEAR(events[0].position, 10.05 / 20 * 1990, 1e-6) << first;
    }
}

/// Samples of a passage whose tails grow from the time `from` on.
std::vector<StructureSample> with_tails(double from, double disc_radius) {
  std::vector<StructureSample> samples = sampled(passage, 0, 20, 400);
  for (StructureSample& sample : samples) {
    sample.tail_fraction = sample.time < from ? 0.005 : 0.005 + 0.02 * (sample.time - from);
    sample.disc_radius = disc_radius;
  }
  return samples;
}

std::vector<double> times_of_tails(const std::vector<StructureSample>& samples) {
  std::vector<double> times;
  for (const EncounterEvent& event : encounter_events(samples))
    if (event.kind == EncounterEventKind::tails) times.push_back(event.time);
  return times;
}

TEST(EncounterEvents, TailsAreReportedOnceAfterThePericentre) {
  EXPECT_THAT(times_of_tails(with_tails(12, 5)), testing::ElementsAre(testing::DoubleNear(13.25, 1e-6)));
  EXPECT_THAT(times_of_tails(with_tails(9.5, 5)), testing::ElementsAre(testing::DoubleNear(10.75, 1e-6)))
      << "before the pericentre is confirmed";
  EXPECT_THAT(times_of_tails(with_tails(2, 5)), testing::IsEmpty()) << "the discs were not stretched by the passage";
  EXPECT_THAT(times_of_tails(with_tails(19, 5)), testing::IsEmpty()) << "they are below the threshold";
}

TEST(EncounterEvents, TailsAreExactWithUnequalTimesBetweenSamples) {
  EXPECT_THAT(times_of_tails(thinned(with_tails(11, 5))), testing::ElementsAre(testing::DoubleNear(12.25, 1e-6)));
}

TEST(EncounterEvents, PassageThroughTheCentreOfADiscMakesARing) {
  EXPECT_THAT(times_of_tails(with_tails(12, 20)), testing::IsEmpty());
}

TEST(EncounterEvents, TailsThatAreNotMeasuredAreNoEvent) {
  std::vector<StructureSample> samples = with_tails(12, 5);
  for (StructureSample& sample : samples) sample.tail_fraction = kNotMeasured;
  EXPECT_THAT(times_of_tails(samples), testing::IsEmpty());
}

// 20,000 bodies have it at 268 Myr and 15 kpc.
TEST(EncounterEvents, PericentreOfTheCollision) {
  const Scene scene = test::make_scene("collision", {.bodies = 8000});
  const auto simulation = Simulation::create({.solver = "octree"}, scene.bodies);
  const StructureMeter meter(scene.bodies);
  Params params = scene.params;
  params.dt = 0.06;
  std::vector<StructureSample> samples;
  while (simulation->time() < 24) {
    for (int k = 0; k < 8; ++k) simulation->step(params);
    samples.push_back(meter.measure(simulation->bodies()));
    samples.back().time = simulation->time();
    samples.back().position = static_cast<double>(simulation->steps());
  }
  const auto events = encounter_events(samples);
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events[0].kind, EncounterEventKind::pericenter);
  EXPECT_NEAR(events[0].time * scene.units.time_myr, 267, 12);
  EXPECT_NEAR(events[0].separation * scene.units.length_kpc, 15, 2);
}

}  // namespace
}  // namespace pericenter

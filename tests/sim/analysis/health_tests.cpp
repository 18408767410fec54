#include "sim/analysis/health.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace pericenter::test {
namespace {

using testing::HasSubstr;
using testing::Not;

HealthMeasurement fine(double position) {
  return {.position = position, .energy_error = 1e-5, .force_error = 2e-4, .fall_per_step = 0.01};
}

HealthLevel level_of(const HealthMeasurement& measurement) {
  HealthHistory history;
  history.add(measurement);
  return history.health().level;
}

TEST(Health, HasTheLevelOfItsWorstValue) {
  EXPECT_EQ(HealthHistory().health().level, HealthLevel::unknown);
  EXPECT_EQ(level_of({}), HealthLevel::unknown);
  EXPECT_EQ(level_of(fine(1)), HealthLevel::good);
  HealthMeasurement measured = fine(1);
  measured.energy_error = -2e-3;
  EXPECT_EQ(level_of(measured), HealthLevel::fair);
  measured.force_error = 0.02;
  EXPECT_EQ(level_of(measured), HealthLevel::poor);
}

TEST(Health, AFairTimeStepCountsOnlyUntilTheEnergyErrorIsKnown) {
  HealthMeasurement measured = fine(1);
  measured.fall_per_step = 0.2;
  HealthHistory history;
  history.add(measured);
  EXPECT_EQ(history.health().level, HealthLevel::good);
  EXPECT_EQ(history.health().fall_per_step.level, HealthLevel::good) << "nor is the number amber";
  measured.energy_error = 2e-3;
  EXPECT_EQ(level_of(measured), HealthLevel::fair);
  measured.energy_error = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(level_of(measured), HealthLevel::fair);
  measured.energy_error = 1e-5;
  measured.fall_per_step = 0.51;
  EXPECT_EQ(level_of(measured), HealthLevel::poor) << "too long a step is poor whatever the energy error is";
}

TEST(Health, HasTheseLimits) {
  const auto energy = [](double error) { return level_of({.energy_error = error}); };
  const auto force = [](double error) { return level_of({.force_error = error}); };
  for (const auto& [level, limit] : {std::pair(std::function(energy), 1e-3), std::pair(std::function(force), 3e-3)}) {
    EXPECT_EQ(level(0.99 * limit), HealthLevel::good);
    EXPECT_EQ(level(1.01 * limit), HealthLevel::fair);
    EXPECT_EQ(level(0.99e-2), HealthLevel::fair);
    EXPECT_EQ(level(1.01e-2), HealthLevel::poor);
  }
  EXPECT_EQ(energy(-0.5), HealthLevel::poor);
  const auto step = [](double fall) { return level_of({.fall_per_step = fall}); };
  EXPECT_EQ(step(0.0249), HealthLevel::good);
  EXPECT_EQ(step(0.0251), HealthLevel::fair);
  EXPECT_EQ(step(0.49), HealthLevel::fair);
  EXPECT_EQ(step(0.51), HealthLevel::poor);
  const auto orbit = [](double steps) { return level_of({.steps_per_orbit = steps}); };
  EXPECT_EQ(orbit(21), HealthLevel::good);
  EXPECT_EQ(orbit(19), HealthLevel::fair);
  EXPECT_EQ(orbit(11), HealthLevel::fair);
  EXPECT_EQ(orbit(9), HealthLevel::poor);
}

TEST(Health, KeepsWorstValues) {
  HealthHistory history;
  history.add(fine(1));
  HealthMeasurement bad = fine(2);
  bad.energy_error = -0.12;
  history.add(bad);
  history.add(fine(3));
  const Health health = history.health();
  EXPECT_EQ(health.level, HealthLevel::poor);
  EXPECT_EQ(health.energy_error.now, 1e-5);
  EXPECT_EQ(health.energy_error.worst, 0.12);
  EXPECT_EQ(health.energy_error.level, HealthLevel::poor);
  EXPECT_EQ(health.force_error.level, HealthLevel::good);
  EXPECT_EQ(health.fall_per_step.worst, 0.01);
  EXPECT_TRUE(std::isnan(health.steps_per_orbit.now) && std::isnan(health.steps_per_orbit.worst));
  history.clear();
  EXPECT_EQ(history.health().level, HealthLevel::unknown);
}

TEST(Health, RemembersLastGoodMoment) {
  HealthHistory history;
  for (const double position : {1.0, 2.0, 3.0}) history.add(fine(position));
  EXPECT_EQ(history.health().last_good, 3);
  HealthMeasurement bad = fine(4);
  bad.fall_per_step = 2;
  history.add(bad);
  EXPECT_EQ(history.health().last_good, 3);
  history.add(fine(5));
  bad.position = 6;
  bad.fall_per_step = 3;
  history.add(bad);
  EXPECT_EQ(history.health().last_good, 3) << "it has not been good since";
}

TEST(Health, OfAnEarlierMomentReturns) {
  HealthHistory history;
  history.add(fine(10));
  HealthMeasurement fair = fine(20);
  fair.force_error = 5e-3;
  history.add(fair);
  HealthMeasurement bad = fine(30);
  bad.energy_error = 1;
  history.add(bad);
  history.rewind(30);
  EXPECT_EQ(history.health().level, HealthLevel::poor);
  history.rewind(25);
  EXPECT_EQ(history.health().level, HealthLevel::fair);
  EXPECT_EQ(history.health().energy_error.worst, 1e-5);
  EXPECT_EQ(history.health().last_good, 25);
  history.add(fine(26));
  EXPECT_EQ(history.health().level, HealthLevel::fair);
  history.rewind(5);
  EXPECT_EQ(history.health().level, HealthLevel::unknown);
}

TEST(Health, SettingsWithoutAStepSpoilNothing) {
  HealthHistory history;
  history.add(fine(1));
  HealthMeasurement tried = fine(1);
  tried.fall_per_step = 5;
  tried.force_error = 0.1;
  tried.stepped = false;
  history.add(tried);
  EXPECT_EQ(history.health().level, HealthLevel::good);
  EXPECT_EQ(history.health().fall_per_step.now, 5);
  EXPECT_EQ(history.health().fall_per_step.worst, 5) << "not less than now";
  EXPECT_EQ(history.health().fall_per_step.level, HealthLevel::poor) << "as what it would be";
  EXPECT_EQ(history.health().force_error.now, 0.1);
  tried.energy_error = 0.5;
  history.add(tried);
  EXPECT_EQ(history.health().level, HealthLevel::poor) << "an energy error is always one of the run";
}

TEST(Health, StatesReasonWithNumbersAndRemedy) {
  const auto reason_of = [](const HealthMeasurement& measured) {
    HealthHistory history;
    history.add(measured);
    return history.health().reason;
  };
  EXPECT_EQ(reason_of(fine(1)), "");
  HealthMeasurement bad = fine(1);
  bad.energy_error = -0.12;
  EXPECT_EQ(reason_of(bad),
            "The energy has changed by 12 %: go back to the last good moment, then halve dt or reduce θ.");
  bad.force_error = 0.034;
  EXPECT_EQ(reason_of(bad), "The mean force error is 3.4 %: reduce θ.");
  bad.fall_per_step = 2;
  EXPECT_EQ(
      reason_of(bad),
      "The strongest acceleration moves a body from rest by 2 softening lengths per step (a·dt²/2ε = 2): divide dt "
      "by 9.")
      << "the square of 9 is at least 2 / 0.025";
  EXPECT_EQ(reason_of({.steps_per_orbit = 6}),
            "The shortest orbit takes 6 steps, and at least 20 resolve it: divide dt by 4.");
  EXPECT_THAT(reason_of({.energy_error = std::numeric_limits<double>::infinity(), .non_finite = 2}), HasSubstr("NaN"));
}

// Regression: a fall of two bodies was said to change the energy by 187742 %.
TEST(Health, LargeNumbersAreShort) {
  HealthHistory history;
  HealthMeasurement bad = fine(1);
  bad.energy_error = 1877.42;
  history.add(bad);
  EXPECT_EQ(history.health().cause, "The energy has changed by a factor of more than 1,000");
  EXPECT_EQ(history.health().problem, HealthProblem::energy);
  bad.fall_per_step = 19724;
  history.add(bad);
  EXPECT_EQ(history.health().reason,
            "The strongest acceleration moves a body from rest by 20000 softening lengths per step (a·dt²/2ε = 20000): "
            "divide "
            "dt by 890.");
  bad.fall_per_step = 1e30;
  history.add(bad);
  EXPECT_THAT(history.health().reason, HasSubstr("more than 1,000,000 softening lengths"));
  EXPECT_THAT(history.health().reason, HasSubstr(": use a larger softening ε, or a far smaller dt."));
}

TEST(Health, ReasonOfThePastIsNotACommand) {
  HealthHistory history;
  HealthMeasurement bad = fine(1);
  bad.fall_per_step = 3;
  history.add(bad);
  history.add(fine(2));
  EXPECT_EQ(history.health().reason,
            "The strongest acceleration moved a body from rest by 3 softening lengths per step (a·dt²/2ε = 3): go back "
            "to the "
            "last good moment, or reset the scene.");
}

TEST(Health, NamesAPericentreThatTheStepDoesNotResolve) {
  HealthHistory history;
  HealthMeasurement measured = fine(1);
  measured.steps_at_pericenter = 20;
  history.add(measured);
  EXPECT_EQ(history.health().level, HealthLevel::good);
  measured.position = 2;
  measured.steps_at_pericenter = 0.4;
  measured.pericenter = "body 1 comes within 0.59 AU of body 0";
  history.add(measured);
  EXPECT_EQ(history.health().level, HealthLevel::fair) << "nothing has happened yet";
  EXPECT_EQ(history.health().problem, HealthProblem::pericenter);
  EXPECT_EQ(history.health().reason,
            "The time step cannot follow an orbit: body 1 comes within 0.59 AU of body 0, where a circular orbit takes "
            "0.4 steps, and at least 20 resolve it: divide dt by 50.");
  history.add(fine(3));
  EXPECT_EQ(history.health().level, HealthLevel::good) << "a shorter step has prevented it";
}

TEST(Health, IsPoorOnceAnOrbitIsWrong) {
  HealthHistory history;
  history.add(fine(1));
  HealthMeasurement measured = fine(2);
  measured.steps_at_pericenter = 0.4;
  measured.orbit_change = 12;
  measured.changed_orbit = "body 1 about body 0";
  history.add(measured);
  history.add(fine(3));
  EXPECT_EQ(history.health().level, HealthLevel::poor) << "a shorter step does not repair it";
  EXPECT_EQ(history.health().last_good, 1);
  history.add(measured);
  EXPECT_EQ(history.health().reason,
            "The orbit of body 1 about body 0 is wrong, because the time step does not resolve its pericentre: its "
            "energy has changed by a factor of more than 10: go back to the last good moment, then divide dt by 50.");
  history.rewind(1);
  EXPECT_EQ(history.health().level, HealthLevel::good);
}

TEST(Health, TimeStepIsComparedWithSofteningOrOrbit) {
  Diagnostics diagnostics;
  diagnostics.fastest = 1e9;
  diagnostics.strongest = 2;
  diagnostics.shortest_orbit = 6;
  const HealthMeasurement soft = measurement_of_time_step({.dt = -0.1, .softening = 0.4}, diagnostics);
  EXPECT_DOUBLE_EQ(soft.fall_per_step, 0.025);
  EXPECT_TRUE(std::isnan(soft.steps_per_orbit));
  const HealthMeasurement points = measurement_of_time_step({.dt = -0.1, .softening = 0}, diagnostics);
  EXPECT_TRUE(std::isnan(points.fall_per_step));
  EXPECT_DOUBLE_EQ(points.steps_per_orbit, 60);
  const HealthMeasurement nothing = measurement_of_time_step({.softening = 0}, {});
  EXPECT_TRUE(std::isnan(nothing.steps_per_orbit));
  EXPECT_EQ(level_of(nothing), HealthLevel::unknown);
}

Diagnostics energies(double kinetic, double potential) {
  Diagnostics diagnostics;
  diagnostics.kinetic = kinetic;
  diagnostics.potential = potential;
  diagnostics.mass = 2;
  return diagnostics;
}

TEST(Conservation, CarriesErrorAcrossChanges) {
  Conservation run;
  const EnergyDefinition hard{.softening = 0.1}, soft{.softening = 0.4};
  EXPECT_EQ(run.add(0, energies(1, -2), hard).energy, 0);
  EXPECT_DOUBLE_EQ(run.add(5, energies(1.25, -2), hard).energy, 0.25);
  // The softer potential is another energy, but no error.
  EXPECT_DOUBLE_EQ(run.add(5, energies(1.25, -1.75), soft).energy, 0.25);
  EXPECT_DOUBLE_EQ(run.add(9, energies(1.5, -1.75), soft).energy, 0.75);
  EXPECT_DOUBLE_EQ(run.add(9, energies(1.5, -2.25), hard).energy, 0.75);
  EXPECT_DOUBLE_EQ(run.add(12, energies(1.5, -2.25), hard).energy, 0.75);
  EXPECT_EQ(run.reference()->potential, -2.25);
}

TEST(Conservation, RewindsToAnEarlierError) {
  Conservation run;
  const EnergyDefinition hard{.softening = 0.1}, soft{.softening = 0.4};
  run.add(0, energies(1, -2), hard);
  run.add(5, energies(1.25, -2), hard);
  run.add(10, energies(1.5, -2), hard);
  run.add(10, energies(1.5, -1), soft);
  Conservation branch = run;
  branch.rewind(5);
  EXPECT_DOUBLE_EQ(branch.add(5, energies(1.25, -2), hard).energy, 0.25);
  branch = run;
  branch.rewind(7);
  EXPECT_DOUBLE_EQ(branch.add(7, energies(1.3, -1), soft).energy, 0.25) << "with another softening: the last error";
}

TEST(Conservation, MeasuresMomentum) {
  Conservation run;
  Diagnostics start = energies(4, -8), now = start;  // sqrt(2 K M) = 4
  start.momentum = {1, 0, 0};
  now.momentum = {1, 0.2, 0};
  EXPECT_EQ(run.add(0, start, {}).momentum, 0);
  EXPECT_DOUBLE_EQ(run.add(1, now, {}).momentum, 0.05);
  Diagnostics flat = now;
  flat.momentum = {1, 0, 0};  // a change of dimension drops a component
  const EnergyDefinition plane{.config = {.dimension = 2}};
  EXPECT_DOUBLE_EQ(run.add(1, flat, plane).momentum, 0.05);
  EXPECT_EQ(Conservation().add(0, {}, {}).momentum, 0);
}

TEST(Conservation, UnknownEnergyIsNotCarried) {
  Conservation run;
  EXPECT_TRUE(std::isnan(run.add(0, energies(1, std::nan("")), {}).energy));
  EXPECT_EQ(run.add(0, energies(1, -2), {.softening = 1}).energy, 0);
}

}  // namespace
}  // namespace pericenter::test

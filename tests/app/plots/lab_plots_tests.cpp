#include "app/plots/lab_plots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "app/plots/lab_curves.h"

namespace pericenter::app {
namespace {

using testing::ElementsAre;

/// A run that goes forwards to time 10 and then back to time 5.
SessionState run_and_back() {
  SessionState state;
  state.units = {2, 10, 100};  // kpc, Myr, km/s
  state.view_radius = 10;
  state.diagnostics.mass = 2;
  auto record = std::make_shared<LabRecord>();
  for (int k = 0; k <= 15; ++k) {
    LabSample sample;
    sample.position = k;
    sample.time = k <= 10 ? k : 20 - k;
    sample.kinetic = 1;
    sample.potential = sample.force_virial = -4;
    sample.energy_error = -1e-4 * k;
    sample.momentum = {1e-3 * k, 0, 0};
    sample.angular_momentum = {0, 0, 3 + 0.03 * k};
    if (k > 10) sample.start_distance = 0.5;
    record->samples.push_back(sample);
  }
  for (int k = 0; k <= 10; k += 5) {
    StructureSample sample;
    sample.time = k;
    sample.separation = 20 - k;
    sample.galaxies[0] = {1, 2, 3};
    record->structure.push_back(sample);
  }
  record->rotation = {10, {1, 2}, {1.5, 1.6}, {1.7, 1.8}};
  state.record = record;
  return state;
}

const Plot* find(const std::vector<LabPlot>& plots, std::string_view id) {
  const auto found = std::ranges::find(plots, id, &LabPlot::id);
  return found == plots.end() ? nullptr : &found->plot;
}
const Curve* find(const Plot* plot, std::string_view name) {
  if (!plot) return nullptr;
  const auto found = std::ranges::find(plot->curves, name, &Curve::name);
  return found == plot->curves.end() ? nullptr : &*found;
}

TEST(LabPlots, HaveDisplayUnits) {
  const SessionState state = run_and_back();
  const auto plots = lab_plots({state});
  const Plot* separation = find(plots, "separation");
  ASSERT_TRUE(separation);
  EXPECT_EQ(title_of(separation->x), "time [Myr]");
  EXPECT_EQ(title_of(separation->y), "separation [kpc]");
  EXPECT_THAT(separation->curves.at(0).x, ElementsAre(0, 50, 100));
  EXPECT_THAT(separation->curves.at(0).y, ElementsAre(40, 30, 20));
  const Plot* rotation = find(plots, "rotation");
  EXPECT_EQ(title_of(rotation->x), "radius [kpc]");
  EXPECT_EQ(title_of(rotation->y), "speed [km/s]");
  EXPECT_THAT(find(rotation, "measured")->x, ElementsAre(2, 4));
  EXPECT_THAT(find(rotation, "measured")->y, ElementsAre(150, 160));
  EXPECT_THAT(find(rotation, "circular orbit")->y, ElementsAre(170, 180));
  EXPECT_EQ(scene_time(plotted_time(7, state.units), state.units), 7);
}

TEST(LabPlots, ShowConservation) {
  const SessionState state = run_and_back();
  const auto plots = lab_plots({state});
  EXPECT_NEAR(find(find(plots, "energy-error"), "|ΔE/E|")->y.at(3), 3e-4, 1e-12) << "not negative";
  EXPECT_EQ(find(find(plots, "energy"), "total")->y.at(3), -3);
  EXPECT_NEAR(find(find(plots, "momentum"), "|ΔP|")->y.at(4), 4e-3 / 2, 1e-12) << "relative to sqrt(2 M K)";
  EXPECT_NEAR(find(find(plots, "momentum"), "|ΔL|")->y.at(4), 0.12 / 3, 1e-12);
  EXPECT_EQ(find(find(plots, "virial"), "2K/|Σr·F|")->y.at(0), 0.5);
  EXPECT_EQ(find(plots, "energy-error")->zones.at(1).y, (PlotRange{1e-3, 1e-2})) << "the limits of the health";
}

TEST(LabPlots, HaveACurvePerDirection) {
  const SessionState state = run_and_back();
  const auto plots = lab_plots({state});
  const Curve *there = find(find(plots, "energy-error"), "|ΔE/E|"),
              *back = find(find(plots, "energy-error"), "|ΔE/E|, backwards");
  ASSERT_TRUE(there && back);
  EXPECT_EQ(there->x.size(), 11u);
  EXPECT_THAT(back->x, ElementsAre(50, 60, 70, 80, 90, 100)) << "ascending";
  EXPECT_NEAR(back->y.front(), 15e-4, 1e-12);
  EXPECT_NE(there->line, back->line);
  const Plot* distance = find(plots, "start-distance");
  ASSERT_TRUE(distance);
  EXPECT_EQ(distance->curves.size(), 1u) << "only while the run goes back";
}

TEST(LabPlots, HaveNoDistanceFromTheStartOfAForwardRun) {
  SessionState state = run_and_back();
  auto record = std::make_shared<LabRecord>(*state.record);
  record->samples.resize(11);
  state.record = record;
  EXPECT_FALSE(find(lab_plots({state}), "start-distance"));
}

TEST(LabPlots, CompareTwoRuns) {
  const SessionState a = run_and_back(), b = run_and_back();
  const auto plots = lab_plots({b, &a});
  const Plot* energy = find(plots, "energy");
  const Curve *first = find(energy, "A total"), *second = find(energy, "B total"), *kinetic = find(energy, "B kinetic");
  ASSERT_TRUE(first && second && kinetic);
  EXPECT_EQ(first->color, kPlotGrey);
  EXPECT_EQ(second->color, kPlotBlue);
  EXPECT_EQ(kinetic->color, kPlotBlue);
  EXPECT_NE(kinetic->line, second->line);
}

TEST(LabPlots, HaveAForecastOnlyOfEncounters) {
  SessionState state = run_and_back();
  EncounterForecast forecast;
  forecast.points = {{0, {Vec3{0, 0, 0}, Vec3{20, 0, 0}}}, {4, {Vec3{0, 0, 0}, Vec3{0, 12, 0}}}};
  const auto plots = lab_plots({state, nullptr, &forecast});
  const Curve* dashed = find(find(plots, "separation"), "forecast");
  ASSERT_TRUE(dashed);
  EXPECT_EQ(dashed->line, LineStyle::dashed);
  EXPECT_THAT(dashed->x, ElementsAre(0, 40));
  EXPECT_THAT(dashed->y, ElementsAre(40, 24));
  state.record = std::make_shared<LabRecord>();
  EXPECT_FALSE(find(lab_plots({state}), "separation"));
}

TEST(LabPlots, HaveNoUnitsInAScaleFreeScene) {
  SessionState state = run_and_back();
  state.units = {};
  const auto plots = lab_plots({state});
  EXPECT_EQ(title_of(find(plots, "separation")->y), "separation");
  EXPECT_THAT(find(plots, "separation")->curves.at(0).y, ElementsAre(20, 15, 10));
}

TEST(LabPlots, SurviveEmptyAndUnusualRecords) {
  SessionState state;
  for (const std::size_t count : {0, 1, 2}) {
    auto record = std::make_shared<LabRecord>();
    record->samples.resize(count);  // no energies, no mass, no momentum
    record->structure.resize(count);
    state.record = record;
    for (const LabPlot& plot : lab_plots({state})) {
      EXPECT_FALSE(plot.empty.empty());
      const PlotRange range = fitted_y(plot.plot, fitted_x(plot.plot));
      EXPECT_LT(range.low, range.high) << plot.id;
    }
  }
}

TEST(LabCurves, SplitsRunsAtTurns) {
  const auto legs = [](const std::vector<double>& times) {
    std::vector<LabSample> samples;
    for (const double time : times) samples.push_back({.position = 0, .time = time});
    std::vector<std::vector<std::size_t>> result;
    for (const MonotonicRun& leg : last_monotonic_runs(samples)) result.push_back({leg.first, leg.last, leg.backwards});
    return result;
  };
  using Legs = std::vector<std::vector<std::size_t>>;
  EXPECT_EQ(legs({}), Legs());
  EXPECT_EQ(legs({3}), (Legs{{0, 1, 0}}));
  EXPECT_EQ(legs({0, 1, 1, 2}), (Legs{{0, 4, 0}}));
  EXPECT_EQ(legs({0, 1, 2, 1}), (Legs{{0, 3, 0}, {2, 4, 1}}));
  EXPECT_EQ(legs({0, 2, 1, 3}), (Legs{{1, 3, 1}, {2, 4, 0}})) << "the last two";
  EXPECT_EQ(legs({5, 5}), (Legs{{0, 2, 0}}));
}

}  // namespace
}  // namespace pericenter::app

#include "app/ui/divergence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace pericenter::app {
namespace {

using testing::ElementsAre;

SessionState without_units() {
  SessionState state;
  state.units = {};
  return state;
}

TEST(DivergencePlot, HasMedianAndPercentileOverTime) {
  const std::vector<Divergence> history = {{0, 0, 0}, {1, 0.1, 0.5}, {2, 0.2, 0.9}};
  const Plot plot = divergence_plot(history, without_units());
  ASSERT_EQ(plot.curves.size(), 2u);
  EXPECT_THAT(plot.curves[0].x, ElementsAre(0, 1, 2));
  EXPECT_THAT(plot.curves[0].y, ElementsAre(0, 0.1, 0.2));
  EXPECT_THAT(plot.curves[1].y, ElementsAre(0, 0.5, 0.9));
  EXPECT_TRUE(plot.y.logarithmic);
}

TEST(DivergencePlot, UsesTheUnitsOfTheScene) {
  SessionState state;
  state.units = {.length_kpc = 3.5, .time_myr = 13.8, .velocity_kms = 248};
  const Plot plot = divergence_plot(std::vector<Divergence>{{1, 2, 4}}, state);
  EXPECT_DOUBLE_EQ(plot.curves[0].y[0], 7);
  EXPECT_DOUBLE_EQ(plot.curves[1].y[0], 14);
  EXPECT_EQ(plot.y.unit, "kpc");
}

TEST(DivergencePlot, ShowsZeroOnALinearAxis) {
  const Plot plot = divergence_plot(std::vector<Divergence>{{0, 0, 0}, {1, 0, 0}}, without_units());
  EXPECT_FALSE(plot.y.logarithmic);
  EXPECT_TRUE(has_data(plot));
}

TEST(DivergencePlot, ShowsTheWayBackAfterATurn) {
  const std::vector<Divergence> history = {{0, 1, 1}, {1, 2, 2}, {2, 3, 3}, {1, 4, 4}, {0, 5, 5}};
  const Plot plot = divergence_plot(history, without_units());
  EXPECT_THAT(plot.curves[0].x, ElementsAre(0, 1, 2));
  EXPECT_THAT(plot.curves[0].y, ElementsAre(5, 4, 3));
}

TEST(DivergencePlot, IsEmptyWithoutMeasurements) {
  EXPECT_FALSE(has_data(divergence_plot({}, without_units())));
}

}  // namespace
}  // namespace pericenter::app

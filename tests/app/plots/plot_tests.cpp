#include "app/plots/plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "app/plots/plot_canvas.h"
#include "app/plots/plot_scale.h"

namespace pericenter::app {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInfinite = std::numeric_limits<double>::infinity();

std::vector<std::string> labels(PlotRange range, bool logarithmic, int most) {
  std::vector<std::string> result;
  for (const Tick& tick : ticks_of(PlotScale(range, logarithmic), most).ticks)
    if (!tick.label.empty()) result.push_back(tick.label);
  return result;
}

TEST(PlotTicks, AreMultiplesOf1And2And5) {
  EXPECT_THAT(labels({0, 1}, false, 5), ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(labels({-3, 12}, false, 4), ElementsAre("0", "5", "10"));
  EXPECT_THAT(labels({390, 410}, false, 10), SizeIs(11));
  EXPECT_THAT(labels({0.2995, 0.3005}, false, 3), ElementsAre("0.2995", "0.3000", "0.3005"));
}

TEST(PlotTicks, ShareAnExponent) {
  const Ticks ticks = ticks_of(PlotScale({0, 3e-7}, false), 3);
  EXPECT_EQ(ticks.exponent, -7);
  EXPECT_EQ(ticks.ticks.back().label, "3");
  EXPECT_DOUBLE_EQ(ticks.ticks.back().value, 3e-7);
  EXPECT_EQ(unit_text("kpc", ticks.exponent), "1e-7 kpc");
  EXPECT_EQ(unit_text("", 6), "1e6");
  EXPECT_EQ(unit_text("kpc", 0), "kpc");
}

TEST(PlotTicks, OfLogarithmicAxesAreDecades) {
  EXPECT_THAT(labels({1e-6, 1e-2}, true, 10), ElementsAre("1e-6", "1e-5", "1e-4", "0.001", "0.01"));
  EXPECT_THAT(labels({1e-6, 1e-2}, true, 3), ElementsAre("1e-6", "1e-4", "0.01"));
  EXPECT_THAT(labels({1e-300, 1e300}, true, 6), SizeIs(testing::Le(7u)));
  EXPECT_THAT(labels({1, 30}, true, 8), ElementsAre("1", "2", "5", "10", "20"));
  EXPECT_THAT(labels({2, 3}, true, 4), ElementsAre("2.0", "2.5", "3.0")) << "less than a decade: as on a linear axis";
  const Ticks minor = ticks_of(PlotScale({1, 100}, true), 4);
  EXPECT_THAT(minor.ticks, SizeIs(19)) << "with 2 to 9 between the decades";
}

TEST(PlotTicks, AreFewAndFiniteForEveryRange) {
  const double values[] = {-kInfinite, -1e300, -7.3e12,   -1,     -1e-300, 0,         5e-324,
                           1e-9,       1,      1 + 1e-15, 7.3e12, 1e300,   kInfinite, kNan};
  for (const bool logarithmic : {false, true}) {
    for (const double low : values) {
      for (const double high : values) {
        const PlotScale scale({low, high}, logarithmic);
        EXPECT_LT(scale.range().low, scale.range().high) << low << " to " << high;
        const Ticks ticks = ticks_of(scale, 5);
        EXPECT_LE(ticks.ticks.size(), 60u) << low << " to " << high;
        for (const Tick& tick : ticks.ticks) {
          EXPECT_TRUE(std::isfinite(scale.share(tick.value))) << low << " to " << high;
          EXPECT_EQ(tick.label.find("nan"), tick.label.npos);
          EXPECT_EQ(tick.label.find("inf"), tick.label.npos);
        }
      }
    }
  }
}

TEST(PlotScales, InvertTheirMapping) {
  for (const bool logarithmic : {false, true}) {
    const PlotScale scale({2, 50}, logarithmic);
    EXPECT_DOUBLE_EQ(scale.share(2), 0);
    EXPECT_DOUBLE_EQ(scale.share(50), 1);
    EXPECT_NEAR(scale.value(scale.share(7)), 7, 1e-12);
  }
  EXPECT_DOUBLE_EQ(PlotScale({1, 100}, true).share(10), 0.5);
  EXPECT_FALSE(PlotScale({1, 100}, true).can_show(0));
  EXPECT_FALSE(PlotScale({1, 100}, true).can_show(-1));
  EXPECT_FALSE(PlotScale({1, 100}, false).can_show(kNan));
  EXPECT_FALSE(PlotScale({1, 100}, false).can_show(kInfinite));
}

Plot plot_of(std::vector<double> x, std::vector<double> y, bool logarithmic = false) {
  Plot plot{.title = "Test", .x = {"time", "Myr"}, .y = {"energy", "", logarithmic}};
  plot.curves.push_back({.name = "E", .x = std::move(x), .y = std::move(y)});
  return plot;
}

TEST(PlotValues, AreShort) {
  EXPECT_EQ(value_text(0.30712), "0.3071");
  EXPECT_EQ(value_text(6.8994e-5), "6.90e-5");
  EXPECT_EQ(value_text(-1.5e123), "-1.50e+123");
  EXPECT_EQ(value_text(0), "0");
}

TEST(PlotRanges, FitTheVisibleValues) {
  const Plot plot = plot_of({0, 1, 2, 3}, {5, kNan, 7, 1000});
  EXPECT_EQ(fitted_x(plot), (PlotRange{0, 3}));
  const PlotRange all = fitted_y(plot, {0, 3}), some = fitted_y(plot, {0, 2});
  EXPECT_TRUE(all.contains(5) && all.contains(1000));
  EXPECT_TRUE(some.contains(5) && some.contains(7));
  EXPECT_LT(some.high, 8);
  EXPECT_TRUE(fitted_y(plot, {2.4, 2.5}).contains(7 * 0.55 + 1000 * 0.45)) << "between two points";
}

TEST(PlotRanges, ExistWithoutValues) {
  for (const bool logarithmic : {false, true}) {
    for (const std::vector<double>& y : std::vector<std::vector<double>>{
             {}, {kNan}, {kInfinite}, {0}, {3, 3}, {-2, -2}, {1e300, -1e300}, {5e-324, 5e-324}}) {
      std::vector<double> x;
      for (const double value : y) x.push_back(value * 0 + static_cast<double>(x.size()));
      std::ranges::replace_if(
          x, [](double value) { return std::isnan(value); }, 0);
      const Plot plot = plot_of(x, y, logarithmic);
      const PlotRange range = fitted_y(plot, fitted_x(plot));
      EXPECT_LT(range.low, range.high) << testing::PrintToString(y);
      EXPECT_TRUE(std::isfinite(range.low) && std::isfinite(range.high)) << testing::PrintToString(y);
      EXPECT_TRUE(!logarithmic || range.low > 0) << testing::PrintToString(y);
    }
  }
  EXPECT_FALSE(has_data(plot_of({0, 1}, {kNan, kInfinite})));
  EXPECT_FALSE(has_data(plot_of({0, 1}, {0, -1}, true)));
  EXPECT_TRUE(has_data(plot_of({0, 1}, {0, 1}, true)));
}

TEST(PlotRanges, SkipWhatALogarithmicAxisCannotShow) {
  const PlotRange range = fitted_y(plot_of({0, 1, 2, 3}, {0, -4, 1e-6, 1e-3}, true), {0, 3});
  EXPECT_GT(range.low, 1e-7);
  EXPECT_LT(range.high, 1e-2);
}

TEST(PlotValues, AreLinearBetweenPoints) {
  const Curve curve{.name = "E", .x = {0, 1, 2, 3}, .y = {0, 10, kNan, 5}};
  EXPECT_EQ(value_at(curve, 0.5), 5);
  EXPECT_EQ(value_at(curve, 1), 10);
  EXPECT_FALSE(value_at(curve, 1.5)) << "a gap";
  EXPECT_EQ(value_at(curve, 3), 5);
  EXPECT_FALSE(value_at(curve, -1));
  EXPECT_FALSE(value_at(curve, 4));
  Plot stack;
  stack.band_x = {0, 10, 20};
  stack.bands = {{.name = "walk", .y = {1, 2, 3}}};
  EXPECT_EQ(value_at(stack, stack.bands[0], 15), 2);
  EXPECT_FALSE(value_at(stack, stack.bands[0], -1));
}

PlotMapping mapping(const Plot& plot, PlotRange x, float width = 100) {
  return {PlotScale(x, plot.x.logarithmic), PlotScale(fitted_y(plot, x), plot.y.logarithmic), {{0, 0}, {width, 50}}};
}

TEST(PlotLines, KeepExtremesOfManyPoints) {
  std::vector<double> x, y;
  for (int k = 0; k < 100'000; ++k) {
    x.push_back(k);
    y.push_back(std::sin(0.01 * k));
  }
  y[31'234] = 40;
  y[71'003] = -30;
  const Plot plot = plot_of(x, y);
  const PlotMapping map = mapping(plot, fitted_x(plot), 200);
  const auto lines = lines_of(plot.curves[0], map);
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_LE(lines[0].size(), 4u * 202);
  float top = 1e9f, bottom = -1e9f;
  for (const ImVec2& point : lines[0]) top = std::min(top, point.y), bottom = std::max(bottom, point.y);
  EXPECT_FLOAT_EQ(top, map.pixel_y(40));
  EXPECT_FLOAT_EQ(bottom, map.pixel_y(-30));
  EXPECT_TRUE(std::ranges::is_sorted(lines[0], {}, &ImVec2::x));
  EXPECT_FLOAT_EQ(lines[0].front().x, 0);
  EXPECT_FLOAT_EQ(lines[0].back().x, 200);
}

TEST(PlotLines, KeepAllOfFewPoints) {
  const Plot plot = plot_of({0, 1, 2, 3}, {1, 5, 2, 4});
  const auto lines = lines_of(plot.curves[0], mapping(plot, {0, 3}));
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_THAT(lines[0], SizeIs(4));
}

TEST(PlotLines, EndAtGapsAndAtTheEdges) {
  const Plot plot = plot_of({0, 1, 2, 3, 4, 5}, {1, 1, kNan, 2, kInfinite, 3});
  EXPECT_THAT(lines_of(plot.curves[0], mapping(plot, {0, 5})), ElementsAre(SizeIs(2), SizeIs(1), SizeIs(1)));
  const Plot line = plot_of({0, 10}, {0, 10});
  const PlotMapping zoomed = mapping(line, {4, 6});
  const auto visible = lines_of(line.curves[0], zoomed);
  ASSERT_THAT(visible, ElementsAre(SizeIs(2)));
  EXPECT_FLOAT_EQ(visible[0][0].x, 0);
  EXPECT_FLOAT_EQ(visible[0][0].y, zoomed.pixel_y(4));
  EXPECT_FLOAT_EQ(visible[0][1].x, 100);
  EXPECT_THAT(lines_of(line.curves[0], mapping(line, {20, 30})), IsEmpty());
  const Plot logarithmic = plot_of({0, 1, 2, 3}, {1, 0, 10, 100}, true);
  EXPECT_THAT(lines_of(logarithmic.curves[0], mapping(logarithmic, {0, 3})), ElementsAre(SizeIs(1), SizeIs(2)));
}

TEST(PlotLines, AreDashed) {
  const std::vector<ImVec2> line = {{0, 0}, {30, 0}, {60, 0}, {100, 0}};
  const auto pieces = dashes_of(line, {.color = {}, .width = 2, .style = LineStyle::dashed});
  EXPECT_THAT(pieces, SizeIs(6));  // 10 drawn, 7 free
  float drawn = 0;
  for (const auto& piece : pieces) drawn += piece.back().x - piece.front().x;
  EXPECT_NEAR(drawn, 60, 0.01);
  EXPECT_THAT(dashes_of(line, {.color = {}, .width = 2}), SizeIs(1));
  EXPECT_THAT(dashes_of(std::vector<ImVec2>{{5, 5}, {5, 5}}, {.color = {}, .width = 2, .style = LineStyle::dotted}),
              IsEmpty());
}

// Regression: beyond 3e7 pixels a float plus a dot is the same float.
TEST(PlotLines, HaveAnEndHoweverLongTheyAre) {
  const auto dots =
      dashes_of(std::vector<ImVec2>{{0, 0}, {1e9f, 0}}, {.color = {}, .width = 1, .style = LineStyle::dotted});
  EXPECT_THAT(dots, SizeIs(testing::Le(100'000u)));
}

}  // namespace
}  // namespace pericenter::app

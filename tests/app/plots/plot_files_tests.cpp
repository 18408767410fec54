#include "app/plots/plot_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace pericenter::app {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();
const PlotStyle kStyle{Theme::light, {0, 0, 0, 1}, {0.4f, 0.4f, 0.4f, 1}, {1, 1, 1, 1}};

Plot two_curves() {
  Plot plot{.title = "Separation <A & B>", .x = {"time", "Myr"}, .y = {"separation", "kpc"}};
  plot.curves = {
      {.name = "measured", .color = kPlotBlue, .x = {0, 1, 2.5, 3}, .y = {10, 1.0 / 3, kGap, 7}},
      {.name = "forecast, \"ideal\"", .color = kPlotOrange, .line = LineStyle::dashed, .x = {1, 2}, .y = {9, 8}}};
  return plot;
}

TEST(PlotCsv, HasOneRowPerX) {
  EXPECT_EQ(csv_text(two_curves(), {0, 10}),
            "time [Myr],measured [kpc],\"forecast, \"\"ideal\"\" [kpc]\"\n"
            "0,10,\n"
            "1,0.333333333333,9\n"
            "2,,8\n"
            "2.5,,\n"
            "3,7,\n");
}

TEST(PlotCsv, HasTheVisibleRangeOnly) {
  EXPECT_EQ(csv_text(two_curves(), {1, 2}),
            "time [Myr],measured [kpc],\"forecast, \"\"ideal\"\" [kpc]\"\n1,0.333333333333,9\n2,,8\n");
  EXPECT_EQ(csv_text(two_curves(), {20, 30}), "time [Myr],measured [kpc],\"forecast, \"\"ideal\"\" [kpc]\"\n");
}

TEST(PlotCsv, TakesTheLastOfEqualX) {
  Plot plot{.title = "", .x = {"time", ""}, .y = {"E", ""}};
  plot.curves = {{.name = "E", .x = {0, 1, 1, 2}, .y = {1, 2, 3, 4}}};
  EXPECT_EQ(csv_text(plot, {0, 2}), "time,E\n0,1\n1,3\n2,4\n");
}

TEST(PlotCsv, HasBands) {
  Plot plot{.title = "Timings", .x = {"step", ""}, .y = {"time", "ms"}};
  plot.band_x = {-2, -1};
  plot.bands = {{.name = "build", .y = {1, 2}}, {.name = "walk", .y = {3, 4}}};
  EXPECT_EQ(csv_text(plot, {-2, 0}), "step,build [ms],walk [ms]\n-2,1,3\n-1,2,4\n");
}

/// What is wrong with an XML text; empty: it is well-formed. Knows what our files contain: a declaration, elements,
/// attributes in double quotes, the five entities.
std::string xml_problem(std::string text) {
  std::vector<std::string> open;
  const std::string declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
  if (!text.starts_with(declaration)) return "no declaration";
  text.erase(0, declaration.size());
  std::size_t at = 0;
  while ((at = text.find_first_of("<>&", at)) != text.npos) {
    if (text[at] == '>') return "a lone >";
    if (text[at] == '&') {
      const std::string entity = text.substr(at, text.find(';', at) - at + 1);
      if (entity != "&amp;" && entity != "&lt;" && entity != "&gt;" && entity != "&quot;") return "entity " + entity;
      ++at;
      continue;
    }
    const std::size_t end = text.find('>', at);
    if (end == text.npos) return "an open tag";
    std::string tag = text.substr(at + 1, end - at - 1);
    if (std::ranges::count(tag, '"') % 2 != 0 || tag.find('<') != tag.npos) return "quotes in " + tag;
    at = end + 1;
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return "unexpected " + tag;
      open.pop_back();
    } else if (!tag.ends_with('/')) {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
  }
  return open.empty() ? "" : "open element " + open.back();
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(PlotSvg, IsWellFormedAndHasEveryCurve) {
  const std::string svg = svg_text(two_curves(), {.x = {0, 3}, .cursor = 1, .shown = 2, .rewound = true}, kStyle);
  EXPECT_EQ(xml_problem(svg), "") << svg;
  EXPECT_THAT(svg, HasSubstr("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_THAT(svg, HasSubstr("Separation &lt;A &amp; B&gt;"));
  EXPECT_THAT(svg, HasSubstr(">measured</text>"));
  EXPECT_THAT(svg, HasSubstr(">forecast, &quot;ideal&quot;</text>"));
  EXPECT_THAT(svg, HasSubstr(">time [Myr]</text>"));
  EXPECT_THAT(svg, HasSubstr(" [kpc]</text>"));
  EXPECT_EQ(count(svg, "stroke=\"#0c65a8\""), 2u) << "the line before the gap and the one of the legend";
  EXPECT_EQ(count(svg, "stroke=\"#7d2505\""), 2u) << "the line and the one of the legend";
  EXPECT_EQ(count(svg, "stroke-dasharray"), 3u) << "the forecast, its legend, the shown moment";
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(PlotSvg, DrawsPointsBetweenGaps) {
  Plot plot{.title = "", .x = {"time", ""}, .y = {"E", ""}, .legend = false};
  plot.curves = {{.name = "E", .x = {0, 1, 2}, .y = {kGap, 3, kGap}}};
  EXPECT_EQ(count(svg_text(plot, {.x = {0, 2}}, kStyle), "<circle"), 1u);
}

TEST(PlotSvg, IsValidForUnusualValues) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const bool logarithmic : {false, true}) {
    for (const std::vector<double>& y : std::vector<std::vector<double>>{
             {}, {5}, {5, 5, 5}, {0, 0}, {kGap, kGap}, {kInfinity, -kInfinity}, {1e300, -1e300}, {1e-300, 1e300}}) {
      Plot plot{.title = "\x01", .x = {"time", "", false}, .y = {"E", "", logarithmic}};
      plot.curves = {{.name = "E", .x = {}, .y = y}};
      for (std::size_t k = 0; k < y.size(); ++k) plot.curves[0].x.push_back(static_cast<double>(k));
      plot.zones = {{{0, 1e-3}, kPlotGreen, "good"}, {{1e-2, kInfinity}, kPlotRed, "poor"}};
      plot.levels = {1};
      plot.marks = {{0.5, "mark"}};
      plot.dots = {{0.5, 0.5, kPlotBlue, "now"}};
      for (const PlotRange x : {fitted_x(plot), PlotRange{0, 0}, PlotRange{kGap, kInfinity}}) {
        const std::string svg = svg_text(plot, {.x = x, .cursor = 1, .shown = kGap}, kStyle);
        EXPECT_EQ(xml_problem(svg), "");
        for (const char* word : {"nan", "inf", "\x01"}) EXPECT_THAT(svg, Not(HasSubstr(word)));
      }
    }
  }
}

TEST(PlotSvg, KeepsLabelsApart) {
  Plot plot{.title = "", .x = {"time", "Myr"}, .y = {"E", ""}, .legend = false};
  plot.curves = {{.name = "E", .x = {0, 1}, .y = {0, 1}}};
  for (const PlotRange x : {PlotRange{0, 1}, PlotRange{1234.5, 1234.6}, PlotRange{0, 1e5}, PlotRange{-1e-9, 3e-9}}) {
    const std::string svg = svg_text(plot, {.x = x}, kStyle);
    double last = -1000, letters = 0;
    std::size_t labels = 0;
    for (std::size_t at = svg.find("<text"); at != svg.npos; at = svg.find("<text", at + 1)) {
      const std::string element = svg.substr(at, svg.find("</text>", at) - at);
      if (element.find("middle") == element.npos) continue;
      const double place = std::stod(element.substr(element.find("x=\"") + 3));
      const double own = static_cast<double>(element.size() - element.find('>') - 1);
      EXPECT_GT(place - last, 16 * 0.6 * (own + letters) / 2) << element;
      last = place, letters = own;
      ++labels;
    }
    EXPECT_GE(labels, 3u);
  }
}

}  // namespace
}  // namespace pericenter::app

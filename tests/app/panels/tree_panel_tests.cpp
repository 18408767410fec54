#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/overlay/probe_overlay.h"
#include "tests/support/panel_fixture.h"

namespace pericenter::app {
namespace {

Probe some_probe() {
  Probe probe;
  probe.body = 7;
  probe.dimension = 2;
  probe.position = {1, 2, 3};
  probe.nodes = {{{{0, 0, 0}, {4, 4, 4}, 0}, false}, {{{1, 1, 1}, {2, 2, 2}, 1}, true}};
  probe.bodies = {{1, 1, 1}, {0, 2, 0}};
  probe.cells = 317;
  probe.pairs = 96;
  probe.opened = 104;
  probe.shared_by = 64;
  probe.all_bodies = 1'048'576;
  probe.acceleration = {0, 2, 0};
  probe.sum = {0, 2 + 4e-7, 0};
  probe.exact = {0, 2, 5e-3};
  return probe;
}

TEST(ProbeText, DescribesInteractions) {
  const auto lines = probe_lines(some_probe());
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0], "317 cells and 96 bodies instead of 1,048,575 bodies");
  EXPECT_EQ(lines[1], "104 cells opened; 64 bodies share the walk");
  EXPECT_EQ(lines[2], "force error 0.25 %");
  EXPECT_EQ(probe_check(some_probe()), "The sum of the terms shown matches the solver's force to 2.0e-7.");
}

TEST(ProbeText, SaysWhichCellsAreDrawn) {
  Probe probe = some_probe();
  probe.dimension = 3;
  probe.strongest.assign(60, 1);
  probe.strongest_share = 0.414;
  const auto lines = probe_lines(probe);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[1], "boxes: the 60 strongest of 317 cells, 41 % of the acceleration");
  EXPECT_THAT(probe_check(probe), testing::HasSubstr("The sum of all terms matches"));
  probe.cells = 60;
  EXPECT_EQ(probe_lines(probe).size(), 3u) << "all are drawn";
  EXPECT_THAT(probe_check(probe), testing::HasSubstr("The sum of the terms shown matches"));
}

TEST(ProbeText, HandlesSingularZeroAndAll) {
  Probe probe = some_probe();
  probe.cells = probe.pairs = probe.opened = probe.shared_by = 1;
  probe.sum = probe.exact = probe.acceleration;
  auto lines = probe_lines(probe);
  EXPECT_EQ(lines[0], "1 cell and 1 body instead of 1,048,575 bodies");
  EXPECT_EQ(lines[1], "1 cell opened; walk for one body");
  EXPECT_EQ(lines[2], "force error 0 %");
  EXPECT_EQ(probe_check(probe), "The sum of the terms shown equals the solver's force.");
  probe.exact[0] = std::nan("");
  EXPECT_EQ(probe_lines(probe)[2], "force error unknown: a body is NaN or infinite");

  probe.cells = probe.opened = 0;
  probe.nodes.clear();
  probe.all_bodies = probe.pairs = 6000;
  probe.bodies.assign(kMaxProbedBodies, {});
  probe.sum[0] = 1e-5;
  lines = probe_lines(probe);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], "direct sum over 5,999 other bodies");
  EXPECT_THAT(probe_check(probe), testing::HasSubstr("only the nearest bodies are drawn")) << "not all of them are";
  for (const std::string& line : probe_lines({})) EXPECT_THAT(line, testing::Not(testing::HasSubstr("nan")));
}

TEST(ProbeDrawing, HasAllInteractions) {
  const render::ProbeDrawing drawing = drawing_of(some_probe());
  ASSERT_EQ(drawing.accepted.size(), 1u);
  ASSERT_EQ(drawing.opened.size(), 1u);
  EXPECT_EQ(drawing.accepted[0].level, 1);
  EXPECT_EQ(drawing.accepted[0].half_width[2], 2);
  EXPECT_EQ(drawing.star, glm::vec3(1, 2, 3));
  ASSERT_EQ(drawing.bodies.size(), 2u);
  EXPECT_EQ(drawing.bodies[1], glm::vec3(0, 2, 0));
}

TEST(ProbeDrawing, In3DHasOutlinesOfTheStrongestCells) {
  Probe probe = some_probe();
  probe.dimension = 3;
  probe.nodes.push_back({{{5, 0, 0}, {1, 1, 1}, 4}, true});
  probe.nodes.push_back({{{7, 0, 0}, {1, 1, 1}, 5}, true});
  probe.strongest = {3, 1};
  const render::ProbeDrawing drawing = drawing_of(probe);
  EXPECT_TRUE(drawing.opened.empty());
  ASSERT_EQ(drawing.accepted.size(), 2u);
  EXPECT_EQ(drawing.accepted[0].level, 5) << "strongest first";
  EXPECT_EQ(drawing.accepted[1].level, 1);
  EXPECT_EQ(drawing.bodies.size(), 2u);
  probe.bodies.assign(591, {1, 2, 3});
  probe.bodies.front() = {9, 9, 9};
  probe.pairs = 591;
  EXPECT_EQ(drawing_of(probe).bodies.size(), 60u);
  EXPECT_EQ(drawing_of(probe).bodies.front(), glm::vec3(9)) << "the nearest";
  EXPECT_THAT(probe_lines(probe), testing::Contains("lines: the 60 nearest of 591 bodies"));
  probe.dimension = 2;
  EXPECT_EQ(drawing_of(probe).bodies.size(), 591u);
}

class TreePanel : public Panels {
 protected:
  void SetUp() override {
    frame();
    if (!find("show-tree")) click("tree-panel");
    frame();
  }
};

TEST_F(TreePanel, ShowsTreeAndLegend) {
  EXPECT_FALSE(find("box-fill"));
  click("show-tree");
  ASSERT_TRUE(asked<request::ShowTree>());
  EXPECT_TRUE(asked<request::ShowTree>()->show);
  frame();
  EXPECT_TRUE(find("box-fill"));
  EXPECT_TRUE(find("level-colors"));
  EXPECT_FALSE(find("overlapping-boxes"));
  state.config.solver = "hilbert-bvh";
  frame();
  EXPECT_TRUE(find("overlapping-boxes"));
  state.config.solver = "direct";
  state.tree_levels = 0;
  frame();
  EXPECT_TRUE(find("no-tree"));
  EXPECT_FALSE(find("level-colors"));
}

TEST_F(TreePanel, OpensWithTheFirstFourLevels) {
  click("show-tree");
  ASSERT_TRUE(asked<request::ShowTree>());
  EXPECT_EQ(asked<request::ShowTree>()->first_level, 0);
  EXPECT_EQ(asked<request::ShowTree>()->last_level, 3);
  frame();
  // The right end of the range is dragged as far as it goes: all levels, also those that the tree gets later.
  const auto range = find("tree-levels");
  ASSERT_TRUE(range);
  point_at(*range, 0.75f);
  press_mouse(true);
  frame();
  for (int k = 1; k < 20; ++k) {
    move_mouse(range->x1 + 40 * static_cast<float>(k), range->y0);
    frame();
  }
  press_mouse(false);
  frame();
  EXPECT_EQ(ui.view.tree.last_level, request::kAllLevels);
}

TEST_F(TreePanel, DescendsAndStops) {
  click("show-tree");
  EXPECT_FALSE(find("stop-descent"));
  click("descend");
  EXPECT_TRUE(ui.tree.descent.running());
  frame();
  EXPECT_FALSE(find("descend"));
  ui.tree.descent.advance(now + 1.5, false);
  EXPECT_EQ(ui.tree.descent.level(), 1);
  click("stop-descent");
  EXPECT_FALSE(ui.tree.descent.running());
  click("descend");
  click("show-tree");
  EXPECT_FALSE(ui.tree.descent.running()) << "the tree is hidden";
}

TEST_F(TreePanel, DescendsToTheDeepestChosenLevel) {
  state.tree_levels = 3;
  ui.view.tree = {.show = true, .first_level = 1, .last_level = request::kAllLevels};
  click("descend");
  ui.tree.descent.advance(now + 1.9, true);
  EXPECT_EQ(ui.tree.descent.level(), 2);
  ui.tree.descent.advance(now + 2.1, true);
  EXPECT_FALSE(ui.tree.descent.running()) << "two levels: 1 and 2";
}

TEST_F(TreePanel, LegendFitsPanel) {
  ui.view.tree.show = true;
  for (const float scale : {1.0f, 2.0f}) {
    set_scale(scale);
    for (const int levels : {1, 9, 22, 32}) {
      state.tree_levels = levels;
      frame();
      frame();
      const auto legend = find("level-colors");
      ASSERT_TRUE(legend);
      EXPECT_LE(legend->x1, ui.layout.panel_width) << levels;
    }
  }
}

TEST_F(TreePanel, ShowsAndEndsProbe) {
  EXPECT_TRUE(find("probe"));
  EXPECT_FALSE(find("end-probe"));
  ui.stars.probed = 7;
  frame();
  EXPECT_TRUE(find("end-probe")) << "before the result is available";
  ui.stars.probe = some_probe();
  frame();
  ASSERT_TRUE(find("probe-2"));
  point_at(*find("probe-2"));
  for (int k = 0; k < 3; ++k) frame(0.5f);
  EXPECT_THAT(log.tooltip, testing::HasSubstr("The sum of the terms shown matches the solver's force to 2.0e-7."));
  click("end-probe");
  ASSERT_TRUE(asked<request::ShowProbe>());
  EXPECT_FALSE(asked<request::ShowProbe>()->body);
  EXPECT_FALSE(ui.stars.probed);
  EXPECT_FALSE(ui.stars.probe);
}

TEST_F(TreePanel, OffersToProbeTheStarOfTheCard) {
  ui.stars.shown = 17;
  frame();
  click("probe");
  ASSERT_TRUE(asked<request::ShowProbe>());
  EXPECT_EQ(asked<request::ShowProbe>()->body, 17u);
}

TEST_F(TreePanel, EscapeEndsProbe) {
  ui.stars.probed = 7;
  frame();
  const UiFrame view{.simulation = state};
  EXPECT_TRUE(apply_command({Action::close_dialogs}, view, {ui}));
  EXPECT_FALSE(ui.stars.probed);
}

TEST_F(TreePanel, HasTooltips) {
  ui.view.tree.show = true;
  ui.stars.probed = 7;
  ui.stars.probe = some_probe();
  state.config.solver = "hilbert-bvh";
  frame();
  const auto from = std::find_if(log.items.begin(), log.items.end(), [](auto& i) { return i.id == "tree-panel"; });
  const std::vector<ItemLog::Item> items(from, log.items.end());
  ASSERT_GE(items.size(), 9u);
  for (const ItemLog::Item& item : items) {
    point_at(item);
    for (int k = 0; k < 3; ++k) frame(0.5f);
    EXPECT_FALSE(log.tooltip.empty()) << item.id;
  }
}

}  // namespace
}  // namespace pericenter::app

#include "app/overlay/tree_legend.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/panel_fixture.h"

namespace pericenter::app {
namespace {

TreeBox cell(int level, float half_width) {
  return {{0, 0, 0}, {half_width, half_width, half_width}, level};
}

TEST(TreeLevels, CountsCellsAndMeasuresEdges) {
  std::vector<TreeBox> cells = {cell(0, 8), cell(1, 4), cell(1, 4), {{0, 0, 0}, {1, 3, 2}, 3}, cell(3, 0.5f)};
  const TreeLevels tree = levels_of(cells, 100);
  ASSERT_EQ(tree.levels.size(), 3u) << "no cell has level 2";
  EXPECT_TRUE(tree.complete);
  EXPECT_EQ(tree.levels[1].cells, 2u);
  EXPECT_EQ(tree.levels[1].least_edge, 8);
  EXPECT_EQ(tree.levels[2].level, 3);
  EXPECT_EQ(tree.levels[2].least_edge, 1);
  EXPECT_EQ(tree.levels[2].largest_edge, 6) << "the longest edge";
  EXPECT_FALSE(levels_of(cells, cells.size()).complete) << "the simulation stopped at the limit";
}

TEST(TreeLegend, HasEdgesInKiloparsecsAndNumbersOfCells) {
  const std::vector<TreeBox> cells = {cell(0, 8), cell(1, 4), cell(1, 2)};
  const Units units{.length_kpc = 3.5};
  auto rows = tree_legend_rows(levels_of(cells, 100), units);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].edge, "56 kpc");
  EXPECT_EQ(rows[0].cells, "1");
  EXPECT_EQ(rows[1].edge, "up to 28 kpc");
  EXPECT_EQ(rows[1].cells, "2");
  rows = tree_legend_rows(levels_of(cells, 3), units);
  EXPECT_EQ(rows[1].cells, "") << "not all cells were counted";
}

/// Draws the legend in a frame of ImGui.
class TreeLegendPicture : public Panels {
 protected:
  struct Drawn {
    ImVec2 size;
    float left = 1e9f, right = 0, bottom = 0;
  };
  Drawn draw(std::size_t levels, float em, float room, bool numbers = true) {
    std::vector<TreeLegendRow> rows;
    for (std::size_t k = 0; k < levels; ++k) rows.push_back({static_cast<int>(k), "up to 12.5 kpc", "12,345"});
    ImGui::GetIO().DisplaySize = {1280, 720};
    ImGui::GetIO().DeltaTime = 0.1f;
    ImGui::NewFrame();
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    const OverlayCanvas canvas{.draw = list,
                               .font = fonts.text,
                               .em = em,
                               .low = {},
                               .high = {1280, 720},
                               .foreground = {1, 1, 1, 1},
                               .dim = {1, 1, 1, 1},
                               .halo = {0, 0, 0, 0.3f}};
    Drawn drawn{draw_tree_legend(canvas, rows, {.revealed = 99, .numbers = numbers, .max_height = room}, {1200, 100})};
    for (const ImDrawVert& vertex : list.VtxBuffer) {
      drawn.left = std::min(drawn.left, vertex.pos.x);
      drawn.right = std::max(drawn.right, vertex.pos.x);
      drawn.bottom = std::max(drawn.bottom, vertex.pos.y);
    }
    ImGui::EndFrame();
    return drawn;
  }
};

TEST_F(TreeLegendPicture, FitsItsPlateAndTheImage) {
  for (const float em : {15.0f, 30.0f}) {
    for (const std::size_t levels : {1u, 4u, 12u, 22u, 32u}) {
      const Drawn drawn = draw(levels, em, 500);
      EXPECT_LE(drawn.right, 1201) << levels;
      EXPECT_GE(drawn.left, 1199 - drawn.size.x) << levels;
      EXPECT_LE(drawn.bottom, 101 + drawn.size.y) << levels << " levels: text is on the plate";
      EXPECT_LE(drawn.size.y, 500) << levels << ", " << em;
    }
  }
  EXPECT_EQ(draw(0, 15, 500).size.y, 0);
}

TEST_F(TreeLegendPicture, HidesNumbersWhileResultsAreHidden) {
  const Drawn all = draw(4, 15, 500), hidden = draw(4, 15, 500, false);
  EXPECT_GT(hidden.left, all.left + 30) << "narrower";
}

}  // namespace
}  // namespace pericenter::app

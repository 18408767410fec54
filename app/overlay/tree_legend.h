#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "app/overlay/guides.h"
#include "app/view/tree_levels.h"
#include "render/frame.h"
#include "sim/core/units.h"

namespace pericenter::app {

/// A line of the legend of the tree overlay.
struct TreeLegendRow {
  int level = 0;
  std::string edge;   ///< edge of a cell: "12.5 kpc", "up to 12.5 kpc" where cells differ
  std::string cells;  ///< their number; empty if they were not all counted
};
std::vector<TreeLegendRow> tree_legend_rows(const TreeLevels& tree, const Units& units);

/// How the legend of the tree is drawn.
struct TreeLegendStyle {
  render::Background background = render::Background::dark;
  float revealed = 0;    ///< levels from here on are pale: TreeDescent::revealed()
  bool numbers = true;   ///< sizes and numbers of cells; otherwise only the levels
  float max_height = 0;  ///< pixels; where the rows do not fit, only the levels are drawn
};

/// Draws the legend of the tree on a plate with its upper right corner at `corner`. Returns its size.
ImVec2 draw_tree_legend(const OverlayCanvas& canvas, const std::vector<TreeLegendRow>& rows,
                        const TreeLegendStyle& style, ImVec2 corner);

/// The number of a level on its colour.
struct LevelPatch {
  int level = 0;
  render::Background background = render::Background::dark;
  ImFont* font = nullptr;
  float alpha = 1;
};
void draw_level_patch(ImDrawList& draw, const LevelPatch& patch, ImVec2 low, ImVec2 high);

}  // namespace pericenter::app

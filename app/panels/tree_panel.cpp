#include <algorithm>
#include <string>

#include "app/base/format.h"
#include "app/overlay/probe_overlay.h"
#include "app/overlay/tree_legend.h"
#include "app/panels/panels.h"
#include "render/color_map.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

/// Returns whether the range changed.
bool level_range(UiState& ui, request::ShowTree& tree, int deepest) {
  constexpr widgets::Control kControl = {
      "tree-levels", "Levels",
      "Levels of the tree to draw; level 0 is the root. The deepest level stands for all levels. Deep levels have many "
      "cells, which render slowly."};
  int first = std::min(tree.first_level, deepest), last = std::min(tree.last_level, deepest);
  widgets::row(ui, kControl);
  const bool changed = ImGui::DragIntRange2("###tree-levels", &first, &last, 0.05f, 0, deepest, "from %d", "to %d",
                                            ImGuiSliderFlags_AlwaysClamp);
  widgets::describe(ui, kControl);
  if (changed) {
    last = std::max(first, last);  // typed numbers may be in any order
    tree.first_level = first;
    // The tree grows as bodies come closer.
    tree.last_level = last == deepest ? request::kAllLevels : last;
  }
  return changed;
}

/// A numbered patch in the colour of each level that is drawn.
void level_legend(UiState& ui, int deepest) {
  const int first = std::min(ui.view.tree.first_level, deepest), last = std::min(ui.view.tree.last_level, deepest);
  widgets::indent();
  const float em = ImGui::GetFontSize(), width = ImGui::GetContentRegionAvail().x;
  const int columns = std::min(last - first + 1, std::max(1, static_cast<int>(width / (1.35f * em))));
  const float step = std::min(width / static_cast<float>(columns), 2.2f * em);
  const int rows = (last - first + columns) / columns;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  for (int level = first; level <= last; ++level) {
    const ImVec2 low{at.x + step * static_cast<float>((level - first) % columns),
                     at.y + 1.2f * em * static_cast<float>((level - first) / columns)};
    draw_level_patch(*ImGui::GetWindowDrawList(), {level, background_of(ui.view.theme), ImGui::GetFont()}, low,
                     {low.x + step - 0.12f * em, low.y + 1.1f * em});
  }
  ImGui::Dummy({width, 1.2f * em * static_cast<float>(rows)});
  widgets::describe(ui, {"level-colors", "",
                         text("Colour of each level, also in the probe of a star. The first %d levels have different "
                              "hues; deeper ones share the last colour.",
                              static_cast<int>(render::kLevelColors))});
}

/// Shows the levels one after another.
void descent_button(const UiFrame& frame, UiState& ui, int deepest) {
  const request::ShowTree& tree = ui.view.tree;
  widgets::indent();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, 0};
  if (ui.tree.descent.running()) {
    if (widgets::button(ui, {"stop-descent", "Stop", "Show all these levels again."}, size)) ui.tree.descent.stop();
    return;
  }
  constexpr widgets::Control kControl = {
      "descend", "Descend",
      "Show the levels one after another, from the first to the last, one per second, as a tree walk goes from the "
      "root to the leaves. With reduced motion they do not fade in. Redraws the image while it lasts."};
  if (widgets::button(ui, kControl, size))
    ui.tree.descent.start(std::min(tree.first_level, deepest), std::min(tree.last_level, deepest), frame.now);
}

void cell_rows(const UiFrame& frame, UiState& ui) {
  const int deepest = std::max(1, frame.simulation.tree_levels - 1);
  const bool has_tree = frame.simulation.tree_levels > 0;
  widgets::slider(ui, {"box-opacity", "Edge opacity", "Opacity of the edges of the cells."}, ui.view.boxes.opacity,
                  {0, 1, "%.2f"});
  widgets::slider(ui,
                  {"box-fill", "Fill",
                   "Brightness of the faces of the cells, which shows deep or overlapping cells. Rendering is slower "
                   "without a GPU."},
                  ui.view.boxes.fill, {0, 1, "%.2f"});
  if (has_tree)
    level_legend(ui, deepest);
  else
    widgets::paragraph(ui, {"no-tree", "This solver has no tree: every body acts on every other.",
                            "Select an algorithm from the Trees or Hybrids family: faster, but approximate."});
  if (const auto* solver = find_solver(frame.simulation.config.solver); solver && solver->boxes_overlap)
    widgets::paragraph(
        ui, {"overlapping-boxes", "The boxes of this tree fit tightly around their bodies, and overlap.",
             "A star may be in several boxes of one level; Fill makes these places brighter. More cells have "
             "to be opened than in an octree, whose cells never overlap."});
}

void tree_rows(const UiFrame& frame, UiState& ui) {
  const int deepest = std::max(1, frame.simulation.tree_levels - 1);
  request::ShowTree tree = ui.view.tree;
  bool changed = widgets::checkbox(
      ui, {"show-tree", "Show the tree", "Draw the tree cells of the last step (T). Takes render time."}, tree.show);
  if (tree.show) {
    ImGui::BeginDisabled(frame.simulation.tree_levels <= 0);
    changed = level_range(ui, tree, deepest) || changed;
    descent_button(frame, ui, deepest);
    ImGui::EndDisabled();
    cell_rows(frame, ui);
  }
  if (changed) set_tree(tree, ui);
}

void probe_rows(UiState& ui) {
  constexpr const char* kTip =
      "Click a star to see what acts on it: boxes are cells that are replaced by their multipole expansion, lines lead "
      "to bodies that act individually. In 3D only the strongest cells and the nearest bodies are drawn; the "
      "percentage compares "
      "magnitudes, because pulls from opposite sides cancel; in 2D all cells are, and opened ones faintly. Change θ to "
      "see the effect. "
      "The force error is that of this star: the difference from the exact sum over all bodies. Takes at most a "
      "quarter of the computing time.";
  const Palette& colors = palette(ui.view.theme);
  widgets::heading("Probe");
  if (!ui.stars.probed)
    return widgets::paragraph(ui, {"probe", "Click a star to see what acts on it.", kTip}, colors.dim);
  if (ui.stars.probe) {
    const std::vector<std::string> lines = probe_lines(*ui.stars.probe);
    const std::string tip = kTip + (' ' + probe_check(*ui.stars.probe));
    for (std::size_t k = 0; k < lines.size(); ++k)
      widgets::paragraph(ui, {k == 0 ? "probe" : "probe-" + std::to_string(k), lines[k], tip},
                         k == 0 ? colors.text : colors.dim);
  } else {
    widgets::paragraph(ui, {"probe", "Waiting for the next step ...", kTip}, colors.dim);
  }
  if (widgets::button(ui, {"end-probe", "End probe", "Hide the probe (Esc). The simulation regains its full speed."},
                      {}))
    set_probe(std::nullopt, ui);
}

}  // namespace

void draw_tree_panel(const UiFrame& frame, UiState& ui) {
  tree_rows(frame, ui);
  probe_rows(ui);
}

}  // namespace pericenter::app

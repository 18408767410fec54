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
bool level_range(Desk& desk, request::ShowTree& tree, int deepest) {
  constexpr widgets::Control kControl = {
      "tree-levels", "Levels",
      "Levels of the tree to draw; level 0 is the root. The deepest level stands for all levels. Deep levels have many "
      "cells, which render slowly."};
  int first = std::min(tree.first_level, deepest), last = std::min(tree.last_level, deepest);
  widgets::row(desk, kControl);
  const bool changed = ImGui::DragIntRange2("###tree-levels", &first, &last, 0.05f, 0, deepest, "from %d", "to %d",
                                            ImGuiSliderFlags_AlwaysClamp);
  widgets::describe(desk, kControl);
  if (changed) {
    last = std::max(first, last);  // typed numbers may be in any order
    tree.first_level = first;
    // The tree grows as bodies come closer.
    tree.last_level = last == deepest ? request::kAllLevels : last;
  }
  return changed;
}

/// A numbered patch in the colour of each level that is drawn.
void level_legend(Desk& desk, int deepest) {
  const int first = std::min(desk.view.tree.first_level, deepest), last = std::min(desk.view.tree.last_level, deepest);
  widgets::indent();
  const float em = ImGui::GetFontSize(), width = ImGui::GetContentRegionAvail().x;
  const int columns = std::min(last - first + 1, std::max(1, static_cast<int>(width / (1.35f * em))));
  const float step = std::min(width / static_cast<float>(columns), 2.2f * em);
  const int rows = (last - first + columns) / columns;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  for (int level = first; level <= last; ++level) {
    const ImVec2 low{at.x + step * static_cast<float>((level - first) % columns),
                     at.y + 1.2f * em * static_cast<float>((level - first) / columns)};
    draw_level_patch(*ImGui::GetWindowDrawList(), {level, background_of(desk.view.theme), ImGui::GetFont()}, low,
                     {low.x + step - 0.12f * em, low.y + 1.1f * em});
  }
  ImGui::Dummy({width, 1.2f * em * static_cast<float>(rows)});
  widgets::describe(desk, {"level-colors", "",
                           text("Colour of each level, also in the probe of a star. The first %d levels have different "
                                "hues; deeper ones share the last colour.",
                                static_cast<int>(render::kLevelColors))});
}

/// Shows the levels one after another.
void descent_button(const UiFrame& frame, ShownTree& tree, Desk& desk, int deepest) {
  const request::ShowTree& shown = desk.view.tree;
  widgets::indent();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, 0};
  if (tree.descent.running()) {
    if (widgets::button(desk, {"stop-descent", "Stop", "Show all these levels again."}, size)) tree.descent.stop();
    return;
  }
  constexpr widgets::Control kControl = {
      "descend", "Descend",
      "Show the levels one after another, from the first to the last, one per second, as a tree walk goes from the "
      "root to the leaves. With reduced motion they do not fade in. Redraws the image while it lasts."};
  if (widgets::button(desk, kControl, size))
    tree.descent.start(std::min(shown.first_level, deepest), std::min(shown.last_level, deepest), frame.now);
}

void cell_rows(const UiFrame& frame, Desk& desk) {
  const int deepest = std::max(1, frame.simulation.tree_levels - 1);
  const bool has_tree = frame.simulation.tree_levels > 0;
  widgets::slider(desk, {"box-opacity", "Edge opacity", "Opacity of the edges of the cells."}, desk.view.boxes.opacity,
                  {0, 1, "%.2f"});
  widgets::slider(desk,
                  {"box-fill", "Fill",
                   "Brightness of the faces of the cells, which shows deep or overlapping cells. Rendering is slower "
                   "without a GPU."},
                  desk.view.boxes.fill, {0, 1, "%.2f"});
  if (has_tree)
    level_legend(desk, deepest);
  else
    widgets::paragraph(desk, {"no-tree", "This solver has no tree: every body acts on every other.",
                              "Select an algorithm from the Trees or Hybrids family: faster, but approximate."});
  if (const auto* solver = find_solver(frame.simulation.config.solver); solver && solver->boxes_overlap)
    widgets::paragraph(
        desk, {"overlapping-boxes", "The boxes of this tree fit tightly around their bodies, and overlap.",
               "A star may be in several boxes of one level; Fill makes these places brighter. More cells have "
               "to be opened than in an octree, whose cells never overlap."});
}

void tree_rows(const UiFrame& frame, ShownTree& tree, Desk& desk) {
  const int deepest = std::max(1, frame.simulation.tree_levels - 1);
  request::ShowTree wanted = desk.view.tree;
  bool changed = widgets::checkbox(
      desk, {"show-tree", "Show the tree", "Draw the tree cells of the last step (T). Takes render time."},
      wanted.show);
  if (wanted.show) {
    ImGui::BeginDisabled(frame.simulation.tree_levels <= 0);
    changed = level_range(desk, wanted, deepest) || changed;
    descent_button(frame, tree, desk, deepest);
    ImGui::EndDisabled();
    cell_rows(frame, desk);
  }
  if (changed) set_tree(wanted, tree, desk);
}

void offer_probe(SelectedStars& stars, Desk& desk, const char* tip) {
  if (!stars.shown)
    return widgets::paragraph(desk, {"probe", "Click a star twice to see what acts on it.", tip},
                              palette(desk.view.theme).dim);
  if (widgets::button(desk, {"probe", "Probe star " + with_thousands(*stars.shown), tip}, {}))
    set_probe(stars.shown, stars, desk);
}

void probe_rows(SelectedStars& stars, Desk& desk) {
  constexpr const char* kTip =
      "Click a star twice to see what acts on it: boxes are cells that are replaced by their multipole expansion, "
      "lines lead "
      "to bodies that act individually. In 3D only the strongest cells and the nearest bodies are drawn; the "
      "percentage compares "
      "magnitudes, because pulls from opposite sides cancel; in 2D all cells are, and opened ones faintly. Change θ to "
      "see the effect. "
      "The force error is that of this star: the difference from the exact sum over all bodies. Takes at most a "
      "quarter of the computing time.";
  const Palette& colors = palette(desk.view.theme);
  widgets::heading("Probe");
  if (!stars.probed) return offer_probe(stars, desk, kTip);
  if (stars.probe) {
    const std::vector<std::string> lines = probe_lines(*stars.probe);
    const std::string tip = kTip + (' ' + probe_check(*stars.probe));
    for (std::size_t k = 0; k < lines.size(); ++k)
      widgets::paragraph(desk, {k == 0 ? "probe" : "probe-" + std::to_string(k), lines[k], tip},
                         k == 0 ? colors.text : colors.dim);
  } else {
    widgets::paragraph(desk, {"probe", "Waiting for the next step ...", kTip}, colors.dim);
  }
  if (widgets::button(desk, {"end-probe", "End probe", "Hide the probe (Esc). The simulation regains its full speed."},
                      {}))
    set_probe(std::nullopt, stars, desk);
}

}  // namespace

void draw_tree_panel(const UiFrame& frame, SelectedStars& stars, ShownTree& tree, Desk& desk) {
  tree_rows(frame, tree, desk);
  probe_rows(stars, desk);
}

}  // namespace pericenter::app

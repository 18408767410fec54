#include <algorithm>
#include <string>

#include "app/overlay/probe_overlay.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "render/level_colors.h"

namespace pericenter::app {
namespace {

bool level_range(UiState& ui, request::ShowTree& tree, int deepest) {
  constexpr const char* kTip =
      "The levels that are drawn; 0 is the cell around everything. Deep levels are many small cells: slower to draw. "
      "No "
      "effect on accuracy.";
  int first = std::min(tree.first_level, deepest), last = std::min(tree.last_level, deepest);
  widgets::row(ui, "Levels", kTip);
  const bool changed = ImGui::DragIntRange2("##levels", &first, &last, 0.05f, 0, deepest, "from %d", "to %d",
                                            ImGuiSliderFlags_AlwaysClamp);
  widgets::note(ui, "Levels", kTip);
  if (changed) {
    last = std::max(first, last);  // typed numbers come in any order
    tree.first_level = first;
    // The deepest means all that will ever be: the tree grows as bodies come close.
    tree.last_level = last == deepest ? request::ShowTree{}.last_level : last;
  }
  return changed;
}

/// A patch of colour with its number for each level that is drawn.
void level_legend(UiState& ui, int deepest) {
  const auto colors = render::level_colors(background_of(ui.view.theme));
  const int first = std::min(ui.view.tree.first_level, deepest), last = std::min(ui.view.tree.last_level, deepest);
  widgets::indent();
  const float em = ImGui::GetFontSize(), width = ImGui::GetContentRegionAvail().x;
  const int columns = std::min(last - first + 1, std::max(1, static_cast<int>(width / (1.35f * em))));
  const float step = std::min(width / static_cast<float>(columns), 2.2f * em);
  const int rows = (last - first + columns) / columns;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* draw = ImGui::GetWindowDrawList();
  for (int level = first; level <= last; ++level) {
    const glm::vec3 color = colors[static_cast<std::size_t>(level) % colors.size()];
    const ImVec2 low{at.x + step * static_cast<float>((level - first) % columns),
                     at.y + 1.2f * em * static_cast<float>((level - first) / columns)};
    const ImVec2 high{low.x + step - 0.12f * em, low.y + 1.1f * em};
    draw->AddRectFilled(low, high, ImGui::ColorConvertFloat4ToU32({color.r, color.g, color.b, 1}), 0.2f * em);
    const std::string number = std::to_string(level);
    const ImVec2 size = ImGui::CalcTextSize(number.c_str());
    const ImU32 letters = ui.view.theme == Theme::dark ? IM_COL32(16, 18, 26, 255) : IM_COL32_WHITE;
    draw->AddText({(low.x + high.x - size.x) / 2, (low.y + high.y - size.y) / 2}, letters, number.c_str());
  }
  ImGui::Dummy({width, 1.2f * em * static_cast<float>(rows)});
  widgets::note(ui, "Colours of the levels",
                "The colour of each level, here and in the walk of a star; after eight levels they begin again. No "
                "cost.");
}

void box_rows(const UiFrame& frame, UiState& ui) {
  const int deepest = std::max(1, frame.simulation.tree_levels - 1);
  const bool has_tree = frame.simulation.tree_levels > 0;
  request::ShowTree tree = ui.view.tree;
  bool changed =
      widgets::checkbox(ui, "Show the tree", tree.show,
                        "Draw the cells of the tree that the last step walked (T). Costs drawing time, not accuracy.");
  if (tree.show) {
    ImGui::BeginDisabled(!has_tree);
    changed = level_range(ui, tree, deepest) || changed;
    ImGui::EndDisabled();
    widgets::slider(ui, "Box opacity", ui.view.boxes.opacity, {0, 1, "%.2f"},
                    "How strongly the edges of the cells are drawn over the stars. No cost.");
    widgets::slider(ui, "Fill", ui.view.boxes.fill, {0, 1, "%.2f"},
                    "How strongly the faces of the cells shine: where the tree is deep or its boxes overlap it is "
                    "brighter. Costs drawing time without a GPU, never accuracy.");
    if (has_tree) level_legend(ui, deepest);
    if (!has_tree)
      widgets::paragraph(ui, "No tree", "This solver has no tree: every body acts on every other.",
                         palette(ui.view.theme).dim,
                         "Choose an algorithm of the family Trees or Hybrids to see one; they are faster and "
                         "approximate.");
    if (frame.simulation.config.solver == "hilbert-bvh")
      widgets::paragraph(ui, "Overlap", "The boxes of this tree fit tightly around their bodies, and overlap.",
                         palette(ui.view.theme).dim,
                         "Cells of an octree never overlap. Here a star may lie in several boxes of one level: with "
                         "Fill those places are brighter. More cells have to be opened for that, which costs time.");
  }
  if (changed) set_tree(tree, ui);
}

void probe_rows(UiState& ui) {
  widgets::heading("Probe");
  constexpr const char* kTip =
      "Click a star in the picture: boxes are the cells that act on it as a whole, faint ones had to be opened, lines "
      "lead to the bodies that act one by one. Change the opening angle and watch. Takes at most a quarter of the "
      "simulation's time, and changes no result.";
  if (!ui.probed)
    return widgets::paragraph(ui, "Probe", "Click a star to see what acts on it.", palette(ui.view.theme).dim, kTip);
  if (ui.probe) {
    const std::vector<std::string> lines = probe_lines(*ui.probe);
    for (std::size_t k = 0; k < lines.size(); ++k)
      widgets::paragraph(ui, k == 0 ? "Probe" : ("Probe " + std::to_string(k)).c_str(), lines[k],
                         k == 0 ? palette(ui.view.theme).text : palette(ui.view.theme).dim, kTip);
  } else {
    widgets::paragraph(ui, "Probe", "The walk of this star is on its way.", palette(ui.view.theme).dim, kTip);
  }
  if (widgets::button(ui, "End the probe", {}, "Shows the stars alone again (Esc). The simulation gets its time back."))
    set_probe(std::nullopt, ui);
}

}  // namespace

void draw_tree_section(const UiFrame& frame, UiState& ui) {
  if (!widgets::section(ui, "Tree", false, "The tree that the solver builds, and what it does for one star.")) return;
  box_rows(frame, ui);
  probe_rows(ui);
}

}  // namespace pericenter::app

#include <algorithm>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace pericenter::app {
namespace {

void tree_rows(const UiFrame& frame, UiState& ui) {
  const int deepest = std::max(1, frame.simulation.tree_levels - 1);
  const bool has_tree = frame.simulation.tree_levels > 0;
  request::ShowTree tree = ui.tree;
  const bool toggled =
      widgets::checkbox(ui, "Show the tree", tree.show,
                        "Draw the cells of the tree that the last step walked (T). Costs drawing time, not accuracy.");
  bool changed = toggled;
  if (tree.show) {
    constexpr const char* kTip =
        "The levels that are drawn; 0 is the cell around everything. Deep levels are many small cells: slower to draw.";
    int first = std::min(tree.first_level, deepest), last = std::min(tree.last_level, deepest);
    ImGui::BeginDisabled(!has_tree);
    widgets::row(ui, "Levels", kTip);
    if (ImGui::DragIntRange2("##levels", &first, &last, 0.05f, 0, deepest, "from %d", "to %d",
                             ImGuiSliderFlags_AlwaysClamp)) {
      tree.first_level = first;
      tree.last_level = last;
      changed = true;
    }
    widgets::note(ui, "Levels", kTip);
    ImGui::EndDisabled();
    widgets::slider(ui, "Box opacity", ui.boxes.opacity, {0, 1, "%.2f"},
                    "How strongly the cells are drawn over the stars. No cost.");
  }
  if (changed) set_tree(tree, ui);
}

}  // namespace

void draw_tree_section(const UiFrame& frame, UiState& ui) {
  if (!widgets::section(ui, "Tree", false, "The tree that the solver builds, and what it does for one star.")) return;
  tree_rows(frame, ui);
}

}  // namespace pericenter::app

#include <imgui_internal.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "tests/support/panel_fixture.h"

namespace pericenter::app {
namespace {

// Opens all panels and lists every visible control.
class Tooltips : public Panels {
 protected:
  Tooltips() {
    ui.view.tree.show = true;
    state.config.backend = Backend::cuda;  // shows the GPU readouts
    state.device_name = "GPU";
    state.note = "The tree does not fit into shared memory; it stays in global memory.";
    state.work = {1'000'000, 1'000'000, 1'000'000, 2'000'000};
    ui.camera.path = {{0, {}}, {4, {}}};
    ui.camera.saved[2] = render::CameraPose();
    ui.stars.sample = render::StarSample{.stars = {{}, {{}, 1, 0}}, .chosen = {}};
    follow_a_change_of_walk();
  }

  /// Fills the comparison of the ablation panel.
  void follow_a_change_of_walk() {
    for (const Walk walk : {Walk::group, Walk::skip}) {
      state.config.solver_options.set(SolverOption::walk, walk);
      for (int k = 0; k < 10; ++k, ++state.steps) frame();
    }
  }

  void unfold() {
    for (const Panel& panel : panels())
      if (!panel.open_by_default) click(std::string(panel.heading.id));
  }

  void expect_tooltips(const std::vector<ItemLog::Item>& items) {
    for (const ItemLog::Item& item : items) {
      point_at(item);
      frame(0.5f);
      frame(0.5f);
      frame(0.5f);
      EXPECT_FALSE(log.tooltip.empty()) << item.id;
    }
  }
};

TEST_F(Tooltips, EveryControlHasOne) {
  unfold();
  frame();
  const std::vector<ItemLog::Item> all = log.items;
  EXPECT_GE(all.size(), 40u);
  expect_tooltips(all);
}

TEST_F(Tooltips, EveryComboEntryHasOne) {
  unfold();
  for (const char* combo : {"algorithm", "backend", "dimension", "precision", "multipole", "integrator", "option-walk",
                            "option-order", "color-by", "star-style", "tone-curve", "follow", "encounter-preset"}) {
    frame();
    std::set<std::string> closed;
    for (const ItemLog::Item& item : log.items) closed.insert(item.id);
    click(combo);
    frame();
    std::vector<ItemLog::Item> choices;
    std::copy_if(log.items.begin(), log.items.end(), std::back_inserter(choices),
                 [&](const ItemLog::Item& item) { return !closed.contains(item.id); });
    EXPECT_GE(choices.size(), 2u) << combo;
    expect_tooltips(choices);
    close_list();
  }
}

bool is_scrollbar_or_border(ImGuiID id) {
  for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    if (id == ImGui::GetWindowScrollbarID(window, ImGuiAxis_X) ||
        id == ImGui::GetWindowScrollbarID(window, ImGuiAxis_Y))
      return true;
    for (int n = 0; n < 4; ++n)
      if (id == ImGui::GetWindowResizeCornerID(window, n) ||
          id == ImGui::GetWindowResizeBorderID(window, static_cast<ImGuiDir>(n)))
        return true;
  }
  return false;
}

// A control that does not use widgets.h is not in the log; moving the cursor over the panel finds it.
TEST_F(Tooltips, NoUnregisteredControl) {
  unfold();
  frame();
  for (float y = 4; y < kHeight; y += 9) {
    for (float x = 6; x < ui.layout.panel_width; x += 22) {
      move_mouse(x, y);
      frame(0.5f);
      frame(0.5f);
      const ImGuiID hovered = ImGui::GetHoveredID();
      if (hovered == 0 || is_scrollbar_or_border(hovered)) continue;
      ASSERT_FALSE(log.tooltip.empty()) << "no tooltip at " << x << ", " << y;
    }
  }
}

}  // namespace
}  // namespace pericenter::app

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
  window_height = 8000;  // an opened panel would scroll into view, and others out of it
  unfold();
  frame();
  const std::vector<ItemLog::Item> all = log.items;
  EXPECT_GE(all.size(), 40u);
  expect_tooltips(all);
}

TEST_F(Tooltips, FitIntoASmallWindowWithLargeText) {
  window_width = 1280;
  window_height = 8000;  // as above; no tooltip may be higher than 720 pixels
  set_scale(2);
  unfold();
  frame();
  const std::vector<ItemLog::Item> all = log.items;
  for (const ItemLog::Item& item : all) {
    point_at(item);
    for (int k = 0; k < 3; ++k) frame(0.5f);
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
      if (!window->WasActive || !(window->Flags & ImGuiWindowFlags_Tooltip)) continue;
      EXPECT_LE(window->Size.y, 720) << item.id << ": " << log.tooltip;
      EXPECT_LE(window->Pos.x + window->Size.x, 1280.5f) << item.id;
    }
  }
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

const ImGuiWindow* tooltip_window() {
  const ImGuiWindow* newest = nullptr;
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    if (window->Flags & ImGuiWindowFlags_Tooltip && window->Active) newest = window;
  return newest;
}

// Regression: it covered the next entries.
TEST_F(Tooltips, AreBesideAnOpenList) {
  open_list("scene");
  for (const char* entry : {"scene/collision", "scene/mice"}) {
    EXPECT_NE(tip_of(entry), "");
    const ImGuiWindow* tip = tooltip_window();
    ASSERT_TRUE(tip);
    EXPECT_GE(tip->Pos.x, find(entry)->x1);
    EXPECT_LE(tip->Pos.x + tip->Size.x, window_width);
  }
}

TEST_F(Tooltips, HaveTheSizeOfTheLegendForAClass) {
  ui.layout.show_panel = false;
  ui.presentation.full_screen = true;
  set_scale(1, projector_sizes(1080, 1.5f));
  window_height = 1080;
  move_mouse(600, 1070);
  for (int k = 0; k < 3; ++k) frame(1);
  ASSERT_NE(log.tooltip, "");
  ASSERT_TRUE(tooltip_window());
  EXPECT_GE(tooltip_window()->Size.y, 36);
}

TEST_F(Tooltips, NameWhatDoesNotFit) {
  state.file = "/data/" + std::string(115, 'x') + ".hdf5";
  state.scene = std::string(115, 'x') + ".hdf5";
  EXPECT_EQ(tip_of("scene").substr(0, 121), state.scene + "\n");
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

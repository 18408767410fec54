// The keyboard in the panel: Tab, arrows, Enter, Space and Esc.
#include "app/widgets/keyboard.h"

#include <gmock/gmock.h>
#include <imgui_internal.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <set>

#include "tests/support/panel_fixture.h"

namespace pericenter::app {
namespace {

class Keyboard : public Panels {
 protected:
  static ImGuiID focused() { return ImGui::GetCurrentContext()->NavId; }
  void tab() {
    press(ImGuiKey_Tab);
    frame();
  }
  static void hold_shift(bool down) {
#if IMGUI_VERSION_NUM >= 18700
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, down);
#else
    ImGui::GetIO().KeyShift = down;
#endif
  }
  void tab_to(const std::string& id) {
    for (int k = 0; k < 400 && log.focused != id; ++k) tab();
    ASSERT_EQ(log.focused, id);
  }
  void escape() {
    const UiFrame view{.simulation = state, .now = now};
    press_key(ImGuiKey_Escape, true);
    frame();
    apply_command({Action::close_dialogs}, view, {ui});
    press_key(ImGuiKey_Escape, false);
    frame();
  }
};

TEST_F(Keyboard, TabReachesEveryControl) {
  state.timeline.last = 100;
  frame();
  for (const Panel& panel : panels()) ui.layout.side_bar.open[std::string(panel.heading.id)] = true;
  for (int k = 0; k < 3; ++k) frame();
  std::set<ImGuiID> all, reached;
  for (const KeyboardFocus::Stop& stop : ui.widgets.keyboard.visited) all.insert(stop.id);
  ASSERT_GT(all.size(), 60u);
  for (std::size_t k = 0; k < all.size() + 20; ++k) {
    tab();
    reached.insert(focused());
  }
  for (const ImGuiID id : all) EXPECT_TRUE(reached.contains(id)) << id;
}

// Regression: it ignored them, and → loaded the next scene behind it.
TEST_F(Keyboard, AListOpenedWithTheMouseObeysArrowsAndEnter) {
  open_list("integrator");
  ASSERT_TRUE(find("integrator/euler"));
  press(ImGuiKey_DownArrow);
  EXPECT_EQ(log.focused, "integrator/euler");
  press(ImGuiKey_Enter);
  frame();
  EXPECT_FALSE(find("integrator/euler"));
  EXPECT_EQ(ui.edited.config.value().integrator, Integrator::euler);
  EXPECT_FALSE(ui.widgets.keyboard.on);
  open_list("scene");
  press(ImGuiKey_DownArrow);  // from the search field
  press(ImGuiKey_DownArrow);
  frame();
  const std::string entry = log.focused;
  ASSERT_TRUE(entry.starts_with("scene/")) << entry;
  press(ImGuiKey_Enter);
  frame();
  EXPECT_FALSE(find("scene/mice"));
}

TEST_F(Keyboard, ShiftTabGoesBack) {
  frame();
  tab();
  const ImGuiID first = focused();
  tab();
  EXPECT_NE(focused(), first);
  hold_shift(true);
  tab();
  hold_shift(false);
  EXPECT_EQ(focused(), first);
}

TEST_F(Keyboard, ArrowsMoveASlider) {
  state.config.solver = "octree";
  ui.layout.side_bar.open["solver-panel"] = true;
  frame();
  tab_to("theta");
  const double before = ui.edited.params.value().theta;
  press(ImGuiKey_RightArrow);
  ASSERT_TRUE(asked<request::SetParams>());
  EXPECT_NEAR(asked<request::SetParams>()->params.theta, before + 0.015, 1e-9);
  press(ImGuiKey_LeftArrow);
  EXPECT_NEAR(ui.edited.params.value().theta, before, 1e-9);
  EXPECT_EQ(log.focused, "theta");
}

TEST_F(Keyboard, SpaceAndEnterOperateCheckboxesAndButtons) {
  ui.layout.side_bar.open["color-panel"] = true;
  frame();
  tab_to("show-halo");
  press(ImGuiKey_Space);
  EXPECT_TRUE(ui.view.image.show_halo);
  press(ImGuiKey_Enter);
  frame();
  EXPECT_FALSE(ui.view.image.show_halo);
  tab_to("mark-tails");
  press(ImGuiKey_Enter);
  frame();
  EXPECT_TRUE(ui.stars.marks.wanted);
}

TEST_F(Keyboard, ListsAreOpenedChosenFromAndClosed) {
  ui.layout.side_bar.open["color-panel"] = true;
  frame();
  tab_to("color-by");
  press(ImGuiKey_Space);
  frame();
  frame();
  ASSERT_TRUE(ui.widgets.list_open);
  escape();
  frame();
  EXPECT_FALSE(ui.widgets.list_open);
  EXPECT_TRUE(ui.widgets.keyboard.on) << "the first Esc closes only the list";
  tab_to("color-by");
  press(ImGuiKey_Space);
  for (int k = 0; k < 3; ++k) frame();
  press(ImGuiKey_DownArrow);
  press(ImGuiKey_Enter);
  for (int k = 0; k < 3; ++k) frame();
  EXPECT_EQ(ui.view.image.color, render::ColorMode::origin);
}

TEST_F(Keyboard, ArrowsStepOnTheTimeline) {
  state.timeline.last = 100;
  state.timeline.shown = 50;
  state.timeline.rewound = true;
  frame();
  tab_to("timeline");
  press(ImGuiKey_LeftArrow);
  ASSERT_TRUE(asked<request::Seek>());
  EXPECT_EQ(asked<request::Seek>()->position, 49);
  press(ImGuiKey_Space);
  EXPECT_FALSE(asked<request::Seek>()) << "the cursor is not on the track";
}

TEST_F(Keyboard, EscLeavesThePanel) {
  frame();
  tab();
  EXPECT_TRUE(ui.widgets.keyboard.on);
  escape();
  frame();
  EXPECT_FALSE(ui.widgets.keyboard.on);
  EXPECT_EQ(ImGui::GetCurrentContext()->NavWindow, nullptr);
  tab();
  EXPECT_TRUE(ui.widgets.keyboard.on);
}

TEST_F(Keyboard, WithoutTabTheArrowsAreNotThePanels) {
  ui.layout.side_bar.open["color-panel"] = true;
  frame();
  click("show-halo");
  const ImGuiID before = focused();
  press(ImGuiKey_DownArrow);
  EXPECT_EQ(focused(), before);
  EXPECT_FALSE(ui.widgets.keyboard.on);
}

TEST_F(Keyboard, PanelKeysArePlainOnes) {
  for (const int key : {GLFW_KEY_LEFT, GLFW_KEY_DOWN, GLFW_KEY_SPACE, GLFW_KEY_ENTER})
    EXPECT_TRUE(is_panel_key({.key = key}));
  for (const int key : {GLFW_KEY_PAGE_DOWN, GLFW_KEY_F11, GLFW_KEY_ESCAPE, GLFW_KEY_J})
    EXPECT_FALSE(is_panel_key({.key = key}));
  EXPECT_FALSE(is_panel_key({.key = GLFW_KEY_SPACE, .mods = GLFW_MOD_CONTROL}));
}

}  // namespace
}  // namespace pericenter::app

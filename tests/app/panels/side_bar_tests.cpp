#include <imgui_internal.h>

#include <string>

#include "app/ui/ui_style.h"
#include "app/window/imgui_context.h"
#include "tests/support/panel_fixture.h"

namespace pericenter::app {
namespace {

/// The layout that a session stores, as text.
std::string stored_layout(StoredLook look) {
  std::string text;
  ImGuiContext* before = ImGui::GetCurrentContext();
  ImGuiContext* context = ImGui::CreateContext();
  ImGui::SetCurrentContext(context);
  ImGui::GetIO().IniFilename = nullptr;  // no file in the current folder
  store_look(look);
  std::size_t size = 0;
  const char* saved = ImGui::SaveIniSettingsToMemory(&size);
  text.assign(saved, size);
  ImGui::DestroyContext(context);
  ImGui::SetCurrentContext(before);
  return text;
}

SideBar loaded_side_bar(const std::string& layout) {
  StoredLook look;
  ImGuiContext* before = ImGui::GetCurrentContext();
  ImGuiContext* context = ImGui::CreateContext();
  ImGui::SetCurrentContext(context);
  ImGui::GetIO().IniFilename = nullptr;  // no file in the current folder
  store_look(look);
  ImGui::LoadIniSettingsFromMemory(layout.c_str(), layout.size());
  ImGui::DestroyContext(context);
  ImGui::SetCurrentContext(before);
  return look.side_bar;
}

// Regression: the width was stored in pixels, so after a session at scale 2 the panel covered half of the window.
TEST_F(Panels, WidthIsStoredInUnitsOfTheFont) {
  window_width = 1600;
  set_scale(2);
  ui.layout.side_bar.ems = 22;
  for (int k = 0; k < 3; ++k) frame();
  EXPECT_NEAR(ui.layout.panel_width, 22 * 32, 1);
  const std::string layout = stored_layout({.theme = Theme::dark, .side_bar = ui.layout.side_bar});
  std::size_t size = 0;
  const std::string windows = ImGui::SaveIniSettingsToMemory(&size);
  EXPECT_EQ(windows.find("[Window][Panel]"), windows.npos) << windows;
  ui.layout.side_bar = loaded_side_bar(layout);
  set_scale(1);
  for (int k = 0; k < 3; ++k) frame();
  EXPECT_NEAR(ui.layout.panel_width, 22 * 16, 1);
}

TEST_F(Panels, OpenSectionsAreStored) {
  frame();
  ASSERT_TRUE(find("theta"));
  ASSERT_FALSE(find("open-file"));
  click("solver-panel");
  click("files-panel");
  frame();
  EXPECT_FALSE(find("theta"));
  EXPECT_TRUE(find("open-file"));
  const SideBar stored = loaded_side_bar(stored_layout({.theme = Theme::dark, .side_bar = ui.layout.side_bar}));
  EXPECT_EQ(stored.open, (std::map<std::string, bool, std::less<>>{{"files-panel", true}, {"solver-panel", false}}));
  ui.layout.side_bar = {};
  frame();
  EXPECT_TRUE(find("theta")) << "the defaults";
  EXPECT_FALSE(find("open-file"));
  ui.layout.side_bar = stored;
  frame();
  EXPECT_FALSE(find("theta"));
  EXPECT_TRUE(find("open-file"));
}

// Regression: a panel opened at the lower end showed nothing but its heading.
TEST_F(Panels, AnOpenedPanelScrollsIntoView) {
  window_height = 600;
  frame();
  ImGuiWindow* list = nullptr;
  for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    if (std::string(window->Name).find("/panels_") != std::string::npos) list = window;
  ASSERT_TRUE(list);
  ImGui::SetScrollY(list, 1e6f);
  frame();
  frame();
  click("export-panel");
  for (int k = 0; k < 3; ++k) frame();
  ASSERT_TRUE(find("save-image") && find("export-panel"));
  EXPECT_LE(find("save-image")->y1, window_height - 50);
  EXPECT_GE(find("export-panel")->y0, list->Pos.y - 1) << "the heading stays";
  const float before = list->Scroll.y;
  click("camera-panel");
  click("camera-panel");
  frame();
  EXPECT_LE(list->Scroll.y, before + 1) << "closing does not scroll";
}

TEST(SideBars, StartSimpleAndAreStored) {
  EXPECT_TRUE(loaded_side_bar("").simple) << "the first start";
  EXPECT_FALSE(loaded_side_bar("[Pericenter][Look]\nTheme=dark\n").simple) << "a layout of an earlier version";
  for (const bool simple : {true, false}) {
    StoredLook look;
    look.side_bar.simple = simple;
    look.side_bar.pauses_at_key_moments = !simple;
    look.side_bar.follows_story = simple;
    const SideBar stored = loaded_side_bar(stored_layout(look));
    EXPECT_EQ(stored.simple, simple);
    EXPECT_EQ(stored.pauses_at_key_moments, !simple);
    EXPECT_EQ(stored.follows_story, simple);
  }
}

TEST(SideBars, DamagedNumbersAreLimited) {
  const auto ems = [](const std::string& text) { return loaded_side_bar("[Pericenter][Look]\nPanelEms=" + text).ems; };
  EXPECT_EQ(ems("31.5"), 31.5f);
  EXPECT_EQ(ems("nan"), SideBar::kDefaultEms);
  EXPECT_EQ(ems("-4"), SideBar::kMinEms);
  EXPECT_EQ(ems("1e30"), SideBar::kMaxEms);
}

// Regression: Esc had no effect on an open list and ended the probe instead.
TEST_F(Panels, EscClosesListFirst) {
  ui.stars.probed = 3;
  for (const bool quick : {false, true}) {  // a quick press is over before the next frame
    open_list("algorithm");
    ASSERT_TRUE(find("algorithm/direct"));
    const UiFrame view{.simulation = state, .now = now};
    apply_command({Action::close_dialogs}, view, {ui});
    if (!quick) press(ImGuiKey_Escape);
    frame();
    frame();
    EXPECT_FALSE(find("algorithm/direct"));
    EXPECT_EQ(ui.stars.probed, 3u) << "Esc closes one thing at a time";
  }
  open_list("scene");
  ASSERT_TRUE(find("scene/collision"));
  press(ImGuiKey_Escape);  // typed into the search field
  frame();
  EXPECT_FALSE(find("scene/collision"));
  open_list("algorithm");
  frame();
  EXPECT_TRUE(find("algorithm/direct")) << "the next list stays open";
  close_list();
  apply_command({Action::close_dialogs}, UiFrame{.simulation = state, .now = now}, {ui});
  EXPECT_FALSE(ui.stars.probed);
}

// Regression: the first frames showed "t = 0.00, 0 bodies".
TEST_F(Panels, NothingIsShownBeforeTheFirstScene) {
  state = {};
  frame();
  ASSERT_TRUE(find("clock"));
  EXPECT_EQ(find("clock")->label, "Loading …");
  state.message_is_error = true;
  frame();
  EXPECT_EQ(find("clock")->label, "No scene");
  state = {};
  state.message = "Cancelled. No simulation is running: choose a scene.";
  frame();
  EXPECT_EQ(find("clock")->label, "No scene");
  state.busy = true;
  frame();
  EXPECT_EQ(find("clock")->label, "Loading …");
  state = {};
  fill(state);
  frame();
  EXPECT_EQ(find("clock")->label, "0 Myr");
}

// Regression: Enter in a number field kept the old scene.
TEST_F(Panels, EnterInNumberFieldsLoadsTheScene) {
  click("body-count");
  press_key(ImGuiKey_Enter, true);
  frame();
  EXPECT_TRUE(ui.commands.empty()) << "nothing was changed";
  press_key(ImGuiKey_Enter, false);
  for (const char* id : {"body-count", "seed"}) {
    ui.scene = {.bodies = 20'000, .seed = 1, .search = {}};
    click(id);
    type("7");
    EXPECT_TRUE(ui.commands.empty());
    press_key(ImGuiKey_Enter, true);
    frame();
    EXPECT_EQ(ui.commands, (std::vector<Command>{{Action::apply_scene, 0}})) << id;
    ASSERT_TRUE(asked<request::LoadScene>() || !ui.requests.empty()) << id;
    press_key(ImGuiKey_Enter, false);
    frame();
    click(id);
    type("8");
    click("reset");
    EXPECT_TRUE(ui.commands != (std::vector<Command>{{Action::apply_scene, 0}}))
        << "a click elsewhere only ends typing";
  }
}

/// A panel of the smallest width, as in a window of 640 pixels, or of 1280 at scale 2.
class NarrowPanels : public Panels {
 protected:
  void expect_no_clipped_text() {
    const float edge = ui.layout.panel_width - ImGui::GetStyle().WindowPadding.x + 1;
    for (const ItemLog::Item& item : log.items) {
      if (!in_side_bar(item)) continue;
      EXPECT_LE(item.x1, edge) << item.id << " is cut off";
      EXPECT_LE(item.needed, item.x1 - item.x0) << "the text of " << item.id << " does not fit";
    }
  }
};

TEST_F(NarrowPanels, ShowTheirTextInFull) {
  ui.layout.side_bar.ems = SideBar::kMinEms;
  for (const Panel& panel : panels()) ui.layout.side_bar.open[std::string(panel.heading.id)] = true;
  ui.camera.path.resize(2);
  ui.files.series = {"/data/snap_000.csv", "/data/snap_001.csv"};
  Encounter own = *find_scene("collision")->encounter;
  own.orbit.pericenter = 7;
  state.scene_request.encounter = own;
  for (const float scale : {1.0f, 1.5f, 2.0f}) {
    set_scale(scale);
    window_height = 480 * scale;  // with a scroll bar
    for (const SceneInfo& info : scenes()) {
      state.scene = info.name;
      for (int k = 0; k < 3; ++k) frame();
      ASSERT_NEAR(ui.layout.panel_width, SideBar::kMinEms * fonts.text->FontSize, 1);
      expect_no_clipped_text();
    }
    state.scene = scenes().front().name;
    for (const render::ColorMode mode : {render::ColorMode::origin, render::ColorMode::force_error}) {
      ui.view.image.color = mode;
      frame();
      expect_no_clipped_text();
    }
  }
}

TEST_F(NarrowPanels, ListOfScenesHasRoomForShortcuts) {
  ui.layout.side_bar.ems = SideBar::kMinEms;
  for (int k = 0; k < 3; ++k) frame();
  open_list("scene");
  frame();
  const auto entry = find("scene/milky-way-andromeda");
  ASSERT_TRUE(entry);
  EXPECT_LE(ImGui::CalcTextSize(entry->label.c_str()).x + 2 * fonts.text->FontSize, entry->x1 - entry->x0);
}

// Regression: in a window of 640 pixels at scale 2, the panel was half as wide as its text needs.
TEST(UiScale, IsLimitedByTheWindow) {
  EXPECT_EQ(largest_scale(640), 1.0f);
  EXPECT_EQ(largest_scale(1280), 2.0f);
  EXPECT_EQ(largest_scale(1900), 2.875f);
  EXPECT_EQ(largest_scale(4000), kMaxScale);
  EXPECT_EQ(largest_scale(100), kMinScale);
}

}  // namespace
}  // namespace pericenter::app

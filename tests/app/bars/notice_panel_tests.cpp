#include <imgui_internal.h>

#include <algorithm>
#include <initializer_list>
#include <string>

#include "tests/support/panel_fixture.h"

// Order of notices, and legibility of notices, tooltips and readouts.

namespace pericenter::app {
namespace {

class Notices : public Panels {
 protected:
  void say(const std::string& message) {
    state.message = message;
    state.message_is_error = true;
    ++state.message_serial;
    frame();
  }
  /// The tooltip of a control.
  const ImGuiWindow* tooltip_of(const std::string& label) {
    frame();
    const auto item = find(label);
    EXPECT_TRUE(item) << label;
    if (!item) return nullptr;
    point_at(*item);
    for (int k = 0; k < 3; ++k) frame(0.5f);
    return ImGui::FindWindowByName("##Tooltip_00");
  }
};

TEST_F(Notices, AreQueued) {
  set_persistent_notice("The CPU computes.", {}, ui);
  set_notice("The disk is full.", true, now, ui);
  set_notice("Picture saved.", false, now, ui);
  EXPECT_EQ(ui.notices.shown.text, "Picture saved.");
  for (int k = 0; k < 10; ++k) frame(1);
  EXPECT_EQ(ui.notices.shown.text, "The disk is full.");
  click("close-notice");
  EXPECT_EQ(ui.notices.shown.text, "The CPU computes.");
  click("close-notice");
  EXPECT_EQ(ui.notices.shown.text, "");
  frame();
  EXPECT_FALSE(find("close-notice"));
}

TEST_F(Notices, AreUnique) {
  for (int k = 0; k < 3; ++k) set_notice("The disk is full.", true, now, ui);
  set_notice("Picture saved.", false, now, ui);
  set_notice("The disk is full.", true, now, ui);
  EXPECT_TRUE(ui.notices.older.empty());
  for (int k = 0; k < 100; ++k) set_notice("Number " + std::to_string(k), true, now, ui);
  EXPECT_LE(ui.notices.older.size(), 10u);
  EXPECT_EQ(ui.notices.older.back().text, "Number 98");
}

TEST_F(Notices, SimulationMessageReplacesOlderNotice) {
  set_persistent_notice("The CPU computes.", {}, ui);
  say("The scene was refused.");
  EXPECT_EQ(ui.notices.shown.text, "The scene was refused.");
  click("close-notice");
  EXPECT_EQ(ui.notices.shown.text, "The CPU computes.");
  say("The scene was refused.");
  EXPECT_EQ(ui.notices.shown.text, "The scene was refused.") << "repeated message";
}

TEST_F(Notices, OfSimulationEndWithScene) {
  set_notice("The disk is full.", true, now, ui);
  say("The scene was refused.");
  set_notice("Picture saved.", false, now, ui);
  load_scene(1, UiFrame{.simulation = state, .now = now}, ui);
  dismiss_notice(ui);
  EXPECT_EQ(ui.notices.shown.text, "The disk is full.");
  EXPECT_TRUE(ui.notices.older.empty());
  say("Another was refused.");
  state.message.clear();
  frame();
  EXPECT_EQ(ui.notices.shown.text, "The disk is full.");
}

TEST_F(Notices, LongNoticeKeepsPanelReachable) {
  for (int k = 0; k < 40; ++k) state.message += "Some file is of no format that can be read. ";
  ++state.message_serial;
  for (int k = 0; k < 2; ++k) frame();
  const ImGuiWindow* panel = ImGui::FindWindowByName("Panel");
  const ImGuiWindow* status = ImGui::FindWindowByName("Status");
  ASSERT_GT(ui.layout.notice_height, 0);
  EXPECT_NEAR(panel->Pos.y + panel->Size.y, status->Pos.y, 1);
}

TEST_F(Notices, AreRemovedWithTheirCause) {
  for (const char* text : {"Shader: 1", "The disk is full.", "Shader: 2"}) {
    const bool is_shader = std::string_view(text).starts_with("Shader");
    add_notice({text, true, 0, {}, is_shader ? NoticeSource::shaders : NoticeSource::ui}, ui);
  }
  remove_notices(NoticeSource::shaders, ui);
  EXPECT_EQ(ui.notices.shown.text, "The disk is full.");
  EXPECT_TRUE(ui.notices.older.empty());
}

TEST_F(Notices, ShowFirstLines) {
  set_notice("What is wrong:\n1\n2\n3\n4", true, now, ui);
  EXPECT_EQ(ui.notices.shown.text, "What is wrong:\n1\n2\n3\n4");
  set_notice("What is wrong:\n1\n2\n3\n4\n5\n6", true, now, ui);
  EXPECT_EQ(ui.notices.shown.text, "What is wrong:\n1\n2\n3\n4 …");
}

TEST_F(Notices, TooltipCoversNoButton) {
  for (const bool panel : {true, false}) {
    ui.layout.show_panel = panel;
    set_notice("The disk is full.", true, now, ui);
    const ImGuiWindow* tooltip = tooltip_of("close-notice");
    ASSERT_TRUE(tooltip);
    EXPECT_LE(tooltip->Pos.y + tooltip->Size.y, find("close-notice")->y0) << panel;
    EXPECT_LE(tooltip->Pos.x + tooltip->Size.x, kWidth) << panel;
    EXPECT_GE(tooltip->Pos.y, 0) << panel;
  }
}

TEST_F(Notices, TooltipOfDisabledControlIsLegible) {
  for (const char* label : {"apply-scene", "vertex-buffer"}) {  // a disabled button, dim text
    const ImGuiWindow* tooltip = tooltip_of(label);
    ASSERT_TRUE(tooltip) << label;
    const ImVector<ImDrawVert>& drawn = tooltip->DrawList->VtxBuffer;
    ASSERT_FALSE(drawn.empty()) << label;
    // Text is drawn last.
    EXPECT_EQ(drawn.back().col, ImGui::GetColorU32(ImGuiCol_Text)) << label;
  }
}

TEST_F(Panels, SetsBodyCountWithoutScene) {
  state.scene.clear();
  frame();
  EXPECT_TRUE(find("body-count"));
  state.scene = "a file's";
  frame();
  EXPECT_FALSE(find("body-count"));
}

TEST_F(Panels, NarrowPanelShowsFullNumbers) {
  state.params = {.dt = 0.05, .softening = 0.1};
  state.diagnostics.strongest = 20;
  state.config.backend = Backend::cuda;
  state.device_name = "NVIDIA RTX 6000 Ada Generation with a long name";
  state.device_memory = {123'400'000, 12'300'000'000, 123'400'000'000};
  state.bodies_per_second = 123.4e6;
  for (const float scale : {1.0f, 1.2f, 1.5f, 2.0f, kMaxScale}) {
    set_scale(scale);
    ui.layout.side_bar.ems = 1;
    for (int k = 0; k < 3; ++k) frame();
    const float edge = ui.layout.panel_width - ImGui::GetStyle().WindowPadding.x;
    for (const char* label :
         {"long-step", "gpu", "gpu-memory", "gpu-memory-free", "steps-per-second", "virial-ratio", "work-per-body"}) {
      const auto item = find(label);
      ASSERT_TRUE(item) << label;
      EXPECT_LE(item->x1, edge) << label << " at scale " << scale;
    }
    const auto left = find("bodies-per-second"), right = find("steps-per-second");
    EXPECT_TRUE(left->x1 < right->x0 || left->y1 <= right->y0) << "at scale " << scale;
  }
}

}  // namespace
}  // namespace pericenter::app

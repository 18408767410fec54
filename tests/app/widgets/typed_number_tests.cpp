#include <gtest/gtest.h>

#include <string>

#include "tests/support/panel_fixture.h"

// Numbers that are typed into sliders.

namespace pericenter::app {
namespace {

class TypedNumber : public Panels {
 protected:
  /// Ctrl+click on a slider.
  void edit(const std::string& slider) {
    hold_ctrl(true);
    click(slider);
    hold_ctrl(false);
    frame();
  }
  void hold_ctrl(bool down) {
#if IMGUI_VERSION_NUM >= 18700
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, down);
#else
    ImGui::GetIO().KeyCtrl = down;
#endif
  }
  /// Types key by key, and expects that nothing is applied meanwhile.
  void type_slowly(const std::string& words) {
    for (const char letter : words) {
      type(std::string(1, letter).c_str());
      EXPECT_FALSE(asked<request::SetParams>()) << "after the key " << letter;
      frame();
      EXPECT_FALSE(asked<request::SetParams>()) << "after the key " << letter;
    }
  }
};

TEST_F(TypedNumber, IsAppliedByEnterAndNotByItsDigits) {
  edit("theta");
  type_slowly("0.62");
  press(ImGuiKey_Enter);
  const auto* set = asked<request::SetParams>();
  ASSERT_TRUE(set);
  EXPECT_EQ(set->params.theta, 0.62);
}

TEST_F(TypedNumber, IsAppliedWhenTheKeyboardLeavesTheField) {
  edit("theta");
  type_slowly("0.62");
  move_mouse(kWidth - 50, 50);
  frame();
  press_mouse(true);
  frame();
  const auto* set = asked<request::SetParams>();
  ASSERT_TRUE(set);
  EXPECT_EQ(set->params.theta, 0.62);
}

TEST_F(TypedNumber, IsDroppedByEscape) {
  edit("softening");
  type_slowly("0.5");
  press(ImGuiKey_Escape);
  for (int k = 0; k < 3; ++k) {
    EXPECT_FALSE(asked<request::SetParams>());
    frame();
  }
}

TEST_F(TypedNumber, IsDroppedWithItsPanel) {
  edit("softening");
  type_slowly("0.5");
  ui.layout.show_panel = false;
  frame();
  frame();
  ui.layout.show_panel = true;
  for (int k = 0; k < 3; ++k) {
    frame();
    EXPECT_FALSE(asked<request::SetParams>());
  }
}

TEST_F(TypedNumber, ADragIsAppliedWhileItLasts) {
  frame();
  point_at(*find("softening"), 0.2f);
  frame();
  press_mouse(true);
  frame();
  EXPECT_TRUE(asked<request::SetParams>());
}

}  // namespace
}  // namespace pericenter::app

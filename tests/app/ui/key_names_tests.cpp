#include "app/ui/key_names.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include "app/ui/ui_state.h"

namespace pericenter::app {
namespace {

TEST(KeyNames, AreThoseOnTheCaps) {
  EXPECT_EQ(key_name({GLFW_KEY_SPACE, " "}), "Space");
  EXPECT_EQ(key_name({GLFW_KEY_RIGHT}), "→");
  EXPECT_EQ(key_name({GLFW_KEY_PAGE_DOWN}), "PageDn");
  EXPECT_EQ(key_name({GLFW_KEY_F12}), "F12");
  EXPECT_EQ(key_name({GLFW_KEY_Y, "z", GLFW_MOD_CONTROL}), "Ctrl+Z") << "of the user's layout";
  EXPECT_EQ(key_name({GLFW_KEY_F12, "", GLFW_MOD_SHIFT}), "Shift+F12");
}

TEST(KeyNames, OfCharactersAreCapitals) {
  EXPECT_EQ(key_name({GLFW_KEY_B, "b"}), "") << "its character follows";
  EXPECT_EQ(character_name(U'b'), "B");
  EXPECT_EQ(character_name(U'?'), "?");
  EXPECT_EQ(character_name(U'ß'), "ß");
  EXPECT_EQ(character_name(U'→'), "→");
  EXPECT_EQ(character_name(U' '), "") << "named as a key";
}

TEST(KeyNames, LeaveOutModifiersAndRepeats) {
  EXPECT_EQ(key_name({GLFW_KEY_LEFT_SHIFT, "", GLFW_MOD_SHIFT}), "");
  EXPECT_EQ(key_name({GLFW_KEY_RIGHT, "", 0, true}), "");
}

TEST(KeyNames, AreShownForTwoSecondsIfWanted) {
  UiState ui;
  show_key("B", 10, ui);
  EXPECT_TRUE(ui.presentation.keys.empty());
  ui.presentation.shows_keys = true;
  show_key("", 10, ui);
  show_key("B", 10, ui);
  ASSERT_EQ(ui.presentation.keys.size(), 1u);
  EXPECT_EQ(ui.presentation.keys[0].text, "B");
  EXPECT_EQ(ui.presentation.keys[0].until, 12);
}

}  // namespace
}  // namespace pericenter::app

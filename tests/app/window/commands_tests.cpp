#include <gtest/gtest.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <cstdlib>

#include "app/ui/actions.h"
#include "app/ui/ui_state.h"
#include "app/window/application.h"
#include "app/window/commands.h"
#include "app/window/window.h"

namespace pericenter::app {
namespace {

std::optional<Command> key(int code, int mods = 0, std::string_view name = "") {
  return command_of_key({.key = code, .name = name, .mods = mods}, false);
}

TEST(Keys, MatchTheKeySheet) {
  EXPECT_EQ(key(GLFW_KEY_SPACE), Command{Action::toggle_play});
  EXPECT_EQ(key(GLFW_KEY_ESCAPE), Command{Action::close_dialogs});
  EXPECT_EQ(key(GLFW_KEY_F11), Command{Action::full_screen});
  EXPECT_EQ(key(GLFW_KEY_F12), Command{Action::screenshot});
  EXPECT_EQ(key(GLFW_KEY_3), (Command{Action::load_scene, 2}));
  EXPECT_EQ(key(GLFW_KEY_KP_9), (Command{Action::load_scene, 8}));
  EXPECT_EQ(key(GLFW_KEY_O, GLFW_MOD_CONTROL, "o"), Command{Action::open_file});
  EXPECT_EQ(key(GLFW_KEY_S, GLFW_MOD_CONTROL, "s"), Command{Action::save_snapshot});
  EXPECT_EQ(key(GLFW_KEY_EQUAL, GLFW_MOD_CONTROL), Command{Action::scale_up});
  EXPECT_EQ(key(GLFW_KEY_MINUS, GLFW_MOD_CONTROL), Command{Action::scale_down});
  EXPECT_EQ(key(GLFW_KEY_0, GLFW_MOD_CONTROL), Command{Action::scale_reset});
  EXPECT_EQ(command_of_character('.', false, false), Command{Action::single_step});
  EXPECT_EQ(command_of_character('?', false, false), Command{Action::toggle_keys});
  EXPECT_EQ(command_of_character('[', false, false), Command{Action::fewer_steps});
  EXPECT_EQ(command_of_character(']', false, false), Command{Action::more_steps});
  EXPECT_EQ(command_of_character('r', false, false), Command{Action::reset});
  EXPECT_EQ(command_of_character('F', false, false), Command{Action::fit});
  EXPECT_EQ(command_of_character('h', false, false), Command{Action::toggle_panel});
  EXPECT_EQ(command_of_character('t', false, false), Command{Action::toggle_tree});
  EXPECT_EQ(command_of_character('c', false, false), Command{Action::toggle_comparison});
  EXPECT_EQ(command_of_character('X', false, false), Command{Action::swap_comparison});
  EXPECT_FALSE(command_of_character('y', false, false));
}

TEST(Keys, FollowTheKeyboardLayout) {
  // On a French keyboard the letter Q is where a US keyboard has A.
  EXPECT_EQ(key(GLFW_KEY_A, GLFW_MOD_CONTROL, "q"), Command{Action::quit});
  EXPECT_FALSE(key(GLFW_KEY_Q, GLFW_MOD_CONTROL, "a"));
  EXPECT_EQ(key(GLFW_KEY_RIGHT_BRACKET, GLFW_MOD_CONTROL, "+"), Command{Action::scale_up});
}

TEST(Keys, BelongToATextFieldWhileTyping) {
  EXPECT_FALSE(command_of_key({.key = GLFW_KEY_SPACE}, true));
  EXPECT_FALSE(command_of_key({.key = GLFW_KEY_3}, true));
  EXPECT_FALSE(command_of_key({.key = GLFW_KEY_ESCAPE}, true));
  EXPECT_FALSE(command_of_character('.', false, true));
  EXPECT_TRUE(command_of_key({.key = GLFW_KEY_F12}, true));
  EXPECT_TRUE(command_of_key({.key = GLFW_KEY_Q, .name = "q", .mods = GLFW_MOD_CONTROL}, true));
}

TEST(Keys, CopyAndPasteTheSceneUnlessTextIsTyped) {
  EXPECT_EQ(key(GLFW_KEY_C, GLFW_MOD_CONTROL, "c"), Command{Action::copy_scene});
  EXPECT_EQ(key(GLFW_KEY_V, GLFW_MOD_CONTROL, "v"), Command{Action::paste_scene});
  EXPECT_FALSE(command_of_key({.key = GLFW_KEY_C, .name = "c", .mods = GLFW_MOD_CONTROL}, true));
  EXPECT_FALSE(command_of_key({.key = GLFW_KEY_V, .name = "v", .mods = GLFW_MOD_CONTROL}, true));
}

TEST(Keys, AHeldKeyDoesNotToggle) {
  EXPECT_FALSE(command_of_key({.key = GLFW_KEY_SPACE, .repeat = true}, false));
  EXPECT_FALSE(command_of_character('r', true, false));
  EXPECT_TRUE(command_of_character('.', true, false));  // a held key keeps stepping
  EXPECT_TRUE(command_of_character(']', true, false));
}

TEST(KeySheet, HasNoEmptyRow) {
  std::size_t rows = 0;
  for (const KeyHelpGroup& group : key_help())
    for (const KeyHelp& row : group.rows) {
      EXPECT_FALSE(row.keys.empty() || row.meaning.empty());
      ++rows;
    }
  EXPECT_GE(rows, 20u);
}

class Commands : public ::testing::Test {
 protected:
  bool apply(Command command) {
    ui.requests.clear();
    return apply_command(command, {.simulation = state, .now = 1}, {ui});
  }
  SessionState state;
  UiState ui;
};

TEST_F(Commands, ForTheWindowHaveNoEffectWithoutIt) {
  for (const Action action : {Action::fit, Action::full_screen, Action::screenshot, Action::cancel, Action::quit,
                              Action::reload_shaders, Action::save_camera, Action::go_to_camera, Action::add_camera_key,
                              Action::open_file, Action::save_snapshot, Action::cancel_save}) {
    EXPECT_FALSE(apply({action}));
    EXPECT_TRUE(ui.requests.empty());
  }
}

TEST_F(Commands, EscapeClosesTheKeySheetAndNothingElse) {
  apply({Action::toggle_keys});
  EXPECT_TRUE(ui.show_keys);
  EXPECT_TRUE(apply({Action::close_dialogs}));
  EXPECT_FALSE(ui.show_keys);
  EXPECT_TRUE(apply({Action::close_dialogs}));
}

TEST_F(Commands, ScaleStaysInItsRange) {
  for (int k = 0; k < 50; ++k) apply({Action::scale_up});
  EXPECT_EQ(ui.scale, kMaxScale);
  for (int k = 0; k < 50; ++k) apply({Action::scale_down});
  EXPECT_EQ(ui.scale, kMinScale);
  apply({Action::scale_reset});
  EXPECT_EQ(ui.scale, ui.first_scale);
}

TEST_F(Commands, StepsPerFrameStayPositive) {
  apply({Action::fewer_steps});
  EXPECT_EQ(std::get<request::SetStepsPerFrame>(ui.requests.at(0)).steps, 1);
  apply({Action::more_steps});
  EXPECT_EQ(std::get<request::SetStepsPerFrame>(ui.requests.at(0)).steps, 2);
}

TEST_F(Commands, AnUnknownSceneIsNotRequested) {
  EXPECT_TRUE(apply({Action::load_scene, 8}));
  EXPECT_EQ(ui.requests.size(), scenes().size() > 8 ? 1u : 0u);
  EXPECT_TRUE(apply({Action::load_scene, 0}));
  EXPECT_EQ(std::get<request::LoadScene>(ui.requests.at(0)).name, scenes()[0].name);
}

TEST(MonitorScale, IgnoresImplausibleSizes) {
  EXPECT_EQ(scale_of_monitor(1, 1920, 520), 1.0f);   // 24 inch
  EXPECT_EQ(scale_of_monitor(1, 3840, 600), 1.75f);  // 27 inch, 4K, with a desktop scale of 1
  EXPECT_EQ(scale_of_monitor(1, 1920, 160), 1.0f);   // a projector that reports its aspect ratio
  EXPECT_EQ(scale_of_monitor(2, 1920, 0), 2.0f);
  EXPECT_EQ(scale_of_monitor(9, 1920, 520), 3.0f);
}

TEST(Window, ThrowsWithoutADisplay) {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"}) unsetenv(name);
  try {
    run_window({});
    FAIL() << "opened a window without a display";
  } catch (const NoDisplay& no_display) {
    EXPECT_FALSE(no_display.reason.empty());
  }
}

}  // namespace
}  // namespace pericenter::app

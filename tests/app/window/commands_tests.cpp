#include <gtest/gtest.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
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
  EXPECT_EQ(command_of_character('.', false, false), Command{Action::step_or_blank});
  EXPECT_EQ(command_of_character('?', false, false), Command{Action::toggle_keys});
  EXPECT_EQ(command_of_character('[', false, false), Command{Action::fewer_steps});
  EXPECT_EQ(command_of_character(']', false, false), Command{Action::more_steps});
  EXPECT_EQ(command_of_character('r', false, false), Command{Action::reset});
  EXPECT_EQ(command_of_character('F', false, false), Command{Action::fit});
  EXPECT_EQ(command_of_character('h', false, false), Command{Action::toggle_panel});
  EXPECT_EQ(command_of_character('t', false, false), Command{Action::toggle_tree});
  EXPECT_EQ(command_of_character('c', false, false), Command{Action::toggle_comparison});
  EXPECT_EQ(command_of_character('X', false, false), Command{Action::swap_comparison});
  EXPECT_EQ(command_of_character('y', false, false), Command{Action::toggle_ruler});
  EXPECT_FALSE(command_of_character('#', false, false));
}

TEST(Keys, FollowTheKeyboardLayout) {
  // On a French keyboard the letter Q is where a US keyboard has A.
  EXPECT_EQ(key(GLFW_KEY_A, GLFW_MOD_CONTROL, "q"), Command{Action::quit});
  EXPECT_FALSE(key(GLFW_KEY_Q, GLFW_MOD_CONTROL, "a"));
  EXPECT_EQ(key(GLFW_KEY_RIGHT_BRACKET, GLFW_MOD_CONTROL, "+"), Command{Action::scale_up});
  EXPECT_EQ(key(GLFW_KEY_MINUS, GLFW_MOD_CONTROL, "z"), Command{Action::undo}) << "the character counts first";
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
  EXPECT_EQ(key_help()[0].rows[1].keys, ", .") << "two actions with one meaning";
}

class Commands : public ::testing::Test {
 protected:
  bool apply(Command command) {
    send_requests();
    return apply_command(command, {.simulation = state, .now = 1}, {ui});
  }
  void send_requests() {
    ui.requests.send([&](const Request&) { return ++sent_serial; });
  }
  std::uint64_t sent_serial = 0;  ///< serial of the last request that the simulation got
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
  EXPECT_TRUE(ui.layout.show_keys);
  EXPECT_TRUE(apply({Action::close_dialogs}));
  EXPECT_FALSE(ui.layout.show_keys);
  EXPECT_TRUE(apply({Action::close_dialogs}));
}

TEST_F(Commands, LabelsAreSwitchedFromWhatIsShown) {
  state.scene = "solar-system";
  state.has_planets = true;
  apply({Action::toggle_labels});
  EXPECT_EQ(ui.view.guides.labels, false);
  apply({Action::toggle_labels});
  EXPECT_EQ(ui.view.guides.labels, true);
  ui.view.guides.labels.reset();
  state.scene = "collision";
  state.has_planets = false;
  apply({Action::toggle_labels});
  EXPECT_EQ(ui.view.guides.labels, true);
}

TEST_F(Commands, ScaleStaysInItsRange) {
  for (int k = 0; k < 50; ++k) apply({Action::scale_up});
  EXPECT_EQ(ui.layout.scale, kMaxScale);
  for (int k = 0; k < 50; ++k) apply({Action::scale_down});
  EXPECT_EQ(ui.layout.scale, kMinScale);
  apply({Action::scale_reset});
  EXPECT_EQ(ui.layout.scale, ui.layout.first_scale);
}

TEST_F(Commands, StepsPerFrameStayPositive) {
  apply({Action::fewer_steps});
  EXPECT_EQ(std::get<request::SetStepsPerFrame>(ui.requests.at(0)).steps, 1);
  apply({Action::more_steps});
  EXPECT_EQ(std::get<request::SetStepsPerFrame>(ui.requests.at(0)).steps, 2);
}

/// What a step key asks for while `state` is shown.
class StepKeys : public Commands {
 protected:
  StepKeys() { state.timeline = {.last = 10, .shown = 10}; }
  void step(Action action) {
    send_requests();
    update({.simulation = state}, ui);
    apply({action});
  }
  template <class Kind>
  const Kind* asked() const {
    for (const Request& request : ui.requests)
      if (const Kind* kind = std::get_if<Kind>(&request)) return kind;
    return nullptr;
  }
  double sought() const {
    const auto* seek = asked<request::Seek>();
    return seek ? seek->position : -1;
  }
};

TEST_F(StepKeys, GoBackAndForward) {
  step(Action::single_step);
  EXPECT_TRUE(asked<request::Step>()) << "at the end a step is computed";
  step(Action::step_back);
  EXPECT_EQ(sought(), 9);
  step(Action::single_step);
  EXPECT_EQ(sought(), 10) << "before the simulation has reported the first key";
  EXPECT_FALSE(asked<request::Step>());
}

TEST_F(StepKeys, AHeldKeyKeepsStepping) {
  for (int k = 1; k <= 12; ++k) {
    step(Action::step_back);
    EXPECT_EQ(sought(), std::max(10 - k, 0)) << "while the state is still that before the first key";
  }
}

TEST_F(StepKeys, PauseARun) {
  state.running = true;
  for (const Action action : {Action::step_back, Action::single_step}) {
    step(action);
    ASSERT_TRUE(asked<request::Play>());
    EXPECT_FALSE(asked<request::Play>()->running);
    state.handled_request = sent_serial + ui.requests.size();  // another request made it run again
  }
  EXPECT_TRUE(asked<request::Step>());
}

TEST_F(StepKeys, ShowWholeStepsAfterAReplay) {
  state.timeline.rewound = true;
  state.timeline.shown = 4.3;
  step(Action::step_back);
  EXPECT_EQ(sought(), 4);
  ui.timeline.position = {};
  step(Action::single_step);
  EXPECT_EQ(sought(), 5);
}

TEST_F(StepKeys, SayWhyThereIsNoHistory) {
  state.timeline = {.first = 10, .last = 10, .shown = 10, .off_because = "The history is off."};
  step(Action::step_back);
  EXPECT_EQ(sought(), -1);
  EXPECT_EQ(ui.notices.shown.text, "The history is off.");
  step(Action::single_step);
  EXPECT_TRUE(asked<request::Step>());
}

TEST_F(StepKeys, FollowTheDirectionOfAPlayback) {
  state.playback = TimeRange{2, 12};
  state.params.dt = -0.5;
  state.timeline = {.first = 2, .last = 12, .shown = 5, .is_playback = true};
  step(Action::single_step);
  EXPECT_TRUE(asked<request::Step>());
  step(Action::step_back);
  EXPECT_EQ(sought(), 5.5);
}

TEST_F(StepKeys, UndoAndBranchesNeedSomething) {
  step(Action::undo);
  EXPECT_FALSE(asked<request::Undo>());
  EXPECT_EQ(ui.notices.shown.text, "Nothing to undo.");
  state.timeline.undo = "reset";
  step(Action::undo);
  EXPECT_TRUE(asked<request::Undo>());
  step(Action::continue_from_here);
  EXPECT_TRUE(ui.requests.empty()) << "at the end there is nothing to branch from";
  state.timeline.rewound = true;
  step(Action::continue_from_here);
  EXPECT_TRUE(asked<request::ContinueFromHere>());
  EXPECT_TRUE(asked<request::Play>()->running);
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
    Log log;
    run_window({}, log);
    FAIL() << "opened a window without a display";
  } catch (const NoDisplay& no_display) {
    EXPECT_FALSE(no_display.reason.empty());
  }
}

}  // namespace
}  // namespace pericenter::app

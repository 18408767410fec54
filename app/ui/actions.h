#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace pericenter::app {

/// Everything that a key or a button can do; apply_command() has one case for each.
enum class Action {
  toggle_play,
  single_step,
  step_back,
  reset,
  undo,
  run_backwards,
  next,
  previous,
  choose,
  toggle_lessons,
  toggle_blank,
  toggle_narrator,
  theta_down,
  theta_up,
  next_solver,
  next_color,
  add_slide,
  toggle_note,
  toggle_wording,
  repeat_slide,
  leave_lesson,
  continue_from_here,
  toggle_drawer,
  toggle_comparison,
  swap_comparison,
  fit,
  toggle_panel,
  toggle_keys,
  toggle_tree,
  toggle_halo,
  toggle_trails,
  toggle_guides,
  toggle_labels,
  toggle_theme,
  toggle_fly,
  save_camera,
  go_to_camera,
  add_camera_key,
  full_screen,
  screenshot,
  screenshot_with_panel,
  toggle_recording,
  scale_up,
  scale_down,
  scale_reset,
  fewer_steps,
  more_steps,
  load_scene,
  apply_scene,
  open_file,
  save_snapshot,
  cancel_save,
  copy_scene,
  paste_scene,
  reload_shaders,
  cancel,
  close_dialogs,
  quit,
};

/// An action; `number` is the row of scenes() for load_scene and apply_scene, the index of a saved camera, or of a
/// choice in a lesson.
struct Command {
  Action action;
  int number = 0;

  friend bool operator==(const Command&, const Command&) = default;
};

/// A key as GLFW reports it.
struct KeyPress {
  int key = 0;                 ///< GLFW_KEY_*: the position on a US keyboard
  std::string_view name = {};  ///< character of the key in the user's layout, without Shift; empty if it has none
  int mods = 0;                ///< GLFW_MOD_*
  bool repeat = false;         ///< sent because the key is held down
};

/// The command of a key without a character, a digit, or a Ctrl combination. While a text field has the focus
/// (`typing`) only function keys and Ctrl combinations are commands.
std::optional<Command> command_of_key(const KeyPress& press, bool typing);

/// Whether a key operates the controls while the panel has the keyboard: arrows, Space, Enter, Home, End.
bool is_panel_key(const KeyPress& press);

/// The command of a typed character. Characters instead of keys make `?` and `[` work on every keyboard layout.
std::optional<Command> command_of_character(unsigned codepoint, bool repeat, bool typing);

/// A row of the key sheet.
struct KeyHelp {
  std::string_view keys;  ///< names of the keys, separated by spaces; combinations such as Ctrl+C
  std::string_view meaning;
};
struct KeyHelpGroup {
  std::string_view title;
  std::span<const KeyHelp> rows;
};
std::span<const KeyHelpGroup> key_help();

}  // namespace pericenter::app

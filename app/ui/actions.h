#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace pericenter::app {

/// What a key or a button of the panel asks for.
enum class Action {
  toggle_play,
  single_step,
  reset,
  fit,
  toggle_panel,
  toggle_keys,
  toggle_tree,
  toggle_halo,
  toggle_trails,
  toggle_guides,
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

/// An action; `number` is the row of scenes() that load_scene means, or the place of a saved camera.
struct Command {
  Action action;
  int number = 0;

  friend bool operator==(const Command&, const Command&) = default;
};

/// A key as GLFW reports it.
struct KeyPress {
  int key = 0;                 ///< GLFW_KEY_*: the place on a US keyboard
  std::string_view name = {};  ///< what the user's layout prints on it without shift; empty when it prints nothing
  int mods = 0;                ///< GLFW_MOD_*
  bool repeat = false;         ///< the key is being held
};

/// The command of a key that prints nothing, a digit, or a Ctrl combination. While text is being typed
/// (`typing`) only function keys and Ctrl combinations count.
std::optional<Command> command_of_key(const KeyPress& press, bool typing);

/// The command of a printed character; characters rather than keys, so that `?` and `[` work on every keyboard layout.
std::optional<Command> command_of_character(unsigned codepoint, bool repeat, bool typing);

/// One row of the key sheet.
struct KeyHelp {
  std::string_view keys;  ///< key caps, separated by blanks
  std::string_view meaning;
};
struct KeyHelpGroup {
  std::string_view title;
  std::span<const KeyHelp> rows;
};
std::span<const KeyHelpGroup> key_help();

}  // namespace pericenter::app

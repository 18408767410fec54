#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pericenter::app {

/// Everything that a key or a button can do, one per row of the table.
enum class Action {
#define ROW(action, ...) action,
#include "app/ui/action_table.inc"
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
  std::string keys;  ///< names of the keys, separated by spaces; combinations such as Ctrl+C
  std::string_view meaning;
};
struct KeyHelpGroup {
  std::string_view title;
  std::vector<KeyHelp> rows = {};
};
const std::vector<KeyHelpGroup>& key_help();

}  // namespace pericenter::app

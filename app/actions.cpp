#include "app/actions.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace pericenter::app {
namespace {

std::optional<Command> command_of_control_key(const KeyPress& press) {
  const bool plus = press.key == GLFW_KEY_EQUAL || press.key == GLFW_KEY_KP_ADD || press.name == "+";
  const bool minus = press.key == GLFW_KEY_MINUS || press.key == GLFW_KEY_KP_SUBTRACT || press.name == "-";
  if (press.name == "q" && !press.repeat) return Command{Action::quit};
  if (plus) return Command{Action::scale_up};
  if (minus) return Command{Action::scale_down};
  if (press.key == GLFW_KEY_0 || press.key == GLFW_KEY_KP_0) return Command{Action::scale_reset};
  return {};
}

std::optional<Command> command_of_plain_key(const KeyPress& press) {
  if (press.key == GLFW_KEY_SPACE) return Command{Action::toggle_play};
  if (press.key == GLFW_KEY_ESCAPE) return Command{Action::close_dialogs};
  if (press.key >= GLFW_KEY_1 && press.key <= GLFW_KEY_9) return Command{Action::load_scene, press.key - GLFW_KEY_1};
  if (press.key >= GLFW_KEY_KP_1 && press.key <= GLFW_KEY_KP_9)
    return Command{Action::load_scene, press.key - GLFW_KEY_KP_1};
  return {};
}

constexpr KeyHelp kRunKeys[] = {
    {"Space", "play and pause"},    {".", "one step"},
    {"R", "start the scene again"}, {"[ ]", "fewer, more steps a picture"},
    {"1 – 9", "load a scene"},
};
constexpr KeyHelp kLookKeys[] = {
    {"F", "show the whole scene"}, {"T", "show the tree"},    {"H", "hide the panel"},
    {"F11", "full screen"},        {"F12", "save a picture"},
};
constexpr KeyHelp kProgramKeys[] = {
    {"Ctrl =", "larger panel"},
    {"Ctrl -", "smaller panel"},
    {"Ctrl 0", "panel at its first size"},
    {"F5", "read the shaders again (--shader-dir)"},
    {"?", "this sheet"},
    {"Esc", "close this sheet"},
    {"Ctrl Q", "quit"},
};
constexpr KeyHelp kMouseKeys[] = {
    {"Left drag", "turn"},
    {"Right drag", "move (also middle, Shift)"},
    {"Wheel", "closer, farther"},
    {"Double click", "show the whole scene"},
    {"Ctrl click", "type the number of a slider"},
};
constexpr KeyHelpGroup kGroups[] = {
    {"Time", kRunKeys},
    {"Picture", kLookKeys},
    {"Mouse", kMouseKeys},
    {"Program", kProgramKeys},
};

}  // namespace

std::optional<Command> command_of_key(const KeyPress& press, bool typing) {
  if (press.mods & GLFW_MOD_ALT) return {};
  if (press.mods & GLFW_MOD_CONTROL) return command_of_control_key(press);
  if (press.repeat) return {};
  if (press.key == GLFW_KEY_F5) return Command{Action::reload_shaders};
  if (press.key == GLFW_KEY_F11) return Command{Action::full_screen};
  if (press.key == GLFW_KEY_F12) return Command{Action::screenshot};
  return typing ? std::nullopt : command_of_plain_key(press);
}

std::optional<Command> command_of_character(unsigned codepoint, bool repeat, bool typing) {
  if (typing) return {};
  switch (codepoint) {
    case '.':
      return Command{Action::single_step};
    case '[':
      return Command{Action::fewer_steps};
    case ']':
      return Command{Action::more_steps};
    default:
      break;
  }
  if (repeat) return {};
  switch (codepoint) {
    case '?':
      return Command{Action::toggle_keys};
    case 'r':
    case 'R':
      return Command{Action::reset};
    case 'f':
    case 'F':
      return Command{Action::fit};
    case 'h':
    case 'H':
      return Command{Action::toggle_panel};
    case 't':
    case 'T':
      return Command{Action::toggle_tree};
    default:
      return {};
  }
}

std::span<const KeyHelpGroup> key_help() {
  return kGroups;
}

}  // namespace pericenter::app

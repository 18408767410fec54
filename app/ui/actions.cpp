#include "app/ui/actions.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace pericenter::app {
namespace {

constexpr int kCameraKeys = 8;

/// 0 to 9, or -1 for another key.
int digit(const KeyPress& press) {
  if (press.key >= GLFW_KEY_0 && press.key <= GLFW_KEY_9) return press.key - GLFW_KEY_0;
  if (press.key >= GLFW_KEY_KP_0 && press.key <= GLFW_KEY_KP_9) return press.key - GLFW_KEY_KP_0;
  return -1;
}

std::optional<Command> command_of_control_key(const KeyPress& press, bool typing) {
  const bool plus = press.key == GLFW_KEY_EQUAL || press.key == GLFW_KEY_KP_ADD || press.name == "+";
  const bool minus = press.key == GLFW_KEY_MINUS || press.key == GLFW_KEY_KP_SUBTRACT || press.name == "-";
  if (const int number = digit(press); number >= 1 && number <= kCameraKeys && !press.repeat)
    return Command{Action::save_camera, number - 1};
  if (press.name == "o" && !press.repeat) return Command{Action::open_file};
  if (press.name == "s" && !press.repeat) return Command{Action::save_snapshot};
  if (press.name == "q" && !press.repeat) return Command{Action::quit};
  if (press.name == "z" && !typing) return Command{Action::undo};
  if (press.name == "c" && !press.repeat && !typing) return Command{Action::copy_scene};
  if (press.name == "v" && !press.repeat && !typing) return Command{Action::paste_scene};
  if (plus) return Command{Action::scale_up};
  if (minus) return Command{Action::scale_down};
  if (press.key == GLFW_KEY_0 || press.key == GLFW_KEY_KP_0) return Command{Action::scale_reset};
  return {};
}

std::optional<Command> command_of_plain_key(const KeyPress& press) {
  if (press.key == GLFW_KEY_SPACE) return Command{Action::toggle_play};
  if (press.key == GLFW_KEY_ESCAPE) return Command{Action::close_dialogs};
  if (press.key == GLFW_KEY_PAGE_DOWN || press.key == GLFW_KEY_RIGHT) return Command{Action::next};
  if (press.key == GLFW_KEY_PAGE_UP || press.key == GLFW_KEY_LEFT) return Command{Action::previous};
  if (press.key == GLFW_KEY_BACKSPACE) return Command{Action::run_backwards};
  const int number = digit(press);
  if (number < 1) return {};
  if (!(press.mods & GLFW_MOD_SHIFT)) return Command{Action::load_scene, number - 1};
  if (number <= kCameraKeys) return Command{Action::go_to_camera, number - 1};
  return {};
}

constexpr KeyHelp kTimeKeys[] = {
    {"Space", "play or pause"},
    {", .", "step back, step forward"},
    {"Ctrl+Z", "undo a change of settings, a reset, a new scene"},
    {"R", "restart the scene"},
    {"→ ←", "next scene, back to the event before"},
    {"Backspace", "run backwards to the start"},
    {"[ ]", "fewer, more steps per frame"},
    {"1 – 9", "load a scene"},
    {"Ctrl+C", "copy the scene string"},
    {"Ctrl+V", "paste a scene string"},
};
constexpr KeyHelp kLabKeys[] = {
    {"- +", "smaller, larger opening angle θ"}, {"O", "next algorithm"}, {"J", "plots"},
    {"C", "compare two settings: A and B"},     {"X", "swap A and B"},   {"N", "narrator on or off"},
};
constexpr KeyHelp kViewKeys[] = {
    {"F", "fit the scene to the view"},
    {"I", "next colour of the stars"},
    {"T", "show the tree"},
    {"M", "show the dark halo"},
    {"P", "show trails"},
    {"G", "grid and axes"},
    {"U", "labels of galaxies and planets"},
    {"H", "hide the panel"},
    {"L", "light or dark theme"},
    {"F11", "full screen"},
    {"F12", "save an image"},
    {"Shift+F12", "save an image with the panel"},
    {"F9", "start or stop a video"},
};
constexpr KeyHelp kCameraHelp[] = {
    {"V", "fly or orbit"},
    {"W A S D", "fly: forward, left, back, right"},
    {"Q E", "fly: down, up"},
    {"Ctrl+1 – 8", "save this view"},
    {"Shift+1 – 8", "go to a saved view"},
    {"K", "add this view to the path"},
};
constexpr KeyHelp kProgramKeys[] = {
    {"Tab", "enter the panel: arrows, Space and Enter operate it"},
    {"Ctrl+O", "open particle data"},
    {"Ctrl+S", "save a snapshot"},
    {"Ctrl+=", "larger panel"},
    {"Ctrl+-", "smaller panel"},
    {"Ctrl+0", "default panel size"},
    {"F5", "reload shaders (--shader-dir)"},
    {"?", "keyboard shortcuts"},
    {"Esc", "close a list, leave the panel, cancel, clear marks"},
    {"Ctrl+Q", "quit"},
};
constexpr KeyHelp kLessonKeys[] = {
    {"F6", "list of lessons"},
    {"PageDown →", "in a lesson: next"},
    {"PageUp ←", "in a lesson: the slide before"},
    {"1 – 4", "in a lesson: the prediction"},
    {"? M", "in a lesson: teacher's note, wording"},
    {"B", "black screen"},
};
constexpr KeyHelp kMouseKeys[] = {
    {"Left drag", "rotate"},
    {"Left click", "probe a star"},
    {"Right drag", "pan (also middle button, Shift)"},
    {"Wheel", "zoom"},
    {"Ctrl+drag", "mark stars (Ctrl+wheel: size of the brush)"},
    {"Double click", "fit the scene to the view"},
    {"Ctrl+click", "type the value of a slider"},
};
constexpr KeyHelpGroup kGroups[] = {
    {"Time", kTimeKeys},   {"Lab", kLabKeys},        {"View", kViewKeys},       {"Camera", kCameraHelp},
    {"Mouse", kMouseKeys}, {"Lessons", kLessonKeys}, {"Program", kProgramKeys},
};

}  // namespace

std::optional<Command> command_of_key(const KeyPress& press, bool typing) {
  if (press.mods & GLFW_MOD_ALT) return {};
  if (press.mods & GLFW_MOD_CONTROL) return command_of_control_key(press, typing);
  if (press.repeat) return {};
  if (press.key == GLFW_KEY_F5) return Command{Action::reload_shaders};
  if (press.key == GLFW_KEY_F6) return Command{Action::toggle_lessons};
  if (press.key == GLFW_KEY_F11) return Command{Action::full_screen};
  if (press.key == GLFW_KEY_F9) return Command{Action::toggle_recording};
  if (press.key == GLFW_KEY_F12) {
    return Command{press.mods & GLFW_MOD_SHIFT ? Action::screenshot_with_panel : Action::screenshot};
  }
  return typing ? std::nullopt : command_of_plain_key(press);
}

bool is_panel_key(const KeyPress& press) {
  if (press.mods & (GLFW_MOD_CONTROL | GLFW_MOD_ALT)) return false;
  switch (press.key) {
    case GLFW_KEY_LEFT:
    case GLFW_KEY_RIGHT:
    case GLFW_KEY_UP:
    case GLFW_KEY_DOWN:
    case GLFW_KEY_SPACE:
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER:
    case GLFW_KEY_HOME:
    case GLFW_KEY_END:
      return true;
    default:
      return false;
  }
}

std::optional<Command> command_of_character(unsigned codepoint, bool repeat, bool typing) {
  if (typing) return {};
  switch (codepoint) {
    case '.':
      return Command{Action::single_step};
    case ',':
      return Command{Action::step_back};
    case '[':
      return Command{Action::fewer_steps};
    case ']':
      return Command{Action::more_steps};
    case '-':
      return Command{Action::theta_down};
    case '+':
    case '=':
      return Command{Action::theta_up};
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
    case 'b':
    case 'B':
      return Command{Action::toggle_blank};
    case 'n':
    case 'N':
      return Command{Action::toggle_narrator};
    case 'o':
    case 'O':
      return Command{Action::next_solver};
    case 'i':
    case 'I':
      return Command{Action::next_color};
    case 'j':
    case 'J':
      return Command{Action::toggle_drawer};
    case 'c':
    case 'C':
      return Command{Action::toggle_comparison};
    case 'x':
    case 'X':
      return Command{Action::swap_comparison};
    case 'f':
    case 'F':
      return Command{Action::fit};
    case 'h':
    case 'H':
      return Command{Action::toggle_panel};
    case 'm':
    case 'M':
      return Command{Action::toggle_halo};
    case 'p':
    case 'P':
      return Command{Action::toggle_trails};
    case 'g':
    case 'G':
      return Command{Action::toggle_guides};
    case 'u':
    case 'U':
      return Command{Action::toggle_labels};
    case 'l':
    case 'L':
      return Command{Action::toggle_theme};
    case 'v':
    case 'V':
      return Command{Action::toggle_fly};
    case 'k':
    case 'K':
      return Command{Action::add_camera_key};
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

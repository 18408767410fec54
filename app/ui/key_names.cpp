#include "app/ui/key_names.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include "app/ui/ui_state.h"

namespace pericenter::app {
namespace {

constexpr double kShownSeconds = 2;

constexpr std::array<std::pair<int, std::string_view>, 17> kNames = {{
    {GLFW_KEY_SPACE, "Space"},
    {GLFW_KEY_ESCAPE, "Esc"},
    {GLFW_KEY_ENTER, "Enter"},
    {GLFW_KEY_KP_ENTER, "Enter"},
    {GLFW_KEY_TAB, "Tab"},
    {GLFW_KEY_BACKSPACE, "Backspace"},
    {GLFW_KEY_INSERT, "Ins"},
    {GLFW_KEY_DELETE, "Del"},
    {GLFW_KEY_RIGHT, "→"},
    {GLFW_KEY_LEFT, "←"},
    {GLFW_KEY_UP, "↑"},
    {GLFW_KEY_DOWN, "↓"},
    {GLFW_KEY_PAGE_UP, "PageUp"},
    {GLFW_KEY_PAGE_DOWN, "PageDn"},
    {GLFW_KEY_HOME, "Home"},
    {GLFW_KEY_END, "End"},
    {GLFW_KEY_PRINT_SCREEN, "PrtSc"},
}};

std::string in_capitals(std::string_view name) {
  std::string capitals(name);
  if (capitals.size() == 1) capitals[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(capitals[0])));
  return capitals;
}

/// Without modifiers; empty for a key that types a character.
std::string plain_name(int key) {
  for (const auto& [named, name] : kNames)
    if (named == key) return std::string(name);
  if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F25) return "F" + std::to_string(key - GLFW_KEY_F1 + 1);
  return {};
}

std::string utf8(unsigned codepoint) {
  std::string bytes;
  const auto add = [&](unsigned byte) { bytes += static_cast<char>(byte); };
  if (codepoint < 0x80) {
    add(codepoint);
  } else if (codepoint < 0x800) {
    add(0xC0 | codepoint >> 6), add(0x80 | (codepoint & 0x3F));
  } else if (codepoint < 0x10000) {
    add(0xE0 | codepoint >> 12), add(0x80 | (codepoint >> 6 & 0x3F)), add(0x80 | (codepoint & 0x3F));
  }
  return bytes;
}

}  // namespace

std::string key_name(const KeyPress& press) {
  if (press.repeat) return {};
  const bool control = press.mods & GLFW_MOD_CONTROL;
  std::string name = plain_name(press.key);
  if (name.empty() && control) name = in_capitals(press.name);
  if (name.empty()) return {};
  if (press.mods & GLFW_MOD_SHIFT) name = "Shift+" + name;
  if (press.mods & GLFW_MOD_ALT) name = "Alt+" + name;
  return control ? "Ctrl+" + name : name;
}

std::string character_name(unsigned codepoint) {
  return codepoint == ' ' ? std::string() : in_capitals(utf8(codepoint));
}

void show_key(const std::string& name, double now, UiState& ui) {
  if (ui.presentation.shows_keys && !name.empty()) ui.presentation.keys.push_back({name, now + kShownSeconds});
}

}  // namespace pericenter::app

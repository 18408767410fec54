#include "app/ui/actions.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>

#include "app/ui/key_names.h"

namespace pericenter::app {
namespace {

enum class Held { once, repeats };

/// A group of the key sheet, a row in it, or an action.
struct ActionRow {
  std::string_view group, keys = {}, meaning = {};
  std::optional<Action> action = {};
  Held held = Held::once;
};

constexpr ActionRow kActionRows[] = {
#define ROW(action, keys, held, meaning, lesson, station) {"", keys, meaning, Action::action, Held::held},
#define GROUP(title) {title},
#define HELP(keys, meaning) {"", keys, meaning},
#include "app/ui/action_table.inc"
};

/// 0 if `keys` is this key, its place if `keys` is a range such as "Ctrl+1 – 8", negative if it is another one.
int place_in(std::string_view keys, std::string_view name) {
  if (name == keys) return 0;
  const std::size_t dash = keys.find(" – ");
  const bool fits = dash == name.size() && keys.substr(0, dash - 1) == name.substr(0, dash - 1);
  return fits && name.back() <= keys.back() ? name.back() - keys[dash - 1] : -1;
}

std::optional<Command> command_named(std::string_view name, bool repeat) {
  for (const ActionRow& row : kActionRows) {
    if (name.empty() || !row.action || (repeat && row.held == Held::once)) continue;
    if (const int number = place_in(row.keys, name); number >= 0) return Command{*row.action, number};
  }
  return {};
}

/// "0" to "9", or empty for another key.
std::string digit_name(int key) {
  if (key >= GLFW_KEY_0 && key <= GLFW_KEY_9) return std::to_string(key - GLFW_KEY_0);
  return key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_9 ? std::to_string(key - GLFW_KEY_KP_0) : "";
}

/// What the table may call a key, the likeliest first.
using Names = std::array<std::string, 2>;

Names names_of_plain_key(const KeyPress& press) {
  const std::string digit = digit_name(press.key), shift = press.mods & GLFW_MOD_SHIFT ? "Shift+" : "";
  if (!digit.empty()) return {shift + digit};
  const bool next = press.key == GLFW_KEY_PAGE_DOWN, previous = press.key == GLFW_KEY_PAGE_UP;
  const std::string name = key_name({.key = next ? GLFW_KEY_RIGHT : previous ? GLFW_KEY_LEFT : press.key});
  return {shift + name, name};
}

/// Digits count by their place, other keys by their character, and if that does nothing, by their place.
Names names_of_control_key(const KeyPress& press) {
  const std::string character = key_name({.name = press.name == "+" ? "=" : press.name, .mods = GLFW_MOD_CONTROL});
  const std::string digit = digit_name(press.key);
  if (!digit.empty() && digit != "0") return {"Ctrl+" + digit, character};
  if (!digit.empty()) return {character, "Ctrl+0"};
  if (press.key == GLFW_KEY_EQUAL || press.key == GLFW_KEY_KP_ADD) return {character, "Ctrl+="};
  if (press.key == GLFW_KEY_MINUS || press.key == GLFW_KEY_KP_SUBTRACT) return {character, "Ctrl+-"};
  return {character};
}

Names names_of_key(const KeyPress& press) {
  return press.mods & GLFW_MOD_CONTROL ? names_of_control_key(press) : names_of_plain_key(press);
}

bool edits_text(const KeyPress& press, std::string_view name) {
  if (press.mods & GLFW_MOD_CONTROL) return name == "Ctrl+C" || name == "Ctrl+V" || name == "Ctrl+Z";
  return press.key < GLFW_KEY_F1 || press.key > GLFW_KEY_F25;
}

std::vector<KeyHelpGroup> key_sheet() {
  std::vector<KeyHelpGroup> groups;
  for (const ActionRow& row : kActionRows) {
    if (!row.group.empty()) groups.push_back({row.group});
    if (!row.meaning.empty()) {
      groups.back().rows.push_back({std::string(row.keys), row.meaning});
    } else if (!row.keys.empty()) {
      groups.back().rows.back().keys.append(" ").append(row.keys);
    }
  }
  return groups;
}

}  // namespace

std::optional<Command> command_of_key(const KeyPress& press, bool typing) {
  if (press.mods & GLFW_MOD_ALT) return {};
  for (const std::string& name : names_of_key(press)) {
    if (typing && edits_text(press, name)) continue;
    if (const auto command = command_named(name, press.repeat)) return command;
  }
  return {};
}

bool is_panel_key(const KeyPress& press) {
  constexpr std::array kPanelKeys = {GLFW_KEY_LEFT,  GLFW_KEY_RIGHT,    GLFW_KEY_UP,   GLFW_KEY_DOWN, GLFW_KEY_SPACE,
                                     GLFW_KEY_ENTER, GLFW_KEY_KP_ENTER, GLFW_KEY_HOME, GLFW_KEY_END};
  return !(press.mods & (GLFW_MOD_CONTROL | GLFW_MOD_ALT)) && std::ranges::count(kPanelKeys, press.key) > 0;
}

std::optional<Command> command_of_character(unsigned codepoint, bool repeat, bool typing) {
  if (typing || codepoint > 127 || (codepoint >= '0' && codepoint <= '9')) return {};
  return command_named(character_name(codepoint == '=' ? '+' : codepoint), repeat);
}

const std::vector<KeyHelpGroup>& key_help() {
  static const std::vector<KeyHelpGroup> kSheet = key_sheet();
  return kSheet;
}

}  // namespace pericenter::app

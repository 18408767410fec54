#pragma once

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "app/base/enum_names.h"
#include "app/ui/ui_state.h"

// Controls of the panel. Each one has a tooltip and an ID.
namespace pericenter::app::widgets {

/// `id`: stable and unique; tests address the control by it. `label`: the visible text, which may change. `tip`: what
/// the control does, then what it costs.
struct Control {
  std::string_view id, label, tip;
};

/// Flags of a bar at an edge of the window.
inline constexpr ImGuiWindowFlags kBarFlags =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoFocusOnAppearing;

/// Whether this key was pressed down in this frame, or with `repeat` repeats.
bool pressed(ImGuiKey key, bool repeat = false);
/// Whether one of the Enter keys was pressed. Unlike ImGuiInputTextFlags_EnterReturnsTrue it does not repeat.
bool enter_pressed();

/// Whether Enter has ended typing in the last ImGui item, a text or number field.
bool entered();

/// Records the rectangle of the last ImGui item, a text for the class: a tooltip would cover what they read.
void record_text(Desk& desk, std::string_view id, std::string_view label);

/// Adds the tooltip to the last ImGui item and records its rectangle. Call it after an item that is drawn directly.
/// `needed`: as ItemLog::Item.
void describe(Desk& desk, const Control& control, float needed = 0);

/// The same for an item on which every place means something else: `here`, what is at the cursor, is shown at once and
/// while the item is dragged, above the cursor; the tooltip is added while the cursor is still. After some seconds both
/// go, until the cursor moves.
void describe_at_cursor(Desk& desk, const Control& control, const std::string& here);

/// Pixels of a text, and of a button with it.
float text_width(std::string_view text);
float button_width(std::string_view label);

/// Receives the mouse and draws nothing; describe() follows. At least one pixel wide and high, because Dear ImGui takes
/// 0 for a defect, and a narrow window leaves no room.
bool invisible_button(const std::string& name, ImVec2 size);
bool button(Desk& desk, const Control& control, ImVec2 size, bool enabled = true);
/// A button in the accent colour, for the most likely action.
bool main_button(Desk& desk, const Control& control, ImVec2 size, bool enabled = true);
/// The same, with a command for the application.
void button(Desk& desk, const Control& control, ImVec2 size, const Command& command, bool enabled = true);
void main_button(Desk& desk, const Control& control, ImVec2 size, const Command& command, bool enabled = true);
bool checkbox(Desk& desk, const Control& control, bool& value);
/// A collapsible heading, which leaves `free` pixels at its right end for other items. Returns whether its content is
/// visible.
bool section(Desk& desk, const Control& control, bool open_by_default, float free = 0);

/// A single-line text field without a label; `hint` is shown while it is empty. Returns whether the text changed, or
/// with ImGuiInputTextFlags_EnterReturnsTrue whether Enter was pressed.
bool text_field(Desk& desk, const Control& control, std::string& text, const char* hint, ImGuiInputTextFlags flags = 0);

/// Draws the label of a row; the next item fills the rest of the row.
void row(Desk& desk, const Control& control);
/// Moves to the column of the controls, for a row without a label.
void indent();
/// A checkbox in that column, or farther left if its label needs more room.
bool indented_checkbox(Desk& desk, const Control& control, bool& value);

struct Range {
  double low, high;
  const char* format = "%.3g";
  bool logarithmic = false;
  bool editable = true;  ///< Ctrl+click types a number
};
/// The value is drawn at the right end of the slider, or at the left end while the handle covers it.
template <class Number>  // double, float or int
bool slider(Desk& desk, const Control& control, Number& value, const Range& range);
/// A slider without a row of its own.
template <class Number>
bool bare_slider(Desk& desk, const Control& control, Number& value, const Range& range);

/// A combo box. Call choice() for each entry and end_combo() only if this returns true. The ID of an entry is
/// "combo/entry". The label is above the box if `preview` does not fit beside it.
bool begin_combo(Desk& desk, const Control& control, const char* preview);
/// With the label above the box if the widest entry, `widest` pixels, does not fit beside it: the label then stays in
/// its place when another entry is chosen.
bool begin_wide_combo(Desk& desk, const Control& control, const char* preview, float widest);
/// An entry; `disabled_because` is its tooltip while it is disabled, and empty while it is enabled.
bool choice(Desk& desk, const Control& control, bool chosen, std::string_view disabled_because = {});
/// An entry without a text of its own, of this height: the caller draws into the rectangle of the last item.
bool tall_choice(Desk& desk, const Control& control, bool chosen, float height);
void end_combo(Desk& desk);

/// A combo box of the values of an enum. Returns whether the value changed.
template <class Enum, std::size_t Count>
bool enum_combo(Desk& desk, const Control& control, Enum& value, const std::array<EnumName, Count>& table) {
  const std::size_t now = static_cast<std::size_t>(value);
  const std::string tip = std::string(control.tip) + "\n" + table[now].title + ": " + table[now].tip;
  float widest = 0;
  for (const EnumName& name : table) widest = std::max(widest, ImGui::CalcTextSize(name.title).x);
  if (!begin_wide_combo(desk, {control.id, control.label, tip}, table[now].title, widest)) return false;
  bool changed = false;
  for (std::size_t k = 0; k < Count; ++k) {
    if (!choice(desk, {table[k].name, table[k].title, table[k].tip}, k == now)) continue;
    value = static_cast<Enum>(k);
    changed = true;
  }
  end_combo(desk);
  return changed;
}

/// Text that wraps at `wrap`, an x coordinate of the window as for ImGui::PushTextWrapPos().
void colored_text(std::string_view words, const ImVec4& color, float wrap = -1);
/// A dim title within a section or a combo box.
void heading(const char* label);

/// The part of `line` that fits into `width` pixels, cut between two UTF-8 characters.
std::string fitted(std::string line, float width);

/// "label  value" on one line; the value wraps if the line is full.
void readout(Desk& desk, const Control& control, const std::string& value);
/// Places the next item in the right half of the line if the last item leaves room for it.
void right_half();

/// Text, the label of `control`, that wraps at the edge of the panel; dim without a colour.
void paragraph(Desk& desk, const Control& control, const ImVec4& color);
void paragraph(Desk& desk, const Control& control);

struct Bar {
  float share = 0;  ///< share of the full width, 0 to 1
  std::string value;
  ImVec4 color = {};
};
/// Label and value above a horizontal bar. A long label wraps.
void bar(Desk& desk, const Control& control, const Bar& bar);

}  // namespace pericenter::app::widgets

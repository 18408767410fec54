#pragma once

#include <imgui.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "app/base/enum_names.h"
#include "app/ui/ui_state.h"

namespace pericenter::app::widgets {

// Every control of the panel goes through one of these, which is why each has a tooltip: `tip` says what the control
// does to speed and to accuracy. Labels are unique within the panel; those of rows stand in a column on the left.

/// A tooltip for the last item, and a line in the log of the tests. Call it after an item that is made by hand.
void note(UiState& ui, const char* label, std::string_view tip);

bool button(UiState& ui, const char* label, ImVec2 size, std::string_view tip);
/// A button in the accent colour: what one most likely wants to press.
bool main_button(UiState& ui, const char* label, ImVec2 size, std::string_view tip);
bool checkbox(UiState& ui, const char* label, bool& value, std::string_view tip);
/// Heading of a section that folds. `tip` says what the section is for.
bool section(UiState& ui, const char* label, bool open_at_first, std::string_view tip);

/// A line of text, as wide as SetNextItemWidth() says; `hint` stands in it while it is empty. True while it is edited,
/// or with ImGuiInputTextFlags_EnterReturnsTrue on Enter.
bool text_field(UiState& ui, const char* label, std::string& text, const char* hint, std::string_view tip,
                ImGuiInputTextFlags flags = 0);

/// Starts a row: its label on the left; the next item fills the rest.
void row(UiState& ui, const char* label, std::string_view tip);

/// Moves to the column of the controls, for a row without a label.
void indent();

struct Range {
  double low, high;
  const char* format = "%.3g";
  bool logarithmic = false;
};
/// Only the slider, without label and tooltip. Its value stands at the right end, or at the left while the handle is
/// there.
bool bare_slider(const char* id, double& value, const Range& range, ImGuiSliderFlags flags = ImGuiSliderFlags_None);
bool slider(UiState& ui, const char* label, double& value, const Range& range, std::string_view tip);
bool slider(UiState& ui, const char* label, float& value, const Range& range, std::string_view tip);
bool slider(UiState& ui, const char* label, int& value, const Range& range, std::string_view tip);

/// A combo box. Between begin and end come choice() calls; end only when begin returned true.
bool begin_combo(UiState& ui, const char* label, const char* preview, std::string_view tip);
/// Two in one row where the panel is wide enough, else below each other: in a row the right one has no label, so its
/// choices must speak for themselves.
bool begin_left_combo(UiState& ui, const char* label, const char* preview, std::string_view tip);
bool begin_right_combo(UiState& ui, const char* label, const char* preview, std::string_view tip);
/// With its label above it where the longest choice, `widest` pixels, does not fit beside it.
bool begin_wide_combo(UiState& ui, const char* label, const char* preview, float widest, std::string_view tip);
/// The name of what follows: choices of a combo box, or a part of a section.
void heading(const char* label);
/// `disabled_because` is not empty: greyed, and the tooltip says why.
bool choice(UiState& ui, const char* label, bool chosen, std::string_view tip, std::string_view disabled_because = {});
void end_combo();

/// A combo box over the values of an enum; true when another was chosen.
template <class Enum, std::size_t Count>
bool enum_combo(UiState& ui, const char* label, Enum& value, const std::array<const char*, Count>& names,
                const std::array<const char*, Count>& tips) {
  const std::size_t now = static_cast<std::size_t>(value);
  if (!begin_combo(ui, label, names[now], tips[now])) return false;
  bool changed = false;
  for (std::size_t k = 0; k < Count; ++k) {
    if (!choice(ui, names[k], k == now, tips[k])) continue;
    value = static_cast<Enum>(k);
    changed = true;
  }
  end_combo();
  return changed;
}

template <class Enum, std::size_t Count>
bool enum_combo(UiState& ui, const char* label, Enum& value, const std::array<EnumName, Count>& table) {
  std::array<const char*, Count> titles, tips;
  for (std::size_t k = 0; k < Count; ++k) {
    titles[k] = table[k].title;
    tips[k] = table[k].tip;
  }
  return enum_combo(ui, label, value, titles, tips);
}

/// "name    value" in one line, the name dim; the value wraps where there is no room. The tooltip explains the number.
void readout(UiState& ui, const char* label, const std::string& value, std::string_view tip);

/// Goes on in the right half of the last item's line; in a new line where that item reaches into it.
void right_half();

/// Words that are no control, wrapped at the edge of the panel.
void paragraph(UiState& ui, const char* label, const std::string& words, ImVec4 color, std::string_view tip);

struct Bar {
  float share = 0;  ///< of the whole width, 0 to 1
  std::string words, number;
  ImVec4 color = {};
};
/// Words and a number above a bar. Words that are too long take a second line.
void bar(UiState& ui, const char* label, const Bar& bar, std::string_view tip);

}  // namespace pericenter::app::widgets

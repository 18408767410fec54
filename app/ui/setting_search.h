#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

struct ImGuiWindow;

namespace pericenter::app {

/// Shows of each panel only the lines with a control whose label or tooltip has the words that are searched for, or all
/// lines if they are in the title. A panel is drawn as usual; a line without a match is clipped and takes no room.
/// Which lines a panel has is known from the last time it was drawn.
class SettingSearch {
 public:
  std::string words;         ///< empty: off
  bool wants_focus = false;  ///< the field gets the keyboard in the next frame

  bool on() const { return !words.empty(); }
  /// Once per frame: whether the words have changed, so that every panel is to be drawn again.
  bool take_change();
  /// Whether the panel has a match.
  bool finds(std::string_view panel) const;

  /// Before and after the controls of a panel, in the same window.
  void begin(std::string_view panel, std::string_view title);
  void end();
  /// After each control.
  void visit(std::string_view id, std::string_view label, std::string_view tip);
  /// An open list: its control is visited when it ends, because the entries are not in the panel.
  void list_begins(std::string_view id, std::string_view label, std::string_view tip) {
    list_ = {std::string(id), std::string(label), std::string(tip)};
  }
  void list_ends() { visit(list_[0], list_[1], list_[2]); }
  /// Whether the last item is in a line that is left out.
  bool hides() const { return hides_; }

 private:
  struct Control {
    std::string id, text;  ///< `text`: title, label and tooltip, in lower case
    int line = 0;
  };
  using Lines = std::vector<Control>;

  bool matches(const Control& control) const;
  bool shows(const Lines& lines, int line) const;
  void hide(bool hides);

  std::map<std::string, Lines, std::less<>> panels_;
  std::string last_words_;

  // While a panel is drawn.
  ImGuiWindow* window_ = nullptr;  ///< null: none
  std::string panel_, title_;
  Lines known_, drawn_;
  std::array<std::string, 3> list_;
  float end_of_line_ = 0;
  bool hides_ = false, new_line_ = false;
  float cursor_x_ = 0, cursor_y_ = 0, max_x_ = 0, max_y_ = 0;  ///< layout of ImGui before the hidden lines
};

}  // namespace pericenter::app

#include "app/ui/setting_search.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <utility>

namespace pericenter::app {
namespace {

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

bool SettingSearch::take_change() {
  return std::exchange(last_words_, words) != words;
}

bool SettingSearch::matches(const Control& control) const {
  std::istringstream wanted(lower_case(words));
  for (std::string word; wanted >> word;)
    if (control.text.find(word) == std::string::npos) return false;
  return true;
}

bool SettingSearch::shows(const Lines& lines, int line) const {
  return std::ranges::any_of(lines, [&](const Control& each) { return each.line == line && matches(each); });
}

bool SettingSearch::finds(std::string_view panel) const {
  const auto found = panels_.find(panel);
  return found != panels_.end() && std::ranges::any_of(found->second, [&](const Control& c) { return matches(c); });
}

void SettingSearch::begin(std::string_view panel, std::string_view title) {
  window_ = ImGui::GetCurrentWindow();
  panel_ = panel;
  title_ = title;
  known_ = std::move(panels_[panel_]);
  drawn_.clear();
  new_line_ = true;
  hide(known_.empty() || !shows(known_, known_.front().line));
}

void SettingSearch::end() {
  hide(false);
  panels_[panel_] = std::move(drawn_);
  window_ = nullptr;
}

void SettingSearch::hide(bool hides) {
  if (std::exchange(hides_, hides) == hides) return;
  new_line_ = true;
  ImGuiWindowTempData& layout = window_->DC;
  if (hides) {
    cursor_x_ = layout.CursorPos.x, cursor_y_ = layout.CursorPos.y;
    max_x_ = layout.CursorMaxPos.x, max_y_ = layout.CursorMaxPos.y;
    ImGui::PushClipRect({0, 0}, {0, 0}, false);
  } else {
    ImGui::PopClipRect();
    layout.CursorPos = {cursor_x_, cursor_y_};
    layout.CursorMaxPos = {max_x_, max_y_};
  }
}

void SettingSearch::visit(std::string_view id, std::string_view label, std::string_view tip) {
  if (!window_ || ImGui::GetCurrentWindow() != window_) return;
  const float top = ImGui::GetItemRectMin().y, end = ImGui::GetItemRectMax().y;
  const bool same_line = !std::exchange(new_line_, false) && !drawn_.empty() && top < end_of_line_ - 1;
  end_of_line_ = same_line ? std::max(end_of_line_, end) : end;
  const int line = drawn_.empty() ? 0 : drawn_.back().line + (same_line ? 0 : 1);
  drawn_.push_back({std::string(id), lower_case(title_ + ' ' + std::string(label) + ' ' + std::string(tip)), line});
  const auto here = std::ranges::find(known_, id, &Control::id);
  if (here == known_.end()) return;
  if (here + 1 == known_.end()) return hide(true);
  if ((here + 1)->line != here->line) hide(!shows(known_, (here + 1)->line));
}

}  // namespace pericenter::app

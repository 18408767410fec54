#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/bars/bars.h"
#include "app/ui/actions.h"

namespace pericenter::app {
namespace {

constexpr float kKeysEms = 8, kColumnEms = 21.5f;
constexpr int kMaxColumns = 3;

void key_caps(std::string_view keys, const UiState& ui) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float em = ImGui::GetFontSize();
  const ImVec2 padding{0.45f * em, 0.12f * em};
  ImVec2 at = ImGui::GetCursorScreenPos();
  const bool is_phrase =
      keys.find("drag") != keys.npos || keys.find("click") != keys.npos || keys.find("–") != keys.npos;
  while (!keys.empty()) {
    const std::size_t end = is_phrase ? keys.npos : keys.find(' ');
    const std::string_view key = keys.substr(0, end);
    keys = end == keys.npos ? std::string_view() : keys.substr(end + 1);
    const ImVec2 size = ImGui::CalcTextSize(key.data(), key.data() + key.size());
    const float width = std::max(size.x + 2 * padding.x, 1.5f * em);
    const ImVec2 high{at.x + width, at.y + size.y + 2 * padding.y};
    draw->AddRectFilled(at, high, ImGui::GetColorU32(palette(ui.view.theme).well), 0.28f * em);
    draw->AddRect(at, high, ImGui::GetColorU32(ImGuiCol_Border), 0.28f * em);
    draw->AddText({at.x + (width - size.x) / 2, at.y + padding.y}, ImGui::GetColorU32(palette(ui.view.theme).text),
                  key.data(), key.data() + key.size());
    at.x = high.x + 0.3f * em;
  }
}

void group(const KeyHelpGroup& rows, const UiState& ui) {
  const float em = ImGui::GetFontSize();
  ImGui::BeginGroup();
  widgets::colored_text(rows.title, palette(ui.view.theme).accent);
  ImGui::Dummy({kColumnEms * em, 0.1f * em});
  for (const KeyHelp& row : rows.rows) {
    const float left = ImGui::GetCursorPosX();
    key_caps(row.keys, ui);
    ImGui::SetCursorPos({left + kKeysEms * em, ImGui::GetCursorPosY() + 0.12f * em});
    ImGui::TextUnformatted(row.meaning.data());
    ImGui::Dummy({0, 0.1f * em});
  }
  ImGui::EndGroup();
}

/// Assigns each group to the shortest column.
std::vector<std::vector<const KeyHelpGroup*>> columns(int count) {
  constexpr std::size_t kTitleRows = 2;
  std::vector<std::vector<const KeyHelpGroup*>> result(static_cast<std::size_t>(count));
  std::vector<std::size_t> rows(result.size());
  for (const KeyHelpGroup& group : key_help()) {
    const std::size_t shortest = static_cast<std::size_t>(std::ranges::min_element(rows) - rows.begin());
    result[shortest].push_back(&group);
    rows[shortest] += group.rows.size() + kTitleRows;
  }
  return result;
}

}  // namespace

void draw_shortcuts_window(UiState& ui) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float em = ImGui::GetFontSize(), padding = std::round(1.4f * em);
  ImGui::GetBackgroundDrawList()->AddRectFilled({0, 0}, display, IM_COL32(0, 0, 0, 120));
  const int count = std::clamp(static_cast<int>((display.x / em - 4) / (kColumnEms + 1)), 1, kMaxColumns);
  ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSizeConstraints({0, 0}, {display.x * 0.98f, display.y * 0.96f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {padding, padding});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.6f * em);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
  ImGui::Begin("Keys", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize);
  bool first = true;
  for (const auto& column : columns(count)) {
    if (!std::exchange(first, false)) ImGui::SameLine(0, em);
    ImGui::BeginGroup();
    for (const KeyHelpGroup* rows : column) {
      group(*rows, ui);
      ImGui::Dummy({0, 0.4f * em});
    }
    ImGui::EndGroup();
  }
  const bool click_outside = ImGui::IsMouseClicked(0) && !ImGui::IsWindowHovered();
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  if (click_outside) ui.layout.show_keys = false;
}

}  // namespace pericenter::app

#include <algorithm>

#include "app/overlay/presenter_overlay.h"
#include "app/ui/imgui_versions.h"
#include "app/ui/ui_style.h"
#include "app/widgets/widgets.h"

// Text in the panel, and the keys that end typing.
namespace pericenter::app::widgets {

bool pressed(ImGuiKey key, bool repeat) {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyPressed(key, repeat);
#else
  return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key), repeat);
#endif
}

bool enter_pressed() {
  return pressed(ImGuiKey_Enter) || pressed(imgui::kKeypadEnter);
}

bool entered() {
  return ImGui::IsItemDeactivated() && enter_pressed();
}

void colored_text(std::string_view words, const ImVec4& color, float wrap) {
  const float width = wrap > 0 ? wrap - ImGui::GetCursorPosX() : ImGui::GetContentRegionAvail().x;
  const std::string lines =
      wrap < 0 ? std::string(words) : broken(*ImGui::GetFont(), ImGui::GetFontSize(), words, width);
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::TextUnformatted(lines.data(), lines.data() + lines.size());
  ImGui::PopStyleColor();
}

void heading(const char* label) {
  ImGui::Spacing();
  ImGui::TextDisabled("%s", label);
}

std::string fitted(std::string line, float width) {
  if (ImGui::CalcTextSize(line.c_str()).x <= width) return line;
  constexpr const char* kEllipsis = "…";
  const float room = width - ImGui::CalcTextSize(kEllipsis).x;
  while (!line.empty() && ImGui::CalcTextSize(line.c_str()).x > room) {
    while (!line.empty() && (static_cast<unsigned char>(line.back()) & 0xC0) == 0x80) line.pop_back();
    if (!line.empty()) line.pop_back();
  }
  return line + kEllipsis;
}

void readout(Desk& desk, const Control& control, const std::string& value) {
  ImGui::BeginGroup();
  colored_text(control.label, palette(desk.view.theme).dim);
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  colored_text(value, ImGui::GetStyleColorVec4(ImGuiCol_Text), 0);
  ImGui::EndGroup();
  describe(desk, control);
}

void right_half() {
  const float first = ImGui::GetWindowContentRegionMin().x, last = ImGui::GetWindowContentRegionMax().x;
  const float half = (last - first) * 0.5f, end = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x;
  if (end + ImGui::GetStyle().ItemInnerSpacing.x <= half) ImGui::SameLine(half);
}

void paragraph(Desk& desk, const Control& control, const ImVec4& color) {
  colored_text(control.label, color, 0);
  describe(desk, control);
}

void paragraph(Desk& desk, const Control& control) {
  paragraph(desk, control, palette(desk.view.theme).dim);
}

void bar(Desk& desk, const Control& control, const Bar& bar) {
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const float em = ImGui::GetFontSize(), width = ImGui::GetContentRegionAvail().x, thick = 0.4f * em;
  const float value = ImGui::CalcTextSize(bar.value.c_str()).x, wrap = width - value - em;
  const char *first = control.label.data(), *last = first + control.label.size();
  const float top = low.y + ImGui::CalcTextSize(first, last, false, wrap).y + 0.15f * em;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImU32 color = ImGui::GetColorU32(ImGuiCol_Text);
  draw->AddText(ImGui::GetFont(), em, low, color, first, last, wrap);
  draw->AddText({low.x + width - value, low.y}, color, bar.value.c_str());
  draw->AddRectFilled({low.x, top}, {low.x + width, top + thick}, ImGui::GetColorU32(palette(desk.view.theme).well),
                      thick / 2);
  if (bar.share > 0) {
    const float end = std::max(std::min(bar.share, 1.0f) * width, thick);
    draw->AddRectFilled({low.x, top}, {low.x + end, top + thick}, ImGui::GetColorU32(bar.color), thick / 2);
  }
  ImGui::Dummy({width, top + thick + 0.2f * em - low.y});
  describe(desk, control);
}

}  // namespace pericenter::app::widgets

#include "app/panels/widgets.h"

#include <algorithm>
#include <cstring>

#include "app/ui_style.h"

namespace pericenter::app::widgets {
namespace {

constexpr float kTooltipDelay = 0.35f;  // seconds; at once would flicker under a moving cursor
constexpr float kLabelColumn = 6.4f;    // widths in units of the font size
constexpr float kTooltipWidth = 24;

// Label and control of a row share one clock, so that moving from one to the other keeps the tooltip open.
bool rested(UiState& ui, ImGuiID id) {
  const int frame = ImGui::GetFrameCount();
  const bool same = ui.hover.id == id && ui.hover.frame >= frame - 1;
  const float elapsed = ui.hover.frame == frame ? 0 : ImGui::GetIO().DeltaTime;
  ui.hover = {id, frame, same ? ui.hover.seconds + elapsed : 0};
  return ui.hover.seconds >= kTooltipDelay;
}

void tooltip(UiState& ui, std::string_view text) {
  if (ui.log) ui.log->tooltip = text;
  const ImGuiStyle& style = ImGui::GetStyle();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {style.WindowPadding.x, style.WindowPadding.x * 0.7f});
  ImGui::BeginTooltip();
  const float width = std::min(kTooltipWidth * ImGui::GetFontSize(), ImGui::GetIO().DisplaySize.x * 0.9f);
  ImGui::PushTextWrapPos(width);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
  ImGui::PopStyleVar();
}

void hover_tip(UiState& ui, const char* label, std::string_view tip) {
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) && rested(ui, ImGui::GetID(label))) tooltip(ui, tip);
}

float control_column() { return ImGui::GetCursorStartPos().x + kLabelColumn * ImGui::GetFontSize(); }

std::string hidden(const char* label) {
  return std::string("##") + label;
}

template <class T>
bool any_slider(UiState& ui, const char* label, T& value, const Range& range, std::string_view tip) {
  row(ui, label, tip);
  const T low = static_cast<T>(range.low), high = static_cast<T>(range.high);
  constexpr ImGuiDataType kType = sizeof(T) == 8          ? ImGuiDataType_Double
                                  : std::is_integral_v<T> ? ImGuiDataType_S32
                                                          : ImGuiDataType_Float;
  const ImGuiSliderFlags flags =
      ImGuiSliderFlags_AlwaysClamp | (range.logarithmic ? ImGuiSliderFlags_Logarithmic : ImGuiSliderFlags_None);
  T edited = value;
  const bool changed =
      ImGui::SliderScalar(hidden(label).c_str(), kType, &edited, &low, &high, range.format, flags) && edited == edited;
  if (changed) value = edited;
  note(ui, label, tip);
  return changed;
}

}  // namespace

void note(UiState& ui, const char* label, std::string_view tip) {
  if (ui.log) {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const char* hashes = std::strstr(label, "###");
    ui.log->items.push_back({hashes ? hashes + 3 : label, low.x, low.y, high.x, high.y});
  }
  hover_tip(ui, label, tip);
}

bool button(UiState& ui, const char* label, ImVec2 size, std::string_view tip) {
  const bool pressed = ImGui::Button(label, size);
  note(ui, label, tip);
  return pressed;
}

bool main_button(UiState& ui, const char* label, ImVec2 size, std::string_view tip) {
  ImVec4 color = palette::kAccent;
  ImGui::PushStyleColor(ImGuiCol_Text, ImVec4{0.03f, 0.05f, 0.10f, 1});
  ImGui::PushStyleColor(ImGuiCol_Button, color);
  color.x += 0.08f, color.y += 0.08f;
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, color);
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, color);
  const bool pressed = ImGui::Button(label, size);
  ImGui::PopStyleColor(4);
  note(ui, label, tip);
  return pressed;
}

bool checkbox(UiState& ui, const char* label, bool& value, std::string_view tip) {
  const bool changed = ImGui::Checkbox(label, &value);
  note(ui, label, tip);
  return changed;
}

bool section(UiState& ui, const char* label, bool open_at_first, std::string_view tip) {
  ImGui::Spacing();
  const bool open = ImGui::CollapsingHeader(label, open_at_first ? ImGuiTreeNodeFlags_DefaultOpen : 0);
  note(ui, label, tip);
  return open;
}

void row(UiState& ui, const char* label, std::string_view tip) {
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, palette::kDim);
  ImGui::TextUnformatted(label);
  ImGui::PopStyleColor();
  hover_tip(ui, label, tip);
  ImGui::SameLine(control_column());
  ImGui::SetNextItemWidth(-FLT_MIN);
}

void indent() {
  ImGui::SetCursorPosX(kLabelColumn * ImGui::GetFontSize());
}

bool slider(UiState& ui, const char* label, double& value, const Range& range, std::string_view tip) {
  return any_slider(ui, label, value, range, tip);
}
bool slider(UiState& ui, const char* label, float& value, const Range& range, std::string_view tip) {
  return any_slider(ui, label, value, range, tip);
}
bool slider(UiState& ui, const char* label, int& value, const Range& range, std::string_view tip) {
  return any_slider(ui, label, value, range, tip);
}

bool begin_combo(UiState& ui, const char* label, const char* preview, std::string_view tip) {
  row(ui, label, tip);
  const bool open = ImGui::BeginCombo(hidden(label).c_str(), preview, ImGuiComboFlags_HeightLarge);
  // While the list is open the last item is one of the list's, and the list explains itself.
  if (!open) note(ui, label, tip);
  return open;
}

bool choice(UiState& ui, const char* label, bool chosen, std::string_view tip, std::string_view disabled_because) {
  ImGui::BeginDisabled(!disabled_because.empty());
  const bool pressed = ImGui::Selectable(label, chosen);
  ImGui::EndDisabled();
  note(ui, label, disabled_because.empty() ? tip : disabled_because);
  if (chosen && ImGui::IsWindowAppearing()) ImGui::SetItemDefaultFocus();
  return pressed;
}

void end_combo() {
  ImGui::EndCombo();
}

void readout(UiState& ui, const char* label, const std::string& value, std::string_view tip) {
  ImGui::BeginGroup();
  ImGui::PushStyleColor(ImGuiCol_Text, palette::kDim);
  ImGui::TextUnformatted(label);
  ImGui::PopStyleColor();
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::TextUnformatted(value.c_str());
  ImGui::EndGroup();
  hover_tip(ui, label, tip);
}

}  // namespace pericenter::app::widgets

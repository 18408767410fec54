#include "app/panels/widgets.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "app/panels/tooltip.h"
#include "app/ui/ui_style.h"

namespace pericenter::app::widgets {
namespace {

constexpr float kLabelColumn = 6.8f;  // widths in units of the font size

void dim_label(UiState& ui, const char* label, std::string_view tip) {
  ImGui::PushStyleColor(ImGuiCol_Text, palette(ui.view.theme).dim);
  ImGui::TextUnformatted(label);
  ImGui::PopStyleColor();
  hover_tip(ui, label, tip);
}

float control_column() {
  return ImGui::GetCursorStartPos().x + kLabelColumn * ImGui::GetFontSize();
}

std::string hidden(const char* label) {
  return std::string("##") + label;
}

/// Where in the last item the handle of a slider stands, pixels from its left end.
double handle_of(double value, const Range& range) {
  const double share = range.logarithmic ? std::log(value / range.low) / std::log(range.high / range.low)
                                         : (value - range.low) / (range.high - range.low);
  const double grab = ImGui::GetStyle().GrabMinSize;
  return grab / 2 + share * (ImGui::GetItemRectSize().x - grab);
}

/// ImGui writes the value across the middle, under the handle: it is made transparent there and written at an end.
template <class T>
bool any_bare_slider(const char* id, T& value, const Range& range, ImGuiSliderFlags flags) {
  constexpr ImGuiDataType kType = std::is_same_v<T, double>  ? ImGuiDataType_Double
                                  : std::is_same_v<T, float> ? ImGuiDataType_Float
                                                             : ImGuiDataType_S32;
  const T low = static_cast<T>(range.low), high = static_cast<T>(range.high);
  const bool typing = ImGui::TempInputIsActive(ImGui::GetID(id));
  flags |= ImGuiSliderFlags_AlwaysClamp | (range.logarithmic ? ImGuiSliderFlags_Logarithmic : ImGuiSliderFlags_None);
  if (!typing) ImGui::PushStyleColor(ImGuiCol_Text, 0);
  const bool changed = ImGui::SliderScalar(id, kType, &value, &low, &high, range.format, flags);
  if (!typing) ImGui::PopStyleColor();
  if (typing) return changed;
  std::array<char, 64> shown;
  ImGui::DataTypeFormatString(shown.data(), shown.size(), kType, &value, range.format);
  const ImVec2 size = ImGui::CalcTextSize(shown.data()), corner = ImGui::GetItemRectMax(),
               padding = ImGui::GetStyle().FramePadding;
  const bool covered =
      handle_of(static_cast<double>(value), range) > ImGui::GetItemRectSize().x - size.x - 2 * padding.x;
  const float left = covered ? ImGui::GetItemRectMin().x + padding.x : corner.x - padding.x - size.x;
  ImGui::GetWindowDrawList()->AddText({left, corner.y - padding.y - size.y}, ImGui::GetColorU32(ImGuiCol_Text),
                                      shown.data());
  return changed;
}

template <class T>
bool any_slider(UiState& ui, const char* label, T& value, const Range& range, std::string_view tip) {
  row(ui, label, tip);
  const bool changed = any_bare_slider(hidden(label).c_str(), value, range, ImGuiSliderFlags_None);
  note(ui, label, tip);
  return changed;
}

float controls_width() {
  return ImGui::GetWindowContentRegionMax().x - control_column();
}

/// Whether two combos beside each other have room for their words.
bool two_fit_in_a_row() {
  return controls_width() > 13 * ImGui::GetFontSize();
}

float left_width() {
  return (controls_width() - ImGui::GetStyle().ItemInnerSpacing.x) * 0.46f;
}

bool begin_bare_combo(UiState& ui, const char* label, const char* preview, std::string_view tip) {
  const bool open = ImGui::BeginCombo(hidden(label).c_str(), preview, ImGuiComboFlags_HeightLarge);
  // While the list is open the last item is one of the list's, and the list explains itself.
  if (!open) note(ui, label, tip);
  return open;
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
  ImVec4 color = palette(ui.view.theme).accent;
  ImGui::PushStyleColor(ImGuiCol_Text, palette(ui.view.theme).on_accent);
  ImGui::PushStyleColor(ImGuiCol_Button, color);
  color = mixed(color, palette(ui.view.theme).panel, 0.12f);
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

bool text_field(UiState& ui, const char* label, std::string& text, const char* hint, std::string_view tip,
                ImGuiInputTextFlags flags) {
  const auto resize = [](ImGuiInputTextCallbackData* data) {
    auto& owner = *static_cast<std::string*>(data->UserData);
    owner.resize(static_cast<std::size_t>(data->BufTextLen));
    data->Buf = owner.data();
    return 0;
  };
  const bool changed = ImGui::InputTextWithHint(hidden(label).c_str(), hint, text.data(), text.capacity() + 1,
                                                flags | ImGuiInputTextFlags_CallbackResize, resize, &text);
  note(ui, label, tip);
  return changed;
}

void row(UiState& ui, const char* label, std::string_view tip) {
  ImGui::AlignTextToFramePadding();
  dim_label(ui, label, tip);
  ImGui::SameLine(control_column());
  ImGui::SetNextItemWidth(-FLT_MIN);
}

void indent() {
  ImGui::SetCursorPosX(kLabelColumn * ImGui::GetFontSize());
}

bool bare_slider(const char* id, double& value, const Range& range, ImGuiSliderFlags flags) {
  return any_bare_slider(id, value, range, flags);
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
  return begin_bare_combo(ui, label, preview, tip);
}

bool begin_left_combo(UiState& ui, const char* label, const char* preview, std::string_view tip) {
  row(ui, label, tip);
  if (two_fit_in_a_row()) ImGui::SetNextItemWidth(left_width());
  return begin_bare_combo(ui, label, preview, tip);
}

bool begin_right_combo(UiState& ui, const char* label, const char* preview, std::string_view tip) {
  if (!two_fit_in_a_row()) return begin_combo(ui, label, preview, tip);
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::SetNextItemWidth(-FLT_MIN);
  return begin_bare_combo(ui, label, preview, tip);
}

bool begin_wide_combo(UiState& ui, const char* label, const char* preview, float widest, std::string_view tip) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float column = kLabelColumn * ImGui::GetFontSize() - style.ItemInnerSpacing.x;
  const float needed = widest + 2 * style.FramePadding.x + ImGui::GetFrameHeight();
  if (ImGui::CalcTextSize(label).x <= column && needed <= controls_width()) return begin_combo(ui, label, preview, tip);
  dim_label(ui, label, tip);
  ImGui::SetNextItemWidth(-FLT_MIN);
  return begin_bare_combo(ui, label, preview, tip);
}

void heading(const char* label) {
  ImGui::Spacing();
  ImGui::TextDisabled("%s", label);
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
  ImGui::PushStyleColor(ImGuiCol_Text, palette(ui.view.theme).dim);
  ImGui::TextUnformatted(label);
  ImGui::PopStyleColor();
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(value.c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndGroup();
  note(ui, label, tip);
}

void right_half() {
  const float first = ImGui::GetWindowContentRegionMin().x, last = ImGui::GetWindowContentRegionMax().x;
  const float half = (last - first) * 0.5f, taken = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x;
  if (taken + ImGui::GetStyle().ItemInnerSpacing.x <= half) ImGui::SameLine(half);
}

void paragraph(UiState& ui, const char* label, const std::string& words, ImVec4 color, std::string_view tip) {
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(words.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  note(ui, label, tip);
}

void bar(UiState& ui, const char* label, const Bar& bar, std::string_view tip) {
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const float em = ImGui::GetFontSize(), width = ImGui::GetContentRegionAvail().x, thick = 0.4f * em;
  const float number = ImGui::CalcTextSize(bar.number.c_str()).x, wrap = width - number - em;
  const float top = low.y + ImGui::CalcTextSize(bar.words.c_str(), nullptr, false, wrap).y + 0.15f * em;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImU32 ink = ImGui::GetColorU32(ImGuiCol_Text);
  draw->AddText(ImGui::GetFont(), em, low, ink, bar.words.c_str(), nullptr, wrap);
  draw->AddText({low.x + width - number, low.y}, ink, bar.number.c_str());
  draw->AddRectFilled({low.x, top}, {low.x + width, top + thick}, ImGui::GetColorU32(palette(ui.view.theme).well),
                      thick / 2);
  if (bar.share > 0) {
    const float end = std::max(std::min(bar.share, 1.0f) * width, thick);
    draw->AddRectFilled({low.x, top}, {low.x + end, top + thick}, ImGui::GetColorU32(bar.color), thick / 2);
  }
  ImGui::Dummy({width, top + thick + 0.2f * em - low.y});
  note(ui, label, tip);
}

}  // namespace pericenter::app::widgets

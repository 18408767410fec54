#include "app/widgets/widgets.h"

#include <imgui_internal.h>

#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>

#include "app/ui/ui_style.h"
#include "app/widgets/keyboard.h"

namespace pericenter::app::widgets {
namespace {

constexpr float kLabelColumn = 8.8f, kTooltipWidth = 24;  // widths in units of the font size
constexpr float kTooltipDelay = 0.35f;  // seconds; without a delay tooltips flicker while the cursor moves
constexpr float kTooltipLife = 8;       // seconds for which the tooltip at a still cursor may cover the image

/// ImGui takes the ID of an item from what follows "###".
std::string imgui_name(const Control& control) {
  return std::string(control.label) + "###" + std::string(control.id);
}
std::string hidden_name(const Control& control) {
  return "###" + std::string(control.id);
}

void draw_text(std::string_view text) {
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
}

/// Label and control of a row share one timer, so that the tooltip stays open between them.
bool hovered_long_enough(Desk& desk, ImGuiID id) {
  const int frame = ImGui::GetFrameCount();
  const bool same = desk.widgets.hover.id == id && desk.widgets.hover.frame >= frame - 1;
  const float elapsed = desk.widgets.hover.frame == frame ? 0 : ImGui::GetIO().DeltaTime;
  desk.widgets.hover = {id, frame, same ? desk.widgets.hover.seconds + elapsed : 0};
  return desk.widgets.hover.seconds >= kTooltipDelay;
}

/// Whether the current window is a bar below the image.
bool is_bottom_bar(const Desk& desk) {
  const float bars =
      desk.layout.status_height + desk.layout.notice_height + desk.layout.timeline_height + desk.notices.alert.height;
  const float height = ImGui::GetIO().DisplaySize.y, top = ImGui::GetWindowPos().y,
              gap = ImGui::GetStyle().WindowPadding.y;
  return top + gap >= height - bars || top + ImGui::GetWindowHeight() + gap >= height;
}

/// The open list that the last item is in; null: it is in none.
const ImGuiWindow* open_list() {
  const ImGuiWindow* window = ImGui::GetCurrentWindowRead();
  return window->Flags & ImGuiWindowFlags_Popup ? window : nullptr;
}

/// Right end of the panel, and of an open list in it.
float end_of_controls(const Desk& desk) {
  const ImGuiWindow* list = open_list();
  return std::max(desk.layout.panel_width, list ? list->Pos.x + list->Size.x : 0);
}

/// Beside the panel, or the list, at the height of the item, so that it covers no control; above items at the bottom of
/// the window, and there above the cursor if `at_cursor`.
void place_tooltip(const Desk& desk, float width, std::string_view text, bool at_cursor) {
  const ImVec2 display = ImGui::GetIO().DisplaySize, padding = ImGui::GetStyle().WindowPadding;
  const ImVec2 item = ImGui::GetItemRectMin();
  const ImVec2 size = ImGui::CalcTextSize(text.data(), text.data() + text.size(), false, width);
  if (!open_list() && is_bottom_bar(desk)) {
    const float left = at_cursor ? ImGui::GetIO().MousePos.x - size.x / 2 - padding.x : item.x;
    const float right = display.x - size.x - 3 * padding.x;
    return ImGui::SetNextWindowPos({std::max(std::min(left, right), 0.0f), item.y - padding.y}, 0, {0, 1});
  }
  if (ImGui::GetIO().MousePos.x > end_of_controls(desk)) return;
  const float top = std::min(item.y, display.y - size.y - 3 * padding.y);
  ImGui::SetNextWindowPos({end_of_controls(desk) + padding.x * 0.5f, std::max(top, 0.0f)});
}

void draw_tooltip(Desk& desk, std::string_view text, bool at_cursor = false) {
  if (desk.widgets.log) desk.widgets.log->tooltip = text;
  const ImGuiStyle& style = ImGui::GetStyle();
  const float room = ImGui::GetIO().DisplaySize.x - end_of_controls(desk) - 3 * style.WindowPadding.x;
  ImFont* const font = desk.layout.tooltip_font ? desk.layout.tooltip_font : ImGui::GetFont();
  ImGui::PushFont(font);
  const float width = std::min(kTooltipWidth * ImGui::GetFontSize(), room);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {style.WindowPadding.x, style.WindowPadding.x * 0.7f});
  ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 1);  // legible for disabled controls too
  place_tooltip(desk, width, text, at_cursor);
  ImGui::PushStyleColor(ImGuiCol_Text, palette(desk.view.theme).text);
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(width);
  draw_text(text);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  ImGui::PopFont();
}

void add_tooltip(Desk& desk, const Control& control) {
  const ImGuiID id = ImGui::GetID(hidden_name(control).c_str());
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) && hovered_long_enough(desk, id))
    draw_tooltip(desk, control.tip);
}

/// Width of a combo box that shows this much text beside its arrow, with the usual padding on one side.
float combo_width(float text) {
  return text + ImGui::GetStyle().FramePadding.x + ImGui::GetFrameHeight();
}

void dim_label(Desk& desk, const Control& control) {
  colored_text(control.label, palette(desk.view.theme).dim);
  add_tooltip(desk, control);
}

float control_column() {
  return ImGui::GetCursorStartPos().x + kLabelColumn * ImGui::GetFontSize();
}

/// Pixels from the left end of the last item to the handle of a slider.
double handle_position(double value, const Range& range) {
  const double low = std::max(range.low, std::pow(0.1, ImParseFormatPrecision(range.format, 3)));  // see ImGui
  const double share = range.logarithmic ? std::log(std::max(value, low) / low) / std::log(range.high / low)
                                         : (value - range.low) / (range.high - range.low);
  const double grab = ImGui::GetStyle().GrabMinSize;
  return grab / 2 + share * (ImGui::GetItemRectSize().x - grab);
}

/// The value of the last slider, at the right end, or at the left end while the handle is there.
void draw_value(ImGuiDataType type, const void* value, double handle, const char* format) {
  std::array<char, 64> shown;
  ImGui::DataTypeFormatString(shown.data(), shown.size(), type, value, format);
  const ImVec2 size = ImGui::CalcTextSize(shown.data()), low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax(),
               padding = ImGui::GetStyle().FramePadding;
  const bool covered = handle > high.x - low.x - size.x - 2 * padding.x;
  const float left = covered ? low.x + padding.x : high.x - padding.x - size.x;
  ImGui::GetWindowDrawList()->AddText({left, high.y - padding.y - size.y}, ImGui::GetColorU32(ImGuiCol_Text),
                                      shown.data());
}

/// ImGui does this only with its keyboard navigation. The window sets close_list, except while the search field of a
/// list has the keyboard focus.
void close_on_escape(Desk& desk) {
  desk.widgets.list_open = true;
  if (desk.widgets.close_list || pressed(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
}

bool begin_bare_combo(Desk& desk, const Control& control, const char* preview) {
  const std::string shown = fitted(preview, ImGui::CalcItemWidth() - combo_width(0));
  const bool fits = shown == preview;
  const float needed = combo_width(text_width(preview));
  const bool open = ImGui::BeginCombo(hidden_name(control).c_str(), shown.c_str(), ImGuiComboFlags_HeightLarge);
  // While the list is open, the last item is one of its entries.
  if (!open) {
    const std::string tip = fits ? std::string() : std::string(preview) + '\n';
    describe(desk, {control.id, control.label, tip + std::string(control.tip)}, needed);
  }
  if (open) desk.widgets.search.list_begins(control.id, control.label, control.tip);
  if (open) close_on_escape(desk);
  if (open && desk.widgets.log) desk.widgets.log->scope = std::string(control.id) + '/';
  return open;
}

void record(Desk& desk, const Control& control, float needed) {
  if (!desk.widgets.log) return;
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const char* window = ImGui::GetCurrentWindowRead()->RootWindow->Name;
  if (ImGui::IsItemFocused()) desk.widgets.log->focused = desk.widgets.log->scope + std::string(control.id);
  desk.widgets.log->items.push_back({desk.widgets.log->scope + std::string(control.id), std::string(control.label),
                                     low.x, low.y, high.x, high.y, needed, window});
}

/// The number in the text field of this slider, also in the frame in which typing ends; nullopt: nobody types there.
template <class Number>
std::optional<Number> typed_number(const Desk& desk, unsigned id) {
  const auto& typed = desk.widgets.typed;
  if (typed.id != id || typed.frame != ImGui::GetFrameCount() - 1) return std::nullopt;
  return static_cast<Number>(typed.value);
}

}  // namespace

void record_text(Desk& desk, std::string_view id, std::string_view label) {
  record(desk, {id, label, ""}, 0);
}

void describe(Desk& desk, const Control& control, float needed) {
  if (!desk.widgets.search.hides()) {
    record(desk, control, needed);
    visit_control(desk);
    add_tooltip(desk, control);
  }
  desk.widgets.search.visit(control.id, control.label, control.tip);
}

void describe_at_cursor(Desk& desk, const Control& control, const std::string& here) {
  record(desk, control, 0);
  visit_control(desk);
  const bool grabbed = ImGui::IsItemActive();
  if (!grabbed && !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  if (grabbed || moved.x != 0 || moved.y != 0) desk.widgets.hover = {};
  const bool is_still = hovered_long_enough(desk, ImGui::GetID(hidden_name(control).c_str()));
  if (!grabbed && desk.widgets.hover.seconds > kTooltipLife) return;
  draw_tooltip(desk, is_still ? here + '\n' + std::string(control.tip) : here, true);
}

float text_width(std::string_view text) {
  return ImGui::CalcTextSize(text.data(), text.data() + text.size()).x;
}

float button_width(std::string_view label) {
  return text_width(label) + 2 * ImGui::GetStyle().FramePadding.x;
}

bool invisible_button(const std::string& name, ImVec2 size) {
  return ImGui::InvisibleButton(name.c_str(), {std::max(size.x, 1.0f), std::max(size.y, 1.0f)});
}

bool button(Desk& desk, const Control& control, ImVec2 size, bool enabled) {
  ImGui::BeginDisabled(!enabled);
  const bool pressed = ImGui::Button(imgui_name(control).c_str(), size);
  describe(desk, control, text_width(control.label));
  ImGui::EndDisabled();
  return pressed;
}

bool main_button(Desk& desk, const Control& control, ImVec2 size, bool enabled) {
  ImVec4 color = palette(desk.view.theme).accent;
  ImGui::PushStyleColor(ImGuiCol_Text, palette(desk.view.theme).on_accent);
  ImGui::PushStyleColor(ImGuiCol_Button, color);
  color = mixed(color, palette(desk.view.theme).panel, 0.12f);
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, color);
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, color);
  const bool pressed = button(desk, control, size, enabled);
  ImGui::PopStyleColor(4);
  return pressed;
}

void button(Desk& desk, const Control& control, ImVec2 size, const Command& command, bool enabled) {
  if (button(desk, control, size, enabled)) desk.commands.push_back(command);
}

void main_button(Desk& desk, const Control& control, ImVec2 size, const Command& command, bool enabled) {
  if (main_button(desk, control, size, enabled)) desk.commands.push_back(command);
}

bool checkbox(Desk& desk, const Control& control, bool& value) {
  const bool changed = ImGui::Checkbox(imgui_name(control).c_str(), &value);
  describe(desk, control);
  return changed;
}

bool section(Desk& desk, const Control& control, bool open_by_default, float free) {
  const auto stored = desk.layout.side_bar.open.find(control.id);
  const bool before = stored == desk.layout.side_bar.open.end() ? open_by_default : stored->second;
  ImGui::Spacing();
  ImGui::SetNextItemOpen(before);
  float& right = ImGui::GetCurrentWindow()->WorkRect.Max.x;  // right end of the heading in ImGui
  right -= free;
  const bool open = ImGui::CollapsingHeader(imgui_name(control).c_str());
  right += free;
  describe(desk, control);
  if (open != before) {
    desk.layout.side_bar.open[std::string(control.id)] = open;
    ImGui::MarkIniSettingsDirty();
  }
  return open;
}

bool text_field(Desk& desk, const Control& control, std::string& text, const char* hint, ImGuiInputTextFlags flags) {
  const auto resize = [](ImGuiInputTextCallbackData* data) {
    auto& owner = *static_cast<std::string*>(data->UserData);
    owner.resize(static_cast<std::size_t>(data->BufTextLen));
    data->Buf = owner.data();
    return 0;
  };
  const bool changed = ImGui::InputTextWithHint(hidden_name(control).c_str(), hint, text.data(), text.capacity() + 1,
                                                flags | ImGuiInputTextFlags_CallbackResize, resize, &text);
  describe(desk, control, text.empty() ? text_width(hint) + ImGui::GetStyle().FramePadding.x : 0);
  return changed;
}

void row(Desk& desk, const Control& control) {
  ImGui::AlignTextToFramePadding();
  dim_label(desk, control);
  ImGui::SameLine(control_column());
  ImGui::SetNextItemWidth(-FLT_MIN);
}

void indent() {
  ImGui::SetCursorPosX(control_column());
}

bool indented_checkbox(Desk& desk, const Control& control, bool& value) {
  const float needed = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x + text_width(control.label);
  const float right = ImGui::GetWindowContentRegionMax().x;
  ImGui::SetCursorPosX(std::max(ImGui::GetCursorStartPos().x, std::min(control_column(), right - needed)));
  return checkbox(desk, control, value);
}

/// The value after an arrow key: a hundredth of the range farther, whole numbers at least by 1.
template <class Number>
Number stepped(Number value, const Range& range, int way) {
  constexpr double kSteps = 100;
  const double least = std::pow(0.1, ImParseFormatPrecision(range.format, 3)), now = static_cast<double>(value);
  double next = now + way * (range.high - range.low) / kSteps;
  if (range.logarithmic) {
    const double low = std::max(range.low, least);
    next = std::max(now, low) * std::pow(range.high / low, way / kSteps);
    if (way < 0 && now <= low) next = range.low;
  }
  if constexpr (std::is_integral_v<Number>) next = way > 0 ? std::max(next, now + 1) : std::min(next, now - 1);
  return static_cast<Number>(std::clamp(std::is_integral_v<Number> ? std::round(next) : next, range.low, range.high));
}

// The first digits of a number are another number, which would be applied: a typed one counts once typing ends with
// Enter, Tab or a click elsewhere. ImGui draws the value in the middle, under the handle. That text is made
// transparent, and drawn again at an end.
template <class Number>
bool bare_slider(Desk& desk, const Control& control, Number& value, const Range& range) {
  constexpr ImGuiDataType kType = std::is_same_v<Number, double>  ? ImGuiDataType_Double
                                  : std::is_same_v<Number, float> ? ImGuiDataType_Float
                                                                  : ImGuiDataType_S32;
  const std::string name = hidden_name(control);
  const unsigned id = ImGui::GetID(name.c_str());
  const Number low = static_cast<Number>(range.low), high = static_cast<Number>(range.high);
  const bool typing = ImGui::TempInputIsActive(id);
  const ImGuiSliderFlags flags = ImGuiSliderFlags_AlwaysClamp | (range.logarithmic ? ImGuiSliderFlags_Logarithmic : 0) |
                                 (range.editable ? 0 : ImGuiSliderFlags_NoInput);
  if (!typing) ImGui::PushStyleColor(ImGuiCol_Text, 0);
  Number edited = typed_number<Number>(desk, id).value_or(value);
  ImGui::SliderScalar(name.c_str(), kType, &edited, &low, &high, range.format, flags);
  bool changed = false;
  if (ImGui::TempInputIsActive(id))
    desk.widgets.typed = {id, ImGui::GetFrameCount(), static_cast<double>(edited)};
  else
    changed = std::exchange(value, edited) != edited;
  if (const int way = arrow_steps(desk); way != 0 && !typing) {
    value = stepped(value, range, way);
    changed = true;
  }
  if (!typing) {
    ImGui::PopStyleColor();
    draw_value(kType, &value, handle_position(static_cast<double>(value), range), range.format);
  }
  describe(desk, control);
  return changed;
}
template bool bare_slider(Desk&, const Control&, double&, const Range&);

template <class Number>
bool slider(Desk& desk, const Control& control, Number& value, const Range& range) {
  row(desk, control);
  return bare_slider(desk, control, value, range);
}
template bool slider(Desk&, const Control&, double&, const Range&);
template bool slider(Desk&, const Control&, float&, const Range&);
template bool slider(Desk&, const Control&, int&, const Range&);

bool begin_combo(Desk& desk, const Control& control, const char* preview) {
  return begin_wide_combo(desk, control, preview, text_width(preview));
}

bool begin_wide_combo(Desk& desk, const Control& control, const char* preview, float widest) {
  const float needed = combo_width(widest) + ImGui::GetStyle().FramePadding.x;
  const float column = kLabelColumn * ImGui::GetFontSize() - ImGui::GetStyle().ItemInnerSpacing.x;
  if (text_width(control.label) <= column && needed <= ImGui::GetWindowContentRegionMax().x - control_column()) {
    row(desk, control);
  } else {
    dim_label(desk, control);
    ImGui::SetNextItemWidth(-FLT_MIN);
  }
  return begin_bare_combo(desk, control, preview);
}

bool choice(Desk& desk, const Control& control, bool chosen, std::string_view disabled_because) {
  ImGui::BeginDisabled(!disabled_because.empty());
  const bool pressed = ImGui::Selectable(imgui_name(control).c_str(), chosen);
  ImGui::EndDisabled();
  describe(desk, {control.id, control.label, disabled_because.empty() ? control.tip : disabled_because});
  if (chosen && ImGui::IsWindowAppearing()) ImGui::SetItemDefaultFocus();
  return pressed;
}

bool tall_choice(Desk& desk, const Control& control, bool chosen, float height) {
  const bool pressed = ImGui::Selectable(hidden_name(control).c_str(), chosen, 0, {0, height});
  describe(desk, control);
  if (chosen && ImGui::IsWindowAppearing()) ImGui::SetItemDefaultFocus();
  return pressed;
}

void end_combo(Desk& desk) {
  if (desk.widgets.log) desk.widgets.log->scope.clear();
  ImGui::EndCombo();
  desk.widgets.search.list_ends();
}

}  // namespace pericenter::app::widgets

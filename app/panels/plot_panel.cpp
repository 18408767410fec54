#include "app/panels/plot_panel.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <system_error>

#include "app/base/atomic_file.h"
#include "app/base/format.h"
#include "app/plots/lab_plots.h"
#include "app/plots/plot_canvas.h"
#include "app/plots/plot_files.h"
#include "app/ui/send_requests.h"
#include "app/widgets/keyboard.h"
#include "sim/core/printable.h"

namespace pericenter::app {
namespace {

void save_svg(const PlotPanel& panel, const Plot& plot, const PlotView& view, const UiFrame& frame, UiState& ui) {
  try {
    std::error_code error;
    const std::string name = frame.simulation.scene + "-" + panel.id.substr(panel.id.find('-') + 1);
    const std::string path = std::filesystem::absolute(new_output_path(name, ".svg"), error).string();
    const std::string svg = svg_text(plot, view, plot_style(ui.view.theme));
    write_file(path, svg);
    remove_notices(NoticeSource::captures, ui);
    set_notice("Plot saved: " + printable(path), false, frame.now, ui);
  } catch (const std::exception& error) {
    report_error(error.what(), frame.now, ui, NoticeSource::captures);
  }
}

void copy_csv(const Plot& plot, const PlotView& view, const UiFrame& frame, UiState& ui) {
  const std::string table = csv_text(plot, view.x);
  ImGui::SetClipboardText(table.c_str());
  const auto rows = std::ranges::count(table, '\n') - 1;
  set_notice("Copied as CSV: " + counted(static_cast<std::uint64_t>(rows), "row") + ".", false, frame.now, ui);
}

/// A small button in a heading, in the accent colour while `on`.
bool small_button(UiState& ui, const widgets::Control& control, bool on) {
  ImGui::PushStyleColor(ImGuiCol_Text, on ? palette(ui.view.theme).accent : palette(ui.view.theme).dim);
  const std::string name = std::string(control.label) + "###" + std::string(control.id);
  const bool pressed = ImGui::SmallButton(name.c_str());
  ImGui::PopStyleColor();
  widgets::describe(ui, control);
  return pressed;
}

float buttons_width() {
  const ImGuiStyle& style = ImGui::GetStyle();
  float width = 0;
  for (const char* label : {"log", "CSV", "SVG"})
    width += ImGui::CalcTextSize(label).x + 2 * style.FramePadding.x + style.ItemInnerSpacing.x;
  return width;
}

/// The buttons beside the heading, which was drawn last. Returns whether "log" was clicked.
bool buttons(const PlotPanel& panel, const Plot& plot, const PlotView& view, const UiFrame& frame, UiState& ui) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float gap = style.ItemInnerSpacing.x;
  ImGui::SameLine();
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  ImGui::SetCursorScreenPos({right - buttons_width() + gap, ImGui::GetItemRectMin().y + style.FramePadding.y});
  ImGui::BeginDisabled(!plot.bands.empty());
  const bool pressed =
      small_button(ui,
                   {panel.id + "-log", "log",
                    "Logarithmic or linear y axis. A logarithmic axis skips values that are not positive."},
                   plot.y.logarithmic);
  ImGui::EndDisabled();
  ImGui::SameLine(0, gap);
  ImGui::BeginDisabled(!has_data(plot));
  if (small_button(ui,
                   {panel.id + "-csv", "CSV",
                    "Copy the visible range as a table to the clipboard, for a spreadsheet or a script."},
                   false))
    copy_csv(plot, view, frame, ui);
  ImGui::SameLine(0, gap);
  if (small_button(
          ui,
          {panel.id + "-svg", "SVG",
           "Save the plot as it is shown as a vector image in the Pictures folder, for a document or a slide."},
          false))
    save_svg(panel, plot, view, frame, ui);
  ImGui::EndDisabled();
  return pressed;
}

constexpr float kMarkReach = 0.5f;     // reach of the mouse, in units of the font size
constexpr float kClickMoves = 4;       // pixels at scale 1 that a click may move
constexpr double kClosestZoom = 1e-6;  // smallest fraction of the whole run
constexpr double kZoomStep = 0.8;      // factor per notch of the wheel

/// The time axis while it is not zoomed.
PlotRange fitted_time(const UiFrame& frame, const UiState& ui) {
  const PlotRange whole = ui.drawer.made.times;
  const SessionState& state = frame.simulation;
  if (ui.drawer.last_steps == 0 || state.record->samples.empty()) return whole;
  const double newest = plotted_time(state.record->samples.back().time, state.units);
  const double length = std::abs(plotted_time(ui.drawer.last_steps * state.params.dt, state.units));
  const bool backwards = state.params.dt < 0;
  const PlotRange last = backwards ? PlotRange{newest, newest + length} : PlotRange{newest - length, newest};
  return {std::max(last.low, whole.low), std::min(last.high, whole.high)};
}

void seek(double plotted, const UiFrame& frame, UiState& ui) {
  set_position(frame.simulation.timeline.position_at(scene_time(plotted, frame.simulation.units)), frame, ui);
}

/// Zooms so that `fixed` stays in its place. Zooming out beyond the whole run ends the zoom.
void zoom(double fixed, double factor, PlotRange range, const UiFrame& frame, UiState& ui) {
  const PlotRange whole = fitted_time(frame, ui);
  const PlotRange next{fixed + (range.low - fixed) * factor, fixed + (range.high - fixed) * factor};
  if (next.low <= whole.low && next.high >= whole.high) return ui.drawer.zoom.reset();
  if (next.length() > kClosestZoom * whole.length()) ui.drawer.zoom = next;
}

void click(double plotted, const UiFrame& frame, UiState& ui) {
  if (!ui.drawer.zoom) return seek(plotted, frame, ui);
  ui.drawer.click = {plotted, frame.now + ImGui::GetIO().MouseDoubleClickTime};
}

/// The nearest mark at the mouse as a tooltip.
void show_mark(const Plot& plot, const PlotMapping& map) {
  const float x = ImGui::GetIO().MousePos.x, reach = kMarkReach * ImGui::GetFontSize();
  const PlotMark* nearest = nullptr;
  const auto away = [&](const PlotMark& mark) { return std::abs(map.pixel_x(mark.x) - x); };
  for (const PlotMark& mark : plot.marks)
    if (map.x.range().contains(mark.x) && away(mark) < reach && (!nearest || away(mark) < away(*nearest)))
      nearest = &mark;
  if (nearest) ImGui::SetTooltip("%s", nearest->text.c_str());
}

}  // namespace

bool is_open(const PlotPanel& panel, const UiState& ui) {
  const auto stored = ui.layout.side_bar.open.find(panel.id);
  return stored == ui.layout.side_bar.open.end() ? panel.open_by_default : stored->second;
}

std::optional<PlotMapping> draw_plot_panel(const PlotPanel& panel, const Plot& plot, const PlotView& view,
                                           const UiFrame& frame, UiState& ui) {
  const float free = is_open(panel, ui) ? buttons_width() : 0;
  const bool open = widgets::section(ui, {panel.id, panel.title, panel.tip}, panel.open_by_default, free);
  if (!open) return std::nullopt;
  if (free > 0 && buttons(panel, plot, view, frame, ui)) ui.drawer.logarithmic[panel.id] = !plot.y.logarithmic;
  if (!has_data(plot)) {
    widgets::paragraph(ui, {panel.id + "-empty", panel.empty, panel.tip});
    return std::nullopt;
  }
  const ImVec2 size{ImGui::GetContentRegionAvail().x, panel.height * ImGui::GetFontSize()};
  if (ImGui::IsRectVisible(size)) return draw_plot(plot, view, plot_style(ui.view.theme), {size.x, size.y});
  ImGui::Dummy(size);
  return std::nullopt;
}

PlotView time_view(const UiFrame& frame, const UiState& ui) {
  const SessionState& state = frame.simulation;
  const double shown =
      state.timeline.details->points.empty() ? state.time : state.timeline.time_at(ui.timeline.position.value());
  return {.x = ui.drawer.zoom.value_or(fitted_time(frame, ui)),
          .cursor = ui.drawer.cursor,
          .shown = plotted_time(shown, state.units),
          .rewound = state.timeline.rewound && state.params.dt >= 0};
}

void finish_click(const UiFrame& frame, UiState& ui) {
  auto& click = ui.drawer.click;
  if (!click || frame.now < click->due) return;
  seek(click->time, frame, ui);
  click.reset();
}

void control_time_axis(const std::string& id, const Plot& plot, const PlotMapping& map, const UiFrame& frame,
                       UiState& ui) {
  Drawer& drawer = ui.drawer;
  const ImVec2 after = ImGui::GetCursorScreenPos(), size{map.box.width(), map.box.height()};
  ImGui::SetCursorScreenPos(map.box.low);
  const bool released = widgets::invisible_button(id + "-area", size);
  if (ui.widgets.log)
    ui.widgets.log->items.push_back(
        {id + "-area", "", map.box.low.x, map.box.low.y, map.box.high.x, map.box.high.y, 0});
  const ImGuiIO& io = ImGui::GetIO();
  const float x = io.MousePos.x;
  if (ImGui::IsItemActivated()) drawer.press = {x, false, map.x.range()};
  if (ImGui::IsItemActive() && std::abs(x - drawer.press.x) > kClickMoves * ui.layout.used_scale())
    drawer.press.moved = true;
  if (is_dragged() && drawer.press.moved) {
    const PlotRange from = drawer.press.range;
    const double moved = static_cast<double>((drawer.press.x - x) / map.box.width()) * from.length();
    drawer.zoom = {from.low + moved, from.high + moved};
  }
  if (ImGui::IsItemHovered()) {
    drawer.next_cursor = map.value_x(x);
    if (io.MouseWheel != 0) zoom(map.value_x(x), std::pow(kZoomStep, io.MouseWheel), map.x.range(), frame, ui);
    if (io.MouseDoubleClicked[0]) drawer.zoom.reset(), drawer.click.reset(), drawer.press.moved = true;
    show_mark(plot, map);
  }
  if (released && ImGui::IsMouseReleased(ImGuiMouseButton_Left) && !drawer.press.moved)
    click(map.value_x(x), frame, ui);
  ImGui::SetCursorScreenPos(after);
}

}  // namespace pericenter::app

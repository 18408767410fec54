#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "app/base/format.h"
#include "app/lessons/lesson_words.h"
#include "app/panels/plot_panel.h"
#include "app/plots/lab_plots.h"
#include "app/ui/hidden_results.h"
#include "app/widgets/keyboard.h"

namespace pericenter::app {
namespace {

// In units of the font size.
constexpr float kLeastWidth = 18, kLeastHeight = 10, kColumnWidth = 24, kGrip = 0.4f;
constexpr float kLargestShare = 0.6f, kLessonShare = 0.4f;  // shares of the image
constexpr float kPlotShape = 0.8f;                          // height of a plot in a lesson per width
constexpr float kScrollStep = 5;                            // lines per notch of the wheel beside the plots

/// What side bar, status line and timeline leave to image and drawer.
struct FreeArea {
  ImVec2 low, high;

  float width() const { return high.x - low.x; }
  float height() const { return high.y - low.y; }
};

FreeArea free_area(const UiState& ui) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  return {{ui.layout.panel_width, 0}, {display.x, display.y - ui.layout.status_height - ui.layout.timeline_height}};
}

float limited(float ems, float least, float room) {
  const float em = ImGui::GetFontSize(), most = std::max(kLargestShare * room, 1.0f);
  return std::round(std::clamp(ems * em, std::min(least * em, most), most));
}

/// Whether the drawer is below the image: where it leaves the image the longer shortest side, and where the headings of
/// the plots do not fit beside it. Independent of the size that the user has chosen, so that the drawer stays in its
/// place while it is resized.
bool is_below(const FreeArea& room) {
  const SideBar standard;
  const float width = limited(standard.drawer_width, kLeastWidth, room.width());
  const float height = limited(standard.drawer_height, kLeastHeight, room.height());
  if (width < kLeastWidth * ImGui::GetFontSize()) return true;
  return std::min(room.width() - width, room.height()) < std::min(room.width(), room.height() - height);
}

const EncounterForecast* forecast_of(const UiFrame& frame, const UiState& ui) {
  const EncounterDesign& design = ui.encounter;
  const bool applies = encounter_scene(frame.simulation) && design.forecast.applies_to(design.live);
  return applies ? design.forecast.result() : nullptr;
}

void add_marks(const SessionState& state, std::vector<LabPlot>& plots) {
  std::vector<PlotMark> marks;
  for (const TimelineMark& mark : state.timeline.details->marks)
    marks.push_back({plotted_time(state.timeline.time_at(mark.position), state.units), mark.text});
  for (LabPlot& plot : plots)
    if (plot.over_time) plot.plot.marks = marks;
}

/// Time range of all plots over time; [0, 1] without data.
PlotRange range_of_times(const std::vector<LabPlot>& plots) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  PlotRange whole{kInfinity, -kInfinity};
  for (const LabPlot& plot : plots) {
    if (!plot.over_time || !has_data(plot.plot)) continue;
    const PlotRange range = fitted_x(plot.plot);
    whole = {std::min(whole.low, range.low), std::max(whole.high, range.high)};
  }
  return whole.low < whole.high ? whole : PlotRange{};
}

void update_plots(const UiFrame& frame, UiState& ui) {
  const SessionState& state = frame.simulation;
  const EncounterForecast* forecast = forecast_of(frame, ui);
  auto& made = ui.drawer.made;
  const auto reference = frame.reference ? frame.reference->record : nullptr;
  if (made.record == state.record && made.reference == reference && made.details == state.timeline.details &&
      made.scene_serial == state.scene_serial && made.forecast == (forecast != nullptr) && !made.plots.empty())
    return;
  if (made.scene_serial != state.scene_serial) ui.drawer.zoom.reset(), ui.drawer.click.reset();
  made.record = state.record;
  made.reference = reference;
  made.details = state.timeline.details;
  made.scene_serial = state.scene_serial;
  made.forecast = forecast != nullptr;
  made.plots = lab_plots({state, frame.reference, forecast});
  made.times = range_of_times(made.plots);
  add_marks(state, made.plots);
}

PlotPanel panel_of(const LabPlot& plot) {
  return {
      .id = "plot-" + std::string(plot.id),
      .title = plot.plot.title,
      .tip = std::string(plot.tip) +
             (plot.over_time ? "\nIn the plots: the wheel zooms, a drag moves, a double click shows the whole run, a "
                               "click shows that moment in the image."
                             : ""),
      .empty = plot.empty,
      .open_by_default = plot.open_by_default};
}

/// Asks for the rotation curve only while it is visible: it needs all accelerations.
void measure_rotation(bool visible, UiState& ui) {
  if (std::exchange(ui.drawer.measures_rotation, visible) != visible)
    ui.requests.push_back(request::MeasureRotation{visible});
}

void draw_lab_plot(LabPlot& plot, const PlotView& time, const UiFrame& frame, UiState& ui) {
  const PlotPanel panel = panel_of(plot);
  if (const auto chosen = ui.drawer.logarithmic.find(panel.id); chosen != ui.drawer.logarithmic.end())
    plot.plot.y.logarithmic = chosen->second;
  const PlotView view = plot.over_time ? time : PlotView{.x = fitted_x(plot.plot)};
  if (const auto map = draw_plot_panel(panel, plot.plot, view, frame, ui); map && plot.over_time)
    control_time_axis(panel.id, plot.plot, *map, frame, ui);
  if (plot.id == "rotation") measure_rotation(is_open(panel, ui), ui);
  if (plot.id == "separation") ui.encounter.plotted = is_open(panel, ui);
}

void draw_timings(const UiFrame& frame, UiState& ui) {
  const Plot plot = timings_plot(ui.cost);
  draw_plot_panel({.id = "plot-timings",
                   .title = plot.title,
                   .tip = "Time per stage of the last 512 steps, as in the side bar.",
                   .empty = "Times appear here after the first step.",
                   .open_by_default = false},
                  plot, {.x = fitted_x(plot)}, frame, ui);
}

/// Length of the time axis, and the button that closes the drawer.
void draw_header(UiState& ui) {
  struct Choice {
    const char *id, *label, *tip;
    int steps;
  };
  static constexpr std::array<Choice, 3> kChoices = {{
      {"plots-whole-run", "Whole run", "Show the whole run. A double click in a plot does the same.", 0},
      {"plots-1000-steps", "1,000 steps", "Show the last 1,000 steps, and follow the run.", 1000},
      {"plots-200-steps", "200 steps", "Show the last 200 steps, and follow the run.", 200},
  }};
  Drawer& drawer = ui.drawer;
  const float padding = 2 * ImGui::GetStyle().FramePadding.x, width = ImGui::CalcTextSize("✕").x + padding;
  for (const Choice& choice : kChoices) {
    const float needed = ImGui::CalcTextSize(choice.label).x + padding + ImGui::GetStyle().ItemInnerSpacing.x + width;
    if (choice.steps > 0 && needed > ImGui::GetContentRegionAvail().x) break;
    const bool chosen = !drawer.zoom && drawer.last_steps == choice.steps;
    ImGui::PushStyleColor(ImGuiCol_Text, chosen ? palette(ui.view.theme).accent : palette(ui.view.theme).dim);
    const bool pressed = widgets::button(ui, {choice.id, choice.label, choice.tip}, {0, 0});
    ImGui::PopStyleColor();
    if (pressed) drawer.last_steps = choice.steps, drawer.zoom.reset();
    ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  }
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - width);
  widgets::button(ui, {"close-plots", "✕", "Close the plots (J)."}, {0, 0}, {Action::toggle_drawer});
}

/// The plot that a lesson shows, alone and as large as there is room, with titles of the axes.
void draw_focused(const UiFrame& frame, UiState& ui) {
  constexpr float kAround = 6;  // lines of titles, labels and legend
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float em = ImGui::GetFontSize(), height = std::min(room.y - kAround * em, kPlotShape * room.x);
  const PlotSize size{room.x, std::max(height, em), true, language_of(ui.lesson)};
  if (ui.drawer.focused == "cost") return draw_cost_card(frame, size, ui.cost, ui);
  const auto plot = std::ranges::find(ui.drawer.made.plots, ui.drawer.focused, &LabPlot::id);
  if (plot == ui.drawer.made.plots.end()) return;
  const std::string id = "focused-" + std::string(plot->id);
  if (plot->id == "rotation") measure_rotation(true, ui);
  ui.encounter.plotted = plot->id == "separation";
  if (!has_data(plot->plot))
    return widgets::paragraph(ui, {id + "-empty", lesson_words(plot->empty, ui.lesson), plot->tip});
  const PlotView view = plot->over_time ? time_view(frame, ui) : PlotView{.x = fitted_x(plot->plot)};
  const PlotMapping map = draw_plot(plot->plot, view, plot_style(ui.view.theme), size);
  if (plot->over_time) control_time_axis(id, plot->plot, map, frame, ui);
}

/// The plots in as many columns as fit, each filled from top to bottom.
void draw_columns(const UiFrame& frame, UiState& ui) {
  std::vector<LabPlot>& plots = ui.drawer.made.plots;
  const PlotView time = time_view(frame, ui);
  const std::size_t columns = static_cast<std::size_t>(
      std::max(1.0f, std::floor(ImGui::GetContentRegionAvail().x / (kColumnWidth * ImGui::GetFontSize()))));
  if (!ImGui::BeginTable("columns", static_cast<int>(columns),
                         ImGuiTableFlags_NoSavedSettings | ImGuiTableFlags_SizingStretchSame))
    return;
  for (std::size_t column = 0; column < columns; ++column) {
    ImGui::TableNextColumn();
    for (std::size_t k = column; k <= plots.size(); k += columns) {
      if (k < plots.size())
        draw_lab_plot(plots[k], time, frame, ui);
      else
        draw_timings(frame, ui);
    }
  }
  ImGui::EndTable();
}

/// The wheel zooms on a plot over time; elsewhere it scrolls.
void draw_plots(const UiFrame& frame, UiState& ui) {
  Drawer& drawer = ui.drawer;
  ImGui::BeginChild("plots", {0, 0}, false, ImGuiWindowFlags_NoScrollWithMouse);
  drawer.next_cursor.reset();
  if (drawer.focused.empty())
    draw_columns(frame, ui);
  else
    draw_focused(frame, ui);
  drawer.cursor = drawer.next_cursor;
  if (ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) && !drawer.cursor)
    ImGui::SetScrollY(ImGui::GetScrollY() - ImGui::GetIO().MouseWheel * kScrollStep * ImGui::GetFontSize());
  ImGui::EndChild();
}

/// The edge towards the image, which changes the size when it is dragged.
void draw_grip(const FreeArea& room, bool below, UiState& ui) {
  const float em = ImGui::GetFontSize(), thick = kGrip * em;
  const ImVec2 size = ImGui::GetWindowSize();
  const ImVec2 corner = ImGui::GetWindowPos();
  ImGui::SetCursorPos({0, 0});
  ImGui::PushClipRect(corner, {corner.x + size.x, corner.y + size.y}, false);  // ImGui clips the padding
  widgets::invisible_button("edge", below ? ImVec2{size.x, thick} : ImVec2{thick, size.y});
  ImGui::PopClipRect();
  const int way = arrow_steps(ui);
  float& side = below ? ui.layout.side_bar.drawer_height : ui.layout.side_bar.drawer_width;
  if (way != 0) side = std::max(side - static_cast<float>(way), below ? kLeastHeight : kLeastWidth);
  widgets::describe(ui, {"drawer-edge", "", "Drag to change the size of the plots, or use the arrow keys."});
  if (!ImGui::IsItemHovered() && !ImGui::IsItemActive()) return;
  ImGui::SetMouseCursor(below ? ImGuiMouseCursor_ResizeNS : ImGuiMouseCursor_ResizeEW);
  ImGui::GetWindowDrawList()->AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                                            ImGui::GetColorU32(ImGuiCol_SeparatorHovered));
  if (!is_dragged()) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (below)
    ui.layout.side_bar.drawer_height = std::max((room.high.y - mouse.y) / em, kLeastHeight);
  else
    ui.layout.side_bar.drawer_width = std::max((room.high.x - mouse.x) / em, kLeastWidth);
  ImGui::MarkIniSettingsDirty();
}

void draw_window(const FreeArea& room, bool below, const UiFrame& frame, UiState& ui) {
  const ImVec2 size{below ? room.width() : ui.drawer.width, below ? ui.drawer.height : room.height()};
  ImGui::SetNextWindowPos({room.high.x - size.x, room.high.y - size.y});
  ImGui::SetNextWindowSize(size);
  constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                      ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                      ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoSavedSettings;
  const ImGuiWindowFlags locked = ui.presentation.station ? ImGuiWindowFlags_NoMouseInputs : ImGuiWindowFlags_None;
  ImGui::Begin("Plots", nullptr, kFlags | locked);
  const ImVec2 start = ImGui::GetCursorPos();
  draw_grip(room, below, ui);
  ImGui::SetCursorPos(start);
  if (ui.drawer.focused.empty()) draw_header(ui);
  if (hides_results(ui))
    widgets::paragraph(
        ui, {"hidden-plots", lesson_words(kHiddenResult, ui.lesson), "The number of a choice or → shows the plots."});
  else
    draw_plots(frame, ui);
  ImGui::End();
}

}  // namespace

void draw_drawer(const UiFrame& frame, const Fonts& fonts, UiState& ui) {
  Drawer& drawer = ui.drawer;
  const bool in_lesson = !drawer.focused.empty();
  const FreeArea room = free_area(ui);
  drawer.width = drawer.height = 0;
  ui.encounter.plotted = false;
  if (!drawer.open || room.width() < 1 || room.height() < 1) {
    drawer.cursor.reset();
    drawer.click.reset();
    return measure_rotation(false, ui);
  }
  const bool below = is_below(room);
  if (below)
    drawer.height = in_lesson ? std::round(kLessonShare * room.height())
                              : limited(ui.layout.side_bar.drawer_height, kLeastHeight, room.height());
  else
    drawer.width = in_lesson ? std::round(kLessonShare * room.width())
                             : limited(ui.layout.side_bar.drawer_width, kLeastWidth, room.width());
  update_plots(frame, ui);
  finish_click(frame, ui);
  if (in_lesson) ImGui::PushFont(fonts.legend);
  draw_window(room, below, frame, ui);
  if (in_lesson) ImGui::PopFont();
}

}  // namespace pericenter::app

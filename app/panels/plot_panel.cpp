#include "app/panels/plot_panel.h"

#include <exception>
#include <filesystem>
#include <system_error>

#include "app/base/atomic_file.h"
#include "app/base/format.h"
#include "app/plots/draw_plot.h"
#include "app/plots/plot_files.h"
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
  set_notice("Copied as CSV: " + with_thousands(static_cast<std::uint64_t>(rows)) + " rows.", false, frame.now, ui);
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
    widgets::paragraph(ui, {panel.id + "-empty", panel.empty, panel.tip}, palette(ui.view.theme).dim);
    return std::nullopt;
  }
  const ImVec2 size{ImGui::GetContentRegionAvail().x, panel.height * ImGui::GetFontSize()};
  if (ImGui::IsRectVisible(size)) return draw_plot(plot, view, plot_style(ui.view.theme), {size.x, size.y});
  ImGui::Dummy(size);
  return std::nullopt;
}

}  // namespace pericenter::app

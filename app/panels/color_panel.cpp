#include <algorithm>
#include <cmath>
#include <string>

#include "app/base/format.h"
#include "app/overlay/legend.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/view/color_range.h"

namespace pericenter::app {
namespace {

using render::ColorMode;

/// As wide as the panel: its title would not fit beside the labels of a large panel.
void legend(const UiFrame& frame, const UiState& ui) {
  ImGui::Spacing();
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const LegendStyle style{.font = ImGui::GetFont(),
                          .size = ImGui::GetFontSize(),
                          .width = ImGui::GetContentRegionAvail().x,
                          .foreground = ImGui::GetColorU32(ImGuiCol_Text),
                          .dim = ImGui::GetColorU32(palette(ui.view.theme).dim)};
  const float height =
      draw_legend(*ImGui::GetWindowDrawList(), legend_of(ui.view, ui.sample ? &*ui.sample : nullptr, frame.simulation),
                  style, corner);
  ImGui::Dummy({style.width, height});
  ImGui::Spacing();
}

/// A slider for an end of the range in the unit of the legend; true when it was moved.
bool end_slider(UiState& ui, const char* label, float& end, const ScalarScale& scale) {
  double value = scale.shown(end);
  if (scale.logarithmic) value = std::pow(10, value);
  const widgets::Range range{scale.least, scale.most, "%.4g", scale.logarithmic};
  if (!widgets::slider(ui, label, value, range, "Number at this end of the colours. No cost.")) return false;
  end = static_cast<float>(scale.held(scale.logarithmic ? std::log10(value) : value));
  return true;
}

void range_rows(const UiFrame& frame, UiState& ui) {
  widgets::enum_combo(ui, "Colours", ui.view.image.map, kMapNames);
  legend(frame, ui);
  widgets::indent();
  widgets::checkbox(ui, "Keep the range", ui.view.fixed_range,
                    "The ends of the colours stay where they are, so that moments can be compared; else they follow "
                    "what is there. No cost.");
  if (!ui.view.fixed_range) return;
  const SessionState& state = frame.simulation;
  const ScalarScale scale = scale_of(scalar_of(ui.view.image.color), state.units, state.config.dimension);
  constexpr float kApart = 1e-3f;
  if (end_slider(ui, "Low end", ui.view.image.low, scale))
    ui.view.image.high = std::max(ui.view.image.high, ui.view.image.low + kApart);
  if (end_slider(ui, "High end", ui.view.image.high, scale))
    ui.view.image.low = std::min(ui.view.image.low, ui.view.image.high - kApart);
}

void error_rows(const UiFrame& frame, UiState& ui) {
  const SessionState& state = frame.simulation;
  widgets::indent();
  if (widgets::button(ui, "Measure", {ImGui::GetContentRegionAvail().x, 0},
                      "Compare the forces on all bodies with a direct sum over all pairs in doubles: takes a while "
                      "with many bodies, four times as long with twice as many. The simulation waits for it."))
    ui.requests.push_back(request::MeasureForceErrors{});
  if (!state.force_errors) return;
  widgets::indent();
  widgets::readout(ui, "Mean", number_text(state.force_errors->mean),
                   "Relative error of the forces, averaged over all bodies.");
  ImGui::SameLine(0, ImGui::GetFontSize());
  widgets::readout(ui, "99 %", number_text(state.force_errors->percentile_99),
                   "99 of 100 bodies have a smaller relative error.");
  widgets::indent();
  widgets::readout(ui, "Measured at", time_text(state.force_errors_time, state.units),
                   "The moment whose forces were measured; the colours show those errors until you measure again.");
}

void trail_rows(const UiFrame& frame, UiState& ui) {
  render::TrailSettings& trails = ui.view.trails;
  widgets::heading("Trails");
  widgets::indent();
  widgets::checkbox(ui, "Show trails", trails.show,
                    "The ways that some of the stars have come, as fading lines (P). The simulation is the same; "
                    "drawing is slower without a GPU.");
  if (!trails.show) return;
  const TimeUnit time = time_unit(frame.simulation.units);
  const double unit = time.scene_time;
  const std::string format = text("%%.%df %s", *time.name ? time.decimals : 1, time.name);
  double length = trails.length * unit;
  if (widgets::slider(ui, "Length", length, {0.1 * unit, 50 * unit, format.c_str(), true},
                      "How far back trails reach. No cost, but a longer one has coarser bends."))
    trails.length = static_cast<float>(length / unit);
  widgets::slider(ui, "Opacity", trails.opacity, {0.02, 1, "%.2f", true}, "How bright trails are. No cost.");
  widgets::slider(ui, "Number", trails.bodies, {10, 20'000, "%d", true},
                  "Stars that have a trail, at most. Many are slow to draw without a GPU. A change begins them anew.");
}

}  // namespace

void draw_color_section(const UiFrame& frame, UiState& ui) {
  if (!widgets::section(ui, "Colour", false,
                        "What the colours of the stars mean. Nothing here changes the simulation."))
    return;
  ColorMode mode = ui.view.image.color;
  if (widgets::enum_combo(ui, "Colour by", mode, kColorNames)) set_color(mode, ui);
  if (render::is_scalar(mode) && mode != ColorMode::speed && frame.simulation.recorded)
    widgets::paragraph(ui, "Not known", "A recording knows the speeds alone: the stars stay grey.",
                       palette(ui.view.theme).dim, "Simulate from here to have forces, and with them this number.");
  if (render::is_scalar(mode)) {
    range_rows(frame, ui);
  } else {
    legend(frame, ui);
  }
  if (mode == ColorMode::force_error) error_rows(frame, ui);
  widgets::indent();
  widgets::checkbox(ui, "Dark halo", ui.view.image.show_halo,
                    "Show the bodies of the dark halos (M), which hold most of the mass and give no light. Forces are "
                    "the same either way.");
  trail_rows(frame, ui);
}

}  // namespace pericenter::app

#include <algorithm>
#include <cmath>
#include <string>

#include "app/base/format.h"
#include "app/overlay/legend.h"
#include "app/panels/panels.h"
#include "app/view/color_range.h"

namespace pericenter::app {
namespace {

using render::ColorMode;

/// Has the width of the panel, because the title does not fit beside a label.
void legend(const UiFrame& frame, const UiState& ui) {
  ImGui::Spacing();
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const LegendStyle style{.font = ImGui::GetFont(),
                          .size = ImGui::GetFontSize(),
                          .width = ImGui::GetContentRegionAvail().x,
                          .foreground = ImGui::GetColorU32(ImGuiCol_Text),
                          .dim = ImGui::GetColorU32(palette(ui.view.theme).dim)};
  const float height = draw_legend(
      *ImGui::GetWindowDrawList(),
      legend_of(ui.view, ui.stars.sample ? &*ui.stars.sample : nullptr, frame.simulation, ui.stars.marks.count), style,
      corner);
  ImGui::Dummy({style.width, height});
  ImGui::Spacing();
}

/// A slider for an end of the colour range, in the unit of the legend. Returns whether it changed.
bool range_slider(UiState& ui, const widgets::Control& control, float& end, const ScalarScale& scale) {
  double value = scale.shown(end);
  if (scale.logarithmic) value = std::pow(10, value);
  if (!widgets::slider(ui, control, value, {scale.min, scale.max, "%.4g", scale.logarithmic})) return false;
  end = static_cast<float>(scale.stored(scale.logarithmic ? std::log10(value) : value));
  return true;
}

void range_rows(const UiFrame& frame, UiState& ui) {
  widgets::enum_combo(ui, {"color-map", "Colour map", "Colours from the low to the high end of the range."},
                      ui.view.image.map, kMapNames);
  legend(frame, ui);
  widgets::checkbox(ui,
                    {"lock-range", "Lock range",
                     "Keep the range of the colours fixed, to compare different times. Otherwise it follows the data."},
                    ui.view.fixed_range);
  if (!ui.view.fixed_range) return;
  const SessionState& state = frame.simulation;
  const ScalarScale scale = scale_of(scalar_of(ui.view.image.color), state.units, state.config.dimension);
  constexpr float kMinRange = 1e-3f;
  if (range_slider(ui, {"range-low", "Low end", "Value at the low end of the colours."}, ui.view.image.low, scale))
    ui.view.image.high = std::max(ui.view.image.high, ui.view.image.low + kMinRange);
  if (range_slider(ui, {"range-high", "High end", "Value at the high end of the colours."}, ui.view.image.high, scale))
    ui.view.image.low = std::min(ui.view.image.low, ui.view.image.high - kMinRange);
}

void error_rows(const UiFrame& frame, UiState& ui) {
  const SessionState& state = frame.simulation;
  if (widgets::button(ui,
                      {"measure-force-error", "Measure force error",
                       "Compare all forces with a direct sum in double precision. The simulation pauses meanwhile; the "
                       "time grows with the square of the number of bodies."},
                      {ImGui::GetContentRegionAvail().x, 0}))
    ui.requests.push_back(request::MeasureForceErrors{});
  if (!state.force_errors) return;
  widgets::readout(ui, {"force-error-mean", "Mean", "Mean relative force error of all bodies."},
                   number_text(state.force_errors->mean));
  widgets::right_half();
  widgets::readout(ui,
                   {"force-error-p99", "99th percentile", "99 % of the bodies have a smaller relative force error."},
                   number_text(state.force_errors->percentile_99));
  widgets::right_half();
  widgets::readout(ui,
                   {"force-error-max", "Largest",
                    "Largest relative force error of all bodies. At the same mean, the largest errors of the fast "
                    "multipole method are several times those of the octree."},
                   number_text(state.force_errors->max));
  widgets::readout(ui,
                   {"force-error-time", "Measured at",
                    "Time of the measurement. The colours show these errors until the next measurement."},
                   time_text(state.force_errors_time, state.units));
}

void trail_rows(const UiFrame& frame, UiState& ui) {
  render::TrailSettings& trails = ui.view.trails;
  widgets::heading("Trails");
  widgets::checkbox(ui,
                    {"show-trails", "Show trails",
                     "Draw the past paths of some stars as fading lines (P). Rendering is slower without a GPU."},
                    trails.show);
  if (!trails.show) return;
  const TimeUnit time = time_unit(frame.simulation.units);
  const double unit = time.scene_time;
  const std::string format = text("%%.%df %s", *time.name ? time.decimals : 1, time.name);
  double length = trails.length * unit;
  if (widgets::slider(ui, {"trail-length", "Length", "Time span of the trails. Long trails are sampled more coarsely."},
                      length, {0.1 * unit, 50 * unit, format.c_str(), true}))
    trails.length = static_cast<float>(length / unit);
  widgets::slider(ui, {"trail-opacity", "Opacity", "Brightness of the trails."}, trails.opacity,
                  {0.02, 1, "%.2f", true});
  widgets::slider(
      ui,
      {"trail-count", "Number",
       "Maximum number of stars with a trail. A change restarts the trails. Many trails render slowly without "
       "a GPU."},
      trails.bodies, {10, 20'000, "%d", true});
}

void mark_row(const UiFrame& frame, UiState& ui) {
  widgets::row(ui, {"marks", "Marked stars",
                    "Highlighted stars: the others are dimmed. Mark stars with Ctrl+drag over the image; Ctrl+wheel "
                    "changes the size of the brush. Marks persist during the run and when you rewind."});
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, width = (ImGui::GetContentRegionAvail().x - gap) / 2;
  const bool has_galaxies = frame.simulation.units.length_kpc > 0;
  if (widgets::button(ui,
                      {"mark-tails", "Tails",
                       "Mark the stars that are in tidal tails now. Run back to see where they were born. Reads all "
                       "positions once."},
                      {width, 0}, has_galaxies))
    ui.stars.marks.wanted = Highlight{.what = Highlight::What::tails};
  ImGui::SameLine(0, gap);
  if (widgets::button(ui, {"clear-marks", "Clear", "Unmark all stars (Esc)."}, {width, 0}, ui.stars.marks.count != 0))
    ui.stars.marks.wanted = Highlight{};
  if (ui.stars.marks.count == 0) return;
  widgets::indent();
  widgets::readout(ui, {"marked-stars", "Marked", "Number of marked stars."}, with_thousands(ui.stars.marks.count));
}

}  // namespace

void draw_color_choice(UiState& ui) {
  ColorMode mode = ui.view.image.color;
  if (widgets::enum_combo(ui, {"color-by", "Colour by", "Quantity mapped to the colour of a star."}, mode, kColorNames))
    set_color(mode, ui);
}

void draw_color_panel(const UiFrame& frame, UiState& ui) {
  draw_color_choice(ui);
  const ColorMode mode = ui.view.image.color;
  const bool is_scalar = render::is_scalar(mode);
  if (is_scalar && mode != ColorMode::speed && frame.simulation.playback)
    widgets::paragraph(ui, {"color-unavailable", "A playback has only positions and velocities; the stars stay grey.",
                            "Use Simulate from here to compute forces and this quantity."});
  if (is_scalar)
    range_rows(frame, ui);
  else
    legend(frame, ui);
  if (mode == ColorMode::origin)
    widgets::enum_combo(ui, {"galaxy-colors", "Two galaxies", "Colours of the first two galaxies. They cost no time."},
                        ui.view.image.galaxies, kGalaxyColorNames);
  if (mode == ColorMode::force_error) error_rows(frame, ui);
  widgets::checkbox(ui,
                    {"show-halo", "Dark halo",
                     "Show the bodies of the dark halos (M). They have most of the mass and emit no light."},
                    ui.view.image.show_halo);
  mark_row(frame, ui);
  trail_rows(frame, ui);
}

}  // namespace pericenter::app

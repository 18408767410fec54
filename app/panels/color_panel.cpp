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
void legend(const UiFrame& frame, const SelectedStars& stars, const Desk& desk) {
  ImGui::Spacing();
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const LegendStyle style{.font = ImGui::GetFont(),
                          .size = ImGui::GetFontSize(),
                          .width = ImGui::GetContentRegionAvail().x,
                          .foreground = ImGui::GetColorU32(ImGuiCol_Text),
                          .dim = ImGui::GetColorU32(palette(desk.view.theme).dim)};
  const float height =
      draw_legend(*ImGui::GetWindowDrawList(),
                  legend_of(desk.view, stars.sample ? &*stars.sample : nullptr, frame.simulation, stars.marks.count),
                  style, corner);
  ImGui::Dummy({style.width, height});
  ImGui::Spacing();
}

/// A slider for an end of the colour range, in the unit of the legend. Returns whether it changed.
bool range_slider(Desk& desk, const widgets::Control& control, float& end, const ScalarScale& scale) {
  double value = scale.shown(end);
  if (scale.logarithmic) value = std::pow(10, value);
  if (!widgets::slider(desk, control, value, {scale.min, scale.max, "%.4g", scale.logarithmic})) return false;
  end = static_cast<float>(scale.stored(scale.logarithmic ? std::log10(value) : value));
  return true;
}

void range_rows(const UiFrame& frame, SelectedStars& stars, Desk& desk) {
  widgets::enum_combo(desk, {"color-map", "Colour map", "Colours from the low to the high end of the range."},
                      desk.view.image.map, kMapNames);
  legend(frame, stars, desk);
  widgets::checkbox(desk,
                    {"lock-range", "Lock range",
                     "Keep the range of the colours fixed, to compare different times. Otherwise it follows the data."},
                    desk.view.fixed_range);
  if (!desk.view.fixed_range) return;
  const SessionState& state = frame.simulation;
  const ScalarScale scale = scale_of(scalar_of(desk.view.image.color), state);
  constexpr float kMinRange = 1e-3f;
  if (range_slider(desk, {"range-low", "Low end", "Value at the low end of the colours."}, desk.view.image.low, scale))
    desk.view.image.high = std::max(desk.view.image.high, desk.view.image.low + kMinRange);
  if (range_slider(desk, {"range-high", "High end", "Value at the high end of the colours."}, desk.view.image.high,
                   scale))
    desk.view.image.low = std::min(desk.view.image.low, desk.view.image.high - kMinRange);
}

/// The quantities of the file.
void field_rows(const UiFrame& frame, Desk& desk) {
  const SessionState& state = frame.simulation;
  if (state.fields.empty())
    return widgets::paragraph(desk, {"no-fields", "These bodies have no fields. Load a snapshot that has some.",
                                     "Fields are quantities that a file has of each body, such as the temperature of "
                                     "gas or the age of stars. Scenes of Pericenter have none."});
  const std::string now = state.field ? state.field->field.name : state.fields.front().name;
  if (!widgets::begin_combo(desk,
                            {"field", "Field",
                             "Quantity of the file that the colours show. It is read from the file when it is chosen, "
                             "and stays with its body. Grey bodies have none."},
                            now.c_str()))
    return;
  for (const FieldInfo& field : state.fields) {
    if (field.name == kTypeField) continue;  // has colours of its own
    const std::string label = field.name + (field.unit.empty() ? "" : ", " + field.unit);
    if (!widgets::choice(desk, {field.name.c_str(), label.c_str(), "As in the file."}, field.name == now)) continue;
    desk.view.field = field.name;
    set_color(ColorMode::field, desk);
  }
  widgets::end_combo(desk);
}

void error_rows(const UiFrame& frame, Desk& desk) {
  const SessionState& state = frame.simulation;
  if (widgets::button(desk,
                      {"measure-force-error", "Measure force error",
                       "Compare all forces with a direct sum in double precision. The simulation pauses meanwhile; the "
                       "time grows with the square of the number of bodies."},
                      {ImGui::GetContentRegionAvail().x, 0}))
    desk.requests.push_back(request::MeasureForceErrors{});
  if (!state.force_errors) return;
  widgets::readout(desk, {"force-error-mean", "Mean", "Mean relative force error of all bodies."},
                   number_text(state.force_errors->mean));
  widgets::right_half();
  widgets::readout(desk,
                   {"force-error-p99", "99th percentile", "99 % of the bodies have a smaller relative force error."},
                   number_text(state.force_errors->percentile_99));
  widgets::right_half();
  widgets::readout(desk,
                   {"force-error-max", "Largest",
                    "Largest relative force error of all bodies. At the same mean, the largest errors of the fast "
                    "multipole method are several times those of the octree."},
                   number_text(state.force_errors->max));
  widgets::readout(desk,
                   {"force-error-time", "Measured at",
                    "Time of the measurement. The colours show these errors until the next measurement."},
                   time_text(state.force_errors_time, state.units));
}

void trail_rows(const UiFrame& frame, Desk& desk) {
  render::TrailSettings& trails = desk.view.trails;
  widgets::heading("Trails");
  widgets::checkbox(desk,
                    {"show-trails", "Show trails",
                     "Draw the past paths of some stars as fading lines (P). Rendering is slower without a GPU."},
                    trails.show);
  if (!trails.show) return;
  const TimeUnit time = time_unit(frame.simulation.units);
  const double unit = time.scene_time;
  const std::string format = text("%%.%df %s", *time.name ? time.decimals : 1, time.name);
  double length = trails.length * unit;
  if (widgets::slider(desk,
                      {"trail-length", "Length", "Time span of the trails. Long trails are sampled more coarsely."},
                      length, {0.1 * unit, 50 * unit, format.c_str(), true}))
    trails.length = static_cast<float>(length / unit);
  widgets::slider(desk, {"trail-opacity", "Opacity", "Brightness of the trails."}, trails.opacity,
                  {0.02, 1, "%.2f", true});
  widgets::slider(
      desk,
      {"trail-count", "Number",
       "Maximum number of stars with a trail. A change restarts the trails. Many trails render slowly without "
       "a GPU."},
      trails.bodies, {10, 20'000, "%d", true});
}

void mark_row(const UiFrame& frame, SelectedStars& stars, Desk& desk) {
  widgets::row(desk, {"marks", "Marked stars",
                      "Highlighted stars: the others are dimmed. Mark stars with Ctrl+drag over the image; Ctrl+wheel "
                      "changes the size of the brush. Marks persist during the run and when you rewind."});
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, width = (ImGui::GetContentRegionAvail().x - gap) / 2;
  const bool has_galaxies = frame.simulation.units.length_kpc > 0;
  if (widgets::button(desk,
                      {"mark-tails", "Tails",
                       "Mark the stars that are in tidal tails now. Run back to see where they were born. Reads all "
                       "positions once."},
                      {width, 0}, has_galaxies))
    stars.marks.wanted = Highlight{.what = Highlight::What::tails};
  ImGui::SameLine(0, gap);
  if (widgets::button(desk, {"clear-marks", "Clear", "Unmark all stars (Esc)."}, {width, 0}, stars.marks.count != 0))
    stars.marks.wanted = Highlight{};
  if (stars.marks.count == 0) return;
  widgets::indent();
  widgets::readout(desk, {"marked-stars", "Marked", "Number of marked stars."}, with_thousands(stars.marks.count));
}

}  // namespace

void draw_color_choice(const UiFrame& frame, Desk& desk) {
  ColorMode mode = desk.view.image.color;
  if (widgets::enum_combo(desk, {"color-by", "Colour by", "Quantity mapped to the colour of a star."}, mode,
                          kColorNames))
    set_color(mode, desk);
  if (desk.view.image.color == ColorMode::field) field_rows(frame, desk);
}

void draw_color_panel(const UiFrame& frame, SelectedStars& stars, Desk& desk) {
  draw_color_choice(frame, desk);
  const ColorMode mode = desk.view.image.color;
  const bool is_scalar = render::is_scalar(mode);
  const bool is_recorded = mode == ColorMode::speed || mode == ColorMode::field;
  if (is_scalar && !is_recorded && frame.simulation.playback)
    widgets::paragraph(desk, {"color-unavailable", "A playback has only positions and velocities; the stars stay grey.",
                              "Use Simulate from here to compute forces and this quantity."});
  if (is_scalar)
    range_rows(frame, stars, desk);
  else
    legend(frame, stars, desk);
  if (mode == ColorMode::origin)
    widgets::enum_combo(desk,
                        {"galaxy-colors", "Two galaxies", "Colours of the first two galaxies. They cost no time."},
                        desk.view.image.galaxies, kGalaxyColorNames);
  if (mode == ColorMode::force_error) error_rows(frame, desk);
  widgets::checkbox(desk,
                    {"show-halo", "Dark halo",
                     "Show the bodies of the dark halos (M). They have most of the mass and emit no light."},
                    desk.view.image.show_halo);
  mark_row(frame, stars, desk);
  trail_rows(frame, desk);
}

}  // namespace pericenter::app

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>

#include "app/base/format.h"
#include "app/overlay/legend.h"
#include "app/panels/panels.h"
#include "app/ui/cost_error.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

constexpr float kCardHeight = 13;  ///< in units of the font size

/// Colour of a curve, after the palette for colour-blind readers of Okabe and Ito (2008,
/// https://jfly.uni-koeln.de/color/); with a contrast of at least 3 to the background.
ImU32 curve_color(std::size_t number, Theme theme) {
  constexpr std::array<std::array<ImU32, 2>, 8> kColors = {{
      {IM_COL32(0x56, 0xB4, 0xE9, 255), IM_COL32(0x0F, 0x5F, 0xA8, 255)},
      {IM_COL32(0xE6, 0x9F, 0x00, 255), IM_COL32(0xA3, 0x52, 0x00, 255)},
      {IM_COL32(0x2F, 0xC4, 0x9A, 255), IM_COL32(0x00, 0x70, 0x4F, 255)},
      {IM_COL32(0xD6, 0x8A, 0xBB, 255), IM_COL32(0x9A, 0x3F, 0x77, 255)},
      {IM_COL32(0xF5, 0x77, 0x5A, 255), IM_COL32(0xB0, 0x30, 0x10, 255)},
      {IM_COL32(0xE8, 0xDD, 0x55, 255), IM_COL32(0x6E, 0x63, 0x00, 255)},
      {IM_COL32(0x8F, 0x9C, 0xFF, 255), IM_COL32(0x45, 0x3F, 0xB8, 255)},
      {IM_COL32(0xB4, 0xBD, 0xCC, 255), IM_COL32(0x5A, 0x5F, 0x68, 255)},
  }};
  return kColors[number % kColors.size()][theme == Theme::dark ? 0 : 1];
}

/// The rectangle of the curves, and how values are placed in it.
struct Card {
  ImVec2 low, high;
  CostAxes axes;
  Theme theme;

  ImVec2 pixel(const CostError& place) const {
    return {low.x + static_cast<float>(axes.x(place.ms)) * (high.x - low.x),
            high.y - static_cast<float>(axes.y(place.error)) * (high.y - low.y)};
  }
};

std::string decade_of_ms(double ms) {
  return ms >= 1000 ? text("%g s", ms / 1000) : ms >= 1 ? text("%g ms", ms) : text("%g µs", 1000 * ms);
}
std::string decade_of_error(double error) {
  return error > 0.9e-6 ? text("%g %%", 100 * error) : number_text(100 * error) + " %";
}

/// Calls draw(value) for the powers of ten between two values.
template <class Draw>
void for_each_decade(double low, double high, const Draw& draw) {
  for (double exponent = std::ceil(std::log10(low)); exponent <= std::log10(high); ++exponent)
    draw(std::pow(10, exponent));
}

void draw_axes(const Card& card, const Palette& colors) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float em = ImGui::GetFontSize();
  ImVec4 faint = colors.text;
  faint.w = 0.15f;
  const ImU32 grid = ImGui::GetColorU32(faint), dim = ImGui::GetColorU32(colors.dim);
  float end = card.low.x;  // of the last label, so that labels do not overlap
  for_each_decade(card.axes.low.ms, card.axes.high.ms, [&](double ms) {
    const float x = card.pixel({ms, 1}).x;
    draw->AddLine({x, card.low.y}, {x, card.high.y}, grid);
    const std::string label = decade_of_ms(ms);
    const float width = ImGui::CalcTextSize(label.c_str()).x, left = std::min(x - width / 2, card.high.x - width);
    if (left < end) return;
    draw->AddText({left, card.high.y + 0.15f * em}, dim, label.c_str());
    end = left + width + 0.5f * em;
  });
  float top = card.high.y + em;
  for_each_decade(card.axes.low.error, card.axes.high.error, [&](double error) {
    const float y = card.pixel({1, error}).y;
    draw->AddLine({card.low.x, y}, {card.high.x, y}, grid);
    const std::string label = decade_of_error(error);
    if (y > top) return;
    draw->AddText({card.low.x - ImGui::CalcTextSize(label.c_str()).x - 0.3f * em, y - 0.5f * em}, dim, label.c_str());
    top = y - 1.3f * em;
  });
}

std::size_t number_of(const std::string& solver, Backend backend) {
  const std::vector<std::string> all = swept_solvers(backend);
  return static_cast<std::size_t>(std::ranges::find(all, solver) - all.begin());
}

void draw_curve(const Card& card, const SweepCurve& curve, bool current) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float em = ImGui::GetFontSize();
  const std::size_t number = number_of(curve.config.solver, curve.config.backend);
  std::vector<ImVec2> line;
  for (const SweepPoint& point : curve.points) line.push_back(card.pixel({point.ms, point.errors.mean}));
  draw->AddPolyline(line.data(), static_cast<int>(line.size()), curve_color(number, card.theme), 0,
                    (current ? 0.16f : 0.09f) * em);
  for (const ImVec2& at : line) draw_solver_symbol(number, at, 0.24f * em, card.theme);
}

/// The current setting: a ring around a dot, with its numbers.
void draw_current(const Card& card, const CurrentPlace& current, const Palette& colors, const std::string& label) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float em = ImGui::GetFontSize();
  const ImVec2 at = card.pixel(current.place);
  const ImU32 text_color = ImGui::GetColorU32(colors.text);
  draw->AddCircleFilled(at, 0.45f * em, ImGui::GetColorU32(colors.well));
  draw->AddCircle(at, 0.45f * em, text_color, 0, 0.12f * em);
  if (current.measured) draw->AddCircleFilled(at, 0.2f * em, text_color);
  const ImVec2 size = ImGui::CalcTextSize(label.c_str());
  const bool left = at.x + em + size.x > card.high.x;
  const float x = std::clamp(left ? at.x - 0.8f * em - size.x : at.x + 0.8f * em, card.low.x,
                             std::max(card.low.x, card.high.x - size.x));
  const float y = at.y - size.y - 0.4f * em < card.low.y ? at.y + 0.4f * em : at.y - size.y - 0.2f * em;
  ImVec4 backing = colors.well;
  backing.w = 0.8f;
  draw->AddRectFilled({x - 0.2f * em, y}, {x + size.x + 0.2f * em, y + size.y}, ImGui::GetColorU32(backing), 0.2f * em);
  draw->AddText({x, y}, text_color, label.c_str());
}

/// The parameters for a place of the mouse: along the curve of the solver or, without one, for the error there.
Params dragged_to(const Card& card, const SweepCurve* curve, const SessionState& state, Params params,
                  const Config& config) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const double x = std::clamp((mouse.x - card.low.x) / (card.high.x - card.low.x), 0.0f, 1.0f);
  const double y = std::clamp((card.high.y - mouse.y) / (card.high.y - card.low.y), 0.0f, 1.0f);
  const double error = card.axes.error_at(y);
  if (opens_by_error(config)) {
    params.accuracy = std::clamp(error, kMinAccuracy, kMaxAccuracy);
  } else if (curve && curve->points.size() > 1) {
    params.theta = nearest_theta(*curve, card.axes, x, y);
  } else if (state.force_sample.bodies > 0) {
    params.theta = theta_for_error(error, state.force_sample.errors.mean, state.force_sample.params.theta);
  }
  return params;
}

std::string current_label(const CurrentPlace& current, const Config& config, const Params& params) {
  const SolverInfo* solver = find_solver(config.solver);
  const std::string angle = !solver->has_tree()      ? std::string(solver->title)
                            : opens_by_error(config) ? text("target %g %%", 100 * params.accuracy)
                                                     : text("θ %.2f", params.theta);
  return angle + text(": %.3g ms, ", current.place.ms) + percent_text(current.place.error);
}

std::string card_tip(const SessionState& state) {
  std::string tip =
      "Cost and error of the forces: time per force calculation to the right, mean force error upwards, both "
      "logarithmic; the lower left is best. The ring is the current setting. Drag it to change θ: along the curve of "
      "its solver after a sweep, otherwise to an error. It is filled once its error has been measured.";
  if (state.sweep)
    tip += "\nThe curves are of " + with_thousands(state.sweep->bodies) + " bodies at " +
           time_text(state.sweep->time, state.units) + ".";
  return tip;
}

Card place_card(const UiFrame& frame, const std::optional<CurrentPlace>& current, const UiState& ui) {
  const float em = ImGui::GetFontSize();
  const ImVec2 at = ImGui::GetCursorScreenPos(), size{ImGui::GetContentRegionAvail().x, kCardHeight * em};
  const std::optional<CostError> place = current ? std::optional(current->place) : std::nullopt;
  return {{at.x + 4.2f * em, at.y + 0.5f * em},
          {at.x + size.x - 0.3f * em, at.y + size.y - 1.4f * em},
          ui.held_axes ? *ui.held_axes : axes_for(frame.simulation.sweep.get(), place),
          ui.view.theme};
}

}  // namespace

void draw_solver_symbol(std::size_t number, ImVec2 at, float radius, Theme theme) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImU32 color = curve_color(number, theme);
  // Circle, then polygons with a corner to the left or to the right, above or below; an open one after four.
  constexpr std::array<int, 4> kCorners = {0, 4, 3, 5};
  const int corners = kCorners[number % kCorners.size()];
  const float turn = number % 2 == 1 ? std::numbers::pi_v<float> / 4 : -std::numbers::pi_v<float> / 2;
  std::array<ImVec2, 5> polygon;
  for (int k = 0; k < corners; ++k) {
    const float angle = turn + 2 * std::numbers::pi_v<float> * static_cast<float>(k) / static_cast<float>(corners);
    polygon[static_cast<std::size_t>(k)] = {at.x + radius * std::cos(angle), at.y + radius * std::sin(angle)};
  }
  const bool open = number >= kCorners.size();
  const float width = 0.4f * radius;
  if (corners == 0 && !open) draw->AddCircleFilled(at, radius, color);
  if (corners == 0 && open) draw->AddCircle(at, radius, color, 0, width);
  if (corners > 0 && !open) draw->AddConvexPolyFilled(polygon.data(), corners, color);
  if (corners > 0 && open) draw->AddPolyline(polygon.data(), corners, color, ImDrawFlags_Closed, width);
}

void draw_cost_card(const UiFrame& frame, UiState& ui) {
  const SessionState& state = frame.simulation;
  const Config& config = ui.config.value();
  const SweepCurve* curve = current_curve(state, config);
  const std::optional<CurrentPlace> current = current_place(state, config, ui.params.value(), ui.history);
  const Card card = place_card(frame, current, ui);
  const Palette& colors = palette(ui.view.theme);
  ImGui::InvisibleButton("###cost-card", {ImGui::GetContentRegionAvail().x, kCardHeight * ImGui::GetFontSize()});
  // The axes follow the current setting, but not while the mouse sets it.
  ui.held_axes = ImGui::IsItemActive() ? std::optional(card.axes) : std::nullopt;
  const bool dragged = ImGui::IsItemActive() && current && find_solver(config.solver)->has_tree();
  widgets::describe(ui, {"cost-card", "", card_tip(state)});
  ImGui::GetWindowDrawList()->AddRectFilled(card.low, card.high, ImGui::GetColorU32(colors.well),
                                            ImGui::GetStyle().FrameRounding);
  draw_axes(card, colors);
  if (state.sweep) {
    for (const SweepCurve& one : state.sweep->curves)
      if (!one.points.empty()) draw_curve(card, one, &one == curve);
  }
  if (current) draw_current(card, *current, colors, current_label(*current, config, ui.params.value()));
  if (!dragged) return;
  const Params params = dragged_to(card, curve, state, ui.params.value(), config);
  if (params != ui.params.value()) set_params(params, frame, ui);
}

}  // namespace pericenter::app

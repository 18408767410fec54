#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>

#include "app/base/format.h"
#include "app/base/translation.h"
#include "app/panels/panels.h"
#include "app/plots/plot_canvas.h"
#include "app/ui/cost_accuracy.h"
#include "app/ui/setting_shortcuts.h"
#include "app/widgets/keyboard.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

ImU32 symbol_color(std::size_t number, Theme theme) {
  return ImGui::ColorConvertFloat4ToU32(color_of(kPlotColors[number % kPlotColors.size()], theme));
}

/// The rectangle of the curves, and how values are placed in it.
struct Card {
  PlotBox box;
  CostAxes axes;
  Theme theme;

  ImVec2 pixel(const CostAccuracy& place) const {
    return {box.low.x + static_cast<float>(axes.x(place.ms)) * box.width(),
            box.high.y - static_cast<float>(axes.y(place.error)) * box.height()};
  }
};

/// Axes and the levels of the health strip. The curves may turn back, so they are drawn over it.
Plot background_of_card(const CostAxes& axes) {
  constexpr double kPercent = 100;
  const double low = kPercent * axes.low.error, high = kPercent * axes.high.error;
  const double good = kPercent * kForceErrorLimits.good, fair = kPercent * kForceErrorLimits.fair;
  return {.title = "Cost and error",
          .x = {.name = "time per force calculation", .unit = "ms", .logarithmic = true},
          .y = {.name = "force error", .unit = "%", .logarithmic = true, .range = PlotRange{low, high}},
          .zones = {{{std::min(low, good), good}, kPlotGreen, "trustworthy"},
                    {{good, fair}, kPlotOrange, "doubtful"},
                    {{fair, std::max(high, fair)}, kPlotRed, "not trustworthy"}},
          .legend = false};
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
  draw->AddPolyline(line.data(), static_cast<int>(line.size()), symbol_color(number, card.theme), 0,
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
  const bool left = at.x + em + size.x > card.box.high.x;
  const float edge = 0.3f * em, least = card.box.low.x + edge;  // inside the axes, with its background
  const float x = std::clamp(left ? at.x - 0.8f * em - size.x : at.x + 0.8f * em, least,
                             std::max(least, card.box.high.x - edge - size.x));
  const float y = at.y - size.y - 0.4f * em < card.box.low.y ? at.y + 0.4f * em : at.y - size.y - 0.2f * em;
  draw->AddRectFilled({x - 0.2f * em, y}, {x + size.x + 0.2f * em, y + size.y},
                      ImGui::GetColorU32(with_alpha(colors.well, 0.8f)), 0.2f * em);
  draw->AddText({x, y}, text_color, label.c_str());
}

/// The parameters for a place of the mouse: along the curve of the solver or, without one, for the error there.
Params dragged_to(const Card& card, const SweepCurve* curve, const SessionState& state, Params params) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const double x = std::clamp((mouse.x - card.box.low.x) / card.box.width(), 0.0f, 1.0f);
  const double y = std::clamp((card.box.high.y - mouse.y) / card.box.height(), 0.0f, 1.0f);
  const double error = card.axes.error_at(y);
  if (opens_by_error(state.config)) {
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

}  // namespace

void draw_solver_symbol(std::size_t number, ImVec2 at, float radius, Theme theme) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImU32 color = symbol_color(number, theme);
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

void draw_cost_card(const UiFrame& frame, const PlotSize& size, CostUi& cost, Desk& desk) {
  const SessionState& state = frame.simulation;
  const Config& config = desk.edited.config.value();
  const SweepCurve* curve = current_curve(state, config);
  const std::optional<CurrentPlace> current = current_place(state, config, desk.edited.params.value(), cost.history);
  const std::optional<CostAccuracy> place = current ? std::optional(current->place) : std::nullopt;
  const CostAxes axes = cost.held_axes ? *cost.held_axes : axes_for(state.sweep.get(), place);
  const PlotMapping map =
      draw_plot(background_of_card(axes), {.x = {axes.low.ms, axes.high.ms}}, plot_style(desk.view.theme), size);
  const Card card{map.box, axes, desk.view.theme};
  const ImVec2 below = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(card.box.low);
  widgets::invisible_button("###cost-card", {card.box.width(), card.box.height()});
  // The axes follow the current setting, but not while the mouse sets it.
  cost.held_axes = is_dragged() ? std::optional(axes) : std::nullopt;
  if (const int way = arrow_steps(desk); way != 0) step_theta(way, frame, desk);
  const bool dragged = is_dragged() && current && find_solver(config.solver)->has_tree();
  widgets::describe(desk, {"cost-card", "", card_tip(state)});
  ImGui::SetCursorScreenPos(below);
  for (const SweepCurve& one : state.sweep ? state.sweep->curves : std::vector<SweepCurve>())
    if (!one.points.empty()) draw_curve(card, one, curve && one.config == curve->config);
  if (current)
    draw_current(card, *current, palette(desk.view.theme),
                 translated(current_label(*current, config, desk.edited.params.value()), size.language));
  if (!dragged) return;
  const Params params = dragged_to(card, curve, state, desk.edited.params.value());
  if (params != desk.edited.params.value()) set_params(params, frame, desk);
}

}  // namespace pericenter::app

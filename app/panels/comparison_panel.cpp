#include <algorithm>
#include <string>

#include "app/base/format.h"
#include "app/overlay/comparison_overlay.h"
#include "app/panels/panels.h"
#include "app/plots/plot_canvas.h"
#include "app/ui/divergence.h"
#include "app/widgets/keyboard.h"

namespace pericenter::app {
namespace {

using Phase = ComparisonState::Phase;

constexpr float kPlotEms = 5.5f;   // height of the curves
constexpr float kMinSide = 0.02f;  // share of the image: a divider at the edge would be hard to find

/// Three figures; exactly 0 as "0", because it means that no bit differs.
std::string distance_words(double distance, const Units& units) {
  if (distance == 0) return "0";
  const double shown = units.length_kpc > 0 ? distance * units.length_kpc : distance;
  return text("%.3g", shown) + (units.length_kpc > 0 ? " kpc" : "");
}

void start_rows(const ComparisonState& comparison, Desk& desk) {
  constexpr const char* kTip =
      "Keep the current settings as A, on the left of the image. From then on every change applies to B, on the right "
      "(C). Both continue from the same bodies and advance together. A second simulation runs: steps take about twice "
      "as long and need twice the memory.";
  if (comparison.phase == Phase::starting) {
    widgets::paragraph(desk, {"comparison-starting", "Copying the bodies …", kTip});
    widgets::button(desk, {"end-comparison", "Cancel", "Cancel the comparison (C)."}, {0, 0},
                    {Action::toggle_comparison});
    return;
  }
  widgets::main_button(desk, {"start-comparison", "Keep these settings as A", kTip}, {-1, 0},
                       {Action::toggle_comparison});
}

void control_rows(ComparisonState& comparison, Desk& desk) {
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, width = (ImGui::GetContentRegionAvail().x - gap) / 2;
  widgets::button(desk,
                  {"swap-comparison", "Swap A and B",
                   "A becomes B and B becomes A (X). Then changes apply to the simulation that was A."},
                  {width, 0}, {Action::swap_comparison});
  ImGui::SameLine(0, gap);
  widgets::button(desk, {"end-comparison", "End", "End the comparison (C). B continues; the memory of A is freed."},
                  {width, 0}, {Action::toggle_comparison});
  widgets::checkbox(desk,
                    {"side-by-side", "Side by side",
                     "Each half of the image shows the whole scene of its run, fitted into the half, with the same "
                     "camera, exposure and colours: best for different encounters. Otherwise A and B are the two parts "
                     "of one view, and the divider between them moves: best for different settings of one scene."},
                    comparison.side_by_side);
}

void side_row(bool is_a, const SessionState& state, ComparisonState& comparison, Desk& desk) {
  std::string words;
  for (const std::string& line : label_lines(comparison.differences, is_a)) words += (words.empty() ? "" : ", ") + line;
  if (state.busy)
    words += text(state.computing_forces ? " – computing the first forces, %.0f %%" : " – creating bodies, %.0f %%",
                  100 * state.progress);
  ImGui::TextColored(comparison_color(is_a, desk.view.theme), "%s", is_a ? "A" : "B");
  ImGui::SameLine();
  widgets::paragraph(desk,
                     {is_a ? "comparison-a" : "comparison-b", words,
                      is_a ? "Settings of A, on the left, that differ from B. They do not change."
                           : "Settings of B, on the right, that differ from A. Every change applies to B."},
                     palette(desk.view.theme).text);
}

void step_time_rows(const SessionState& a, const SessionState& b, Desk& desk) {
  const double ms[] = {1e3 * a.mean_step_seconds(), 1e3 * b.mean_step_seconds()};
  const double longest = std::max(ms[0], ms[1]);
  for (const bool is_a : {true, false}) {
    const double mine = ms[is_a ? 0 : 1];
    const std::string value = mine > 0 ? text(mine < 10 ? "%.2f ms" : mine < 100 ? "%.1f ms" : "%.0f ms", mine) : "…";
    widgets::bar(desk,
                 {is_a ? "comparison-ms-a" : "comparison-ms-b", is_a ? "A, per step" : "B, per step",
                  "Time per step, smoothed over the last second. Both bars have the same scale. A and B share the "
                  "processor, so each is slower than alone."},
                 {.share = longest > 0 ? static_cast<float>(mine / longest) : 0,
                  .value = value,
                  .color = comparison_color(is_a, desk.view.theme)});
  }
}

void divergence_rows(const SessionState& state, ComparisonState& comparison, Desk& desk) {
  const std::optional<Divergence> latest = comparison.meter.latest();
  constexpr const char* kTip =
      "Distance |Δx| between the positions of the same body in A and in B at the same time: the median, and the value "
      "that 99 % of the bodies stay below. Measured from up to 4,096 bodies, in single precision. Exactly 0 if A and B "
      "have equal settings and an algorithm that is reproducible.";
  widgets::readout(desk, {"divergence-median", "|Δx| median", kTip},
                   latest ? distance_words(latest->median, state.units) : "…");
  widgets::right_half();
  widgets::readout(desk, {"divergence-99", "99 %", kTip}, latest ? distance_words(latest->p99, state.units) : "…");
  const Plot plot = divergence_plot(comparison.meter.history(), state);
  if (!has_data(plot)) return;
  draw_plot(plot, {.x = fitted_x(plot)}, plot_style(desk.view.theme),
            {ImGui::GetContentRegionAvail().x, kPlotEms * ImGui::GetFontSize()});
}

void preset_buttons(const UiFrame& frame, ComparisonState& comparison, Desk& desk) {
  widgets::heading("Presets");
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, width = (ImGui::GetContentRegionAvail().x - gap) / 2;
  bool right = false;
  for (const ComparisonPreset& preset : comparison_presets()) {
    const float needed = widgets::button_width(preset.title);
    const bool wide = needed > width && !right;
    if (right) ImGui::SameLine(0, gap);
    right = !right && !wide;
    const std::string general = problem_with_comparison(frame.simulation),
                      problem = general.empty() ? preset.problem(frame.simulation, frame.cuda_missing) : general;
    const std::string id = "compare-" + std::string(preset.id),
                      tip = problem.empty() ? std::string(preset.tip) + " Starts a comparison." : problem;
    if (widgets::button(desk, {id, preset.title, tip}, {wide ? -1 : width, 0}, problem.empty()))
      comparison.wanted = preset.setup(frame.simulation);
  }
}

/// The grip of the divider, in the middle of its height.
void draw_grip(ImVec2 at, bool active, const Desk& desk) {
  const Palette& colors = palette(desk.view.theme);
  const float em = ImGui::GetFontSize(), radius = 0.7f * em, arrow = 0.28f * em, apart = 0.14f * em;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddCircleFilled(at, radius, ImGui::GetColorU32(active ? colors.accent : colors.panel));
  draw.AddCircle(at, radius, ImGui::GetColorU32(colors.dim), 0, 0.08f * em);
  const ImU32 ink = ImGui::GetColorU32(active ? colors.on_accent : colors.text);
  for (const float side : {-1.0f, 1.0f}) {
    const float base = at.x + side * apart;
    // ImGui antialiases only one orientation.
    const ImVec2 tip{base + side * arrow, at.y}, high{base, at.y - arrow}, low{base, at.y + arrow};
    draw.AddTriangleFilled(tip, side < 0 ? high : low, side < 0 ? low : high, ink);
  }
}

}  // namespace

void draw_comparison_panel(const UiFrame& frame, ComparisonState& comparison, Desk& desk) {
  if (!comparison.on() || !frame.reference) {
    start_rows(comparison, desk);
  } else {
    side_row(true, *frame.reference, comparison, desk);
    side_row(false, frame.simulation, comparison, desk);
    control_rows(comparison, desk);
    divergence_rows(frame.simulation, comparison, desk);
    step_time_rows(*frame.reference, frame.simulation, desk);
  }
  preset_buttons(frame, comparison, desk);
}

void draw_divider(ComparisonState& comparison, Drawer& drawer, Desk& desk) {
  if (!comparison.on() || comparison.side_by_side) return;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float em = ImGui::GetFontSize(), left = desk.layout.panel_width, width = display.x - left - drawer.width;
  const float height =
      display.y - desk.layout.status_height - desk.layout.notice_height - desk.layout.timeline_height - drawer.height;
  if (width < 4 * em || height < 4 * em) return;
  const float x = left + comparison.divider * width;
  ImGui::SetNextWindowPos({x - 0.8f * em, 0});
  ImGui::SetNextWindowSize({1.6f * em, height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::Begin("Divider", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
  widgets::invisible_button("divider", {1.6f * em, height});
  const bool active = is_dragged(), hovered = ImGui::IsItemHovered();
  constexpr float kArrowShare = 0.02f;
  comparison.divider =
      std::clamp(comparison.divider + kArrowShare * static_cast<float>(arrow_steps(desk)), kMinSide, 1 - kMinSide);
  if (active || hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (active) comparison.divider = std::clamp((ImGui::GetIO().MousePos.x - left) / width, kMinSide, 1 - kMinSide);
  if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) comparison.divider = 0.5f;
  widgets::describe(desk, {"divider", "",
                           "Drag: show more of A (left) or of B (right). Double-click to centre the divider. "
                           "Images and videos are divided in the same place."});
  draw_grip({x, height / 2}, active || hovered, desk);
  ImGui::End();
  ImGui::PopStyleVar();
}

}  // namespace pericenter::app

#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "app/base/format.h"
#include "app/panels/panels.h"
#include "app/panels/plot_panel.h"
#include "app/plots/plot_canvas.h"

namespace pericenter::app {
namespace {

constexpr int kColumns = 128;           // columns of the plot, each the mean of a few steps
constexpr std::size_t kMeanSteps = 30;  // steps averaged for the numbers, so that they are legible

using Milliseconds = std::array<float, kStageCount>;

Milliseconds mean(const std::deque<StageTimings>& history, std::size_t first, std::size_t last) {
  Milliseconds sum = {};
  for (std::size_t k = first; k < last; ++k)
    for (std::size_t stage = 0; stage < kStageCount; ++stage) sum[stage] += history[k].ms[stage];
  for (float& ms : sum) ms /= static_cast<float>(std::max<std::size_t>(1, last - first));
  return sum;
}

float total(const Milliseconds& stages) {
  float sum = 0;
  for (const float ms : stages) sum += ms;
  return sum;
}

std::vector<Milliseconds> columns(const std::deque<StageTimings>& history) {
  const std::size_t empty = kHistory - std::min(kHistory, history.size());
  std::vector<Milliseconds> result(kColumns);
  for (std::size_t k = 0; k < kColumns; ++k) {
    const std::size_t first = k * kHistory / kColumns, last = (k + 1) * kHistory / kColumns;
    if (last > empty) result[k] = mean(history, std::max(first, empty) - empty, last - empty);
  }
  return result;
}

/// Top of the scale: a little above the 97th percentile, so that a single slow step does not flatten the plot.
float scale_top(const std::vector<Milliseconds>& plotted) {
  std::vector<float> totals;
  for (const Milliseconds& column : plotted)
    if (total(column) > 0) totals.push_back(total(column));
  if (totals.empty()) return 1;
  const auto percentile = totals.begin() + static_cast<std::ptrdiff_t>((totals.size() - 1) * 97 / 100);
  std::nth_element(totals.begin(), percentile, totals.end());
  return *percentile * 1.15f;
}

std::string stage_tip(Stage stage, const StageTimings& timings) {
  constexpr std::array<std::string_view, kStagePlaceNames.size()> kPlaces = {
      "Runs on the CPU.", "Runs on the GPU.", "Uses the bus between CPU and GPU (PCIe)."};
  return std::string(kStageSummaries[static_cast<std::size_t>(stage)]) + " " +
         std::string(kPlaces[static_cast<std::size_t>(timings.place(stage))]);
}

void stage_row(std::size_t stage, float ms, float sum, CostUi& cost, Desk& desk) {
  const float em = ImGui::GetFontSize(), width = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + 0.2f * em}, {at.x + 0.65f * em, at.y + 0.85f * em},
                                            ImGui::GetColorU32(stage_color(static_cast<Stage>(stage), desk.view.theme)),
                                            0.15f * em);
  const float left = ImGui::GetCursorPosX();
  ImGui::Dummy({em, em});
  ImGui::SameLine(0, 0);
  ImGui::TextUnformatted(kStageNames[stage].data());
  const std::string id = text("stage-%zu", stage), tip = stage_tip(static_cast<Stage>(stage), cost.history.back());
  widgets::describe(desk, {id, "", tip});
  const std::string number = text("%.2f ms", ms), share = text("%.0f %%", sum > 0 ? 100 * ms / sum : 0);
  ImGui::SameLine(left + width - 3.2f * em - ImGui::CalcTextSize(number.c_str()).x);
  ImGui::TextUnformatted(number.c_str());
  ImGui::SameLine(left + width - ImGui::CalcTextSize(share.c_str()).x);
  widgets::colored_text(share, palette(desk.view.theme).dim);
}

}  // namespace

Plot timings_plot(const CostUi& cost) {
  const std::vector<Milliseconds> plotted = columns(cost.history);
  constexpr double kWidth = static_cast<double>(kHistory) / kColumns;
  Plot plot{.title = "Timings",
            .x = {.name = "step", .unit = "steps"},
            .y = {.name = "time", .unit = "ms", .range = PlotRange{0, scale_top(plotted)}}};
  for (int k = 0; k < kColumns; ++k) plot.band_x.push_back(k * kWidth - kHistory);
  for (std::size_t stage = 0; stage < kStageCount; ++stage) {
    Band band{.name = std::string(kStageNames[stage]), .color = stage_color(static_cast<Stage>(stage))};
    for (const Milliseconds& column : plotted) band.y.push_back(column[stage]);
    if (std::ranges::any_of(band.y, [](double ms) { return ms > 0; })) plot.bands.push_back(std::move(band));
  }
  return plot;
}

void draw_timings_panel(const UiFrame& /*frame*/, CostUi& cost, Drawer& drawer, Desk& desk) {
  const std::deque<StageTimings>& history = cost.history;
  Plot plot = timings_plot(cost);
  plot.legend = false;
  draw_plot(plot, {.x = fitted_x(plot)}, plot_style(desk.view.theme),
            {ImGui::GetContentRegionAvail().x, 5.5f * ImGui::GetFontSize()});
  if (history.empty()) return;
  const Milliseconds recent = mean(history, history.size() - std::min(history.size(), kMeanSteps), history.size());
  const float sum = total(recent);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing,
                      {ImGui::GetStyle().ItemSpacing.x, ImGui::GetStyle().ItemSpacing.y * 0.4f});
  for (std::size_t stage = 0; stage < kStageCount; ++stage)
    if (recent[stage] > 0) stage_row(stage, recent[stage], sum, cost, desk);
  ImGui::PopStyleVar();
  widgets::readout(desk, {"step-time", "Step", "Computing time per step, mean of the last 30 steps."},
                   text("%.2f ms", sum));
  widgets::right_half();
  widgets::readout(desk, {"max-step-rate", "Maximum", "Steps per second without rendering."},
                   text("%.3g steps/s", sum > 0 ? 1000 / sum : 0));
  widgets::button(desk,
                  {"show-plots", drawer.open ? "Hide the plots" : "Show all plots",
                   "Energy, momentum, separation of the galaxies and more over time, beside the image (J)."},
                  {-FLT_MIN, 0}, {Action::toggle_drawer});
}

}  // namespace pericenter::app

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <string>

#include "app/base/format.h"
#include "app/panels/panels.h"
#include "app/ui/ablation.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

float widest_value(const SolverOptionInfo& info) {
  float widest = 0;
  for (const SolverOptionValue& choice : info.values)
    widest = std::max(widest, ImGui::CalcTextSize(std::string(choice.title).c_str()).x);
  return widest;
}

void option_row(SolverOption option, Config& config, Desk& desk) {
  const SolverOptionInfo& info = solver_option_info(option);
  const int now = value_index(config, option);
  const SolverOptionValue& current = info.values[static_cast<std::size_t>(now)];
  const std::string preview(current.title), id = "option-" + std::string(info.name);
  const std::string tip = std::string(info.summary) + "\n" + preview + ": " + std::string(current.tip);
  if (!widgets::begin_wide_combo(desk, {id, info.title, tip}, preview.c_str(), widest_value(info))) return;
  for (int k = 0; k < std::ssize(info.values); ++k) {
    const SolverOptionValue& value = info.values[static_cast<std::size_t>(k)];
    std::string problem = problem_with_value(config, option, k);
    if (!problem.empty()) problem += '.';
    if (widgets::choice(desk, {value.name, value.title, value.tip}, k == now, problem) && k != now)
      config = with_value(config, option, k);
  }
  widgets::end_combo(desk);
}

void threads_row(Config& config, Desk& desk) {
  constexpr const char* kAll = "all cores";
  constexpr const char* kOne = "one, sequential";
  const std::string preview = config.threads == 0 ? kAll : config.threads == 1 ? kOne : std::to_string(config.threads);
  if (!widgets::begin_wide_combo(desk,
                                 {"cpu-threads", "CPU threads",
                                  "CPU threads for the force calculation. A single thread is the baseline of the "
                                  "speed-up. The results are unchanged."},
                                 preview.c_str(), ImGui::CalcTextSize(kOne).x))
    return;
  if (widgets::choice(desk, {"all", kAll, "One thread per hardware thread of this machine."}, config.threads == 0))
    config.threads = 0;
  if (widgets::choice(desk, {"1", kOne, "One thread, still with vector instructions."}, config.threads == 1))
    config.threads = 1;
  widgets::end_combo(desk);
}

void option_rows(const UiFrame& frame, Desk& desk) {
  Config config = desk.edited.config.value();
  for (std::size_t k = 0; k < kSolverOptionCount; ++k)
    if (has_option(config, static_cast<SolverOption>(k))) option_row(static_cast<SolverOption>(k), config, desk);
  if (config.backend == Backend::cpu) threads_row(config, desk);
  if (config != desk.edited.config.value()) set_config(config, frame, desk);
}

void work_rows(const SessionState& state, Desk& desk) {
  if (!state.note.empty())
    widgets::paragraph(
        desk, {"solver-note", state.note, "What the algorithm could not do as requested, and what it did instead."});
  const double visits = static_cast<double>(state.work.node_visits), lanes = state.work.lane_efficiency();
  const double bodies = std::max(1.0, static_cast<double>(state.bodies));
  if (visits > 0)
    widgets::readout(
        desk,
        {"node-visits", "Node visits",
         "Tree nodes that walks visit, divided by the number of bodies. A walk that a group of bodies shares "
         "counts once."},
        short_number(visits / bodies) + " per body");
  if (lanes > 0)
    widgets::readout(
        desk,
        {"lane-efficiency", "Active lanes",
         "Fraction of active lanes per visited node. The 32 lanes of a warp visit nodes together; lanes that do "
         "not need a node idle. Bodies that are close in space need the same nodes."},
        text("%.0f %%", 100 * lanes));
}

std::string step_ms(double ms) {
  return text(ms < 10 ? "%.2f ms" : ms < 100 ? "%.1f ms" : "%.0f ms", ms);
}

/// "12.3 ms, 0.09 %"
std::string cost_and_error(const Ablation::Variant& variant) {
  const std::string cost = variant.steps > 0 ? step_ms(variant.ms) : "…";
  return std::isnan(variant.error) ? cost : cost + ", " + percent_text(variant.error);
}

std::string error_tip(const Ablation::Variant& variant) {
  return std::isnan(variant.error)
             ? "\nForce error not measured yet."
             : "\nMean force error " + percent_text(variant.error) + ", of a sample of the bodies.";
}

widgets::Bar step_time_bar(const Ablation::Variant& variant, double slowest, const ImVec4& color) {
  return {.share = slowest > 0 ? static_cast<float>(variant.ms / slowest) : 0,
          .value = cost_and_error(variant),
          .color = color};
}

/// Step times before and after the last change.
void comparison(const Ablation& ablation, bool running, Desk& desk) {
  constexpr const char* kTip =
      "Effect of the last change on the step time: mean of up to 100 steps before and after it. The first three steps "
      "after a change, rendering and diagnostics are excluded. A change of the scene, the number of bodies, the "
      "dimension, θ or ε clears the comparison.";
  const Palette& colors = palette(desk.view.theme);
  widgets::heading("Last change");
  widgets::describe(desk, {"comparison", "", kTip});
  const Ablation::Variant *before = ablation.previous(), *now = ablation.current();
  if (!before || !now)
    return widgets::paragraph(
        desk, {"no-comparison", "Change a setting to compare the step times before and after.", kTip}, colors.dim);
  std::string changed;
  for (const Change& change : changes(before->config, now->config))
    changed += (changed.empty() ? "" : "\n") + change.setting + ": " + change.from + " → " + change.to;
  widgets::paragraph(desk, {"last-change", changed, kTip}, colors.text);
  // An earlier measurement of this variant is for other positions.
  const Ablation::Variant since =
      ablation.current_steps() > 0 ? *now : Ablation::Variant{.config = now->config, .error = now->error};
  const double slowest = std::max(before->ms, since.ms);
  widgets::bar(desk,
               {"variant-before", "before, " + counted(before->steps, "step"),
                "Before the change.\n" + description_of(before->config) + error_tip(*before)},
               step_time_bar(*before, slowest, colors.old_bar));
  widgets::bar(desk,
               {"variant-after", "after, " + counted(since.steps, "step"),
                "After the change.\n" + description_of(since.config) + error_tip(since)},
               step_time_bar(since, slowest, colors.bar));
  const bool measured = since.steps > 0;
  const std::string ratio = measured  ? ratio_text(before->ms, since.ms)
                            : running ? "measuring …"
                                      : "paused; run the simulation to measure";
  widgets::paragraph(desk, {"variant-ratio", ratio, kTip}, measured ? colors.accent : colors.dim);
}

void variant_list(Ablation& ablation, Desk& desk) {
  const std::span<const Ablation::Variant> variants = ablation.variants();
  if (variants.size() < 2) return;
  const auto slower = [](const Ablation::Variant& a, const Ablation::Variant& b) { return a.ms < b.ms; };
  const double slowest = std::ranges::max_element(variants, slower)->ms;
  const Palette& colors = palette(desk.view.theme);
  widgets::heading("Measured variants");
  widgets::describe(desk,
                    {"variants", "",
                     "The last eight variants that were measured on this scene, each with its difference from the "
                     "one above, its time per step and its mean force error. Bars are relative to the slowest "
                     "variant; the current one is bright."});
  for (std::size_t k = 0; k < variants.size(); ++k) {
    const Ablation::Variant& variant = variants[k];
    const std::string label = k == 0 ? title_of(variant.config) : step_title(variants[k - 1].config, variant.config);
    widgets::bar(desk,
                 {text("variant-%zu", k + 1), label,
                  description_of(variant.config) + "\n" + step_ms(variant.ms) + " per step, mean of " +
                      counted(variant.steps, "step") + "." + error_tip(variant)},
                 step_time_bar(variant, slowest, &variant == ablation.current() ? colors.bar : colors.old_bar));
  }
  if (widgets::button(desk, {"clear-variants", "Clear", "Discard all measurements."}, {0, 0})) ablation.clear();
}

}  // namespace

void draw_ablation_panel(const UiFrame& frame, CostUi& cost, Desk& desk) {
  option_rows(frame, desk);
  work_rows(frame.simulation, desk);
  comparison(cost.ablation, frame.simulation.running, desk);
  variant_list(cost.ablation, desk);
}

}  // namespace pericenter::app

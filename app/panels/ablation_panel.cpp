#include <algorithm>
#include <iterator>
#include <span>
#include <string>

#include "app/base/format.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
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

void switch_row(SolverOption which, Config& config, UiState& ui) {
  const SolverOptionInfo& info = solver_option_info(which);
  const int now = value_index(config, which);
  const SolverOptionValue& chosen = info.values[static_cast<std::size_t>(now)];
  const std::string preview(chosen.title);
  const std::string tip = std::string(info.summary) + "\nNow " + preview + ": " + std::string(chosen.tip);
  if (!widgets::begin_wide_combo(ui, std::string(info.title).c_str(), preview.c_str(), widest_value(info), tip)) return;
  for (int k = 0; k < std::ssize(info.values); ++k) {
    const SolverOptionValue& choice = info.values[static_cast<std::size_t>(k)];
    std::string problem = problem_with_value(config, which, k);
    if (!problem.empty()) problem += '.';
    if (widgets::choice(ui, std::string(choice.title).c_str(), k == now, choice.tip, problem) && k != now)
      config = with_value(config, which, k);
  }
  widgets::end_combo();
}

void threads_row(Config& config, UiState& ui) {
  constexpr const char* kAll = "all cores";
  constexpr const char* kOne = "one, sequential";
  constexpr const char* kTip =
      "Threads of the CPU that share the work. The sequential program is what speed-ups are measured from. It changes "
      "nothing but the speed.";
  const std::string preview = config.threads == 0 ? kAll : config.threads == 1 ? kOne : std::to_string(config.threads);
  if (!widgets::begin_wide_combo(ui, "CPU threads", preview.c_str(), ImGui::CalcTextSize(kOne).x, kTip)) return;
  if (widgets::choice(ui, kAll, config.threads == 0, "As many threads as this machine runs at once."))
    config.threads = 0;
  if (widgets::choice(ui, kOne, config.threads == 1,
                      "One thread does everything, one thing after the other; vector instructions stay."))
    config.threads = 1;
  widgets::end_combo();
}

void switch_rows(const UiFrame& frame, UiState& ui) {
  Config config = ui.config.value();
  for (std::size_t k = 0; k < kSolverOptionCount; ++k)
    if (has_option(config, static_cast<SolverOption>(k))) switch_row(static_cast<SolverOption>(k), config, ui);
  if (config.backend == Backend::cpu) threads_row(config, ui);
  if (config != ui.config.value()) set_config(config, frame, ui);
}

/// What the solver could not do as asked, and what its walks did.
void work_rows(const SessionState& state, UiState& ui) {
  if (!state.note.empty())
    widgets::paragraph(ui, "Note", state.note, palette(ui.view.theme).dim,
                       "What the algorithm could not do as its switches ask, and what it did instead.");
  const double visits = static_cast<double>(state.work.node_visits), lanes = state.work.lane_efficiency();
  if (visits > 0)
    widgets::readout(
        ui, "Nodes visited",
        text("%s a body", short_number(visits / std::max(1.0, static_cast<double>(state.bodies))).c_str()),
        "Nodes of the tree that walks have looked at, divided by the number of bodies. The walk of a group "
        "counts once for all its bodies: that is what it saves.");
  if (lanes > 0)
    widgets::readout(ui, "Lanes at work", text("%.0f %%", 100 * lanes),
                     "Active lanes per visited node. The 32 lanes of a warp go on together: whenever one of them has a "
                     "node to visit, the others wait if they do not need it. Neighbours in space need the same nodes; "
                     "strangers keep each other waiting.");
}

std::string step_ms(double ms) {
  return text(ms < 10 ? "%.2f ms" : ms < 100 ? "%.1f ms" : "%.0f ms", ms);
}

std::string steps_text(std::size_t steps) {
  return text(steps == 1 ? "%zu step" : "%zu steps", steps);
}

widgets::Bar cost_bar(const Ablation::Variant& rung, double slowest, const std::string& words, const ImVec4& color) {
  return {.share = slowest > 0 ? static_cast<float>(rung.ms / slowest) : 0,
          .words = words,
          .number = rung.steps > 0 ? step_ms(rung.ms) : "…",
          .color = color};
}

void comparison(const Ablation& ladder, bool running, UiState& ui) {
  constexpr const char* kTip =
      "What the last change did to the cost of a step: the mean over up to 100 steps before it, and over up to 100 "
      "since. The first three steps after a change are left out, and so is the time for picture and diagnostics. "
      "Another scene, number of bodies, dimension, θ or ε begins anew: costs could not be compared.";
  widgets::heading("What did it cost?");
  widgets::note(ui, "What did it cost?", kTip);
  const Ablation::Variant *before = ladder.previous(), *now = ladder.current();
  if (!before || !now)
    return widgets::paragraph(ui, "Nothing compared",
                              "Change something: the steps before and after will be compared here.",
                              palette(ui.view.theme).dim, kTip);
  std::string changed;
  for (const Change& change : changes(before->config, now->config))
    changed += (changed.empty() ? "" : "\n") + change.setting + ": " + change.from + " → " + change.to;
  widgets::paragraph(ui, "Changed", changed, palette(ui.view.theme).text, kTip);
  // What it cost when it last ran is of other positions.
  const Ablation::Variant since = ladder.current_steps() > 0 ? *now : Ablation::Variant{.config = now->config};
  const double slowest = std::max(before->ms, since.ms);
  const Palette& colors = palette(ui.view.theme);
  widgets::bar(ui, "Before", cost_bar(*before, slowest, "before, " + steps_text(before->steps), colors.old_bar),
               "Before the change.\n" + description_of(before->config));
  widgets::bar(ui, "Now", cost_bar(since, slowest, "now, " + steps_text(since.steps), colors.bar),
               "Since the change.\n" + description_of(since.config));
  if (since.steps > 0)
    return widgets::paragraph(ui, "Ratio", ratio_text(before->ms, since.ms), palette(ui.view.theme).accent, kTip);
  widgets::paragraph(ui, "Ratio", running ? "counting …" : "paused: nothing to count", palette(ui.view.theme).dim,
                     kTip);
}

void climbed(Ablation& ladder, UiState& ui) {
  const std::span<const Ablation::Variant> rungs = ladder.variants();
  if (rungs.size() < 2) return;
  const auto slower = [](const Ablation::Variant& a, const Ablation::Variant& b) { return a.ms < b.ms; };
  const double slowest = std::ranges::max_element(rungs, slower)->ms;
  const Palette& colors = palette(ui.view.theme);
  widgets::heading("Climbed so far");
  widgets::note(ui, "Climbed so far",
                "The last eight configurations that were measured on this scene, each with what it has that the one "
                "above it has not. Bars are relative to the slowest; the bright one runs.");
  for (std::size_t k = 0; k < rungs.size(); ++k) {
    const std::string words = k == 0 ? title_of(rungs[k].config) : step_title(rungs[k - 1].config, rungs[k].config);
    widgets::bar(ui, text("Rung %zu", k + 1).c_str(),
                 cost_bar(rungs[k], slowest, words, &rungs[k] == ladder.current() ? colors.bar : colors.old_bar),
                 description_of(rungs[k].config) + "\n" + step_ms(rungs[k].ms) + " a step, mean of " +
                     steps_text(rungs[k].steps));
  }
  if (widgets::button(ui, "Clear", {0, 0}, "Forget these costs and begin anew with what runs.")) ladder.clear();
}

}  // namespace

void draw_ladder_section(const UiFrame& frame, UiState& ui) {
  if (!widgets::section(ui, "Optimization ladder", true,
                        "What the algorithm does in more than one way. Each is switched in the middle of a collision, "
                        "and what a step costs is compared with before."))
    return;
  switch_rows(frame, ui);
  work_rows(frame.simulation, ui);
  comparison(ui.ablation, frame.simulation.running, ui);
  climbed(ui.ablation, ui);
}

}  // namespace pericenter::app

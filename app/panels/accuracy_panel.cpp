#include <string>
#include <vector>

#include "app/base/format.h"
#include "app/panels/panels.h"
#include "app/ui/cost_accuracy.h"
#include "app/widgets/health_text.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

void sample_rows(const SessionState& state, Desk& desk) {
  const ForceSample& sample = state.force_sample;
  const auto value = [&](double error) { return sample.bodies > 0 ? percent_text(error) : std::string("–"); };
  widgets::readout(
      desk,
      {"sampled-mean", "Force error",
       "Mean relative error of the forces on a random sample of the bodies: the difference from exact sums "
       "over all bodies in double precision. It is measured about once per second while the simulation "
       "runs. Below 0.1 % is good for galaxies; above 1 % the result cannot be trusted."},
      value(sample.errors.mean));
  widgets::right_half();
  widgets::readout(desk, {"sampled-99", "99 % below", "99 % of the sampled bodies have a smaller error."},
                   value(sample.errors.percentile_99));
  widgets::readout(desk, {"sampled-max", "Largest", "Largest error among the sampled bodies."},
                   value(sample.errors.max));
  widgets::right_half();
  widgets::readout(desk, {"sampled-bodies", "Sample", "Number of bodies in the last measurement, at most 1,024."},
                   sample.bodies > 0 ? with_thousands(sample.bodies) + " bodies" : "–");
  bool samples = state.samples_forces;
  if (widgets::checkbox(desk,
                        {"sample-forces", "Measure while running",
                         "Compare a sample of the forces with exact sums about once per second. Takes less than 5 % of "
                         "the computing time; large simulations are measured less often and with fewer bodies. " +
                             sample_cost(sample)},
                        samples))
    desk.requests.push_back(request::SampleForces{samples});
  if (sample.bodies == 0) return;
  ImGui::SameLine();
  widgets::readout(desk, {"sample-cost", "Cost", "Share of the computing time that these measurements take."},
                   percent_text(sample.share));
}

/// The solvers of the next sweep that can be swept.
std::vector<std::string> chosen_solvers(const SessionState& state, CostUi& cost) {
  if (!cost.swept) cost.swept = {state.config.solver, "octree", "fmm", "direct"};
  std::vector<std::string> chosen;
  for (const std::string& solver : swept_solvers(state.config.backend))
    if (cost.swept->contains(solver) && problem_with_sweep(solver, state).empty()) chosen.push_back(solver);
  return chosen;
}

/// A checkbox with the symbol of the solver's curve.
void solver_row(const std::string& solver, std::size_t number, const SessionState& state, CostUi& cost, Desk& desk) {
  const SolverInfo& info = *find_solver(solver);
  const std::string problem = problem_with_sweep(solver, state);
  const float em = ImGui::GetFontSize();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_solver_symbol(number, {at.x + 0.5f * em, at.y + 0.5f * ImGui::GetFrameHeight()}, 0.36f * em, desk.view.theme);
  ImGui::Dummy({em, em});
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  bool chosen = cost.swept->contains(solver) && problem.empty();
  ImGui::BeginDisabled(!problem.empty());
  const std::string tip =
      problem.empty() ? "Include this solver in the next sweep. " + std::string(info.summary) + "." : problem;
  if (widgets::checkbox(desk, {"sweep-" + solver, info.title, tip}, chosen)) {
    if (chosen)
      cost.swept->insert(solver);
    else
      cost.swept->erase(solver);
  }
  ImGui::EndDisabled();
}

void sweep_rows(const UiFrame& frame, CostUi& cost, Desk& desk) {
  const SessionState& state = frame.simulation;
  const std::vector<std::string> chosen = chosen_solvers(state, cost);
  const std::vector<std::string> offered = swept_solvers(state.config.backend);
  for (std::size_t k = 0; k < offered.size(); ++k) {
    solver_row(offered[k], k, state, cost, desk);
    if (k % 2 == 0 && k + 1 < offered.size()) widgets::right_half();
  }
  const bool pressed = widgets::button(
      desk,
      {"measure-sweep", "Sweep θ",
       "Measure time and error of nine opening angles for the chosen solvers, on the current bodies. The "
       "simulation waits meanwhile; this takes 54 force calculations per solver, and can be cancelled."},
      {ImGui::GetContentRegionAvail().x, 0}, !chosen.empty() && !state.busy && state.bodies != 0);
  if (pressed) desk.requests.push_back(request::MeasureSweep{chosen});
}

}  // namespace

void draw_accuracy_panel(const UiFrame& frame, CostUi& cost, Desk& desk) {
  sample_rows(frame.simulation, desk);
  draw_cost_card(frame, {ImGui::GetContentRegionAvail().x, kCostCardEms * ImGui::GetFontSize()}, cost, desk);
  sweep_rows(frame, cost, desk);
}

}  // namespace pericenter::app

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/format.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

/// The titles of the algorithms that run there: "Octree or Direct sum".
std::string choices_on(Backend backend) {
  std::vector<std::string_view> titles;
  for (const SolverInfo& info : solvers())
    if (info.runs_on(backend)) titles.push_back(info.title);
  std::string list;
  for (std::size_t k = 0; k < titles.size(); ++k)
    list += std::string(k == 0 ? "" : k + 1 == titles.size() ? " or " : ", ") + std::string(titles[k]);
  return list;
}

/// Why the algorithm cannot be chosen while this is the backend; empty when it can.
std::string algorithm_problem(const SolverInfo& info, Backend backend, std::string_view cuda_missing) {
  if (info.runs_on(backend)) return {};
  if (backend == Backend::cuda) return "It runs on the CPU alone: choose the backend CPU first.";
  if (cuda_missing.empty()) return "It runs on CUDA alone: choose the backend CUDA first.";
  return "It runs on CUDA alone, and CUDA cannot be used: " + std::string(cuda_missing) + ".";
}

/// Why the backend cannot be chosen for this algorithm; empty when it can.
std::string backend_problem(Backend backend, const SolverInfo* solver, std::string_view cuda_missing) {
  if (backend == Backend::cuda && !cuda_missing.empty()) return "Not available: " + std::string(cuda_missing) + ".";
  if (!solver || solver->runs_on(backend)) return {};
  return std::string(solver->title) + " does not run there: choose the algorithm " + choices_on(backend) + " first.";
}

void algorithm_combo(const UiFrame& frame, Config& config, UiState& ui) {
  const SolverInfo* now = find_solver(config.solver);
  const bool automatic = frame.simulation.automatic_solver;
  std::string preview(now ? now->title : std::string_view(config.solver));
  if (automatic) preview += " (automatic)";
  if (!widgets::begin_combo(ui, "Algorithm", preview.c_str(),
                            now ? now->summary : "How the forces are computed: decides speed more than anything else."))
    return;
  if (widgets::choice(
          ui, "Automatic", automatic,
          "The program chooses for each scene what is fastest at the same error: fast multipoles for many bodies; "
          "for few the octree, or on a GPU the direct sum; the octree where one body outweighs the others."))
    ui.requests.push_back(request::ChooseSolver{true});
  std::string_view family;
  for (const SolverInfo& info : solvers()) {
    if (info.family != family) widgets::heading(std::string(info.family).c_str());
    family = info.family;
    std::string tip(info.summary);
    if (!info.source.empty()) tip.append("\n").append(info.source);
    if (widgets::choice(ui, std::string(info.title).c_str(), &info == now && !automatic, tip,
                        algorithm_problem(info, config.backend, frame.cuda_missing))) {
      config.solver = info.name;
      ui.requests.push_back(request::ChooseSolver{false});
    }
  }
  widgets::end_combo();
}

void backend_combo(const UiFrame& frame, Config& config, UiState& ui) {
  constexpr const char* kTip =
      "Which processor computes the forces. The results agree to rounding; the speed does not.";
  if (!widgets::begin_left_combo(ui, "Backend", config.backend == Backend::cpu ? "CPU" : "CUDA", kTip)) return;
  const SolverInfo* solver = find_solver(config.solver);
  if (widgets::choice(ui, "CPU", config.backend == Backend::cpu,
                      "All cores, with the widest vector instructions they have.",
                      backend_problem(Backend::cpu, solver, frame.cuda_missing)))
    config.backend = Backend::cpu;
  if (widgets::choice(
          ui, "CUDA", config.backend == Backend::cuda,
          "An NVIDIA GPU: many times as fast when there are many bodies. Where it draws too, the picture is "
          "drawn from its memory.",
          backend_problem(Backend::cuda, solver, frame.cuda_missing)))
    config.backend = Backend::cuda;
  widgets::end_combo();
}

void dimension_combo(Config& config, UiState& ui) {
  constexpr const char* kTip =
      "2D puts the bodies in a plane under the same inverse-square law (not the 1/r law of a flat universe) and walks "
      "a quadtree: "
      "faster, and easier to explain. Going to 2D drops the heights; going back does not restore them.";
  if (!widgets::begin_left_combo(ui, "Space", config.dimension == 2 ? "2D plane" : "3D", kTip)) return;
  if (widgets::choice(ui, "3D", config.dimension == 3, "Bodies in space; the tree is an octree.")) config.dimension = 3;
  if (widgets::choice(ui, "2D, bodies in a plane", config.dimension == 2, kTip)) config.dimension = 2;
  widgets::end_combo();
}

void precision_combo(Config& config, UiState& ui) {
  const bool single = config.precision == Precision::float32;
  constexpr const char* kTip =
      "Arithmetic of positions and forces. Double costs about twice the time; with a tree the error of θ hides the "
      "difference, in "
      "long direct sums and close orbits it shows.";
  if (!widgets::begin_right_combo(ui, "Precision", single ? "single" : "double", kTip)) return;
  if (widgets::choice(ui, "single (32 bits)", single, "Seven digits: fast, and enough for pictures and most galaxies."))
    config.precision = Precision::float32;
  if (widgets::choice(ui, "double (64 bits)", !single, "Sixteen digits: for reference runs and tight binaries."))
    config.precision = Precision::float64;
  widgets::end_combo();
}

void multipole_choices(Config& config, UiState& ui) {
  const bool monopole = config.multipole == Multipole::monopole;
  if (widgets::choice(ui, "quadrupoles", !monopole, "Mass and shape: the better bargain at any accuracy."))
    config.multipole = Multipole::quadrupole;
  if (widgets::choice(ui, "monopoles", monopole, "Mass alone, as in the first tree codes: cheap and coarse."))
    config.multipole = Multipole::monopole;
  widgets::end_combo();
}

void multipole_combo(Config& config, UiState& ui) {
  const SolverInfo* solver = find_solver(config.solver);
  const bool can_choose = !solver || solver->quadrupoles;
  const char* preview = config.multipole == Multipole::monopole ? "monopoles" : "quadrupoles";
  std::string tip =
      "What a far cell of the tree acts with. Quadrupoles know its shape: a cell costs more than twice as much, and "
      "the "
      "same error is reached at a larger θ.";
  if (!can_choose && solver->expansions) {
    preview = "expansions";
    tip += " The cells of this algorithm act with expansions, whose order is a choice of the optimization ladder.";
  } else if (!can_choose && solver->has_tree()) {
    preview = "monopoles";
    tip += " The cells of this algorithm have their mass alone.";
  } else if (!can_choose) {
    preview = "no cells";
    tip += " The direct sum has no cells.";
  }
  // The list is inside: ImGui wants disabling to end in the window in which it began.
  ImGui::BeginDisabled(!can_choose);
  if (widgets::begin_right_combo(ui, "Cells", preview, tip)) multipole_choices(config, ui);
  ImGui::EndDisabled();
}

void config_rows(const UiFrame& frame, UiState& ui) {
  Config config = ui.config.value();
  algorithm_combo(frame, config, ui);
  backend_combo(frame, config, ui);
  if (config != ui.config.value()) config = without_unsupported_values(config);
  precision_combo(config, ui);
  dimension_combo(config, ui);
  multipole_combo(config, ui);
  if (config != ui.config.value()) set_config(config, frame, ui);
}

/// How much of a recording passes in a step.
bool playback_row(const TimeRange& range, double& length, UiState& ui) {
  const double span = range.last - range.first;
  return widgets::slider(ui, "Time step", length, {1e-4 * span, 0.25 * span, "%.3g", true},
                         "How far the recording goes on in a step, in scene units. Longer: the story passes faster, "
                         "and more snapshots have to be read a second. The motion is the same.");
}

void step_row(const SessionState& state, Params& params, UiState& ui) {
  double length = std::abs(params.dt);
  if (state.recorded) {
    if (playback_row(*state.recorded, length, ui)) params.dt = std::copysign(length, params.dt);
    return;
  }
  if (widgets::slider(
          ui, "Time step", length, {1e-5, 1, "%.3g", true},
          "Length dt of a step in scene units. Half of it: half the speed of the story, a quarter of the energy error "
          "(the leapfrog is of second order)."))
    params.dt = std::copysign(length, params.dt);
}

void direction_row(const Params& suggested, Params& params, UiState& ui) {
  bool backwards = params.dt < 0;
  widgets::indent();
  if (widgets::checkbox(
          ui, "Backwards", backwards,
          "Run time in reverse. The leapfrog is reversible: with direct summation in double precision a collision "
          "undoes itself; with a tree small errors grow. Speed stays the same."))
    params.dt = -params.dt;
  ImGui::SameLine();
  const float needed = ImGui::CalcTextSize("Suggested").x + 2 * ImGui::GetStyle().FramePadding.x;
  if (ImGui::GetContentRegionAvail().x < needed) {
    ImGui::NewLine();
    widgets::indent();
  }
  ImGui::BeginDisabled(params == suggested);
  if (widgets::button(ui, "Suggested", {ImGui::GetContentRegionAvail().x, 0},
                      "θ or the accuracy, ε and the time step as this scene suggests them."))
    params = suggested;
  ImGui::EndDisabled();
}

void accuracy_row(Params& params, UiState& ui) {
  double percent = 100 * params.accuracy;
  if (widgets::slider(ui, "Accuracy", percent, {100 * kMinAccuracy, 100 * kMaxAccuracy, "%.4g %%", true},
                      "The mean error of the forces that is aimed at, and met within a factor of two: cells act as "
                      "wholes where that errs by less. Smaller: more exact and slower, for a tenth of the error two to "
                      "three times the time; 0.1 % is plenty for a galaxy. Above about 0.5 % little changes, because "
                      "cells that nearly touch never act as wholes."))
    params.accuracy = std::clamp(percent / 100, kMinAccuracy, kMaxAccuracy);
}

/// What decides whether cells act as wholes.
void opening_row(const Config& config, Params& params, UiState& ui) {
  if (opens_by_error(config)) return accuracy_row(params, ui);
  widgets::slider(ui, "Opening θ", params.theta, {0, 1.5, "%.2f"},
                  "A cell of size s at distance d acts as one body when s/d < θ. Larger: faster, coarser (the error "
                  "grows about as θ³ "
                  "to θ⁴). 0 opens every cell: the direct sum. Direct solvers ignore it.");
}

void param_rows(const UiFrame& frame, UiState& ui) {
  const SolverInfo* solver = find_solver(ui.config.value().solver);
  Params params = ui.params.value();
  const bool recorded = frame.simulation.recorded.has_value();
  ImGui::BeginDisabled(recorded || (solver && !solver->has_tree()));
  opening_row(ui.config.value(), params, ui);
  ImGui::EndDisabled();
  ImGui::BeginDisabled(recorded);
  widgets::slider(
      ui, "Softening ε", params.softening, {0, 2, "%.4g", true},
      "Inside this distance gravity is weakened. Larger: smoother, longer time steps allowed, small structure lost. 0: "
      "true "
      "point masses, and close encounters need a short time step. Speed stays the same. Galaxies are built for "
      "one softening; changing it much upsets them.");
  ImGui::EndDisabled();
  step_row(frame.simulation, params, ui);
  draw_step_caution(frame.simulation, ui);
  direction_row(frame.simulation.suggested, params, ui);
  if (params != ui.params.value()) set_params(params, frame, ui);
}

/// On the next readout's line if both fit there.
void same_line_if_fits(const std::string& words) {
  const float gap = ImGui::GetFontSize();
  ImGui::SameLine(0, gap);
  if (ImGui::GetContentRegionAvail().x < ImGui::CalcTextSize(words.c_str()).x) ImGui::NewLine();
}

/// What the simulation takes of the GPU; nothing on the CPU.
void device_rows(const SessionState& state, UiState& ui) {
  if (state.config.backend != Backend::cuda) return;
  const auto bytes = [](std::size_t count) { return short_number(static_cast<double>(count)) + "B"; };
  const DeviceMemory& memory = state.device_memory;
  const std::string used = bytes(memory.used_bytes), free = bytes(memory.free_bytes), total = bytes(memory.total_bytes);
  const std::string left = free + " of " + total;
  widgets::readout(ui, "GPU", state.device_name,
                   "The CUDA device that computes the forces: " + state.device_name + ".");
  widgets::readout(ui, "GPU memory", used,
                   "This simulation takes " + used +
                       " of the GPU's memory. It grows with the number of bodies; more of "
                       "it does not make the steps slower or more exact.");
  same_line_if_fits("free " + left);
  widgets::readout(ui, "free", left,
                   left + " of the GPU's memory are free for more bodies, for the picture and for other programs.");
}

}  // namespace

void draw_solver_section(const UiFrame& frame, UiState& ui) {
  if (!widgets::section(ui, "Solver", true,
                        "How forces and motion are computed. Everything may be changed in the middle of a collision: "
                        "the bodies go on."))
    return;
  const SessionState& state = frame.simulation;
  draw_recording_rows(frame, ui);
  ImGui::BeginDisabled(state.recorded.has_value());
  config_rows(frame, ui);
  ImGui::EndDisabled();
  param_rows(frame, ui);
  if (state.recorded) return;
  const double bodies = std::max<double>(1, static_cast<double>(state.bodies));
  widgets::readout(
      ui, "Per body",
      text("%s pairs, %s cells", short_number(static_cast<double>(state.work.body_interactions) / bodies).c_str(),
           short_number(static_cast<double>(state.work.cell_interactions) / bodies).c_str()),
      "How many bodies and how many cells act on a body, on average. The direct sum takes N − 1 pairs: the difference "
      "is "
      "what the tree saves.");
  device_rows(state, ui);
}

}  // namespace pericenter::app

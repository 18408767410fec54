#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/format.h"
#include "app/panels/panels.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

/// Titles of the algorithms on this backend: "Octree or Direct sum".
std::string algorithms_on(Backend backend) {
  std::vector<std::string_view> titles;
  for (const SolverInfo& info : solvers())
    if (info.runs_on(backend)) titles.push_back(info.title);
  std::string list;
  for (std::size_t k = 0; k < titles.size(); ++k)
    list += std::string(k == 0 ? "" : k + 1 == titles.size() ? " or " : ", ") + std::string(titles[k]);
  return list;
}

/// Why the algorithm is unavailable on this backend; empty: it is available.
std::string algorithm_problem(const SolverInfo& info, Backend backend, std::string_view cuda_missing) {
  if (info.runs_on(backend)) return {};
  if (backend == Backend::cuda) return "It runs only on the CPU. Select the backend CPU first.";
  if (cuda_missing.empty()) return "It runs only on CUDA. Select the backend CUDA first.";
  return "It runs only on CUDA, which is not available: " + std::string(cuda_missing) + ".";
}

/// Why the backend is unavailable for this algorithm; empty: it is available.
std::string backend_problem(Backend backend, const SolverInfo* solver, std::string_view cuda_missing) {
  if (backend == Backend::cuda && !cuda_missing.empty()) return "Not available: " + std::string(cuda_missing) + ".";
  if (!solver || solver->runs_on(backend)) return {};
  return std::string(solver->title) + " does not run on this backend. Select the algorithm " + algorithms_on(backend) +
         " first.";
}

void algorithm_combo(const UiFrame& frame, Config& config, UiState& ui) {
  const SolverInfo* now = find_solver(config.solver);
  const bool automatic = frame.simulation.automatic_solver;
  std::string preview(now ? now->title : std::string_view(config.solver));
  if (automatic) preview += " (automatic)";
  const std::string_view tip = now ? now->summary : "Algorithm of the force calculation.";
  if (!widgets::begin_combo(ui, {"algorithm", "Algorithm", tip}, preview.c_str())) return;
  if (widgets::choice(
          ui,
          {"automatic", "Automatic",
           "The fastest algorithm at equal error for each scene: the fast multipole method for many bodies; "
           "the octree, or on a GPU the direct sum, for few bodies; the octree if one body dominates the "
           "mass."},
          automatic))
    ui.requests.push_back(request::ChooseSolver{true});
  std::string_view family;
  for (const SolverInfo& info : solvers()) {
    if (info.family != family) widgets::heading(std::string(info.family).c_str());
    family = info.family;
    const std::string summary =
        std::string(info.summary) + (info.source.empty() ? "" : "\n") + std::string(info.source);
    if (widgets::choice(ui, {info.name, info.title, summary}, &info == now && !automatic,
                        algorithm_problem(info, config.backend, frame.cuda_missing))) {
      config.solver = info.name;
      ui.requests.push_back(request::ChooseSolver{false});
    }
  }
  widgets::end_combo(ui);
}

void backend_combo(const UiFrame& frame, Config& config, UiState& ui) {
  const char* preview = config.backend == Backend::cpu ? "CPU" : "CUDA";
  if (!widgets::begin_combo(
          ui, {"backend", "Backend", "Processor for the force calculation. The results agree to rounding error."},
          preview))
    return;
  const SolverInfo* solver = find_solver(config.solver);
  if (widgets::choice(ui, {"cpu", "CPU", "All cores, with the widest vector instructions available."},
                      config.backend == Backend::cpu, backend_problem(Backend::cpu, solver, frame.cuda_missing)))
    config.backend = Backend::cpu;
  if (widgets::choice(ui,
                      {"cuda", "CUDA",
                       "An NVIDIA GPU: many times faster for many bodies. If the same GPU renders, it draws the stars "
                       "without copying them."},
                      config.backend == Backend::cuda, backend_problem(Backend::cuda, solver, frame.cuda_missing)))
    config.backend = Backend::cuda;
  widgets::end_combo(ui);
}

void dimension_combo(Config& config, UiState& ui) {
  constexpr const char* kTip =
      "2D confines the bodies to a plane and uses a quadtree: faster, and easier to explain. The force stays 1/r², not "
      "the 1/r of a two-dimensional universe. Switching to 2D discards the z coordinates; switching back does not "
      "restore them.";
  if (!widgets::begin_combo(ui, {"dimension", "Space", kTip}, config.dimension == 2 ? "2D" : "3D")) return;
  if (widgets::choice(ui, {"3", "3D", "Bodies in space, with an octree."}, config.dimension == 3)) config.dimension = 3;
  if (widgets::choice(ui, {"2", "2D, bodies in a plane", kTip}, config.dimension == 2)) config.dimension = 2;
  widgets::end_combo(ui);
}

void precision_combo(Config& config, UiState& ui) {
  const bool single = config.precision == Precision::float32;
  if (!widgets::begin_combo(
          ui,
          {"precision", "Precision",
           "Floating-point precision of positions and forces. With a tree, the error of θ hides the "
           "difference; it shows in long direct sums and in close orbits. Double precision takes about "
           "twice as long."},
          single ? "single (32 bits)" : "double (64 bits)"))
    return;
  if (widgets::choice(ui, {"float", "single (32 bits)", "Seven digits: fast, and sufficient for most galaxies."},
                      single))
    config.precision = Precision::float32;
  if (widgets::choice(ui, {"double", "double (64 bits)", "Sixteen digits: for reference runs and tight binaries."},
                      !single))
    config.precision = Precision::float64;
  widgets::end_combo(ui);
}

void multipole_choices(Config& config, UiState& ui) {
  const bool monopole = config.multipole == Multipole::monopole;
  if (widgets::choice(ui, {"quadrupole", "quadrupoles", "Mass and shape: faster than monopoles at equal error."},
                      !monopole))
    config.multipole = Multipole::quadrupole;
  if (widgets::choice(ui, {"monopole", "monopoles", "Mass only, as in the first tree codes: fast and inaccurate."},
                      monopole))
    config.multipole = Multipole::monopole;
  widgets::end_combo(ui);
}

void multipole_combo(Config& config, UiState& ui) {
  const SolverInfo* solver = find_solver(config.solver);
  const bool can_choose = !solver || solver->quadrupoles;
  const char* preview = config.multipole == Multipole::monopole ? "monopoles" : "quadrupoles";
  std::string tip =
      "Multipole order of the tree cells. Quadrupoles describe the shape of a cell: each costs more than twice as "
      "much, but a larger θ gives the same error.";
  if (!can_choose && solver->expansions) {
    preview = "expansions";
    tip += " This algorithm uses expansions; their order is a setting in the panel Ablation.";
  } else if (!can_choose && solver->has_tree()) {
    preview = "monopoles";
    tip += " The cells of this algorithm have monopoles only.";
  } else if (!can_choose) {
    preview = "no cells";
    tip += " The direct sum has no cells.";
  }
  // ImGui requires that disabling ends in the window in which it began, so the entries are drawn inside.
  ImGui::BeginDisabled(!can_choose);
  if (widgets::begin_combo(ui, {"multipole", "Cells", tip}, preview)) multipole_choices(config, ui);
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

/// Unit that a slider shows instead of scene units; without a name if the scene has no physical units.
struct DisplayUnit {
  double size = 1;  ///< 1 in scene units, in this unit
  std::string name = {};

  std::string format() const { return name.empty() ? "%.4g" : "%.4g " + name; }
};

DisplayUnit display_unit_of_length(const Units& units) {
  if (!(units.length_kpc > 0)) return {};
  const LengthUnit unit = length_unit(units.length_kpc);
  return {units.length_kpc / unit.kpc, unit.name};
}

DisplayUnit display_unit_of_time(const Units& units) {
  const TimeUnit unit = time_unit(units);
  return *unit.name ? DisplayUnit{unit.scene_time, unit.name} : DisplayUnit{};
}

void softening_row(const Units& units, Params& params, UiState& ui) {
  const DisplayUnit unit = display_unit_of_length(units);
  const std::string format = unit.format();
  double shown = params.softening * unit.size;
  if (widgets::slider(
          ui,
          {"softening", "Softening ε",
           "Gravity is weakened within this distance. Larger: smoother, and a longer time step is possible, "
           "but small structure is lost. 0: point masses; close encounters then need a short time step. "
           "Galaxies are in equilibrium for one softening only; a large change disturbs them."},
          shown, {0, 2 * unit.size, format.c_str(), true}))
    params.softening = shown / unit.size;
}

void timestep_row(const SessionState& state, Params& params, UiState& ui) {
  const DisplayUnit unit = display_unit_of_time(state.units);
  const std::string format = unit.format();
  double low = 1e-5, high = 1;
  const char* tip =
      "Length dt of a simulation step. Halving dt halves playback speed and quarters the energy error (second order).";
  if (state.recorded) {
    const double span = state.recorded->last - state.recorded->first;
    low = 1e-4 * span, high = 0.25 * span;
    tip =
        "Playback time per step. Longer: faster playback, and more snapshots are read per second. The motion is "
        "unchanged.";
  }
  double shown = std::abs(params.dt) * unit.size;
  if (widgets::slider(ui, {"timestep", "Time step", tip}, shown,
                      {low * unit.size, high * unit.size, format.c_str(), true}))
    params.dt = std::copysign(shown / unit.size, params.dt);
}

void direction_row(const Params& suggested, Params& params, UiState& ui) {
  bool backwards = params.dt < 0;
  widgets::indent();
  if (widgets::checkbox(ui,
                        {"backwards", "Backwards",
                         "Run time in reverse. The leapfrog is time-reversible: with direct summation in double "
                         "precision a collision reverses exactly; with a tree, small errors grow."},
                        backwards))
    params.dt = -params.dt;
  ImGui::SameLine();
  const float needed = ImGui::CalcTextSize("Suggested").x + 2 * ImGui::GetStyle().FramePadding.x;
  if (ImGui::GetContentRegionAvail().x < needed) {
    ImGui::NewLine();
    widgets::indent();
  }
  ImGui::BeginDisabled(params == suggested);
  if (widgets::button(ui,
                      {"suggested-parameters", "Suggested",
                       "Restore the suggested accuracy (θ or error), softening ε and time step dt of this scene."},
                      {ImGui::GetContentRegionAvail().x, 0}))
    params = suggested;
  ImGui::EndDisabled();
}

/// The criterion by which a cell acts as a whole: θ or an error.
void opening_row(const Config& config, Params& params, UiState& ui) {
  if (!opens_by_error(config)) {
    widgets::slider(ui,
                    {"theta", "Opening angle θ",
                     "A cell of size s at distance d acts as a whole if s/d < θ. Larger: faster, and the error grows "
                     "about as θ³ to θ⁴. 0 opens every cell, as in a direct sum. Direct solvers ignore it."},
                    params.theta, {0, 1.5, "%.2f"});
    return;
  }
  double percent = 100 * params.accuracy;
  if (widgets::slider(
          ui,
          {"accuracy", "Force error",
           "Target for the mean relative force error, met within a factor of two: a cell acts as a whole if "
           "its error is smaller. A tenth of the error takes two to three times as long; 0.1 % is sufficient "
           "for a galaxy. Above about 0.5 % little changes, because touching cells are always opened."},
          percent, {100 * kMinAccuracy, 100 * kMaxAccuracy, "%.4g %%", true}))
    params.accuracy = std::clamp(percent / 100, kMinAccuracy, kMaxAccuracy);
}

void param_rows(const UiFrame& frame, UiState& ui) {
  const SessionState& state = frame.simulation;
  const SolverInfo* solver = find_solver(ui.config.value().solver);
  Params params = ui.params.value();
  const bool recorded = state.recorded.has_value();
  ImGui::BeginDisabled(recorded || (solver && !solver->has_tree()));
  opening_row(ui.config.value(), params, ui);
  ImGui::EndDisabled();
  ImGui::BeginDisabled(recorded);
  softening_row(state.units, params, ui);
  ImGui::EndDisabled();
  timestep_row(state, params, ui);
  draw_timestep_warning(state, ui);
  direction_row(state.suggested, params, ui);
  if (params != ui.params.value()) set_params(params, frame, ui);
}

void work_row(const SessionState& state, UiState& ui) {
  const double bodies = std::max<double>(1, static_cast<double>(state.bodies));
  const auto per_body = [&](std::uint64_t count) { return short_number(static_cast<double>(count) / bodies); };
  widgets::readout(
      ui,
      {"work-per-body", "Work per body",
       "Mean number of bodies and cells that act on a body. The direct sum has N − 1 pairs; the tree saves "
       "the difference."},
      per_body(state.work.body_interactions) + " pairs + " + per_body(state.work.cell_interactions) + " cells");
}

/// GPU and its memory; nothing on the CPU.
void device_rows(const SessionState& state, UiState& ui) {
  if (state.config.backend != Backend::cuda) return;
  const auto bytes = [](std::size_t count) { return short_number(static_cast<double>(count)) + "B"; };
  const DeviceMemory& memory = state.device_memory;
  const std::string used = bytes(memory.used_bytes),
                    free = bytes(memory.free_bytes) + " of " + bytes(memory.total_bytes);
  widgets::readout(ui, {"gpu", "GPU", "The CUDA device of the force calculation: " + state.device_name + "."},
                   state.device_name);
  widgets::readout(ui,
                   {"gpu-memory", "GPU memory",
                    "This simulation uses " + used + " of GPU memory. It grows with the number of bodies."},
                   used);
  ImGui::SameLine(0, ImGui::GetFontSize());
  if (ImGui::GetContentRegionAvail().x < ImGui::CalcTextSize(("free " + free).c_str()).x) ImGui::NewLine();
  widgets::readout(ui,
                   {"gpu-memory-free", "free",
                    free + " of GPU memory are free for more bodies, for rendering and for other programs."},
                   free);
}

}  // namespace

void draw_solver_panel(const UiFrame& frame, UiState& ui) {
  const SessionState& state = frame.simulation;
  ImGui::BeginDisabled(state.recorded.has_value());
  config_rows(frame, ui);
  ImGui::EndDisabled();
  param_rows(frame, ui);
  if (state.recorded) return;
  work_row(state, ui);
  device_rows(state, ui);
}

}  // namespace pericenter::app

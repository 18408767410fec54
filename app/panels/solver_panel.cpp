#include <algorithm>
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
  if (backend == Backend::cuda) return "It runs only on the CPU. Select the CPU backend first.";
  if (cuda_missing.empty()) return "It runs only on CUDA. Select the CUDA backend first.";
  return "It runs only on CUDA, which is not available: " + std::string(cuda_missing) + ".";
}

/// Why the backend is unavailable for this algorithm; empty: it is available.
std::string backend_problem(Backend backend, const SolverInfo* solver, std::string_view cuda_missing) {
  if (backend == Backend::cuda && !cuda_missing.empty()) return "Not available: " + std::string(cuda_missing) + ".";
  if (!solver || solver->runs_on(backend)) return {};
  return std::string(solver->title) + " does not run on this backend. Select " + algorithms_on(backend) +
         " as the algorithm first.";
}

void algorithm_combo(const UiFrame& frame, Config& config, Desk& desk) {
  const SolverInfo* now = find_solver(config.solver);
  const bool automatic = frame.simulation.automatic_solver;
  std::string preview(now ? now->title : std::string_view(config.solver));
  if (automatic) preview = frame.simulation.scene_serial == 0 ? "Automatic" : preview + " (automatic)";
  const std::string_view tip = now ? now->summary : "Algorithm of the force calculation.";
  const float width = ImGui::CalcTextSize(preview.c_str()).x;
  if (!widgets::begin_wide_combo(desk, {"algorithm", "Algorithm", tip}, preview.c_str(), width)) return;
  if (widgets::choice(
          desk,
          {"automatic", "Automatic",
           "The fastest algorithm at equal mean error for each scene: the fast multipole method for many bodies; "
           "the octree, or on a GPU the direct sum, for few bodies; the direct sum for very few; the octree if one "
           "body dominates the "
           "mass."},
          automatic))
    desk.requests.push_back(request::ChooseSolver{true});
  std::string_view family;
  for (const SolverInfo& info : solvers()) {
    if (info.family != family) widgets::heading(std::string(info.family).c_str());
    family = info.family;
    const std::string summary =
        std::string(info.summary) + (info.source.empty() ? "" : "\n") + std::string(info.source);
    if (widgets::choice(desk, {info.name, info.title, summary}, &info == now && !automatic,
                        algorithm_problem(info, config.backend, frame.cuda_missing))) {
      config.solver = info.name;
      desk.requests.push_back(request::ChooseSolver{false});
    }
  }
  widgets::end_combo(desk);
}

void backend_combo(const UiFrame& frame, Config& config, Desk& desk) {
  const SessionState& state = frame.simulation;
  const bool has_left_cuda = state.automatic_backend && state.automatic_integrator &&
                             has_internal_steps(state.config) && frame.cuda_missing.empty();
  const char* preview = config.backend == Backend::cuda ? "CUDA" : has_left_cuda ? "CPU (few bodies)" : "CPU";
  if (!widgets::begin_combo(
          desk, {"backend", "Backend", "Processor for the force calculation. The results agree to rounding error."},
          preview))
    return;
  const SolverInfo* solver = find_solver(config.solver);
  if (widgets::choice(desk, {"cpu", "CPU", "All cores, with the widest vector instructions available."},
                      config.backend == Backend::cpu, backend_problem(Backend::cpu, solver, frame.cuda_missing)))
    config.backend = Backend::cpu;
  if (widgets::choice(desk,
                      {"cuda", "CUDA",
                       "An NVIDIA GPU: many times faster for many bodies. If the same GPU renders, it draws the stars "
                       "without copying them."},
                      config.backend == Backend::cuda, backend_problem(Backend::cuda, solver, frame.cuda_missing)))
    config.backend = Backend::cuda;
  widgets::end_combo(desk);
}

std::string gpus_title(int count) {
  return count == 0 ? "all" : std::to_string(count);
}

/// Number of GPUs; nothing where there is one.
void gpus_combo(const UiFrame& frame, Config& config, Desk& desk) {
  if (config.backend != Backend::cuda || frame.gpus < 2) return;
  constexpr const char* kTip =
      "GPUs of this machine that divide the forces. Each has all bodies and builds the same tree; each computes the "
      "forces of a part of the bodies. The result has the same bits for any number. It pays from a million bodies on.";
  const bool can = find_solver(config.solver)->several_gpus;
  ImGui::BeginDisabled(!can);
  if (widgets::begin_combo(desk, {"gpus", "GPUs", can ? kTip : "Only the fast multipole method divides the forces."},
                           can ? gpus_title(config.gpus).c_str() : "1")) {
    for (int count = 1; count <= frame.gpus; ++count) {
      const std::string title = gpus_title(count);
      if (widgets::choice(desk, {title, title, kTip}, config.gpus == count)) config.gpus = count;
    }
    if (widgets::choice(desk, {"all", "all", kTip}, config.gpus == 0)) config.gpus = 0;
    widgets::end_combo(desk);
  }
  ImGui::EndDisabled();
}

void dimension_combo(Config& config, Desk& desk) {
  constexpr const char* kTip =
      "2D confines the bodies to a plane and uses a quadtree: faster, and easier to explain. The force stays 1/r², not "
      "the 1/r of a two-dimensional universe. Switching to 2D discards the z coordinates; switching back does not "
      "restore them.";
  if (!widgets::begin_combo(desk, {"dimension", "Dimensions", kTip}, config.dimension == 2 ? "2D" : "3D")) return;
  if (widgets::choice(desk, {"3", "3D", "Bodies in space, with an octree."}, config.dimension == 3))
    config.dimension = 3;
  if (widgets::choice(desk, {"2", "2D, bodies in a plane", kTip}, config.dimension == 2)) config.dimension = 2;
  widgets::end_combo(desk);
}

void precision_combo(Config& config, Desk& desk) {
  const bool single = config.precision == Precision::float32;
  if (!widgets::begin_combo(desk,
                            {"precision", "Precision",
                             "Floating-point precision of positions and forces. With a tree, the approximation error "
                             "of the tree dominates; the difference shows in long runs of direct summation and in "
                             "close orbits. Double precision takes about twice as long."},
                            single ? "single (32 bits)" : "double (64 bits)"))
    return;
  if (widgets::choice(desk, {"float", "single (32 bits)", "Seven digits: fast, and sufficient for most galaxies."},
                      single))
    config.precision = Precision::float32;
  if (widgets::choice(desk, {"double", "double (64 bits)", "Sixteen digits: for reference runs and tight binaries."},
                      !single))
    config.precision = Precision::float64;
  widgets::end_combo(desk);
}

void multipole_choices(Config& config, Desk& desk) {
  const bool monopole = config.multipole == Multipole::monopole;
  if (widgets::choice(desk,
                      {"quadrupole", "quadrupoles", "Mass and its distribution: faster than monopoles at equal error."},
                      !monopole))
    config.multipole = Multipole::quadrupole;
  if (widgets::choice(desk, {"monopole", "monopoles", "Mass only, as in the first tree codes: fast and inaccurate."},
                      monopole))
    config.multipole = Multipole::monopole;
  widgets::end_combo(desk);
}

void multipole_combo(Config& config, Desk& desk) {
  const SolverInfo* solver = find_solver(config.solver);
  const bool can_choose = !solver || solver->quadrupoles;
  const char* preview = config.multipole == Multipole::monopole ? "monopoles" : "quadrupoles";
  std::string tip =
      "Multipole order of the tree cells. Quadrupoles also describe how the mass is distributed within a cell: each "
      "costs more than twice as "
      "much, but a larger θ gives the same error.";
  if (!can_choose && solver->expansions) {
    preview = "expansions";
    tip += " This algorithm uses expansions; their order is a setting in the Ablation panel.";
  } else if (!can_choose && solver->has_tree()) {
    preview = "monopoles";
    tip += " The cells of this algorithm have monopoles only.";
  } else if (!can_choose) {
    preview = "none";
    tip += " Direct summation has no cells.";
  }
  // ImGui requires that disabling ends in the window in which it began, so the entries are drawn inside.
  ImGui::BeginDisabled(!can_choose);
  if (widgets::begin_combo(desk, {"multipole", "Multipoles", tip}, preview)) multipole_choices(config, desk);
  ImGui::EndDisabled();
}

struct IntegratorChoice {
  Integrator value;
  const char *title, *tip;
};
constexpr IntegratorChoice kIntegrators[] = {
    {Integrator::leapfrog, "leapfrog",
     "Half a kick, drift, half a kick. Second order: half the time step gives a quarter of the error."},
    {Integrator::euler, "semi-implicit Euler",
     "Full kick, then drift. First order: half the time step gives half the error, which is about 20 times that of "
     "leapfrog in the galaxy collision. A run backwards does not retrace its path."},
    {Integrator::gauss_radau, "Gauss-Radau",
     "Order 15, in double precision and by direct sums, with internal steps as short as accuracy needs: close "
     "encounters throw no body out, and the energy error is that of rounding. The time step only says how often there "
     "is a picture. For few bodies with mass, and any number without, on the CPU.\nRein and Spiegel 2015, "
     "doi:10.1093/mnras/stu2164"},
};

void integrator_combo(const SessionState& state, Config& config, Desk& desk) {
  const auto now = std::ranges::find(kIntegrators, config.integrator, &IntegratorChoice::value);
  const bool automatic = state.automatic_integrator;
  const std::string preview = std::string(now->title) + (automatic && state.scene_serial > 0 ? " (automatic)" : "");
  const float width = ImGui::CalcTextSize(preview.c_str()).x;
  if (!widgets::begin_wide_combo(desk, {"integrator", "Integrator", "How forces change velocities and positions."},
                                 preview.c_str(), width))
    return;
  for (const IntegratorChoice& choice : kIntegrators) {
    const bool on_gpu = choice.value == Integrator::gauss_radau && config.backend == Backend::cuda;
    if (!widgets::choice(desk, {std::string(enum_name(choice.value)), choice.title, choice.tip},
                         choice.value == config.integrator && !automatic,
                         on_gpu ? "Gauss-Radau does not run on CUDA. Select the CPU as the processor first." : ""))
      continue;
    config.integrator = choice.value;
    desk.requests.push_back(request::ChooseSolver{state.automatic_solver, false});
  }
  if (widgets::choice(desk,
                      {"integrator-automatic", "Automatic",
                       "Gauss-Radau for at most " + std::to_string(kMaxRadauBodies) +
                           " bodies; without softening, up to " + with_thousands(kMaxRadauTestBodies) +
                           " others without mass may be among them. They move on the CPU, also if there is a GPU, "
                           "unless CUDA was selected for them. All others have leapfrog."},
                      automatic))
    desk.requests.push_back(request::ChooseSolver{state.automatic_solver, true});
  widgets::end_combo(desk);
}

void config_rows(const UiFrame& frame, Desk& desk) {
  Config config = desk.edited.config.value();
  algorithm_combo(frame, config, desk);
  backend_combo(frame, config, desk);
  gpus_combo(frame, config, desk);
  if (config != desk.edited.config.value()) config = without_unsupported_values(config);
  ImGui::BeginDisabled(has_internal_steps(config));
  precision_combo(config, desk);
  ImGui::EndDisabled();
  dimension_combo(config, desk);
  multipole_combo(config, desk);
  integrator_combo(frame.simulation, config, desk);
  if (config != desk.edited.config.value()) set_config(config, frame, desk);
}

void work_row(const SessionState& state, Desk& desk) {
  const double bodies = std::max<double>(1, static_cast<double>(state.bodies));
  const auto per_body = [&](std::uint64_t count) { return short_number(static_cast<double>(count) / bodies); };
  widgets::readout(
      desk,
      {"work-per-body", "Work per body",
       "Mean number of bodies and cells that act on a body. Direct summation needs N − 1 pairs per body."},
      per_body(state.work.body_interactions) + " pairs + " + per_body(state.work.cell_interactions) + " cells");
}

/// One of several GPUs.
void share_row(const DeviceShare& share, Desk& desk) {
  const std::string label = "GPU " + std::to_string(share.device), id = "gpu-" + std::to_string(share.device);
  const std::string value = text("%.0f %% of bodies, %.2f ms, ", 100 * share.bodies, static_cast<double>(share.ms)) +
                            short_number(static_cast<double>(share.memory.used_bytes)) + "B";
  const std::string tip = share.name + ": " + value +
                          ". That is its share of the bodies, the time of its part of the forces, and its memory. "
                          "Shares follow the times, so that no GPU waits long for another." +
                          (share.direct ? ""
                                        : " Bodies go to it through host memory, because it has no direct "
                                          "connection to the first GPU.");
  widgets::readout(desk, {id, label, tip}, value);
}

/// GPU and its memory; nothing on the CPU.
void device_rows(const SessionState& state, Desk& desk) {
  if (state.config.backend != Backend::cuda) return;
  const auto bytes = [](std::size_t count) { return short_number(static_cast<double>(count)) + "B"; };
  const DeviceMemory& memory = state.device_memory;
  const std::string used = bytes(memory.used_bytes),
                    free = bytes(memory.free_bytes) + " of " + bytes(memory.total_bytes);
  widgets::readout(desk, {"gpu", "GPU", "The CUDA device of the force calculation: " + state.device_name + "."},
                   state.device_name);
  widgets::readout(desk,
                   {"gpu-memory", "GPU memory",
                    "This simulation uses " + used + " of GPU memory. It grows with the number of bodies."},
                   used);
  ImGui::SameLine(0, ImGui::GetFontSize());
  if (ImGui::GetContentRegionAvail().x < ImGui::CalcTextSize(("free " + free).c_str()).x) ImGui::NewLine();
  widgets::readout(desk,
                   {"gpu-memory-free", "free",
                    free + " of GPU memory is free for more bodies, for rendering and for other programs."},
                   free);
  for (const DeviceShare& share : state.device_shares) share_row(share, desk);
}

}  // namespace

void draw_algorithm_choice(const UiFrame& frame, Desk& desk) {
  ImGui::BeginDisabled(frame.simulation.playback.has_value());
  Config config = desk.edited.config.value();
  algorithm_combo(frame, config, desk);
  if (config != desk.edited.config.value()) set_config(without_unsupported_values(config), frame, desk);
  ImGui::EndDisabled();
  draw_opening_row(frame, desk);
}

void draw_solver_panel(const UiFrame& frame, Desk& desk) {
  const SessionState& state = frame.simulation;
  ImGui::BeginDisabled(state.playback.has_value());
  config_rows(frame, desk);
  ImGui::EndDisabled();
  draw_theta_and_timestep_controls(frame, desk);
  if (state.playback) return;
  work_row(state, desk);
  device_rows(state, desk);
}

}  // namespace pericenter::app

#include "app/ui/comparison_setup.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/base/format.h"
#include "app/base/memory_budget.h"
#include "app/settings/comparison_options.h"
#include "app/ui/ablation.h"
#include "app/ui/encounter_design.h"
#include "sim/core/vertex_target.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

ComparisonSetup equal_settings(const SessionState& now) {
  const ComparedSettings settings{.config = now.config, .params = now.params};
  return {settings, settings};
}

ComparisonSetup with_thetas(const SessionState& now, double a, double b) {
  ComparisonSetup setup = equal_settings(now);
  setup.a.params.theta = a;
  setup.b.params.theta = b;
  return setup;
}

ComparisonSetup with_solvers(const SessionState& now, std::string_view a, std::string_view b) {
  ComparisonSetup setup = equal_settings(now);
  for (auto [settings, solver] : {std::pair{&setup.a, a}, std::pair{&setup.b, b}}) {
    settings->config.solver = solver;
    settings->config.solver_options = {};
    settings->config = without_unsupported_values(settings->config);
  }
  return setup;
}

/// The encounter of the run, and the same with both discs rotating the other way round.
ComparisonSetup with_spins(const SessionState& now) {
  ComparisonSetup setup = equal_settings(now);
  setup.a.encounter = setup.b.encounter = now.scene_request.encounter.value_or(*encounter_scene(now)->encounter);
  for (DiscOrientation* disc : {&setup.b.encounter->first, &setup.b.encounter->second}) *disc = reversed(*disc);
  setup.side_by_side = true;
  return setup;
}

ComparisonSetup with_precisions(const SessionState& now) {
  ComparisonSetup setup = equal_settings(now);
  setup.a.config.precision = Precision::float32;
  setup.b.config.precision = Precision::float64;
  return setup;
}

ComparisonSetup with_softenings(const SessionState& now) {
  ComparisonSetup setup = equal_settings(now);
  setup.a.params.softening = now.suggested.softening;
  setup.b.params.softening = 4 * now.suggested.softening;
  return setup;
}

ComparisonSetup with_backends(const SessionState& now) {
  ComparisonSetup setup = equal_settings(now);
  setup.a.config = on_cpu(now.config);
  setup.b.config.backend = Backend::cuda;
  setup.b.config = without_unsupported_values(setup.b.config);
  return setup;
}

std::string no_problem(const SessionState&, std::string_view) {
  return {};
}

std::string needs_theta(const SessionState& now, std::string_view) {
  const SolverInfo* solver = find_solver(now.config.solver);
  if (!solver || !solver->has_tree()) return "This algorithm has no tree, so θ has no effect. Choose the octree.";
  return opens_by_error(now.config) ? "Cells are opened by their error, so θ has no effect." : "";
}

std::string needs_discs(const SessionState& now, std::string_view) {
  const SceneInfo* const scene = encounter_scene(now);
  if (!scene) return "Load an encounter of two galaxies first.";
  return scene->without_discs ? "The two have no discs, so no spin." : "";
}

std::string needs_softening(const SessionState& now, std::string_view) {
  return now.suggested.softening > 0 ? "" : "This scene has no softening.";
}

std::string needs_cuda(const SessionState& now, std::string_view cuda_missing) {
  if (!cuda_missing.empty()) return "CUDA cannot be used: " + std::string(cuda_missing) + ".";
  const SolverInfo* solver = find_solver(now.config.solver);
  return solver && solver->cpu && solver->cuda ? "" : "This algorithm does not run on both.";
}

// clang-format off
constexpr ComparisonPreset kPresets[] = {
    {"spins", "spins | reversed",
     "The discs as they are (A), and rotating the other way round in the same planes (B): each inclination i becomes "
     "180° - i. Restarts the scene. Tails need stars that keep pace with the passing galaxy.",
     needs_discs, with_spins},
    {"theta", "θ 0.3 | 1.2", "A fine and a coarse opening angle: what accuracy costs, and what it changes.",
     needs_theta, [](const SessionState& now) { return with_thetas(now, 0.3, 1.2); }},
    {"solver", "octree | direct",
     "An approximation (A) and the sum over all pairs (B). The direct sum takes a time proportional to N².", no_problem,
     [](const SessionState& now) { return with_solvers(now, "octree", "direct"); }},
    {"precision", "float | double",
     "Single (A) and double precision (B). They diverge from rounding errors alone, which chaotic orbits amplify.",
     no_problem, with_precisions},
    {"softening", "ε × 1 | × 4",
     "The softening length of this scene (A) and four times as much (B): centres and bars become less dense.",
     needs_softening, with_softenings},
    {"backend", "CPU | CUDA", "The same algorithm on the processor (A) and on the GPU (B).", needs_cuda, with_backends},
};
// clang-format on

void compare(std::vector<SettingDifference>& all, const char* symbol, double a, double b) {
  if (a != b) all.push_back({symbol, text("%.4g", a), text("%.4g", b)});
}

std::string spin_text(const Encounter& encounter) {
  const std::string first = spin_name(encounter.first.inclination), second = spin_name(encounter.second.inclination);
  return first == second ? first : first + " and " + second;
}

void compare_encounters(std::vector<SettingDifference>& all, const SessionState& a, const SessionState& b) {
  const SceneInfo *of_a = encounter_scene(a), *of_b = encounter_scene(b);
  if (!of_a || !of_b) return;
  const Encounter first = a.scene_request.encounter.value_or(*of_a->encounter),
                  second = b.scene_request.encounter.value_or(*of_b->encounter);
  if (first == second) return;
  const std::string spins_a = spin_text(first), spins_b = spin_text(second);
  if (spins_a != spins_b) return all.push_back({"", spins_a, spins_b});
  if (first.orbit.pericenter != second.orbit.pericenter)
    return all.push_back({"pericentre", distance_text(first.orbit.pericenter, a.units),
                          distance_text(second.orbit.pericenter, b.units)});
  all.push_back({"", "one encounter", "another encounter"});
}

constexpr std::string_view kNamesItself[] = {"Algorithm", "Backend", "Multipoles"};

SettingDifference difference_of(const Change& change) {
  const bool precision = change.setting == "Precision";
  const std::string unit = precision ? " precision" : "";
  const bool names_itself = precision || std::ranges::find(kNamesItself, change.setting) != std::end(kNamesItself);
  return {names_itself ? "" : change.setting + ":", change.from + unit, change.to + unit};
}

std::string rounded_megabytes(double bytes) {
  return whole_number_text(bytes / 1e6) + " MB";
}

std::string memory_sentence(double needed, double available, const char* where) {
  return "Not enough memory to compare: a second simulation needs " + rounded_megabytes(needed) + " of " + where +
         ", and " + rounded_megabytes(available) + " are free. Use fewer bodies.";
}

}  // namespace

std::span<const ComparisonPreset> comparison_presets() {
  return kPresets;
}

std::vector<SettingDifference> differences(const SessionState& a, const SessionState& b) {
  std::vector<SettingDifference> all;
  compare_encounters(all, a, b);
  for (const Change& change : changes(a.config, b.config)) {
    // Those of another algorithm are not a setting.
    const bool is_setting = change.setting != "Multipoles" || a.config.solver == b.config.solver;
    if (is_setting) all.push_back(difference_of(change));
  }
  if (a.config.integrator != b.config.integrator)
    all.push_back({"", std::string(enum_name(a.config.integrator)), std::string(enum_name(b.config.integrator))});
  if (a.config.dimension != b.config.dimension)
    all.push_back({"", text("%dD", a.config.dimension), text("%dD", b.config.dimension)});
  compare(all, "θ", a.params.theta, b.params.theta);
  compare(all, "force error", a.params.accuracy, b.params.accuracy);
  compare(all, "ε", a.params.softening, b.params.softening);
  compare(all, "dt", a.params.dt, b.params.dt);
  compare(all, "adaptive steps", a.params.adaptive_steps, b.params.adaptive_steps);
  compare(all, "G", a.params.gravity, b.params.gravity);
  return all;
}

std::vector<std::string> label_lines(std::span<const SettingDifference> differences, bool is_a) {
  std::vector<std::string> lines;
  for (const SettingDifference& one : differences)
    lines.push_back(one.setting + (one.setting.empty() ? "" : " ") + (is_a ? one.a : one.b));
  if (lines.empty()) lines.emplace_back("same settings");
  return lines;
}

ComparisonSetup comparison_setup(const SessionState& now, const SceneOptions& options) {
  const auto settings = [&](const SceneOptions& wanted) {
    return ComparedSettings{.config = config_with_options(now.config, wanted),
                            .params = with_options(now.params, wanted)};
  };
  const SceneOptions changed = compared_options(options);
  ComparisonSetup setup{settings(options), settings(changed)};
  if (const SceneInfo* scene = encounter_scene(now); scene && changed.encounter != options.encounter) {
    setup.a.encounter = options.encounter.value_or(*scene->encounter);
    setup.b.encounter = changed.encounter;
  }
  setup.side_by_side = options.side_by_side.value_or(setup.b.encounter.has_value());
  return setup;
}

std::string problem_with_comparison(const SessionState& now) {
  if (now.scene_serial == 0 || now.scene.empty()) return "There is no scene to compare yet.";
  if (now.playback)
    return "A playback cannot be compared, because nothing is computed. Continue as a simulation first.";
  if (now.timeline.rewound)
    return "The timeline shows an earlier moment. Continue from there or go to its end, then compare.";
  if (now.busy) return "The scene is not ready yet. Compare when it is.";
  if (!now.first_nonfinite.empty()) return "Some bodies are not finite. Roll back or reset, then compare.";
  return {};
}

ComparisonMemory memory_for_second(const SessionState& now, const Config& config) {
  ComparisonMemory memory{.host_needed = memory_for(now.bodies, {config}), .host_free = available_memory()};
  if (config.backend != Backend::cuda || now.device_memory.total_bytes == 0) return memory;
  const std::size_t vertices = std::min(now.bodies, kMaxSharedVertices), buffers = vertices < kOneBufferFrom ? 2 : 1;
  memory.device_needed = static_cast<double>(now.device_memory.used_bytes + buffers * vertices * sizeof(Vertex));
  memory.device_free = static_cast<double>(now.device_memory.free_bytes);
  return memory;
}

std::string problem_with_memory(const ComparisonMemory& memory) {
  if (memory.device_free > 0 && memory.device_needed > memory.device_free)
    return memory_sentence(memory.device_needed, memory.device_free, "GPU memory");
  if (memory.host_free > 0 && memory.host_needed > memory.host_free)
    return memory_sentence(memory.host_needed, memory.host_free, "memory");
  return {};
}

}  // namespace pericenter::app

#include "app/cli/command_line_checks.h"

#include <algorithm>
#include <string>

#include "app/base/memory_budget.h"
#include "app/cli/command_line.h"
#include "app/cli/option_values.h"
#include "app/cli/scene_string.h"
#include "sim/core/device.h"
#include "sim/scenes/registry.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

constexpr std::uint64_t kDefaultSteps = 100;

/// The option that asks for CUDA; empty when none does.
std::string demand_for_cuda(const Options& options) {
  if (options.backend == Backend::cuda) return "--backend cuda";
  return options.bridge == Bridge::interop && !options.headless ? "--bridge interop" : "";
}

/// Takes CUDA where it was asked for, or where there is a choice and it can be used.
void choose_backend(Options& options) {
  const std::string demand = demand_for_cuda(options);
  if (options.backend == Backend::cpu) {
    if (!demand.empty()) throw CommandLineError(demand + " needs --backend cuda.");
    return;
  }
  const SolverInfo& solver = *find_solver(options.config.solver);
  const CudaStatus cuda = cuda_status();
  if (!cuda.available() && !demand.empty()) {
    const char* advice = options.backend ? "; auto or cpu runs on the processor." : "; --bridge auto needs none.";
    throw CommandLineError(demand + ": " + cuda.missing + advice, kUnavailable);
  }
  if (!cuda.available() && !solver.cpu) {
    throw CommandLineError("--solver " + options.config.solver + " runs on CUDA alone: " + cuda.missing + ".",
                           kUnavailable);
  }
  if (!cuda.available() || (!solver.cuda && demand.empty())) return;
  options.config.backend = Backend::cuda;
  options.config.device = cuda.devices.front().index;
}

}  // namespace

std::string cpu_instead_of_cuda(const Options& options, const CudaStatus& cuda) {
  if (options.backend || !cuda.fixable) return {};
  return "The CPU computes, since CUDA cannot be used: " + cuda.missing + ".";
}

namespace {

/// A scene string may come from a machine with another backend: what it alone chose, and what is not there on this one,
/// is left to the solver.
void remove_unsupported_values(Options& options) {
  Options said;
  read_scene_string(options.scene_string, said);
  const Config possible = without_unsupported_values(options.config);
  for (std::size_t k = 0; k < kSolverOptionCount; ++k) {
    const auto which = static_cast<SolverOption>(k);
    if (options.config.solver_options[which] == said.config.solver_options[which])
      options.config.solver_options.set(which, possible.solver_options[which]);
  }
}

/// What does not go together with bodies from a file.
void check_input(const Options& options) {
  const std::string option = options.load.empty() ? "--play" : "--load";
  if (options.skip_bad && !options.reads_a_file()) throw CommandLineError("--skip-bad needs --load or --play.");
  if (!options.reads_a_file()) return;
  if (!options.load.empty() && !options.play.empty()) {
    throw CommandLineError("--load and --play exclude each other: one goes on from a file, the other shows a series.");
  }
  const GivenOptions& given = options.given;
  const char* other = given.scene ? "--scene" : given.bodies ? "-n" : given.seed ? "--seed" : nullptr;
  if (other) throw CommandLineError(option + " and " + other + " exclude each other: the file has its own bodies.");
}

}  // namespace

void check_together(Options& options, bool steps_given) {
  if (const std::string problem = problem_with(with_options({}, options)); !problem.empty())
    throw CommandLineError(problem + ".");
  check_input(options);
  choose_backend(options);
  if (!options.scene_string.empty()) remove_unsupported_values(options);
  if (const std::string problem = problem_with(options.config); !problem.empty()) throw CommandLineError(problem + ".");
  if (options.bodies) {
    check_bodies(*find_scene(options.scene), *options.bodies,
                 for_many_bodies(options.config, options.automatic_solver));
  }
  if (!options.headless && !options.csv.empty()) throw CommandLineError("--csv needs --headless.");
  if (!options.headless && !options.save.empty()) {
    throw CommandLineError("--save needs --headless; in the window Ctrl+S saves.");
  }
  if (!options.headless && steps_given && options.screenshot.empty()) {
    throw CommandLineError("--steps needs --headless or --screenshot.");
  }
  if (options.view.image.color == render::ColorMode::force_error && (options.headless || !options.screenshot.empty())) {
    throw CommandLineError("--color-by force-error shows a measurement, which only the panel can ask for.");
  }
  if (options.headless && !steps_given && options.steps == 0) options.steps = kDefaultSteps;
}

}  // namespace pericenter::app

#include "app/bench/plan.h"

#include <algorithm>
#include <utility>

#include "app/settings/option_parser.h"
#include "sim/core/device.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

// Limits on the CPU for solvers that were not requested by name.
constexpr std::size_t kMaxForDirect = 100'000, kMaxForAtomic = 20'000;

const std::vector<std::size_t> kBodies = {2'000, 10'000, 100'000};
const std::vector<double> kThetas = {0.5, 0.7, 1}, kAccuracies = {1e-2, 1e-3, 1e-4};
constexpr double kOneTheta = 0.7;

std::vector<Backend> backends_here(const BenchOptions& options, const CudaStatus& cuda, BenchPlan& plan) {
  std::vector<Backend> backends = options.backends;
  if (backends.empty()) backends = {Backend::cpu, Backend::cuda};
  if (cuda.available()) return backends;
  const bool had_cuda = std::erase(backends, Backend::cuda) > 0;
  if (had_cuda && !options.backends.empty()) plan.left_out.push_back("CUDA cannot be used: " + cuda.missing);
  return backends;
}

/// " with walk skip, order none".
std::string values_set(const Config& config) {
  std::string made;
  for (std::size_t k = 0; k < kSolverOptionCount; ++k) {
    const auto which = static_cast<SolverOption>(k);
    const int choice = config.solver_options[which];
    if (choice == SolverOptions::kDefault) continue;
    const SolverOptionInfo& info = solver_option_info(which);
    made += (made.empty() ? " with " : ", ") + std::string(info.name) + " " +
            std::string(info.values[static_cast<std::size_t>(choice)].name);
  }
  return made;
}

/// `config` with all valid combinations of the requested solver option values and threads.
std::vector<Config> combinations(const BenchOptions& options, const Config& config, BenchPlan& plan) {
  std::vector<Config> configs = {config};
  for (std::size_t k = 0; k < kSolverOptionCount; ++k) {
    const auto which = static_cast<SolverOption>(k);
    if (options.solver_options[k].empty() || !has_option(config, which)) continue;
    std::vector<Config> more;
    for (const Config& one : configs) {
      for (const int choice : options.solver_options[k]) more.emplace_back(one).solver_options.set(which, choice);
    }
    configs = std::move(more);
  }
  std::erase_if(configs, [&](const Config& one) {
    const std::string problem = problem_with(one);
    if (problem.empty()) return false;
    plan.left_out.push_back(one.solver + " on " + std::string(enum_name(one.backend)) + values_set(one) + ": " +
                            problem);
    return true;
  });
  if (config.backend == Backend::cuda) return configs;
  std::vector<Config> with_threads;
  for (const Config& one : configs) {
    for (const int threads : options.threads) with_threads.emplace_back(one).threads = threads;
  }
  return with_threads;
}

std::vector<Config> configs_here(const BenchOptions& options, BenchPlan& plan) {
  const CudaStatus cuda = cuda_status();
  const std::vector<Backend> backends = backends_here(options, cuda, plan);
  const std::string problem_of_gpus = problem_with_gpus(cuda, options.config.gpus);
  if (!problem_of_gpus.empty()) plan.left_out.push_back(problem_of_gpus);
  std::vector<std::string> names = options.solvers;
  if (names.empty()) {
    for (const SolverInfo& solver : solvers()) names.emplace_back(solver.name);
  }
  std::vector<Config> configs;
  for (const std::string& solver : names) {
    std::vector<std::string> problems;
    for (const Backend backend : backends) {
      if (backend == Backend::cuda && !problem_of_gpus.empty()) continue;
      Config config = options.config;
      config.solver = solver;
      config.backend = backend;
      config.threads = options.threads.front();
      if (backend == Backend::cuda) config.device = cuda.devices.front().index;
      if (const std::string problem = problem_with(config); !problem.empty()) {
        problems.push_back(problem);
        continue;
      }
      const std::vector<Config> more = combinations(options, config, plan);
      configs.insert(configs.end(), more.begin(), more.end());
    }
    // Report only what was requested: a solver by name, on the requested backends or on any.
    if (options.solvers.empty() || (options.backends.empty() && problems.size() < backends.size())) continue;
    if (options.backends.empty() && !cuda.available()) problems.back() += ", and CUDA cannot be used: " + cuda.missing;
    plan.left_out.insert(plan.left_out.end(), problems.begin(), problems.end());
  }
  return configs;
}

void find_unused_options(const BenchOptions& options, BenchPlan& plan) {
  for (std::size_t k = 0; k < kSolverOptionCount && !plan.rows.empty(); ++k) {
    const auto which = static_cast<SolverOption>(k);
    const auto has_it = [&](const BenchRow& row) { return has_option(row.config, which); };
    if (options.solver_options[k].empty() || std::ranges::any_of(plan.rows, has_it)) continue;
    Config config = plan.rows.front().config;
    config.solver_options = {};
    config.solver_options.set(which, options.solver_options[k].front());
    plan.unused.push_back("--" + std::string(solver_option_info(which).name) +
                          " has no effect: " + problem_with(config));
  }
}

/// Whether all default values of N and theta are measured: for solvers that the user named, and for the references.
bool in_full(const BenchOptions& options, const Config& config) {
  return !options.solvers.empty() || find_solver(config.solver)->benchmark_reference;
}

std::vector<double> thetas_of(const BenchOptions& options, const Config& config) {
  if (!find_solver(config.solver)->has_tree()) return {0};
  if (opens_by_error(config)) return {kOneTheta};
  if (!options.thetas.empty()) return options.thetas;
  return in_full(options, config) ? kThetas : std::vector<double>{kOneTheta};
}

std::vector<double> accuracies_of(const BenchOptions& options, const Config& config) {
  if (!opens_by_error(config)) return {Params().accuracy};
  return options.accuracies.empty() ? kAccuracies : options.accuracies;
}

/// Atomic additions are slow.
bool is_atomic(const SolverInfo& solver) {
  return !solver.has_tree() && !solver.reproducible;
}

/// Whether this value of kBodies is a default for the solver.
bool by_default(const BenchOptions& options, const Config& config, std::size_t bodies) {
  if (in_full(options, config)) return bodies >= 10'000;
  return bodies == (is_atomic(*find_solver(config.solver)) ? 2'000 : 10'000);
}

/// Why the row does not run unless the solver is requested; empty if it runs.
std::string too_slow(const BenchOptions& options, const Config& config, std::size_t bodies) {
  const SolverInfo& solver = *find_solver(config.solver);
  const std::size_t most = is_atomic(solver) ? kMaxForAtomic : kMaxForDirect;
  if (!options.solvers.empty() || solver.has_tree() || config.backend == Backend::cuda || bodies <= most) return {};
  return config.solver + " on the CPU with " + std::to_string(bodies) +
         " bodies takes long; request it with --solver " + config.solver;
}

}  // namespace

BenchPlan make_bench_plan(const BenchOptions& options) {
  BenchPlan plan;
  const std::vector<Config> configs = configs_here(options, plan);
  for (const std::size_t bodies : options.bodies.empty() ? kBodies : options.bodies) {
    for (const Config& config : configs) {
      if (options.bodies.empty() && !by_default(options, config, bodies)) continue;
      if (const std::string why = too_slow(options, config, bodies); !why.empty()) {
        plan.left_out.push_back(why);
        continue;
      }
      for (const double theta : thetas_of(options, config)) {
        for (const double accuracy : accuracies_of(options, config)) {
          BenchRow& row = plan.rows.emplace_back();
          row.config = config;
          row.theta = theta;
          row.accuracy = accuracy;
          row.bodies = bodies;
        }
      }
    }
  }
  find_unused_options(options, plan);
  return plan;
}

}  // namespace pericenter::app

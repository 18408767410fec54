#include "app/ui/ablation.h"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "app/base/format.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

/// The options of the solver of `config`.
std::vector<SolverOption> options_of(const Config& config) {
  std::vector<SolverOption> result;
  for (std::size_t k = 0; k < kSolverOptionCount; ++k)
    if (has_option(config, static_cast<SolverOption>(k))) result.push_back(static_cast<SolverOption>(k));
  return result;
}

/// `config` without settings that have no effect, so that equivalent configs compare equal.
Config normalized(Config config) {
  const SolverInfo* solver = find_solver(config.solver);
  if (!solver || !solver->quadrupoles) config.multipole = Multipole::quadrupole;
  if (config.backend == Backend::cuda) config.threads = 0;
  for (const SolverOption which : options_of(config)) config = with_value(config, which, value_index(config, which));
  return config;
}

std::string choice_title(const Config& config, SolverOption which) {
  return std::string(solver_option_info(which).values[static_cast<std::size_t>(value_index(config, which))].title);
}

std::string solver_title(const Config& config) {
  const SolverInfo* solver = find_solver(config.solver);
  return solver ? std::string(solver->title) : config.solver;
}

std::string backend_title(const Config& config) {
  return config.backend == Backend::cpu ? "CPU" : "CUDA";
}

std::string precision_title(const Config& config) {
  return config.precision == Precision::float32 ? "single" : "double";
}

/// Empty if the solver has no cells.
std::string multipoles_title(const Config& config) {
  const SolverInfo* solver = find_solver(config.solver);
  if (!solver || !solver->has_tree()) return {};
  return !solver->quadrupoles || config.multipole == Multipole::monopole ? "monopoles" : "quadrupoles";
}

/// Empty if the CPU does not compute.
std::string threads_title(const Config& config) {
  if (config.backend == Backend::cuda) return {};
  if (config.threads == 0) return "all cores";
  return config.threads == 1 ? "one" : std::to_string(config.threads);
}

double cost_of(const StageTimings& timings) {
  return static_cast<double>(timings.total_ms() - timings[Stage::write_vertices] - timings[Stage::diagnostics]);
}

}  // namespace

Config with_value(Config config, SolverOption which, int choice) {
  config.solver_options.set(which, SolverOptions::kDefault);
  if (value_index(config, which) != choice) config.solver_options.set(which, choice);
  return config;
}

std::vector<Change> changes(const Config& from, const Config& to) {
  std::vector<Change> result;
  const auto compare = [&](std::string_view setting, const std::string& before, const std::string& after) {
    if (before != after && !before.empty() && !after.empty()) result.push_back({std::string(setting), before, after});
  };
  compare("Algorithm", solver_title(from), solver_title(to));
  compare("Backend", backend_title(from), backend_title(to));
  compare("Precision", precision_title(from), precision_title(to));
  compare("Multipoles", multipoles_title(from), multipoles_title(to));
  for (const SolverOption which : options_of(to)) {
    // A different default is part of the algorithm.
    const bool is_set =
        from.solver_options[which] != SolverOptions::kDefault || to.solver_options[which] != SolverOptions::kDefault;
    if (is_set && has_option(from, which))
      compare(solver_option_info(which).title, choice_title(from, which), choice_title(to, which));
  }
  compare("CPU threads", threads_title(from), threads_title(to));
  return result;
}

std::string title_of(const Config& config) {
  Config standard;
  standard.solver = config.solver;
  standard.backend = config.backend;
  std::string title = solver_title(config) + ", " + backend_title(config);
  for (const Change& change : changes(standard, config)) title += ", " + change.setting + ": " + change.to;
  return title;
}

std::string description_of(const Config& config) {
  const bool cpu = config.backend == Backend::cpu;
  std::string lines =
      solver_title(config) + (cpu ? " on the CPU, " : " on CUDA, ") + precision_title(config) + " precision";
  if (const std::string multipoles = multipoles_title(config); !multipoles.empty()) lines += ", " + multipoles;
  for (const SolverOption which : options_of(config))
    lines.append("\n").append(solver_option_info(which).title).append(": ").append(choice_title(config, which));
  if (cpu) lines += "\nCPU threads: " + threads_title(config);
  return lines;
}

std::string step_title(const Config& above, const Config& config) {
  if (config.solver != above.solver || config.backend != above.backend) return title_of(config);
  std::string title;
  for (const Change& change : changes(above, config))
    title += (title.empty() ? "" : ", ") + change.setting + ": " + change.to;
  return title;
}

std::string ratio_text(double before, double now) {
  constexpr double kNoise = 1.05;
  const double ratio = std::max(before, now) / std::max(std::min(before, now), 1e-9);
  if (ratio < kNoise) return "equal within noise";
  return text(ratio < 10 ? "%.1f× %s" : "%.0f× %s", ratio, now < before ? "faster" : "slower");
}

void Ablation::clear() {
  variants_.clear();
  step_ms_.clear();
  current_.reset();
  previous_.reset();
}

const Ablation::Variant* Ablation::find(const std::optional<Config>& config) const {
  const auto found = std::ranges::find_if(variants_, [&](const Variant& one) { return one.config == config; });
  return found == variants_.end() ? nullptr : &*found;
}

void Ablation::update(const SessionState& state) {
  if (state.scene.empty()) return;
  const Problem problem = {state.scene,        state.bodies,          state.config.dimension,
                           state.params.theta, state.params.accuracy, state.params.softening};
  if (problem != problem_) clear();
  problem_ = problem;
  const Config config = normalized(state.config);
  const bool again = state.scene_serial != scene_serial_;
  if (config != current_ || again) {
    if (config != current_) change_to(config);
    step_ms_.clear();
    scene_serial_ = state.scene_serial;
    first_step_ = last_step_ = state.steps;
  }
  add_sample(state);
  if (state.steps == last_step_) return;
  last_step_ = state.steps;
  if (state.steps > first_step_ + kWarmupSteps) add_step(state.timings);
}

void Ablation::change_to(const Config& config) {
  // Do not compare with a setting that was left before it was measured.
  const Variant* last = current();
  if (!step_ms_.empty())
    previous_ = current_;
  else if (last && last->steps == 0)
    std::erase_if(variants_, [&](const Variant& one) { return one.config == current_; });
  if (previous_ == config) previous_.reset();
  current_ = config;
  if (current()) return;
  remove_oldest();
  variants_.push_back({.config = config});
}

/// Removes the oldest variant except the previous one.
void Ablation::remove_oldest() {
  if (variants_.size() < kMaxVariants) return;
  variants_.erase(std::ranges::find_if(variants_, [&](const Variant& one) { return one.config != previous_; }));
}

void Ablation::add_sample(const SessionState& state) {
  // A sample belongs to the configuration of the state, but perhaps to parameters before the last change.
  const ForceSample& sample = state.force_sample;
  if (sample.bodies == 0 || sample.params.theta != state.params.theta ||
      sample.params.accuracy != state.params.accuracy || sample.params.softening != state.params.softening)
    return;
  const auto found = std::ranges::find_if(variants_, [&](const Variant& one) { return one.config == current_; });
  if (found != variants_.end()) found->error = sample.errors.mean;
}

void Ablation::add_step(const StageTimings& timings) {
  step_ms_.push_back(cost_of(timings));
  if (step_ms_.size() > kSteps) step_ms_.pop_front();
  const auto found = std::ranges::find_if(variants_, [&](const Variant& one) { return one.config == current_; });
  found->steps = step_ms_.size();
  found->ms = std::accumulate(step_ms_.begin(), step_ms_.end(), 0.0) / static_cast<double>(step_ms_.size());
}

}  // namespace pericenter::app

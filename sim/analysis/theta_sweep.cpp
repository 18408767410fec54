#include "sim/analysis/theta_sweep.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>

#include "sim/analysis/force_sample.h"
#include "sim/core/simulation.h"
#include "sim/solvers/registry.h"

namespace pericenter {
namespace {

constexpr int kRounds = 6;  ///< the first one warms up
constexpr std::size_t kSampledInSweep = 1024;
constexpr std::size_t kSampledOnCpu = 256;  ///< sample size beyond kManyOnCpu bodies, whose sums take long
constexpr std::size_t kManyOnCpu = 200'000;

std::vector<std::size_t> sample_for(const Config& config, std::size_t bodies) {
  const bool slow = config.backend == Backend::cpu && bodies > kManyOnCpu;
  return random_sample(bodies, std::min(bodies, slow ? kSampledOnCpu : kSampledInSweep), 1);
}

/// Measures the curve of one solver.
class CurveMeasurement {
 public:
  CurveMeasurement(const Config& config, const Params& params, const Bodies& bodies, CancellationToken* cancellation)
      : params_(params),
        sampled_(sample_for(config, bodies.size())),
        has_tree_(find_solver(config.solver)->has_tree()) {
    SimulationStart start;
    start.cancellation = cancellation;
    simulation_ = Simulation::create(config, bodies, start);
    if (has_tree_) {
      for (const double theta : kSweptThetas) points_.push_back({.theta = theta});
    } else {
      points_.emplace_back();
    }
    ms_.resize(points_.size());
  }

  std::size_t evaluations() const { return kRounds * points_.size(); }

  /// Neighbouring evaluations have different angles, so none is cached, and slow changes of the machine's speed affect
  /// all angles.
  void evaluate(std::size_t number) {
    const std::size_t point = number % points_.size(), round = number / points_.size();
    Params params = params_;
    params.theta = has_tree_ ? points_[point].theta : 0.1 * static_cast<double>(round);  // ignored by direct sums
    const double before = static_cast<double>(simulation_->timings().total_ms());
    const SampledForces forces =
        simulation_->sampled_forces(params, round + 1 < kRounds ? std::vector<std::size_t>() : sampled_);
    if (round > 0) ms_[point].push_back(static_cast<double>(simulation_->timings().total_ms()) - before);
    if (forces.exact.empty()) return;
    const std::optional<ForceErrors> errors = errors_of(forces);
    if (!errors)
      throw std::invalid_argument("Force errors cannot be measured: some bodies are NaN or infinite. Reset the scene.");
    points_[point].errors = *errors;
  }

  std::vector<SweepPoint> points() {
    for (std::size_t k = 0; k < points_.size(); ++k) points_[k].ms = std::ranges::min(ms_[k]);
    return points_;
  }

 private:
  const Params params_;
  const std::vector<std::size_t> sampled_;
  const bool has_tree_;
  std::unique_ptr<Simulation> simulation_;
  std::vector<SweepPoint> points_;
  std::vector<std::vector<double>> ms_;  ///< times of each point
};

std::vector<Config> configs_for(const SweepRequest& wanted) {
  std::vector<Config> configs;
  for (const std::string& solver : wanted.solvers) {
    const SolverInfo* info = find_solver(solver);
    if (info && info->runs_on(wanted.config.backend)) configs.push_back(swept_config(wanted.config, solver));
  }
  return configs;
}

}  // namespace

Config swept_config(const Config& now, std::string_view solver) {
  Config config = now;
  config.solver = solver;
  if (config.solver != now.solver) config.solver_options = {};
  if (opens_by_error(config)) config.solver_options.set(SolverOption::opening, Opening::angle);
  return without_unsupported_values(config);
}

std::vector<SweepCurve> measure_sweep(const SweepRequest& wanted, const Bodies& bodies) {
  const std::vector<Config> configs = configs_for(wanted);
  std::vector<SweepCurve> curves;
  for (const Config& config : configs) {
    CurveMeasurement measurement(config, wanted.params, bodies, wanted.cancellation);
    for (std::size_t k = 0; k < measurement.evaluations(); ++k) {
      measurement.evaluate(k);
      const double of_curve = static_cast<double>(k + 1) / static_cast<double>(measurement.evaluations());
      const double done = static_cast<double>(curves.size()) + of_curve;
      if (!wanted.progress(done / static_cast<double>(configs.size()))) throw Cancelled{};
    }
    curves.push_back({config, measurement.points()});
  }
  return curves;
}

}  // namespace pericenter

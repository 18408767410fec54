#include "app/ui/cost_accuracy.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

constexpr double kSmallest = 1e-30;  ///< instead of 0 on a logarithmic axis
constexpr double kMargin = 1.5;      ///< factor beside the outermost points
constexpr std::size_t kMeanOf = 16;  ///< steps

double logarithm(double value) {
  return std::log(std::max(value, kSmallest));
}

double share_between(double value, double low, double high) {
  return std::clamp(logarithm(value / low) / logarithm(high / low), 0.0, 1.0);
}

double hundredths(double theta) {
  return std::round(100 * theta) / 100;
}

/// Adds a margin, and widens a range in which high / low is less than `ratio`.
void widen(double& low, double& high, double ratio) {
  low /= kMargin;
  high *= kMargin;
  const double missing = std::sqrt(std::max(1.0, ratio * low / high));
  low /= missing;
  high *= missing;
}

}  // namespace

CostAccuracy place_at(const SweepCurve& curve, double theta) {
  const std::vector<SweepPoint>& points = curve.points;
  const auto place = [](const SweepPoint& point) { return CostAccuracy{point.ms, point.errors.mean}; };
  const auto right = std::ranges::upper_bound(points, theta, {}, &SweepPoint::theta);
  if (right == points.begin()) return place(points.front());
  if (right == points.end()) return place(points.back());
  const SweepPoint &a = *(right - 1), &b = *right;
  const double share = logarithm(theta / a.theta) / logarithm(b.theta / a.theta);
  const auto between = [&](double low, double high) {
    return std::exp(std::lerp(logarithm(low), logarithm(high), share));
  };
  return {between(a.ms, b.ms), between(a.errors.mean, b.errors.mean)};
}

double CostAxes::x(double ms) const {
  return share_between(ms, low.ms, high.ms);
}

double CostAxes::y(double error) const {
  return share_between(error, low.error, high.error);
}

double CostAxes::error_at(double y) const {
  return low.error * std::pow(high.error / low.error, y);
}

CostAxes axes_for(const ThetaSweep* sweep, const std::optional<CostAccuracy>& current) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  CostAxes axes{{kInfinity, kInfinity}, {0, 0}};
  const auto include = [&](const CostAccuracy& place) {
    if (place.ms > 0) axes.low.ms = std::min(axes.low.ms, place.ms), axes.high.ms = std::max(axes.high.ms, place.ms);
    if (place.error <= 0) return;
    axes.low.error = std::min(axes.low.error, place.error);
    axes.high.error = std::max(axes.high.error, place.error);
  };
  if (current) include(*current);
  for (const SweepCurve& curve : sweep ? sweep->curves : std::vector<SweepCurve>()) {
    const bool direct = curve.points.size() == 1;
    for (const SweepPoint& point : curve.points) include({point.ms, direct ? 0 : point.errors.mean});
  }
  if (axes.high.ms == 0) axes.low.ms = axes.high.ms = 1;
  if (axes.high.error == 0) axes.low.error = axes.high.error = 1e-3;
  widen(axes.low.ms, axes.high.ms, 20);
  widen(axes.low.error, axes.high.error, 1000);
  return axes;
}

double nearest_theta(const SweepCurve& curve, const CostAxes& axes, double x, double y) {
  double nearest = curve.points.front().theta, least = std::numeric_limits<double>::infinity();
  for (double theta = curve.points.front().theta; theta < curve.points.back().theta + 0.005; theta += 0.01) {
    const CostAccuracy place = place_at(curve, theta);
    const double distance = std::hypot(axes.x(place.ms) - x, axes.y(place.error) - y);
    if (distance >= least) continue;
    least = distance;
    nearest = theta;
  }
  return hundredths(nearest);
}

double theta_for_error(double error, double known_error, double known_theta) {
  constexpr double kExponent = 3.5, kMin = 0.1, kMax = 1.5;
  if (!(known_error > 0 && known_theta > 0 && error > 0)) return known_theta;
  return hundredths(std::clamp(known_theta * std::pow(error / known_error, 1 / kExponent), kMin, kMax));
}

const SweepCurve* current_curve(const SessionState& state, const Config& config) {
  if (!state.sweep || !find_solver(config.solver)) return nullptr;
  const Config swept = swept_config(config, config.solver);
  const auto found = std::ranges::find(state.sweep->curves, swept, &SweepCurve::config);
  return found == state.sweep->curves.end() || found->points.empty() ? nullptr : &*found;
}

double force_ms(const std::deque<StageTimings>& history) {
  const std::size_t count = std::min(history.size(), kMeanOf);
  double sum = 0;
  for (std::size_t k = history.size() - count; k < history.size(); ++k) {
    const StageTimings& step = history[k];
    sum += static_cast<double>(step.total_ms() - step[Stage::kick_drift] - step[Stage::write_vertices] -
                               step[Stage::diagnostics]);
  }
  return count > 0 ? sum / static_cast<double>(count) : 0;
}

std::optional<CurrentPlace> current_place(const SessionState& state, const Config& config, const Params& params,
                                          const std::deque<StageTimings>& history) {
  const ForceSample& sample = state.force_sample;
  const double ms = force_ms(history);
  const SweepCurve* curve = current_curve(state, config);
  const bool same = sample.params.theta == params.theta && sample.params.accuracy == params.accuracy;
  const bool known = sample.bodies > 0 && config == state.config;
  if (known && same && ms > 0) return CurrentPlace{{ms, sample.errors.mean}, true};
  if (curve && !opens_by_error(config)) return CurrentPlace{place_at(*curve, params.theta), false};
  if (known && ms > 0) return CurrentPlace{{ms, sample.errors.mean}, false};
  return std::nullopt;
}

std::vector<std::string> swept_solvers(Backend backend) {
  std::vector<std::string> names;
  for (const SolverInfo& solver : solvers())
    if (solver.has_tree() && solver.runs_on(backend)) names.emplace_back(solver.name);
  names.emplace_back("direct");
  return names;
}

std::string problem_with_sweep(std::string_view solver, const SessionState& state) {
  const bool cpu = state.config.backend == Backend::cpu;
  const std::size_t limit = cpu ? 50'000 : 2'000'000;
  if (solver != "direct" || state.bodies <= limit) return {};
  return std::string("A direct sum takes too long for more than ") + (cpu ? "50,000" : "two million") +
         " bodies on this backend.";
}

}  // namespace pericenter::app

#include "app/headless/run_report.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "app/base/format.h"
#include "sim/core/display_units.h"
#include "sim/core/timestep_criterion.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

std::string settings_line(const Params& params, const Simulation& simulation) {
  const Config& config = simulation.config();
  const std::string device = config.backend == Backend::cpu ? "CPU" : "CUDA, " + simulation.device_name();
  const std::string opening =
      opens_by_error(config) ? text("accuracy %g", params.accuracy) : text("theta %g", params.theta);
  const bool leaps = config.integrator == Integrator::leapfrog, divides = params.adaptive_steps > 0;
  const std::string steps = (divides ? text(", adaptive steps %g", params.adaptive_steps) : "") +
                            (leaps ? "" : ", " + std::string(enum_name(config.integrator)));
  return text("%s, %s, %dD, %s, %s, softening %g, dt %g%s", config.solver.c_str(), enum_name(config.precision).data(),
              config.dimension, device.c_str(), opening.c_str(), params.softening, params.dt, steps.c_str());
}

std::string stage_lines(const RunTotals& totals) {
  const double steps = static_cast<double>(totals.steps);
  const double step_ms = 1000 * totals.seconds / steps;
  std::string lines = text("%-18s %11s %10s\n", "stage", "ms per step", "% of step");
  const auto add = [&](const std::string& name, double ms) {
    lines += text("%-18s %11.3f %10.1f\n", name.c_str(), ms, 100 * ms / step_ms);
  };
  for (std::size_t k = 0; k < kStageCount; ++k) {
    if (totals.stages.ms[k] > 0) add(std::string(kStageNames[k]), static_cast<double>(totals.stages.ms[k]) / steps);
  }
  add("other", std::max(0.0, step_ms - static_cast<double>(totals.stages.total_ms()) / steps));
  add("total", step_ms);
  return lines;
}

std::string conservation_lines(const Simulation& simulation, const RunTotals& totals) {
  const double bodies = static_cast<double>(std::max<std::size_t>(1, simulation.size()));
  const bool cancels = totals.start.energy_scale() > std::abs(totals.start.energy());
  const std::string drift =
      text("%-18s %10.2e   of sqrt(2 K M)\n", "momentum drift", momentum_drift(totals.start, totals.end));
  const std::string note = simulation.note().empty() ? "" : simulation.note() + "\n";
  if (std::isnan(totals.end.potential))
    return drift + "Energy error, virial ratio and interactions are unknown: a playback has no forces.\n" + note;
  return text("%-18s %10.2e   of %s at the start\n", "energy error", energy_error(totals.start, totals.end),
              cancels ? "K/10, which is more than |E|," : "|E|") +
         text("%-18s %10s   2K/|sum r.F|, 1 in equilibrium\n", "virial ratio",
              decimal_text(totals.end.virial_ratio(), 4).c_str()) +
         drift +
         text("%-18s %10.0f   with bodies, %.0f with cells\n", "interactions",
              static_cast<double>(simulation.work().body_interactions) / bodies,
              static_cast<double>(simulation.work().cell_interactions) / bodies) +
         note;
}

/// What to change, as options of the command line.
std::string remedy_for(const SessionState& state, const Diagnostics& start) {
  const Health& health = state.health;
  const double dt = std::abs(state.params.dt);
  const std::string accuracy = opens_by_error(state.config) ? "--accuracy" : "--theta";
  const bool has_tree = find_solver(state.config.solver)->has_tree(), softening = a_softening_helps(state, start);
  switch (health.problem) {
    case HealthProblem::long_step:
      return finer_settings(state, start) + ", so that it moves less than " + text("%g", kMaxFallPerStep) +
             " of a softening length per step.";
    case HealthProblem::few_steps_per_orbit:
      return text("Use --dt below %.2g", dt * health.steps_per_orbit.worst / kMinStepsPerOrbit) +
             (softening ? ", or a --softening." : ".");
    case HealthProblem::pericenter:
    case HealthProblem::lost_orbit: {
      constexpr double kFewest = 1e-3;  // a fall onto a point would need ever shorter steps
      const double steps = health.steps_at_pericenter.now;
      if (steps < kFewest * kMinStepsPerOrbit) return "Use a --softening: no time step follows a fall onto a point.";
      return text("Use --dt below %.2g.", dt * std::min(0.5, steps / kMinStepsPerOrbit));
    }
    case HealthProblem::forces:
      return "Use a smaller " + accuracy + ".";
    default:
      return "Use a smaller --dt" + (has_tree ? " or " + accuracy : "") +
             (softening ? ", or a larger --softening" : "") + text("; half of the time step is --dt %.2g.", dt / 2);
  }
}

}  // namespace

double momentum_drift(const Diagnostics& start, const Diagnostics& now) {
  const double drift = length(now.momentum - start.momentum);
  const double scale = momentum_scale(now.mass, now.kinetic);
  return scale > 0 ? drift / scale : drift;
}

void RunTotals::add(const StageTimings& step) {
  for (std::size_t k = 0; k < kStageCount; ++k) stages.ms[k] += step.ms[k];
}

/// A step in which a body crosses much of the scene is too long for any softening.
bool a_softening_helps(const SessionState& state, const Diagnostics& start) {
  constexpr double kMostOfScene = 0.1;
  const double radius = state.view_radius, falling = std::sqrt(state.params.gravity * start.mass / radius);
  return std::abs(state.params.dt) * std::max(start.fastest, falling) < kMostOfScene * radius;
}

std::string finer_settings(const SessionState& state, const Diagnostics& start) {
  return std::string("Use a smaller --dt") + (a_softening_helps(state, start) ? " or a larger --softening" : "");
}

std::string doubt_about(const SessionState& state, const Diagnostics& start) {
  const Health& health = state.health;
  if (health.problem == HealthProblem::none || health.problem == HealthProblem::non_finite) return {};
  std::string cause = health.cause;
  cause.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(cause.front())));
  return std::string("This result ") + (health.level == HealthLevel::poor ? "cannot be trusted" : "is doubtful") +
         ": " + cause + ". " + remedy_for(state, start);
}

std::string run_report(const SessionState& state, const Simulation& simulation, const RunTotals& totals) {
  std::string lines = state.scene + ", " + with_thousands(simulation.size()) +
                      " bodies: " + settings_line(state.params, simulation) + "\n";
  lines += text("%s steps to t = %.4g", with_thousands(totals.steps).c_str(), simulation.time());
  if (state.units.time_myr > 0) lines += " (" + time_text(simulation.time(), state.units) + ")";
  if (totals.steps == 0) return lines + "\n";
  const double steps_per_second = static_cast<double>(totals.steps) / totals.seconds;
  lines += text(" in %.3g s: %.4g steps/s, %.3g bodies/s\n\n", totals.seconds, steps_per_second,
                steps_per_second * static_cast<double>(simulation.size()));
  lines += stage_lines(totals) + "\n" + conservation_lines(simulation, totals);
  if (totals.end.non_finite > 0) {
    lines += with_thousands(totals.end.non_finite) + " bodies are NaN or infinite. " +
             finer_settings(state, totals.start) + ".\n";
  }
  const std::string doubt = doubt_about(state, totals.start);
  return doubt.empty() ? lines : lines + '\n' + doubt + '\n';
}

}  // namespace pericenter::app

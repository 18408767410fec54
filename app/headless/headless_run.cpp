#include "app/headless/headless_run.h"

#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>

#include "app/base/format.h"
#include "app/base/progress_bar.h"
#include "app/headless/run_output_files.h"
#include "sim/core/display_units.h"
#include "sim/core/timestep_criterion.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {
namespace {

constexpr std::size_t kDefaultBodies = 20'000;

}  // namespace

HeadlessRun::HeadlessRun(const Options& options, StopSignals& stop)
    : options_(options),
      stop_(stop),
      session_({.report = [this](const SessionState& state) { return report_(state); },
                .initial_params = [this](const Params& suggested) { return with_options(suggested, options_); },
                .diagnostics_period = std::numeric_limits<double>::infinity(),
                .allows_rollback = false,
                .records = false,
                .reports_encounters = options.narrator && options.steps > 0}) {
  load();
  totals_.end = session_.state().diagnostics;
  totals_.start = session_.run().initial_energy().value_or(totals_.end);
  warn_of_long_steps(totals_.end);
}

void HeadlessRun::load() {
  const bool is_file = options_.reads_a_file();
  ProgressBar bar(is_file ? "loading " + input_name(options_) : "creating " + options_.scene, "", options_.progress);
  bool shown = false;
  report_ = [&](const SessionState& state) {
    shown = shown || (state.busy && state.progress > 0);
    if (shown) bar.show(state.progress, 1);
    return !stop_.raised();
  };
  session_.apply(request::SetConfig{options_.config});
  if (session_.state().message_is_error) throw std::invalid_argument(session_.state().message);
  session_.apply(request::SetStepsPerFrame{options_.steps_per_frame});
  if (is_file) {
    session_.load(std::make_shared<const SceneSource>(input_source(options_)));
    if (const std::string& note = session_.state().message; !note.empty()) print_message(note);
  } else {
    session_.apply(request::ChooseSolver{options_.automatic_solver});
    const std::size_t bodies = find_scene(options_.scene)->allowed(options_.bodies.value_or(kDefaultBodies));
    session_.load(request::LoadScene{options_.scene, scene_request(options_, bodies)});
  }
  report_ = [](const SessionState&) { return true; };
}

/// Once per run.
void HeadlessRun::warn_of_long_steps(const Diagnostics& now) {
  const SessionState& state = session_.state();
  if (warned_ || state.playback || !needs_shorter_step(state.params, state.suggested, now)) return;
  warned_ = true;
  const double max_dt = max_safe_dt(state.params, now);
  if (state.params.softening > 0) {
    std::cerr << text(
        "pericenter: the fastest body crosses %.2g softening lengths per step. Use --dt below %.2g to stay under half "
        "a softening length.\n",
        softenings_per_step(state.params, now), max_dt);
  } else {
    std::cerr << text(
        "pericenter: the shortest orbit takes %.2g steps, and there is no softening. Use --dt below %.2g for at least "
        "%.0f steps, or --softening.\n",
        now.shortest_orbit / std::abs(state.params.dt), max_dt, kMinStepsPerOrbit);
  }
}

/// A line for each new event of an encounter.
void HeadlessRun::report_events() {
  if (session_.run().encounter_events().empty()) return;
  const SessionState& state = session_.state();
  if (!has_enough_bodies_for_events(state)) return;
  for (const auto& [event, is_first] : reported_.add(session_.run().encounter_events(), state.start_time))
    std::cout << dated_line(event, event_sentence(event, is_first, state.units, Wording::pupils), state.units)
              << std::flush;
}

void HeadlessRun::recover(const DeviceLost& error) {
  if (!session_.can_resume()) throw error;
  session_.recover(error);
  const SessionState& state = session_.state();
  if (!session_.simulation()) throw error;
  std::cerr << "pericenter: the GPU was lost (" << error.what() << "); continuing from "
            << time_text(state.time, state.units) << " on the CPU.\n";
}

void HeadlessRun::step(bool with_energy) {
  session_.advance(nullptr, with_energy);
  totals_.seconds += session_.run().last_step_seconds();
  totals_.add(simulation().timings());
  if (!with_energy) return;
  totals_.end = session_.state().diagnostics;
  warn_of_long_steps(totals_.end);
}

void HeadlessRun::advance(std::uint64_t steps, const StepObserver& observer) {
  ProgressBar bar("stepping", "steps", observer.with_progress);
  const std::uint64_t first = simulation().steps();
  const Units units = session_.state().units;
  if (observer.with_table) table_.add_start(simulation(), units, totals_.start, totals_.end);
  for (std::uint64_t k = 1, done = 0; k <= steps && !stop_.raised(); ++k) {
    const bool with_energy = k == steps || (observer.with_table && k % options_.energy_every == 0);
    try {
      step(with_energy);
    } catch (const DeviceLost& error) {
      recover(error);
      k = simulation().steps() - first;
      continue;
    }
    bar.show(static_cast<double>(k), static_cast<double>(steps));
    report_events();
    if (k <= done) continue;  // repeated after a lost GPU
    totals_.steps = done = k;
    if (observer.with_table)
      table_.add(simulation(), units, totals_.start, with_energy ? std::optional(totals_.end) : std::nullopt);
    if (observer.after_step) observer.after_step();
  }
  if (stop_.raised()) totals_.end = simulation().diagnostics(session_.state().params);
}

}  // namespace pericenter::app

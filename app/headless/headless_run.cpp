#include "app/headless/headless_run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "app/base/format.h"
#include "app/base/long_step.h"
#include "app/base/progress_bar.h"
#include "app/output/snapshot_saver.h"
#include "app/settings/command_line_error.h"
#include "app/settings/scene_string.h"
#include "sim/auto_solver.h"
#include "sim/core/display_units.h"
#include "sim/core/printable.h"
#include "sim/core/timestep_criterion.h"
#include "sim/playback/series.h"
#include "sim/scenes/model/procedural_source.h"
#include "sim/scenes/registry.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

/// Where the energy is measured along a run, so that a moment in which it changes is not missed: the cost is below 1 %.
constexpr std::uint64_t kEnergyChecks = 20, kLeastStepsPerCheck = 50;

constexpr std::array<std::string_view, 11> kQuantities = {"momentum", "angular_momentum", "com_x",       "com_y",
                                                          "com_z",    "separation",       "kinetic",     "potential",
                                                          "energy",   "energy_error",     "virial_ratio"};

/// A cell; empty if the number is unknown.
std::string cell(double number, int digits) {
  return std::isnan(number) ? "," : text(",%.*g", digits, number);
}

/// Of very many bodies a sample, because a copy of all might not fit into memory.
Bodies measured_bodies(const Simulation& simulation) {
  constexpr std::size_t kMost = 20'000'000, kEnough = 1'000'000;
  if (simulation.size() <= kMost) return simulation.bodies();
  return simulation.sampled_bodies(BodySample::of(simulation.size(), kEnough));
}

LoadedScene with_run_options(LoadedScene loaded, const Options& options) {
  const bool choose = options.automatic_solver && (!loaded.config || options.given.solver);
  const bool choose_integrator = !loaded.config && !options.given.integrator;
  loaded.config = loaded.config ? config_with_options(*loaded.config, options) : options.config;
  loaded.config = with_automatic_choices(*loaded.config, {choose, choose_integrator, !options.backend},
                                         loaded.scene.bodies, with_options(loaded.scene.params, options).softening);
  loaded.config = without_unsupported_values(*loaded.config);
  if (const std::string problem = problem_with(*loaded.config); !problem.empty())
    throw InputError(options.input() + " was saved with other settings: " + problem + ".");
  loaded.playback_dt = loaded.scene.params.dt;  // in headless mode a playback advances as the simulation would
  return loaded;
}

/// An option may turn out not to suit the bodies only when there are some.
template <class Work>
void checked(const Work& work) {
  try {
    work();
  } catch (const std::invalid_argument& error) {
    throw CommandLineError(error.what());
  }
}

}  // namespace

HeadlessRun::HeadlessRun(const Options& options, StopSignals& stop)
    : options_(options),
      stop_(stop),
      session_({.report = [this](const SessionState& state) { return report_(state); },
                .initial_params = [this](const Params& suggested) { return with_options(suggested, options_); },
                .diagnostics_period = std::numeric_limits<double>::infinity(),
                .allows_rollback = false,
                .records = false,
                .reports_encounters = options.narrator && (options.steps > 0 || !options.record.empty())}) {
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
  if (is_file) {
    checked([&] { session_.load(std::make_shared<const SceneSource>(input_source(options_))); });
  } else {
    session_.apply(request::ChooseSolver{options_.automatic_solver, !options_.given.integrator, !options_.backend});
    const std::size_t bodies = find_scene(options_.scene)->allowed(options_.bodies.value_or(kDefaultBodies));
    checked([&] { session_.load(request::LoadScene{options_.scene, scene_request(options_, bodies)}); });
  }
  if (const std::string& note = session_.state().message; !note.empty()) print_message(note);
  session_.apply(pace_request(options_, session_.state().units));
  report_ = [](const SessionState&) { return true; };
}

/// Once per run.
void HeadlessRun::warn_of_long_steps(const Diagnostics& now) {
  const SessionState& state = session_.state();
  if (warned_ || state.playback || has_internal_steps(state.config)) return;
  if (!needs_shorter_step(state.params, state.suggested, now)) {
    warned_ = state.health.problem == HealthProblem::pericenter;
    if (warned_) print_message(doubt_about(state, totals_.start));
    return;
  }
  warned_ = true;
  print_message(long_step_warning(state.params, now, a_softening_helps(state, totals_.start)));
}

/// A line for each new event of an encounter.
void HeadlessRun::report_events() {
  const std::span<const EncounterEvent> events = session_.run().encounter_events();
  const SessionState& state = session_.state();
  if (events.empty() || !has_enough_bodies_for_events(state)) return;
  for (const EncounterEvent& event : reported_.add(events, state.start_time))
    std::cout << dated_line(event, event_sentence(event, events, state.units, Wording::pupils), state.units)
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
  try {
    session_.advance(nullptr, with_energy);
  } catch (const StepError& error) {
    throw ExitError{kDataError, error.what()};
  } catch (const InputError& error) {
    print_message(error.what());  // the playback has taken the step without a snapshot that cannot be read
    if (with_energy) totals_.end = simulation().diagnostics(session_.state().params);
    return;
  }
  totals_.seconds += session_.run().last_step_seconds();
  totals_.add(simulation().timings());
  if (!with_energy) return;
  totals_.end = session_.state().diagnostics;
  warn_of_long_steps(totals_.end);
}

void HeadlessRun::advance(std::uint64_t steps, const StepObserver& observer) {
  ProgressBar bar("stepping", "steps", observer.with_progress);
  const std::uint64_t first = simulation().steps();
  const std::uint64_t steps_per_check = std::max(steps / kEnergyChecks, kLeastStepsPerCheck);
  const Units units = session_.state().units;
  if (observer.with_table) table_.add_start(simulation(), units, totals_.start, totals_.end);
  for (std::uint64_t k = 1, done = 0; k <= steps && !stop_.raised(); ++k) {
    const bool with_energy = k == steps || (observer.with_table && k % options_.energy_every == 0);
    try {
      step(with_energy || k % steps_per_check == 0);
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

StepTable::StepTable() : csv_("step,time,time_myr") {
  for (const std::string_view stage : kStageNames) {
    std::string name(stage);
    std::replace(name.begin(), name.end(), ' ', '_');
    csv_ += "," + name + "_ms";
  }
  csv_ += ",total_ms";
  for (const std::string_view name : kQuantities) csv_ += "," + std::string(name);
  csv_ += '\n';
}

void StepTable::add_time(const Simulation& simulation, const Units& units) {
  csv_ += text("%llu,%.9g", static_cast<unsigned long long>(simulation.steps()), simulation.time());
  csv_ += units.time_myr > 0 ? text(",%.9g", simulation.time() * units.time_myr) : ",";
}

void StepTable::add_quantities(const Simulation& simulation, const Diagnostics& start, const Diagnostics& now) {
  const Bodies bodies = measured_bodies(simulation);
  if (!structure_ || structure_->size() != bodies.size()) structure_.emplace(bodies);
  const double separation = structure_->separation(bodies);
  const Vec3& centre = now.center_of_mass;
  csv_ += cell(length(now.momentum), 9) + cell(length(now.angular_momentum), 9) + cell(centre[0], 9) +
          cell(centre[1], 9) + cell(centre[2], 9) + cell(separation, 9) + cell(now.kinetic, 9) +
          cell(now.potential, 9) + cell(now.energy(), 9) + cell(energy_error(start, now), 6) +
          cell(now.virial_ratio(), 6) + '\n';
}

void StepTable::add_start(const Simulation& simulation, const Units& units, const Diagnostics& start,
                          const Diagnostics& now) {
  add_time(simulation, units);
  csv_ += std::string(kStageCount + 1, ',');
  add_quantities(simulation, start, now);
}

void StepTable::add(const Simulation& simulation, const Units& units, const Diagnostics& start,
                    const std::optional<Diagnostics>& now) {
  add_time(simulation, units);
  for (const float ms : simulation.timings().ms) csv_ += text(",%.4f", static_cast<double>(ms));
  csv_ += text(",%.4f", static_cast<double>(simulation.timings().total_ms()));
  if (now) {
    add_quantities(simulation, start, *now);
  } else {
    csv_ += std::string(kQuantities.size(), ',') + '\n';
  }
}

SceneSource input_source(const Options& options) {
  const SceneSource source =
      !options.load.empty()
          ? file_source(options.load, options.read)
          : series_source(options.files.size() > 1 ? options.files : series_of(options.play), options.read);
  return {input_name(options), options.input(),
          [source, options](const Progress& progress) { return with_run_options(source.load(progress), options); },
          source.options};
}

std::string input_name(const Options& options) {
  return printable(std::filesystem::path(options.input()).stem().string());
}

int save_output(const Snapshot& snapshot, const Options& options) {
  StopSignals now;
  ProgressBar bar("saving", "", options.progress);
  try {
    save_snapshot(options.save, snapshot, [&](double share) {
      bar.show(share, 1);
      return !now.raised();
    });
  } catch (const SceneCancelled&) {
    return fail(now.exit_code(), "interrupted; " + printable(options.save) + " was not written.");
  }
  return kOk;
}

}  // namespace pericenter::app

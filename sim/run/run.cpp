#include "sim/run/run.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <new>
#include <utility>

#include "sim/core/bodies.h"
#include "sim/core/clock.h"
#include "sim/core/display_units.h"
#include "sim/files/file_origin.h"

namespace pericenter {
namespace {

constexpr std::size_t kMaxUndoSteps = 200;
/// Times that differ by this share of a time step are the same. The time is a sum of time steps: after a million of
/// them its rounding error is a thousandth of that.
constexpr double kSameTime = 1e-6;

std::string text_of_return(const StartPositions* start, double distance, const Units& units) {
  if (!start) return "Back at the start. There is no memory for the start positions, so the distance is unknown.";
  const std::string share =
      start->radius() > 0 ? " (" + three_digits(100 * distance / start->radius()) + " % of the radius)" : "";
  return "Back at the start: rms distance " + short_length_text(distance, units) + share + ".";
}

}  // namespace

/// In the order in which they measure after a step.
std::array<RunWatcher*, 8> Run::watchers() {
  return {&structure_,      &rotation_, &course_.encounter, &force_sample_, &course_.orbits, &course_.record.accuracy,
          &tree_and_probe_, &stars_};
}

RunView Run::view() {
  return {.simulation = *simulation_,
          .state = course_.state,
          .record = course_.record.recorder,
          .bodies = course_.bodies,
          .checkpoints = checkpoints_,
          .options = options_,
          .step_seconds = last_step_seconds_,
          .bodies_per_second = rates_.bodies_per_second(simulation_->size()),
          .running = running_,
          .samples_forces = samples_forces_,
          .device_copy_is_in_use = checkpoints_.is_copying() || course_.recording.is_packing()};
}

// ---- its course

void Run::start(std::unique_ptr<Simulation> simulation, Course course, const std::optional<Diagnostics>& energy,
                const HistoryMemory& memory) {
  simulation_ = std::move(simulation);
  course_ = std::move(course);
  checkpoints_.clear();
  rewound_.reset();
  if (energy) accuracy().start(*energy, view());
  resume();
  if (!is_playback()) checkpoints_.add(simulation_->size(), [this] { return snapshot_of(simulation_->bodies()); });
  const std::shared_ptr<const Snapshot> checkpoint = checkpoints_.latest();
  begin_course(checkpoint ? &checkpoint->bodies : nullptr, memory);
}

void Run::continue_with(std::unique_ptr<Simulation> simulation, NewCheckpoint checkpoint, const Bodies* bodies) {
  simulation_ = std::move(simulation);
  rewound_.reset();
  forget_after(simulation_->steps());
  if (bodies) course_.recording.begin_segment(*simulation_, *bodies);
  if (checkpoint == NewCheckpoint::only) checkpoints_.clear();
  if (checkpoint != NewCheckpoint::none)
    checkpoints_.add(simulation_->size(), [&] { return snapshot_of(bodies ? *bodies : simulation_->bodies()); });
  resume();
}

/// The run continues from this step.
void Run::forget_after(std::uint64_t step) {
  RunRecord& record = course_.record;
  record.recorder.truncate(static_cast<double>(step));
  if (record.settings_changed_at > step) record.settings_changed_at.reset();
}

void Run::leave_playback(std::unique_ptr<Simulation> simulation, const Bodies& bodies, const HistoryMemory& memory) {
  course_.origin = shown_origin();
  RunState& now = state();
  now.fields.clear();  // their values are those of the files
  const std::vector<float> values = simulation_->labels().values;
  if (now.field && !values.empty()) course_.field = std::make_shared<const BodyField>(*now.field, values);
  if (!course_.field) now.field.reset();
  simulation_ = std::move(simulation);
  now.sweep.reset();
  now.playback.reset();
  now.suggested = course_.simulation_params;
  now.params = initial_params(course_.simulation_params);
  course_.record.accuracy = {};
  checkpoints_.add(simulation_->size(), [&] { return snapshot_of(bodies); });
  resume();
  begin_course(&bodies, memory);
}

void Run::set_playback_range(const TimeRange& range, double valid_until) {
  TimeRange& now = *state().playback;
  now.first = range.first;
  now.last = range.last;
  now.snapshots = range.snapshots;
  course_.record.recorder.extend_playback(now.last - now.first, valid_until);
}

void Run::set_course(Course course, const HistoryMemory& memory) {
  course_ = std::move(course);
  course_.bodies.resume();
  state().returning = false;
  History& history = course_.recording.history();
  history.set_reserved(memory.reserved);
  history.set_budget(memory.budget.value_or(history.budget()));
}

bool Run::complete_recording() {
  Recording& recording = course_.recording;
  // A step that was cancelled is not completed: it may take minutes. Steps since the last keyframe can be repeated.
  const bool recorded = is_in_step() ? history().is_on() : recording.record_newest(*simulation_);
  if (!is_playback() && !recorded) return false;
  recording.history().pin_newest();
  // If no step was taken, the parameters of the first one.
  if (history().line().params.empty())
    recording.history().note_params(
        {{simulation_->steps(), simulation_->time()}, state().params, accuracy().reference()});
  return true;
}

void Run::release_simulation() {
  simulation_.reset();
  checkpoints_.finish();  // a pending checkpoint holds GPU memory
  course_.recording.drop_pending();
}

void Run::restore_simulation(std::unique_ptr<Simulation> simulation) {
  simulation_ = std::move(simulation);
  state().force_errors.reset();
  give_field();
}

/// What all have to do whose simulation was replaced.
void Run::resume() {
  state().force_errors.reset();
  give_field();
  rates_.reset();
  for (RunWatcher* watcher : watchers()) watcher->resume(view());
  update_diagnostics();
}

/// Starts recording and measuring new bodies.
void Run::begin_course(const Bodies* bodies, const HistoryMemory& memory) {
  start_recording(bodies, memory);
  course_.undo.clear();
  course_.first_settings.reset();
  course_.record.settings_changed_at.reset();
  RunState& now = state();
  now.returning = false;
  now.start_time = simulation_->time();
  if (!options_.records && !options_.reports_encounters) return;
  LabRecorder& record = course_.record.recorder;
  if (is_playback()) {
    record.clear_for_playback(now.playback->last - now.playback->first);
  } else {
    record.clear();
  }
  course_.bodies.begin(checkpoints_.latest() != nullptr);
  structure_.on_diagnostics(view());
  for (RunWatcher* watcher : watchers()) watcher->begin(view());
}

void Run::start_recording(const Bodies* bodies, const HistoryMemory& memory) {
  rewound_.reset();
  course_.recording.stop();
  if (!options_.records_history || is_playback()) return;
  History& history = course_.recording.history();
  history.set_reserved(memory.reserved);
  history.set_budget(memory.budget.value_or(default_history_budget()));
  course_.recording.start(*simulation_, bodies);
}

void Run::record_from_here(const HistoryMemory& memory) {
  start_recording(nullptr, memory);
  forget_branches();
}

void Run::branch_at_checkpoint(const Simulation& simulation) {
  course_.recording.branch_at(simulation);
  forget_branches();
}

void Run::forget_branches() {
  std::erase_if(course_.undo, [](const UndoStep& step) { return step.ghost != 0; });
}

void Run::remember_params(const Params& next) {
  const Params& now = state().params;
  if (next == now) return;
  std::vector<UndoStep>& undo = course_.undo;
  UndoStep step{.what = "change of " + changed_names(now, next), .params = now, .next = next, .latest = Clock::now()};
  const bool continues = !undo.empty() && undo.back().what == step.what &&
                         seconds_between(undo.back().latest, step.latest) < History::kDragSeconds;
  if (continues) {
    undo.back().next = next;
    undo.back().latest = step.latest;
    return;
  }
  undo.push_back(std::move(step));
  if (undo.size() > kMaxUndoSteps) undo.erase(undo.begin());
}

// ---- steps

void Run::step(const Params& params, bool diagnose, const VertexTarget* vertices, bool running) {
  running_ = running;
  const Clock::time_point start = Clock::now();
  course_.recording.before_step(*simulation_, params, accuracy().reference());
  simulation_->step(params, diagnose, vertices);
  const Clock::time_point end = Clock::now();
  accuracy().on_step(view());
  rates_.add(seconds_between(start, end), end, running);
  if (diagnose) update_diagnostics();
  compare_settings();
  last_step_seconds_ = seconds_between(start, Clock::now());
  store_moments();
  const RunView now = view();
  for (RunWatcher* watcher : watchers()) watcher->after_step(now);
}

Params Run::next_params() {
  RunState& now = state();
  Params params = now.params;
  const double way = way_back();
  now.returning = now.returning && way * params.dt > 0;
  if (now.returning && std::abs(way) < (1 - kSameTime) * std::abs(params.dt)) params.dt = way;
  return params;
}

std::pair<std::string, bool> Run::begin_return() {
  Params& params = state().params;
  const double way = way_back();
  if (params.dt == 0) return {"The time step is 0. Choose another one to run back.", true};
  if (std::abs(way) <= kSameTime * std::abs(params.dt)) return {"This is the start of the run.", false};
  params.dt = std::copysign(params.dt, way);
  state().returning = true;
  const bool same_settings = !course_.record.settings_changed_at && settings() == course_.first_settings;
  if (same_settings && config().integrator != Integrator::euler) {
    const double steps = std::ceil(way / params.dt - kSameTime);
    return {"Running backwards to the start, " + decimal_text(steps, 0) + " steps.", false};
  }
  const std::string reason =
      same_settings ? "Semi-implicit Euler is not reversible" : "Settings were changed during the run";
  return {"Running backwards to the start. " + reason + ", so the way back is only approximate.", false};
}

bool Run::has_returned(const Params& last) const {
  return state().returning && std::abs(way_back()) <= kSameTime * std::abs(last.dt);
}

std::string Run::finish_return() {
  RunState& now = state();
  now.returning = false;
  now.params.dt = -now.params.dt;
  update_diagnostics();
  if (checkpoints_.latest()) StructureWatch::measure_now(view());
  return text_of_return(course_.bodies.start(), course_.record.recorder.start_distance(), now.units);
}

/// The same in both directions of time.
RunSettings Run::settings() const {
  RunSettings now{config(), state().params};
  now.params.dt = std::abs(now.params.dt);
  return now;
}

/// The way back can be exact if no step had other settings than the first one.
void Run::compare_settings() {
  if (!course_.first_settings) course_.first_settings = settings();
  std::optional<std::uint64_t>& changed_at = course_.record.settings_changed_at;
  if (!changed_at && settings() != course_.first_settings) changed_at = simulation_->steps();
}

/// A keyframe and a checkpoint if they are due, from one copy of the bodies where both are.
void Run::store_moments() {
  if (is_playback()) return;
  Recording& recording = course_.recording;
  recording.after_step(*simulation_, last_step_seconds_);
  const double now = simulation_->time(), highlight = state().highlight_time;
  if (highlight > 0 && now >= highlight && now - state().params.dt < highlight) {
    const std::string text = "key moment of the scene";
    recording.history().add_mark({TimelineMarkKind::highlight, static_cast<double>(simulation_->steps()), text});
  }
  // On a GPU both share one copy on the device.
  const bool packing = recording.is_packing();
  bool wanted = recording.wants_keyframe() && !checkpoints_.is_copying();
  if (!packing)
    checkpoints_.update(simulation_->size(), [&] { return begin_checkpoint(std::exchange(wanted, false)); });
  if (wanted) recording.record(*simulation_);
}

PendingCheckpoint Run::begin_checkpoint(bool with_keyframe) {
  std::function<Bodies()> later = simulation_->async_snapshot();
  Bodies now = later ? Bodies() : simulation_->bodies();
  if (with_keyframe) later = course_.recording.record_with(std::move(later), *simulation_);
  return {snapshot_of(std::move(now)), std::move(later)};
}

// ---- measurements

void Run::update_diagnostics() {
  if (!accuracy().measure_diagnostics(view())) return;
  for (RunWatcher* watcher : watchers()) watcher->on_diagnostics(view());
  measure_orbits();
  name_first_nonfinite();
}

void Run::measure_orbits() {
  RunState& now = state();
  now.orbits.clear();
  if (!is_planetary(now.units)) return;
  const std::size_t all = simulation_->size();
  const Bodies first = simulation_->sampled_bodies({.bodies = std::min(all, BodySample::kFirst)});
  now.orbits = osculating_orbits(first, all, now.params.gravity);
}

void Run::update_energy_error_before_change() {
  if (simulation_ && !accuracy().is_current(view())) update_diagnostics();
}

void Run::name_first_nonfinite() {
  RunState& now = state();
  now.first_nonfinite.clear();
  if (now.diagnostics.non_finite == 0) return;
  const std::shared_ptr<const Snapshot> checkpoint = checkpoints_.latest();
  const std::size_t first = now.diagnostics.first_non_finite;
  now.first_nonfinite = checkpoint ? body_name(first, checkpoint->bodies[first].tag) : body_name(first);
}

void Run::update_health() {
  if (simulation_) accuracy().update_health(view());
}

void Run::set_samples_forces(bool samples) {
  samples_forces_ = samples;
  if (!samples) state().force_sample = {};
  update_health();
}

void Run::measure_rotation(bool on) {
  if (simulation_) return rotation_.turn(on, view());
  rotation_.set_on(on);
}

void Run::set_field(std::shared_ptr<const BodyField> field) {
  course_.field = std::move(field);
  state().field = course_.field ? std::optional(course_.field->scale) : std::nullopt;
  give_field();
}

void Run::give_field() {
  const std::shared_ptr<const BodyField>& field = course_.field;
  simulation_->set_values(Scalar::field, {field, field ? &field->stored : nullptr});
}

void Run::sample_paused_forces() {
  if (!simulation_ || rewound_) return;
  if (force_sample_.sample_paused(view())) accuracy().update_health(view());
}

void Run::update_stars(bool running) {
  if (!simulation_) return;
  running_ = running;
  const auto body = [this](std::size_t index) { return rewound_ ? recorded_body(index) : simulation_->body(index); };
  const auto sample = [&](const BodySample& wanted) {
    if (!rewound_) return simulation_->sampled_bodies(wanted);
    Bodies bodies(wanted.size());
    for (std::size_t k = 0; k < bodies.size(); ++k) bodies[k] = body(wanted.index(k));
    return bodies;
  };
  stars_.update(view(), {shown_time(), body, sample});
}

const RunState& Run::updated_state(bool running) {
  running_ = running;
  RunState& now = state();
  const std::shared_ptr<const Snapshot> target = checkpoints_.rollback_target();
  now.rollback_target = target ? std::optional(RollbackTarget{target->time, target->run->steps}) : std::nullopt;
  if (!simulation_) return now;
  update_moment();
  now.timings = simulation_->timings();
  now.steps_per_second = rates_.steps_per_second();
  now.bodies_per_second = rates_.bodies_per_second(now.bodies);
  now.work = simulation_->work();
  now.note = simulation_->note();
  now.tree_levels = simulation_->tree_levels();
  update_timeline();
  now.record = course_.record.recorder.record(running);
  return now;
}

/// The moment that is shown.
void Run::update_moment() {
  RunState& now = state();
  now.config = shown_config();
  now.bodies = simulation_->size();
  now.time = shown_time();
  now.step_parts = simulation_->step_parts();
  now.steps = rewound_ ? static_cast<std::uint64_t>(rewound_->position) : simulation_->steps();
}

// ---- snapshots

Params Run::initial_params(const Params& suggested) const {
  return options_.initial_params ? options_.initial_params(suggested) : suggested;
}

Snapshot Run::snapshot_of(Bodies bodies) {
  update_moment();
  const RunState& now = state();
  const Params& suggested = is_playback() ? course_.simulation_params : now.suggested;
  SavedRun run;
  static_cast<ScenePresentation&>(run) = now;
  run.scene = now.scene;
  run.request = now.scene_request;
  run.config = now.config;
  run.params = is_playback() ? initial_params(suggested) : now.params;
  run.suggested = suggested;
  run.steps = now.steps;
  if (!is_playback()) run.start = accuracy().reference();
  run.origin = is_playback() ? shown_origin() : course_.origin;
  Snapshot snapshot;
  snapshot.bodies = std::move(bodies);
  snapshot.time = now.time;
  snapshot.softening = now.params.softening;
  snapshot.run = std::move(run);
  return snapshot;
}

std::shared_ptr<const FileOrigin> Run::shown_origin() const {
  BodyLabels labels = simulation_->labels();
  if (!course_.origin || (labels.ids.empty() && labels.types.empty())) return course_.origin;
  FileOrigin shown = *course_.origin;
  shown.ids = std::move(labels.ids);
  shown.types = std::move(labels.types);
  return std::make_shared<const FileOrigin>(std::move(shown));
}

}  // namespace pericenter

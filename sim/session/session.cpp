#include "sim/session/session.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <stdexcept>
#include <variant>

#include "sim/core/bodies.h"
#include "sim/core/clock.h"
#include "sim/playback/playback.h"
#include "sim/playback/series.h"
#include "sim/session/field_reading.h"
#include "sim/session/requested_measurements.h"

namespace pericenter {
namespace {

constexpr double kMaxSilentSeekSeconds = 0.2;  ///< longer seeks are shown as work, which can be cancelled
constexpr double kMinReplaySpeed = 0.1, kMaxReplaySpeed = 10;

template <typename... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <typename... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

}  // namespace

Session::Session(SessionOptions options)
    : options_(std::move(options)),
      run_(options_.run_options()),
      loader_({.options = options_,
               .cancellation = cancellation_,
               .run = run_,
               .state = state_,
               .up_to_date = [this]() -> const SessionState& { return state(); },
               .frame = [this](const Simulation& scene, std::uint64_t serial) { return frame_of(scene, serial); }}) {
  state_.samples_forces = options_.samples_forces;
  run_.set_samples_forces(options_.samples_forces);
}

const SessionState& Session::state() {
  static_cast<RunState&>(state_) = run_.updated_state(state_.running);
  Timeline& timeline = state_.timeline;
  timeline.speed = replay_speed_;
  const std::vector<UndoStep>& undo = run_.course().undo;
  timeline.undo = undo.empty() ? store_.previous_change() : undo.back().what;
  update_pace();
  return state_;
}

/// Scene time per second; 0: steps_per_frame counts.
double Session::speed() const {
  const bool is_chosen =
      chosen_speed_.speed > 0 && chosen_speed_.scene == state_.scene && chosen_speed_.file == state_.file;
  return !by_time_ ? 0 : is_chosen ? chosen_speed_.speed : default_speed(state_);
}

void Session::update_pace() {
  state_.speed = speed();
  pacing_.set_steps_per_second(state_.speed > 0 ? steps_per_second(state_.speed, state_.params.dt) : 0);
}

void Session::handle(const request::SetSpeed& wanted) {
  if (!std::isfinite(wanted.speed) || wanted.speed < 0) return;
  by_time_ = true;
  const SessionState& now = state();
  chosen_speed_ = {wanted.speed, now.scene, now.file};
  update_pace();
}

void Session::set_message(const std::string& message, bool is_error) {
  state_.message = message;
  state_.message_is_error = is_error;
  if (!message.empty()) ++state_.message_serial;
}

void Session::continue_serials(const SessionState& other) {
  run_.state().scene_serial = other.scene_serial;
  loader_.raise_serial(other.scene_serial + 1);
  state_.message_serial = other.message_serial;
}

void Session::stop(const std::string& error) {
  state_.running = state_.busy = false;
  pacing_.pending_steps = 0;
  set_message(error, true);
}

// ---- steps

std::optional<PublishedFrame> Session::step(const VertexTarget* vertices) {
  if (run_.is_rewound()) {
    replay();
    return std::nullopt;
  }
  try {
    return advance(vertices, false);
  } catch (const InputError& error) {
    stop(error.what());
  } catch (const StepError& error) {
    stop(error.what());
  }
  return std::nullopt;
}

std::optional<PublishedFrame> Session::advance(const VertexTarget* vertices, bool with_energy) {
  const bool diagnose = with_energy || run_.accuracy().is_due(options_.diagnostics_period);
  const Params params = run_.next_params();
  try {
    run_.step(params, diagnose, vertices, state_.running);
  } catch (const InputError&) {
    pacing_.on_change();  // the playback has advanced without the snapshot that cannot be read
    throw;
  }
  pacing_.on_step();
  recovered_ = false;
  if (diagnose) stop_if_not_finite();
  if (simulation()->ended(run_.state().params.dt)) state_.running = false;
  if (run_.has_returned(params)) {
    state_.running = false;
    pacing_.pending_steps = 0;
    set_message(run_.finish_return(), false);
  }
  if (!vertices) return std::nullopt;
  PublishedFrame frame = frame_of(*simulation(), run_.state().scene_serial, vertices->every);
  frame.video = pacing_.on_published();
  return frame;
}

void Session::update_diagnostics() {
  run_.update_diagnostics();
  stop_if_not_finite();
}

/// Pauses a run whose diagnostics found a body that is not finite, and names it.
void Session::stop_if_not_finite() {
  const RunState& now = run_.state();
  if (now.first_nonfinite.empty() || !state_.running) return;
  stop(nonfinite_bodies_message(now.first_nonfinite, now.diagnostics.non_finite) + " Paused. " +
       (run_.checkpoints().latest()
            ? "Roll back with half the time step or twice the softening: see the top of the panel (H shows it)."
            : "Use a smaller dt or a larger softening, then reset the scene."));
}

// ---- frames

bool Session::publishes_in_step(int credit, const VertexTarget& vertices) const {
  return vertices.on_device && simulation() && !run_.is_rewound() && simulation()->accepts(vertices) &&
         pacing_.next_step_ends_frame(credit);
}

bool Session::publishes_ahead(int credit) const {
  // Where a step leads that may be divided is known at its end.
  return state_.running && pacing_.pending_steps == 0 && pacing_.may_publish_ahead() && simulation() &&
         !run_.is_playback() && !(run_.state().params.adaptive_steps > 0) && !run_.is_rewound() &&
         pacing_.next_step_ends_frame(credit);
}

PublishedFrame Session::publish_ahead(const VertexTarget& vertices) {
  const Params params = run_.next_params();
  PublishedFrame frame = frame_of(*simulation(), run_.state().scene_serial, vertices.every);
  frame.time += params.dt;
  ++frame.steps;
  frame.bends = vertices.bends;
  if (simulation()->accepts(vertices) && simulation()->write_vertices_ahead(params, vertices))
    frame.video = pacing_.on_published_ahead();
  else
    frame.count = 0;
  return frame;
}

PublishedFrame Session::frame_of(const Simulation& simulation, std::uint64_t scene_serial, std::size_t every) const {
  Continuity continuity = simulation.continuity();
  continuity.discontinuities += jumps_;
  PublishedFrame frame{vertices_of(simulation.size(), every), simulation.time(), simulation.steps(), scene_serial,
                       continuity};
  frame.every = every;
  return frame;
}

PublishedFrame Session::write_vertices(const VertexTarget& buffer) {
  PublishedFrame frame = frame_of(*simulation(), run_.state().scene_serial, buffer.every);
  const bool recorded = run_.is_rewound();
  if (recorded) {
    frame.time = run_.shown_time();
    frame.steps = static_cast<std::uint64_t>(run_.shown_position());
  }
  if (recorded ? buffer.on_device || !buffer.suits(simulation()->size()) : !simulation()->accepts(buffer)) {
    frame.count = 0;
    return frame;
  }
  if (recorded) {
    run_.write_recorded_vertices(buffer, state_.scalar);
  } else {
    simulation()->write_vertices(buffer);
  }
  frame.video = pacing_.on_published();
  return frame;
}

/// Frame, tree and probe show other bodies.
void Session::on_change() {
  pacing_.on_change();
  run_.tree_and_probe().on_change(true);
  run_.stars().on_change();
}

std::optional<std::vector<TreeBox>> Session::new_tree_boxes() {
  if (!simulation()) return run_.tree_and_probe().new_boxes(nullptr, false);
  const RunView view = run_.view(state_.running);
  return run_.tree_and_probe().new_boxes(&view, run_.is_rewound());
}

std::optional<std::optional<Probe>> Session::new_probe() {
  std::string problem;
  if (!simulation()) return run_.tree_and_probe().new_probe(nullptr, false, problem);
  const RunView view = run_.view(state_.running);
  std::optional<std::optional<Probe>> found = run_.tree_and_probe().new_probe(&view, run_.is_rewound(), problem);
  if (!problem.empty()) set_message(problem, false);
  return found;
}

void Session::sample_paused_forces() {
  if (!state_.running && pacing_.pending_steps == 0) run_.sample_paused_forces();
}

// ---- requests

void Session::apply(const Request& request) {
  const Overloaded simple = {
      [&](const request::Step& wanted) { pacing_.pending_steps += wanted.count; },
      [&](const request::AwaitDevice& wanted) { loader_.await_device(wanted.device); },
      [&](const request::Seek& wanted) { seek(wanted.position); },
      [&](const request::SetReplaySpeed& wanted) {
        if (std::isfinite(wanted.speed)) replay_speed_ = std::clamp(wanted.speed, kMinReplaySpeed, kMaxReplaySpeed);
      },
      [&](const request::ContinueFromHere&) { continue_from_here(); },
      [&](const request::ForgetRuns&) {
        store_.forget_parked();
        state_.parked.clear();
      },
      [&](const request::SampleForces& wanted) {
        state_.samples_forces = wanted.sample;
        run_.set_samples_forces(wanted.sample);
      },
      [&](const request::MeasureRotation& wanted) { run_.measure_rotation(wanted.measure); },
      [&](const request::Simulate&) {
        if (run_.is_playback()) rebuild(run_.config());
      },
      [&](const request::Follow& wanted) { follow(wanted.follow); },
      [&](const request::SetStepsPerFrame& wanted) {
        state_.steps_per_frame = pacing_.steps_per_frame = std::max(1, wanted.steps);
        by_time_ = false;
        update_pace();
      },
      [&](const request::SetExactPace& wanted) {
        state_.exact_pace = wanted.exact;
        pacing_.set_exact_pace(wanted.exact, wanted.video_frames_per_second);
      },
      [&](const request::SetSingleBuffer& wanted) { pacing_.single_buffer = wanted.single; },
      [&](const request::ShowScalar& wanted) {
        state_.scalar = wanted.scalar;
        state_.wanted_field = wanted.field;
        if (simulation()) simulation()->show(wanted.scalar);
        show_field();
        pacing_.on_change();
      },
      [&](const request::ShowTree& wanted) {
        run_.tree_and_probe().show_tree({wanted.show, wanted.first_level, wanted.last_level, wanted.limit});
      },
      [&](const request::ShowProbe& wanted) { run_.tree_and_probe().show_probe(wanted.body); },
      [&](const request::TrackStars& wanted) { run_.stars().track(wanted.wanted); },
      [&](const request::Publish&) { pacing_.on_change(); },
      [&](const request::MeasureForceErrors&) {
        measure("force errors", [&] {
          measure_force_errors(run_, [&](double share) { return loader_.report(true, share); });
          pacing_.on_change();
        });
      },
      [&](const request::MeasureSweep& wanted) {
        measure("curves of cost and error", [&] {
          const Bodies bodies = bodies_between_steps();
          const auto progress = [&](double share) { return loader_.report(true, share); };
          run_.state().sweep = measured_sweep(run_, bodies, wanted.solvers, {progress, &cancellation_});
        });
      },
      [&](const auto& wanted) { handle(wanted); },
  };
  std::visit(simple, request);
}

void Session::handle(const request::Play& play) {
  state_.running = play.running;
  // A playback that has reached its end restarts.
  if (!play.running || !run_.is_playback()) return;
  const RunState& now = run_.state();
  if (simulation()->ended(now.params.dt)) seek_playback(now.params.dt > 0 ? now.playback->first : now.playback->last);
}

void Session::handle(const request::SetParams& wanted) {
  if (const std::string problem = problem_with(wanted.params); !problem.empty()) return set_message(problem, true);
  if (run_.is_rewound() && (wanted.params == run_.state().params || !continue_from_here())) return;
  run_.remember_params(wanted.params);
  set_params(wanted.params);
}

void Session::set_params(const Params& params) {
  const Params before = run_.state().params, &now = params;
  const bool other_energy = now.softening != before.softening || now.gravity != before.gravity;
  const bool other_forces = other_energy || now.theta != before.theta || now.accuracy != before.accuracy;
  if (other_energy) run_.update_energy_error_before_change();
  run_.state().params = params;
  if (!simulation()) return;
  if (other_energy) update_diagnostics();
  run_.update_health();
  run_.tree_and_probe().on_change(other_forces);
  const bool shows_forces = state_.scalar == Scalar::acceleration || state_.scalar == Scalar::interactions;
  if (other_forces && shows_forces) {
    update_diagnostics();  // evaluates the forces with these parameters
    pacing_.on_change();
  }
}

void Session::handle(const request::TakeSnapshot&) {
  if (!simulation()) return;
  try {
    snapshot_ = snapshot();
  } catch (const std::bad_alloc&) {
    set_message("Out of memory: cannot repeat the steps to the moment shown. Save at the end of the timeline.", true);
  } catch (const DeviceMemoryError& error) {
    set_message("Cannot repeat the steps to the moment shown: " + std::string(error.what()) +
                    ". Save at the end of the timeline.",
                true);
  }
  loader_.report(false, 1);
}

void Session::handle(const request::RunBackwards&) {
  if (!simulation()) return;
  if (run_.is_playback()) return set_message("A playback is not computed. Drag its time line back instead.", false);
  if (!continue_from_here()) return;
  const auto [message, is_error] = run_.begin_return();
  if (run_.state().returning) state_.running = true;
  set_message(message, is_error);
}

void Session::handle(const request::SetHistoryBudget& wanted) {
  store_.set_budget(wanted.bytes);
  if (!simulation() || run_.is_playback() || !options_.records_history) return;
  if (run_.history().is_on()) {
    run_.course().recording.history().set_budget(wanted.bytes);
    if (!run_.history().is_on()) return_to_newest(true);
    return;
  }
  if (run_.is_in_step()) advance(nullptr, false);
  run_.record_from_here(store_.memory());
}

/// Turns the errors of a measurement into messages. `what` completes "Cannot measure the ...".
void Session::measure(const std::string& what, const std::function<void()>& work) {
  if (!simulation() || simulation()->size() == 0) return;
  if (run_.is_playback())
    return set_message("A playback has no forces to measure. Continue as a simulation first.", false);
  if (run_.is_rewound())
    return set_message(
        "A recorded moment has no forces to measure. Go to the end of the timeline or continue from here.", false);
  loader_.report(true, 0);
  try {
    work();
    set_message({}, false);
  } catch (const Cancelled&) {
    set_message("Cancelled. The " + what + " are unchanged.", false);
  } catch (const std::bad_alloc&) {
    set_message("Out of memory: cannot measure the " + what + ". Use fewer bodies.", true);
  } catch (const DeviceMemoryError& error) {
    set_message("Cannot measure the " + what + ": " + error.what() + ". Use fewer bodies.", true);
  } catch (const std::invalid_argument& error) {
    set_message(error.what(), true);
  }
  loader_.report(false, 1);
}

std::string missing_field(const std::string& name, const std::vector<FieldInfo>& fields) {
  std::string text = "The file has no field '" + name + "'. It has:";
  for (const FieldInfo& field : fields) text += (&field == fields.data() ? " " : ", ") + field.name;
  return text + ". The colours show the first.";
}

/// Reads the field that Scalar::field shows, unless that is done.
void Session::show_field() {
  const RunState& now = run_.state();
  if (!simulation() || state_.scalar != Scalar::field || now.fields.empty()) return;
  const auto wanted = std::ranges::find(now.fields, state_.wanted_field, &FieldInfo::name);
  const bool is_there = wanted != now.fields.end();
  if (!is_there && state_.wanted_field == kTypeField) return run_.set_field(nullptr);  // types have their own colours
  const FieldInfo& field = is_there ? *wanted : now.fields.front();
  if (now.field && now.field->field == field) return;
  const auto progress = [&](double share) { return loader_.report(true, share); };
  loader_.report(true, 0);
  try {
    if (auto* const playback = run_.is_playback() ? dynamic_cast<Playback*>(simulation()) : nullptr)
      run_.state().field = playback->show_field(field.name, progress);
    else
      run_.set_field(read_field(run_, field.name, progress));
    if (!is_there && !state_.wanted_field.empty()) set_message(missing_field(state_.wanted_field, now.fields), true);
  } catch (const SceneCancelled&) {
    set_message("Cancelled. The field was not read.", false);
  } catch (const std::bad_alloc&) {
    set_message("Out of memory: cannot read " + field.name + ". Load a part of the file, such as every 10th body.",
                true);
  } catch (const InputError& error) {
    set_message(error.what(), true);
  }
  loader_.report(false, 1);
}

// ---- timeline

void Session::seek_playback(double time) {
  pacing_.on_change();
  const auto start = std::chrono::steady_clock::now();
  const auto progress = [&](double share) {
    return seconds_between(start, std::chrono::steady_clock::now()) < kMaxSilentSeekSeconds ||
           loader_.report(true, share);
  };
  try {
    simulation()->seek(time, progress);
  } catch (const SceneCancelled&) {
    set_message("Cancelled. Showing the nearest snapshot in memory.", false);
  } catch (const InputError& error) {
    stop(error.what());
  }
  update_diagnostics();
  run_.measure_structure();
  loader_.report(false, 1);
}

void Session::follow(bool wanted) {
  auto* const playback = dynamic_cast<Playback*>(simulation());
  if (!playback || !run_.is_playback()) return;
  run_.state().playback->follows = playback->follow(wanted);
  if (follows_series()) seek_playback(run_.state().playback->last);
}

void Session::take_new_snapshots() {
  auto* const playback = follows_series() ? dynamic_cast<Playback*>(simulation()) : nullptr;
  if (!playback) return;
  const bool shows_newest = playback->ended(1);
  const std::optional<SeriesNews> news = playback->take_news();
  if (!news) return;
  if (!news->notice.empty()) set_message(news->notice, false);
  if (news->found.empty()) return;
  const TimeRange before = *run_.state().playback;
  run_.set_playback_range(playback->range(), news->valid_until);
  if (before.snapshots.size() == 1) {
    Params params = run_.state().params;
    params.dt = std::copysign(playback_dt(*run_.state().playback).value_or(params.dt), params.dt);
    set_params(params);
  }
  if (shows_newest || !news->gone.empty()) seek_playback(shows_newest ? run_.state().playback->last : playback->time());
}

void Session::seek(double position) {
  if (run_.is_playback()) return seek_playback(position);
  if (!simulation() || !std::isfinite(position)) return;
  if (position >= static_cast<double>(simulation()->steps())) return return_to_newest(true);
  const History& history = run_.history();
  if (!history.is_on()) {
    const std::string& why = history.off_because();
    return set_message("Cannot go back. " + (why.empty() ? "No history is recorded." : why), false);
  }
  const double before = run_.shown_position();
  pacing_.pending_steps = 0;  // steps of before would move on from here
  if (!run_.is_rewound()) {
    if (run_.is_in_step()) advance(nullptr, false);
    run_.course().recording.record_newest(*simulation());
    if (!history.is_on()) return set_message("Cannot go back. " + history.off_because(), false);
    on_change();
  }
  run_.show(std::max(position, static_cast<double>(history.line().keyframes.front().at.step)));
  pacing_.on_change();
  const double way = run_.shown_position() - before;
  if (way <= 0 || way > 1) ++jumps_;
}

void Session::return_to_newest(bool jumps) {
  if (!run_.return_to_newest()) return;
  if (jumps) ++jumps_;
  on_change();
}

/// Shows the moment that follows in a replay; at the end the simulation continues.
void Session::replay() {
  const double now = run_.shown_position();
  const double next = pacing_.pending_steps > 0 ? std::floor(now) + 1 : now + replay_speed_;
  pacing_.on_step();
  if (next >= static_cast<double>(simulation()->steps())) return return_to_newest(false);
  run_.show(next);
}

}  // namespace pericenter

#include "sim/session/session.h"

#include <algorithm>
#include <variant>

#include "sim/core/clock.h"

namespace pericenter {
namespace {

constexpr double kBoxesPeriod = 0.2;            ///< seconds; the window needs longer than a frame for a large tree
constexpr double kMaxUnpublished = 1.0 / 30;    ///< seconds; slow steps are shown one by one
constexpr double kProbeShare = 0.25;            ///< largest share of a running simulation's time spent on the probe
constexpr std::size_t kMaxProbed = 50'000'000;  ///< bodies; the tree of the probe takes about 300 bytes per body
constexpr double kMaxSilentSeekSeconds = 0.2;   ///< longer seeks are shown as work, which can be cancelled

}  // namespace

const SessionState& Session::state() {
  const std::shared_ptr<const Snapshot> target = checkpoints_.rollback_target();
  state_.rollback_target = target ? std::optional(RollbackTarget{target->time, target->run->steps}) : std::nullopt;
  state_.checkpoint_period = checkpoints_.period();
  if (!simulation_) return state_;
  state_.config = config();
  state_.bodies = simulation_->size();
  state_.time = simulation_->time();
  state_.steps = simulation_->steps();
  state_.timings = simulation_->timings();
  state_.steps_per_second = rates_.steps_per_second();
  state_.bodies_per_second = rates_.bodies_per_second(state_.bodies);
  state_.work = simulation_->work();
  state_.note = simulation_->note();
  state_.tree_levels = simulation_->tree_levels();
  update_timeline();
  state_.record = recorder_.record(state_.running);
  state_.returning = returning_;
  return state_;
}

void Session::set_message(const std::string& message, bool is_error) {
  state_.message = message;
  state_.message_is_error = is_error;
  if (!message.empty()) ++state_.message_serial;
}

/// False when the work should be cancelled.
bool Session::report_progress(bool busy, double progress) {
  if (previewed_) return !options_.report || options_.report(*previewed_);
  state_.busy = busy;
  state_.computing_forces = false;
  state_.progress = progress;
  return !options_.report || options_.report(state());
}

void Session::stop(const std::string& error) {
  state_.running = state_.busy = false;
  pending_steps_ = 0;
  set_message(error, true);
}

// ---- steps

bool Session::wants_to_step(int credit) const {
  const bool waits_for_frame =
      exact_pace_ ? has_steps_of_frame() : single_buffer_ && (has_steps_of_frame() || frame_is_due());
  return simulation_ && !(unpublished_ && waits_for_frame) && (pending_steps_ > 0 || (state_.running && credit > 0));
}

std::optional<PublishedFrame> Session::step(const VertexTarget* vertices) {
  if (rewound_) {
    replay();
    return std::nullopt;
  }
  try {
    return advance(vertices, false);
  } catch (const InputError& error) {
    stop(error.what());
    return std::nullopt;
  }
}

std::optional<PublishedFrame> Session::advance(const VertexTarget* vertices, bool with_energy) {
  const Clock::time_point start = Clock::now();
  const bool diagnose = with_energy || seconds_between(last_diagnostics_, start) > options_.diagnostics_period;
  const Params params = next_params();
  note_step_start(params);
  try {
    simulation_->step(params, diagnose, vertices);
  } catch (const InputError&) {
    unpublished_ = true;  // the playback has advanced without the snapshot that cannot be read
    throw;
  }
  stepped_params_ = state_.params;
  const Clock::time_point end = Clock::now();
  rates_.add(seconds_between(start, end), end, state_.running);
  if (pending_steps_ > 0) --pending_steps_;
  if (diagnose) update_diagnostics();
  if (simulation_->ended(state_.params.dt)) state_.running = false;
  note_step(params);
  recovered_ = false;
  last_step_seconds_ = seconds_between(start, Clock::now());
  store_moments(last_step_seconds_);
  measure_bodies();
  watch_encounter();
  update_force_sample();
  unpublished_ = true;
  ++steps_since_publish_;
  tree_changed_ = tree_changed_ || show_tree_.show;
  probe_changed_ = probe_changed_ || probed_;
  if (!vertices) return std::nullopt;
  note_published();
  return published();
}

/// Skipped within a step that was cancelled, and when it is cancelled itself.
void Session::update_diagnostics() {
  if (simulation_->in_step()) return;
  Diagnostics diagnostics;
  try {
    diagnostics = simulation_->diagnostics(state_.params);
  } catch (const Cancelled&) {
    return;
  }
  last_diagnostics_ = Clock::now();
  state_.diagnostics = diagnostics;
  state_.device_memory = simulation_->device_memory();
  state_.device_name = simulation_->device_name();
  update_energy_error();
  update_health();
  record_sample();
  check_finite();
}

// ---- vertices

bool Session::frame_is_due() const {
  return seconds_between(last_publish_, Clock::now()) > kMaxUnpublished;
}

bool Session::wants_to_publish(int credit) const {
  const bool has_steps = has_steps_of_frame();
  if (!simulation_ || !unpublished_) return false;
  if (exact_pace_ && state_.running) return steps_since_publish_ == 0 || has_steps;
  return has_steps || !wants_to_step(credit) || frame_is_due();
}

bool Session::publishes_in_step(int credit, const VertexTarget& vertices) const {
  const bool last = steps_since_publish_ + 1 >= state_.steps_per_frame || pending_steps_ == 1;
  const bool early = !exact_pace_ && (credit == 1 || frame_is_due());
  return vertices.on_device && simulation_ && !rewound_ && simulation_->accepts(vertices) && (last || early);
}

PublishedFrame Session::published() const {
  return published_of(*simulation_, state_.scene_serial);
}

PublishedFrame Session::published_of(const Simulation& simulation, std::uint64_t scene_serial) const {
  Continuity continuity = simulation.continuity();
  continuity.discontinuities += jumps_;
  return {simulation.size(), simulation.time(), simulation.steps(), scene_serial, continuity};
}

PublishedFrame Session::write_vertices(const VertexTarget& buffer) {
  if (rewound_) return write_recorded_vertices(buffer);
  if (!simulation_->accepts(buffer)) {
    PublishedFrame nothing = published();
    nothing.count = 0;
    return nothing;
  }
  simulation_->write_vertices(buffer);
  note_published();
  return published();
}

void Session::note_published() {
  unpublished_ = false;
  steps_since_publish_ = 0;
  last_publish_ = Clock::now();
}

void Session::mark_changed() {
  unpublished_ = true;
  tree_changed_ = true;
  probe_changed_ = probe_changed_ || probed_;
}

// ---- tree and probe

/// Sets `changed` again when the forces are cancelled, so that the next call retries.
std::vector<Vec3> Session::forces_to_show(bool& changed) {
  try {
    return simulation_->accelerations(state_.params);
  } catch (const Cancelled&) {
    changed = true;
    throw;
  }
}

std::optional<std::vector<TreeBox>> Session::new_tree_boxes() {
  const Clock::time_point now = Clock::now();
  const bool too_soon = state_.running && seconds_between(last_boxes_, now) < kBoxesPeriod;
  if (!tree_changed_ || too_soon) return std::nullopt;
  tree_changed_ = false;
  last_boxes_ = now;
  std::vector<TreeBox> cells;
  if (show_tree_.show && simulation_ && !rewound_) {
    forces_to_show(tree_changed_);  // builds the tree if there is none
    simulation_->tree_boxes(show_tree_.first_level, show_tree_.last_level, show_tree_.limit, cells);
  }
  return cells;
}

std::optional<std::optional<Probe>> Session::new_probe() {
  const Clock::time_point start = Clock::now();
  const double period = probe_seconds_ * (1 - kProbeShare) / kProbeShare;
  const bool too_soon = probed_ && state_.running && seconds_between(last_probe_, start) < period;
  if (!probe_changed_ || too_soon) return std::nullopt;
  probe_changed_ = false;
  if (rewound_) {
    if (probed_)
      set_message("A recorded moment has no tree to walk. Go to the end of the timeline or continue from here.", false);
    return std::optional<Probe>();
  }
  if (probed_ && state_.playback)
    set_message("A playback has no tree to walk. Continue as a simulation to probe a star.", false);
  const bool too_many = probed_ && simulation_ && simulation_->size() > kMaxProbed;
  if (too_many) {
    set_message("A star can be probed among at most " + std::to_string(kMaxProbed / 1'000'000) +
                    " million bodies, because the probe needs a tree in host memory.",
                false);
  }
  if (!simulation_ || !probed_ || state_.playback || too_many || *probed_ >= simulation_->size()) {
    probed_.reset();
    return std::optional<Probe>();
  }
  Probe found = probe(simulation_->config(), state_.params, simulation_->bodies(), *probed_);
  found.time = simulation_->time();
  found.acceleration = forces_to_show(probe_changed_)[*probed_];
  last_probe_ = Clock::now();
  probe_seconds_ = seconds_between(start, last_probe_);
  return found;
}

// ---- requests

void Session::apply(const Request& request) {
  std::visit([&](const auto& wanted) { apply_to(wanted); }, request);
}

void Session::apply_to(const request::Play& play) {
  state_.running = play.running;
  // A playback that has reached its end restarts.
  if (!play.running || !state_.playback || !simulation_->ended(state_.params.dt)) return;
  seek(state_.params.dt > 0 ? state_.playback->first : state_.playback->last);
}

void Session::apply_to(const request::Reset&) {
  if (state_.playback) return seek(state_.playback->first);
  reload();
}

void Session::seek(double time) {
  if (!state_.playback) return;
  unpublished_ = true;
  const Clock::time_point start = Clock::now();
  const auto progress = [&](double share) {
    return seconds_between(start, Clock::now()) < kMaxSilentSeekSeconds || report_progress(true, share);
  };
  try {
    simulation_->seek(time, progress);
  } catch (const SceneCancelled&) {
    set_message("Cancelled. Showing the nearest snapshot in memory.", false);
  } catch (const InputError& error) {
    stop(error.what());
  }
  update_diagnostics();
  measure_bodies();
  report_progress(false, 1);
}

void Session::apply_to(const request::SetParams& wanted) {
  if (const std::string problem = problem_with(wanted.params); !problem.empty()) return set_message(problem, true);
  if (rewound_ && (wanted.params == state_.params || !continue_from_here())) return;
  remember_params(wanted.params);
  set_params(wanted.params);
}

void Session::set_params(const Params& params) {
  const Params before = state_.params, &now = params;
  const bool other_energy = now.softening != before.softening || now.gravity != before.gravity;
  const bool other_forces = other_energy || now.theta != before.theta || now.accuracy != before.accuracy;
  if (other_energy) settle_energy_error();
  state_.params = params;
  if (other_energy && simulation_) update_diagnostics();
  update_health();
  tree_changed_ = tree_changed_ || (show_tree_.show && other_forces);
  probe_changed_ = probe_changed_ || probed_;
  const bool shows_forces = state_.scalar == Scalar::acceleration || state_.scalar == Scalar::interactions;
  if (simulation_ && other_forces && shows_forces) {
    update_diagnostics();  // evaluates the forces with these parameters
    unpublished_ = true;
  }
}

void Session::apply_to(const request::SetStepsPerFrame& wanted) {
  state_.steps_per_frame = std::max(1, wanted.steps);
}

void Session::apply_to(const request::ShowTree& wanted) {
  show_tree_ = wanted;
  tree_changed_ = true;
}

void Session::apply_to(const request::ShowScalar& wanted) {
  state_.scalar = wanted.scalar;
  if (simulation_) simulation_->show(wanted.scalar);
  unpublished_ = true;
}

void Session::apply_to(const request::ShowProbe& wanted) {
  probed_ = wanted.body;
  probe_changed_ = true;
  probe_seconds_ = 0;  // a newly selected star is shown immediately
}

void Session::apply_to(const request::TakeSnapshot&) {
  if (!simulation_) return;
  try {
    snapshot_ = snapshot();
  } catch (const std::bad_alloc&) {
    set_message("Out of memory: cannot repeat the steps to the moment shown. Save at the end of the timeline.", true);
  } catch (const DeviceMemoryError& error) {
    set_message("Cannot repeat the steps to the moment shown: " + std::string(error.what()) +
                    ". Save at the end of the timeline.",
                true);
  }
  report_progress(false, 1);
}

}  // namespace pericenter

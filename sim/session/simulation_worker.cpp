#include "sim/session/simulation_worker.h"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>
#include <variant>

#include "sim/analysis/direct_reference.h"
#include "sim/analysis/force_error.h"
#include "sim/core/clock.h"

namespace pericenter {
namespace {

constexpr double kBoxesPeriod = 0.2;              ///< seconds; a large tree takes the window longer than a picture
constexpr double kLongestUnpublished = 1.0 / 30;  ///< seconds; slow steps are shown one by one
constexpr double kProbeShare = 0.25;              ///< of a running simulation's time that walks for the probe may take
constexpr std::size_t kMaxBodiesToProbe = 50'000'000;  ///< bodies; its tree takes some 300 bytes for each of them

}  // namespace

bool SimulationWorker::wants_to_step(int credit) const {
  const SessionState& state = scene_.state();
  const bool waits_for_picture =
      exact_pace_ ? has_steps_of_a_picture() : one_buffer_ && (has_steps_of_a_picture() || picture_is_due());
  return scene_.simulation() && !(unpublished_ && waits_for_picture) &&
         (scene_.single_steps() > 0 || (state.running && credit > 0));
}

std::optional<Published> SimulationWorker::step(const VertexTarget* vertices) {
  const bool done = scene_.step(vertices);
  unpublished_ = true;
  if (!done) return std::nullopt;
  ++steps_since_publish_;
  tree_changed_ = tree_changed_ || show_tree_.show;
  probe_changed_ = probe_changed_ || probed_;
  if (!vertices) return std::nullopt;
  note_published();
  return published();
}

bool SimulationWorker::has_steps_of_a_picture() const {
  return steps_since_publish_ >= scene_.state().steps_per_frame;
}

bool SimulationWorker::picture_is_due() const {
  return seconds_between(last_publish_, Clock::now()) > kLongestUnpublished;
}

bool SimulationWorker::wants_to_publish(int credit) const {
  const SessionState& state = scene_.state();
  const bool has_steps = has_steps_of_a_picture();
  if (!scene_.simulation() || !unpublished_) return false;
  if (exact_pace_ && state.running) return steps_since_publish_ == 0 || has_steps;
  return has_steps || !wants_to_step(credit) || picture_is_due();
}

bool SimulationWorker::publishes_in_step(int credit, const VertexTarget& vertices) const {
  const bool last = steps_since_publish_ + 1 >= scene_.state().steps_per_frame || scene_.single_steps() == 1;
  const bool early = !exact_pace_ && (credit == 1 || picture_is_due());
  const Simulation* simulation = scene_.simulation();
  return vertices.on_device && simulation && simulation->accepts(vertices) && (last || early);
}

Published SimulationWorker::published() const {
  const Simulation& simulation = *scene_.simulation();
  Continuity continuity = simulation.continuity();
  continuity.discontinuities += jumps_;
  return {simulation.size(), simulation.time(), simulation.steps(), scene_.state().scene_serial, continuity};
}

Published SimulationWorker::publish(const VertexTarget& buffer) {
  // One that it does not take is lent again, as it should be.
  if (!scene_.simulation()->accepts(buffer)) {
    Published nothing = published();
    nothing.count = 0;
    return nothing;
  }
  scene_.simulation()->publish(buffer);
  note_published();
  return published();
}

void SimulationWorker::note_published() {
  unpublished_ = false;
  steps_since_publish_ = 0;
  last_publish_ = Clock::now();
}

/// Forces for something that is shown and has changed; where they are interrupted it still has to come.
std::vector<Vec3> SimulationWorker::forces_to_show(bool& changed) {
  try {
    return scene_.simulation()->accelerations(scene_.state().params);
  } catch (const Cancelled&) {
    changed = true;
    throw;
  }
}

std::optional<std::vector<TreeBox>> SimulationWorker::new_tree_boxes() {
  const Clock::time_point now = Clock::now();
  const bool too_soon = scene_.state().running && seconds_between(last_boxes_, now) < kBoxesPeriod;
  if (!tree_changed_ || too_soon) return std::nullopt;
  tree_changed_ = false;
  last_boxes_ = now;
  std::vector<TreeBox> cells;
  if (Simulation* simulation = scene_.simulation(); show_tree_.show && simulation) {
    forces_to_show(tree_changed_);  // a tree that was never built is built now
    simulation->tree_boxes(show_tree_.first_level, show_tree_.last_level, show_tree_.limit, cells);
  }
  return cells;
}

std::optional<std::optional<Probe>> SimulationWorker::new_probe() {
  const SessionState& state = scene_.state();
  const Clock::time_point start = Clock::now();
  const double due = probe_seconds_ * (1 - kProbeShare) / kProbeShare;
  const bool too_soon = probed_ && state.running && seconds_between(last_probe_, start) < due;
  if (!probe_changed_ || too_soon) return std::nullopt;
  probe_changed_ = false;
  if (probed_ && state.recorded) scene_.say("A recording has no tree to walk: simulate from here to see one.", false);
  Simulation* simulation = scene_.simulation();
  const bool too_many = probed_ && simulation && simulation->size() > kMaxBodiesToProbe;
  if (too_many) {
    scene_.say("Among so many bodies no star's forces can be shown: that takes a tree in the computer's memory.",
               false);
  }
  if (!simulation || !probed_ || state.recorded || too_many || *probed_ >= simulation->size()) {
    probed_.reset();
    return std::optional<Probe>();
  }
  Probe found = probe(simulation->config(), state.params, simulation->bodies(), *probed_);
  found.time = simulation->time();
  found.acceleration = forces_to_show(probe_changed_)[*probed_];
  last_probe_ = Clock::now();
  probe_seconds_ = seconds_between(start, last_probe_);
  return found;
}

void SimulationWorker::apply(const Request& wanted) {
  std::visit([&](const auto& what) { apply_to(what); }, wanted);
}

/// What follows where another simulation computes.
void SimulationWorker::note_new_simulation() {
  unpublished_ = true;
  tree_changed_ = true;
  probe_changed_ = probe_changed_ || probed_;
}

void SimulationWorker::note_new_scene() {
  note_new_simulation();
  steps_since_publish_ = 0;
}

void SimulationWorker::go_to(double time) {
  if (!scene_.state().recorded) return;
  unpublished_ = true;
  scene_.go_to(time);
}

void SimulationWorker::apply_to(const request::Play& play) {
  SessionState& state = scene_.state();
  state.running = play.running;
  // At its end a recording begins again.
  if (!play.running || !state.recorded || !scene_.simulation()->ended(state.params.dt)) return;
  go_to(state.params.dt > 0 ? state.recorded->first : state.recorded->last);
}

void SimulationWorker::apply_to(const request::Reset&) {
  if (scene_.state().recorded) return go_to(scene_.state().recorded->first);
  if (scene_.reload()) note_new_scene();
}

void SimulationWorker::apply_to(const request::SetParams& set) {
  SessionState& state = scene_.state();
  if (const std::string problem = problem_with(set.params); !problem.empty()) return scene_.say(problem, true);
  const Params before = std::exchange(state.params, set.params);
  const bool other_energy = set.params.softening != before.softening || set.params.gravity != before.gravity;
  const bool other_forces = other_energy || set.params.theta != before.theta || set.params.accuracy != before.accuracy;
  if (other_energy) scene_.forget_energy();
  tree_changed_ = tree_changed_ || (show_tree_.show && other_forces);
  probe_changed_ = probe_changed_ || probed_;
  const bool shows_forces = state.scalar == Scalar::acceleration || state.scalar == Scalar::interactions;
  if (scene_.simulation() && other_forces && shows_forces) {
    scene_.update_diagnostics();  // the forces of these parameters
    unpublished_ = true;
  }
}

void SimulationWorker::apply_to(const request::SetStepsPerFrame& set) {
  scene_.state().steps_per_frame = std::max(1, set.steps);
}

void SimulationWorker::apply_to(const request::ShowTree& show) {
  show_tree_ = show;
  tree_changed_ = true;
}

void SimulationWorker::apply_to(const request::ShowScalar& show) {
  scene_.state().scalar = show.scalar;
  if (scene_.simulation()) scene_.simulation()->show(show.scalar);
  unpublished_ = true;
}

void SimulationWorker::apply_to(const request::MeasureForceErrors&) {
  const SessionState& state = scene_.state();
  Simulation* simulation = scene_.simulation();
  if (!simulation || simulation->size() == 0) return;
  if (state.recorded) return scene_.say("A recording has no forces to measure: simulate from here first.", false);
  scene_.report_progress(true, 0);
  try {
    const std::vector<Vec3> accelerations = simulation->accelerations(state.params);
    const std::vector<Vec3> exact =
        direct_reference(simulation->config(), state.params, simulation->bodies(),
                         [this](double progress) { return scene_.report_progress(true, progress); });
    if (exact.empty()) throw Cancelled{};
    set_force_errors(relative_errors(accelerations, exact));
    scene_.say({}, false);
  } catch (const Cancelled&) {
    scene_.say("Cancelled; the force errors are as they were.", false);
  } catch (const std::bad_alloc&) {
    scene_.say("There is not enough memory to measure the force errors.", true);
  } catch (const DeviceMemoryError& error) {
    scene_.say("Cannot measure the force errors: " + std::string(error.what()) + ". Fewer bodies need less.", true);
  } catch (const std::invalid_argument& error) {
    scene_.say(error.what(), true);
  }
  scene_.report_progress(false, 1);
}

void SimulationWorker::set_force_errors(const std::vector<double>& relative) {
  scene_.state().force_errors = distribution(relative);
  scene_.state().force_errors_time = scene_.simulation()->time();
  std::vector<float> logarithms(relative.size());
  std::ranges::transform(relative, logarithms.begin(), log_scalar);
  scene_.simulation()->set_force_errors(std::move(logarithms));
  unpublished_ = true;
}

void SimulationWorker::apply_to(const request::ShowProbe& show) {
  probed_ = show.body;
  probe_changed_ = true;
  probe_seconds_ = 0;  // who clicks a star need not wait
}

void SimulationWorker::apply_to(const request::GoBack& back) {
  if (!scene_.go_back(back.params)) return;
  ++jumps_;
  note_new_scene();
}

void SimulationWorker::recover(const DeviceLost& error) {
  scene_.recover(error);
  ++jumps_;
  note_new_scene();
}

void SimulationWorker::apply_to(const request::TakeSnapshot&) {
  if (scene_.simulation()) snapshot_ = scene_.snapshot();
}

}  // namespace pericenter

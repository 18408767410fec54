#include "sim/simulation_thread.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <stdexcept>
#include <thread>
#include <utility>

namespace pericenter {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kTimingsKept = 512;
constexpr double kDiagnosticsPeriod = 0.25;       ///< seconds; they cost about as much as a step
constexpr double kLongestUnpublished = 1.0 / 30;  ///< seconds; slow steps are shown one by one
constexpr double kRateSmoothing = 0.5;            ///< seconds over which rates are averaged

double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

struct SimulationThread::Impl {
  // Everything here belongs to the simulation thread alone.
  std::unique_ptr<Simulation> simulation;
  Params params;
  int steps_per_frame = 1;
  bool running = false;
  int single_steps = 0;
  request::ShowTree show_tree;
  bool tree_changed = false;
  bool unpublished = false;  ///< the picture has not seen the bodies as they are
  int steps_since_publish = 0;
  double initial_energy = 0;
  bool energy_known = false;
  Clock::time_point last_diagnostics{}, last_publish{};
  double mean_step_seconds = 0, mean_period_seconds = 0;
  Clock::time_point last_step_end{};
  bool was_stepping = false;

  // Shared, under `mutex`.
  mutable std::mutex mutex;
  std::condition_variable wake;
  bool stopping = false;
  std::deque<Request> requests;
  SimulationState state;
  std::deque<StageTimings> timings;
  std::optional<std::vector<TreeBox>> boxes;
  int step_credit = 0;  ///< steps that pictures have asked for and that have not been taken
  std::span<Vertex> lent;
  bool is_lent = false;
  std::optional<Published> published;

  /// Held while vertices are written, so that recall() waits for no more than that.
  std::mutex publishing;
  std::atomic<bool> cancelled{false};
  std::thread thread;

  void loop();
  bool wants_to_step() const;
  bool can_publish() const;
  void step();
  void publish();
  void update_tree();
  void update_diagnostics();
  void forget_energy();
  void refresh_state();
  void say(const std::string& message, bool error);

  void apply(const Request& request);
  void apply_to(const request::Play& play) { running = play.running; }
  void apply_to(const request::SingleStep&) { ++single_steps; }
  void apply_to(const request::LoadScene& load) { load_scene(load.name, load.scene); }
  void apply_to(const request::Reset&);
  void apply_to(const request::SetParams& set);
  void apply_to(const request::SetConfig& set);
  void apply_to(const request::SetStepsPerFrame& set) { steps_per_frame = std::max(1, set.steps); }
  void apply_to(const request::ShowTree& show);
  void load_scene(const std::string& name, SceneRequest scene_request);
  void set_busy(bool busy, double progress);
};

bool SimulationThread::Impl::wants_to_step() const {
  return simulation && (single_steps > 0 || (running && step_credit > 0));
}

bool SimulationThread::Impl::can_publish() const {
  if (!unpublished || !is_lent || published) return false;
  return steps_since_publish >= steps_per_frame || !wants_to_step() ||
         seconds_between(last_publish, Clock::now()) > kLongestUnpublished;
}

void SimulationThread::Impl::loop() {
  std::unique_lock lock(mutex);
  while (!stopping) {
    wake.wait(lock, [&] { return stopping || !requests.empty() || can_publish() || wants_to_step(); });
    if (stopping) break;
    std::deque<Request> todo;
    todo.swap(requests);
    const bool publish_now = can_publish();
    const bool step_now = !publish_now && todo.empty() && wants_to_step();
    lock.unlock();
    try {
      for (const Request& next : todo) apply(next);
      if (publish_now) publish();
      if (step_now) step();
      if (tree_changed) update_tree();
    } catch (const std::exception& error) {
      running = false;
      single_steps = 0;
      say(std::string("The simulation stopped: ") + error.what(), true);
    }
    refresh_state();
    lock.lock();
  }
}

void SimulationThread::Impl::step() {
  const Clock::time_point start = Clock::now();
  const bool diagnose = seconds_between(last_diagnostics, start) > kDiagnosticsPeriod;
  simulation->step(params, diagnose);
  const Clock::time_point end = Clock::now();
  const double seconds = seconds_between(start, end);
  const double period = was_stepping ? seconds_between(last_step_end, end) : seconds;
  const double weight = 1 - std::exp(-period / kRateSmoothing);
  mean_step_seconds = mean_step_seconds > 0 ? mean_step_seconds + weight * (seconds - mean_step_seconds) : seconds;
  mean_period_seconds =
      mean_period_seconds > 0 ? mean_period_seconds + weight * (period - mean_period_seconds) : period;
  last_step_end = end;
  was_stepping = running;
  if (single_steps > 0) --single_steps;
  ++steps_since_publish;
  unpublished = true;
  tree_changed = tree_changed || show_tree.show;
  if (diagnose) update_diagnostics();
  const std::scoped_lock lock(mutex);
  if (step_credit > 0) --step_credit;
  timings.push_back(simulation->timings());
  if (timings.size() > kTimingsKept) timings.pop_front();
}

void SimulationThread::Impl::publish() {
  const std::scoped_lock writing(publishing);
  std::span<Vertex> buffer;
  std::uint64_t serial = 0;
  {
    const std::scoped_lock lock(mutex);
    if (!is_lent || published) return;
    buffer = lent;
    serial = state.scene_serial;
  }
  const bool fits = buffer.size() >= simulation->size();
  if (fits) simulation->publish(buffer.first(simulation->size()));
  const std::scoped_lock lock(mutex);
  published = Published{fits ? simulation->size() : 0, simulation->time(), simulation->steps(), serial};
  // One that was too small is lent again, larger.
  unpublished = !fits;
  if (fits) {
    steps_since_publish = 0;
    last_publish = Clock::now();
    if (!timings.empty()) timings.back()[Stage::publish] += simulation->timings()[Stage::publish];
  }
}

void SimulationThread::Impl::update_tree() {
  std::vector<TreeBox> cells;
  if (show_tree.show && simulation) {
    simulation->accelerations(params);  // a tree that was never built is built now
    simulation->tree_boxes(show_tree.first_level, show_tree.last_level, show_tree.limit, cells);
  }
  tree_changed = false;
  const std::scoped_lock lock(mutex);
  boxes = std::move(cells);
}

void SimulationThread::Impl::update_diagnostics() {
  const Diagnostics diagnostics = simulation->diagnostics(params);
  last_diagnostics = Clock::now();
  if (!energy_known) initial_energy = diagnostics.energy();
  energy_known = true;
  const double scale = std::abs(initial_energy);
  if (diagnostics.non_finite > 0 && running) {
    running = false;
    say(std::to_string(diagnostics.non_finite) +
            " bodies have left the numbers (NaN or infinite); paused. Use a smaller dt or a larger softening, then "
            "reset.",
        true);
  }
  const std::scoped_lock lock(mutex);
  state.diagnostics = diagnostics;
  state.energy_error = scale > 0 ? (diagnostics.energy() - initial_energy) / scale : 0;
}

void SimulationThread::Impl::forget_energy() {
  energy_known = false;
  if (simulation) update_diagnostics();
}

void SimulationThread::Impl::refresh_state() {
  const std::scoped_lock lock(mutex);
  state.params = params;
  state.steps_per_frame = steps_per_frame;
  state.running = running;
  if (!simulation) return;
  state.config = simulation->config();
  state.bodies = simulation->size();
  state.time = simulation->time();
  state.steps = simulation->steps();
  state.timings = simulation->timings();
  state.steps_per_second = mean_period_seconds > 0 ? 1 / mean_period_seconds : 0;
  state.bodies_per_second = mean_step_seconds > 0 ? static_cast<double>(simulation->size()) / mean_step_seconds : 0;
  state.body_interactions = simulation->body_interactions();
  state.cell_interactions = simulation->cell_interactions();
  state.tree_levels = simulation->tree_levels();
}

void SimulationThread::Impl::say(const std::string& message, bool error) {
  const std::scoped_lock lock(mutex);
  state.message = message;
  state.message_is_error = error;
}

void SimulationThread::Impl::apply(const Request& next) {
  std::visit([&](const auto& what) { apply_to(what); }, next);
}

void SimulationThread::Impl::apply_to(const request::Reset&) {
  std::string name;
  SceneRequest scene_request;
  {
    const std::scoped_lock lock(mutex);
    name = state.scene;
    scene_request = state.scene_request;
  }
  if (!name.empty()) load_scene(name, scene_request);
}

void SimulationThread::Impl::apply_to(const request::SetParams& set) {
  if (const std::string problem = problem_with(set.params); !problem.empty()) return say(problem, true);
  const bool other_energy = set.params.softening != params.softening || set.params.gravity != params.gravity;
  const bool other_tree = set.params.theta != params.theta;
  params = set.params;
  if (other_energy) forget_energy();
  tree_changed = tree_changed || (show_tree.show && (other_energy || other_tree));
}

void SimulationThread::Impl::apply_to(const request::SetConfig& set) {
  try {
    if (!simulation) {
      if (const std::string problem = problem_with(set.config); !problem.empty()) return say(problem, true);
      const std::scoped_lock lock(mutex);
      state.config = set.config;
      return;
    }
    if (set.config == simulation->config()) return;
    set_busy(true, 0);
    const std::uint64_t steps_before = simulation->steps();
    simulation = Simulation::create(set.config, simulation->bodies(), simulation->time(), steps_before);
    unpublished = true;
    mean_step_seconds = mean_period_seconds = 0;
    was_stepping = false;
    tree_changed = true;
    forget_energy();
    say({}, false);
  } catch (const std::bad_alloc&) {
    say("There is not enough memory to change over; what ran before goes on.", true);
  } catch (const std::invalid_argument& error) {
    say(error.what(), true);
  }
  set_busy(false, 1);
}

void SimulationThread::Impl::apply_to(const request::ShowTree& show) {
  show_tree = show;
  tree_changed = true;
}

void SimulationThread::Impl::set_busy(bool busy, double progress) {
  const std::scoped_lock lock(mutex);
  state.busy = busy;
  state.progress = progress;
}

void SimulationThread::Impl::load_scene(const std::string& name, SceneRequest scene_request) {
  const SceneInfo* info = find_scene(name);
  if (!info) return say("There is no scene '" + name + "'.", true);
  cancelled = false;
  set_busy(true, 0);
  Config config;
  {
    const std::scoped_lock lock(mutex);
    config = state.config;
  }
  try {
    scene_request.dimension = config.dimension;
    scene_request.progress = [this](double progress) {
      set_busy(true, progress);
      const std::scoped_lock lock(mutex);
      return !cancelled && !stopping;
    };
    Scene scene = info->make(scene_request);
    simulation = Simulation::create(config, scene.bodies);
    scene_request.progress = {};
    {
      const std::scoped_lock lock(mutex);
      // A reset keeps what the user has set; another scene brings its own parameters.
      if (state.scene != name) params = scene.params;
      state.scene = name;
      state.scene_request = scene_request;
      state.units = scene.units;
      state.suggested = scene.params;
      state.view_radius = scene.view_radius;
      state.highlight_time = scene.highlight_time;
      state.speed_scale = scene.speed_scale;
      ++state.scene_serial;
      timings.clear();
    }
    unpublished = true;
    steps_since_publish = 0;
    mean_step_seconds = mean_period_seconds = 0;
    was_stepping = false;
    single_steps = 0;
    tree_changed = true;
    forget_energy();
    say({}, false);
  } catch (const SceneCancelled&) {
    say("Cancelled; the scene before it goes on.", false);
  } catch (const std::bad_alloc&) {
    say("There is not enough memory for " + std::to_string(scene_request.bodies) + " bodies; what ran before goes on.",
        true);
  } catch (const std::invalid_argument& error) {
    say(error.what(), true);
  }
  set_busy(false, 1);
}

SimulationThread::SimulationThread() : impl_(std::make_unique<Impl>()) {
  impl_->thread = std::thread([impl = impl_.get()] { impl->loop(); });
}

SimulationThread::~SimulationThread() {
  {
    const std::scoped_lock lock(impl_->mutex);
    impl_->stopping = true;
  }
  impl_->wake.notify_all();
  impl_->thread.join();
}

void SimulationThread::request(Request request) {
  {
    const std::scoped_lock lock(impl_->mutex);
    impl_->requests.push_back(std::move(request));
  }
  impl_->wake.notify_all();
}

void SimulationThread::cancel() {
  impl_->cancelled = true;
}

SimulationState SimulationThread::state() const {
  const std::scoped_lock lock(impl_->mutex);
  return impl_->state;
}

std::vector<StageTimings> SimulationThread::take_timings() {
  const std::scoped_lock lock(impl_->mutex);
  std::vector<StageTimings> taken(impl_->timings.begin(), impl_->timings.end());
  impl_->timings.clear();
  return taken;
}

std::optional<std::vector<TreeBox>> SimulationThread::take_tree_boxes() {
  const std::scoped_lock lock(impl_->mutex);
  return std::exchange(impl_->boxes, std::nullopt);
}

void SimulationThread::lend(std::span<Vertex> buffer) {
  {
    const std::scoped_lock lock(impl_->mutex);
    impl_->lent = buffer;
    impl_->is_lent = true;
    impl_->published.reset();
  }
  impl_->wake.notify_all();
}

std::optional<SimulationThread::Published> SimulationThread::take_back() {
  const std::scoped_lock lock(impl_->mutex);
  // One picture's steps may be left over, so that a step that takes a little longer than a picture loses no time.
  const int steps = impl_->state.steps_per_frame;
  impl_->step_credit = std::min(impl_->step_credit + steps, 2 * steps);
  impl_->wake.notify_all();
  if (!impl_->published) return std::nullopt;
  impl_->is_lent = false;
  impl_->lent = {};
  return std::exchange(impl_->published, std::nullopt);
}

void SimulationThread::recall() {
  const std::scoped_lock writing(impl_->publishing);
  const std::scoped_lock lock(impl_->mutex);
  impl_->is_lent = false;
  impl_->lent = {};
  impl_->published.reset();
}

}  // namespace pericenter

#include "sim/session/simulation_thread.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "sim/core/clock.h"
#include "sim/session/pace.h"
#include "sim/session/session.h"
#include "sim/solvers/registry.h"

namespace pericenter {
namespace {

constexpr std::size_t kMaxTimings = 512;
/// Nice value of the thread: with software rendering, frames have priority. Measured on two cores with Mesa's llvmpipe
/// and 100,000 bodies: 28 fps and 25 steps/s with 0, 33 to 42 and 23 with 3, 43 and 22 with 5, 45 and 21 with 10.
constexpr int kNice = 3;
/// The first forces of a scene wait this long for a buffer that can show its bodies. The thread that draws has lent one
/// during the creation of the bodies, unless their number was unknown.
constexpr std::chrono::milliseconds kMaxPreviewWait{100};
/// Longest wait for a buffer that is to be filled ahead, and as a share of a step.
constexpr std::chrono::duration<double> kMaxBufferWait{0.02};
constexpr double kMaxWaitShare = 1.0 / 16;
constexpr std::chrono::milliseconds kFollowPeriod{200};  ///< time between two questions for new snapshots

struct QueuedRequest {
  std::uint64_t serial = 0;
  Request wanted;
  std::chrono::steady_clock::time_point queued = {};
};

/// What the thread is doing; it determines which requests cancel it.
enum class Work {
  other,       ///< steps, and what is computed from them
  saving,      ///< only the end of the program cancels it
  rebuilding,  ///< another configuration for the same bodies
  loading      ///< other bodies
};

template <class... Kinds>
bool is_one_of(const Request& wanted) {
  return (std::holds_alternative<Kinds>(wanted) || ...);
}

Work work_of(const Request& wanted) {
  using namespace request;
  if (is_one_of<LoadScene, LoadSource, Reset, ContinueCopy>(wanted)) return Work::loading;
  if (is_one_of<SetConfig, ChooseSolver, Rollback, Simulate, ContinueFromHere, Undo, RestoreRun>(wanted))
    return Work::rebuilding;
  return is_one_of<TakeSnapshot, TakeCopy>(wanted) ? Work::saving : Work::other;
}

/// Whether the request loads other bodies, whatever was shown before.
bool loads_scene(const QueuedRequest& queued) {
  return is_one_of<request::LoadScene, request::LoadSource>(queued.wanted);
}

/// Whether the request sets what no state shows.
bool is_hidden_setting(const Request& wanted) {
  return is_one_of<request::SetExactPace, request::SetHistoryBudget, request::ShowTree, request::TrackStars>(wanted);
}

/// Whether the request makes the work useless and so cancels it.
bool supersedes(const Request& wanted, Work work) {
  if (work == Work::saving) return false;
  if (is_one_of<request::LoadScene, request::LoadSource>(wanted)) return true;
  if (is_one_of<request::SetConfig>(wanted)) return work != Work::loading;
  // These do not make a step useless: they follow a Seek, or only take back a parameter.
  if (is_one_of<request::ContinueFromHere, request::Undo>(wanted)) return false;
  return work == Work::other && (work_of(wanted) == Work::rebuilding || work_of(wanted) == Work::loading);
}

}  // namespace

struct SimulationThread::Impl {
  using Clock = std::chrono::steady_clock;

  // Used by the simulation thread; by others only while is_idle, under `mutex`.
  float publish_ms = 0;  ///< sum since the last step
  std::chrono::duration<double> last_step{0};
  std::uint64_t handled = 0;  ///< serial of the last request that was handled
  Session session{{.report = [this](const SessionState& news) { return publish_state(news); },
                   .preview = [this](Simulation& scene, const SessionState& news,
                                     const PublishedFrame& start) { return publish_preview(scene, news, start); },
                   .records_history = true,
                   .samples_forces = true}};

  // Shared, under `mutex`.
  mutable std::mutex mutex;
  std::condition_variable wake;
  bool stopping = false, ended = false;
  std::deque<QueuedRequest> requests;
  std::uint64_t last_serial = 0;                   ///< serial of the last request that was queued
  std::map<std::size_t, Request> hidden_settings;  ///< the last is_hidden_setting() of each kind
  std::shared_ptr<const SessionState> state = std::make_shared<const SessionState>();
  std::shared_ptr<const Snapshot> checkpoint;
  std::deque<StageTimings> timings;
  std::optional<std::vector<TreeBox>> boxes;
  std::optional<Snapshot> snapshot;
  std::shared_ptr<const RunCopy> run_copy;
  std::optional<std::optional<Probe>> probe;
  int step_credit = 0;                          ///< steps that frames have allowed and that have not ended
  bool step_begun = false;                      ///< one of step_credit has begun
  PaceClock pace;                               ///< clock of the steps that are due with request::SetSpeed
  Clock::time_point last_frame = Clock::now();  ///< last call of allow_steps()
  VertexTarget lent;
  bool is_lent = false;
  bool lends_ahead = false;          ///< the last buffer was lent to be filled ahead
  bool has_lent = false;             ///< ever: somebody draws
  bool awaits_other_buffer = false;  ///< set before the first step of a scene, so that its start is seen early
  std::uint64_t outgrown_by = 0;     ///< serial of the last scene that the lent buffer did not suit
  bool is_idle = true;               ///< the thread waits for work
  Work work = Work::other;           ///< what the thread does
  std::optional<Clock::time_point> step_start;  ///< start of the step in progress
  Clock::time_point last_sign = Clock::now();   ///< when the thread took work or reported progress last
  double last_share = 0;                        ///< CancellationToken::share() then
  std::optional<PublishedFrame> published;

  /// Held while vertices may be written, so that recall() does not wait longer than that.
  std::mutex publishing;
  std::thread thread;

  void loop();
  void load_instead_of(Impl& left, bool leaves_gpu);
  std::optional<QueuedRequest> take_request();
  void begin_work(Work next);
  bool publishes_ahead() const { return lends_ahead && wants_to_step() && session.publishes_ahead(step_credit); }
  bool can_publish() const {
    return is_lent && !published && session.wants_to_publish(step_credit) && !publishes_ahead();
  }
  bool wants_to_step() const {
    return !awaits_other_buffer && session.wants_to_step(step_credit) && !awaits_video_frames();
  }
  /// The frames of a video before the next step are not drawn yet.
  bool awaits_video_frames() const {
    const bool has_buffer = is_lent && !published;
    return state->exact_pace && lends_ahead && !has_buffer && session.publishes_ahead(step_credit);
  }
  void allow_due_steps();
  void step();
  void publish_ahead();
  std::optional<VertexTarget> buffer_for_step() const;
  void publish();
  bool publish_state(const SessionState& news);
  void return_unsuited_buffer(std::size_t bodies);
  bool publish_preview(Simulation& scene, const SessionState& news, const PublishedFrame& start);
};

void SimulationThread::Impl::loop() {
  // On Linux this applies to this thread and the oneTBB threads that it starts.
  (void)::nice(kNice);
  std::unique_lock lock(mutex);
  while (!stopping) {
    is_idle = true;
    const auto has_work = [&] { return stopping || !requests.empty() || can_publish() || wants_to_step(); };
    if (session.follows_series())
      wake.wait_for(lock, kFollowPeriod, has_work);
    else
      wake.wait(lock, has_work);
    is_idle = false;
    last_sign = Clock::now();
    if (stopping) break;
    const std::optional<QueuedRequest> next = take_request();
    const bool all_applied = requests.empty();
    const bool publish_now = all_applied && can_publish();
    const bool step_now = !publish_now && !next && wants_to_step();
    if (step_now) step_start = Clock::now();
    step_begun = step_now;
    lock.unlock();
    std::optional<std::vector<TreeBox>> new_boxes;
    std::optional<std::optional<Probe>> new_probe;
    std::optional<Snapshot> new_snapshot;
    std::shared_ptr<const RunCopy> new_copy;
    try {
      if (next) session.apply(next->wanted);
      new_snapshot = session.take_snapshot();
      new_copy = session.take_copy();
      if (publish_now) publish();
      if (step_now) step();
      if (all_applied) {
        session.take_new_snapshots();
        new_boxes = session.new_tree_boxes();
        new_probe = session.new_probe();
        session.update_stars();
        session.sample_paused_forces();
      }
    } catch (const Cancelled&) {
      // The request that cancelled it comes next.
    } catch (const DeviceLost& error) {
      session.recover(error);
    } catch (const std::exception& error) {
      session.stop(std::string("The simulation stopped: ") + error.what());
    }
    // A request whose work was superseded is handled with the request that superseded it: its value may still apply.
    if (next && session.cancellation().why() != CancellationToken::Why::superseded) handled = next->serial;
    publish_state(session.state());
    lock.lock();
    work = Work::other;
    step_begun = false;  // also one that was cancelled
    step_start.reset();
    if (new_boxes) boxes = std::move(new_boxes);
    if (new_probe) probe = std::move(new_probe);
    if (new_snapshot) snapshot = std::move(new_snapshot);
    if (new_copy) run_copy = std::move(new_copy);
  }
  ended = true;
  wake.notify_all();
}

/// The next request; nullopt when there is none. Called with the lock.
std::optional<QueuedRequest> SimulationThread::Impl::take_request() {
  if (requests.empty()) {
    begin_work(Work::other);
    return std::nullopt;
  }
  QueuedRequest taken = std::move(requests.front());
  requests.pop_front();
  const Request& wanted = taken.wanted;
  Work next = work_of(wanted);
  // Parameters for a recorded moment first repeat the steps to it. A seek first completes a step that was cancelled.
  if (session.run().is_rewound() && is_one_of<request::SetParams>(wanted)) next = Work::rebuilding;
  if (session.run().is_in_step() && is_one_of<request::Seek>(wanted)) next = Work::saving;
  // Most requests take no time and are not checked against the queue, which may be long.
  if (next != Work::other || requests.empty()) begin_work(next);
  return taken;
}

/// Cancels the work from the start when a waiting request supersedes it. Called with the lock.
void SimulationThread::Impl::begin_work(Work next) {
  work = next;
  const bool superseded =
      std::ranges::any_of(requests, [&](const QueuedRequest& waiting) { return supersedes(waiting.wanted, next); });
  session.cancellation().ask(superseded ? CancellationToken::Why::superseded : CancellationToken::Why::nothing);
}

/// Fills the lent buffer with the end of the next step. One that is late is awaited for a small part of a step: without
/// it, frames would stand still until the step after that.
void SimulationThread::Impl::publish_ahead() {
  {
    std::unique_lock lock(mutex);
    if (!lends_ahead || !session.publishes_ahead(step_credit)) return;
    wake.wait_for(lock, std::min(kMaxBufferWait, kMaxWaitShare * last_step),
                  [&] { return is_lent || stopping || !requests.empty(); });
  }
  const std::scoped_lock writing(publishing);
  VertexTarget buffer;
  {
    const std::scoped_lock lock(mutex);
    if (!is_lent || published) return;
    buffer = lent;
  }
  const float before = session.simulation()->timings()[Stage::write_vertices];
  const PublishedFrame result = session.publish_ahead(buffer);
  publish_ms += session.simulation()->timings()[Stage::write_vertices] - before;
  {
    const std::scoped_lock lock(mutex);
    published = result;
  }
  wake.notify_all();
}

void SimulationThread::Impl::step() {
  publish_ahead();
  const auto start = Clock::now();
  std::unique_lock writing(publishing);
  const std::optional<VertexTarget> target = buffer_for_step();
  if (!target) writing.unlock();
  const bool computes = !session.run().is_rewound();
  const std::optional<PublishedFrame> result = session.step(target ? &*target : nullptr);
  StageTimings stages = session.simulation()->timings();
  stages[Stage::write_vertices] += std::exchange(publish_ms, 0.0f);
  last_step = Clock::now() - start;
  const std::scoped_lock lock(mutex);
  if (step_credit > 0) --step_credit;
  step_begun = false;
  if (result) published = result;
  if (!computes) return;
  timings.push_back(stages);
  if (timings.size() > kMaxTimings) timings.pop_front();
}

/// The lent buffer when the next step should end by filling it.
std::optional<VertexTarget> SimulationThread::Impl::buffer_for_step() const {
  const std::scoped_lock lock(mutex);
  if (!is_lent || published || !session.publishes_in_step(step_credit, lent)) return std::nullopt;
  return lent;
}

void SimulationThread::Impl::publish() {
  const std::scoped_lock writing(publishing);
  VertexTarget buffer;
  {
    const std::scoped_lock lock(mutex);
    if (!is_lent || published) return;
    buffer = lent;
  }
  const PublishedFrame result = session.write_vertices(buffer);
  publish_ms = session.simulation()->timings()[Stage::write_vertices];
  {
    const std::scoped_lock lock(mutex);
    published = result;
    const bool outgrown = result.count == 0 && !buffer.suits(session.state().bodies);
    awaits_other_buffer = outgrown && std::exchange(outgrown_by, result.scene_serial) != result.scene_serial;
  }
  wake.notify_all();
}

/// Makes a copy of the state visible to the other thread; false when the scene that is being created should be
/// cancelled.
bool SimulationThread::Impl::publish_state(const SessionState& news) {
  auto copy = std::make_shared<SessionState>(news);
  copy->handled_request = handled;
  std::shared_ptr<const SessionState> next_state = std::move(copy);
  auto next_checkpoint = session.run().checkpoints().latest();
  const std::scoped_lock lock(mutex);
  if (news.next_bodies > 0) return_unsuited_buffer(news.next_bodies);
  if (next_state->scene_serial != state->scene_serial) timings.clear();
  last_sign = Clock::now();
  state.swap(next_state);
  checkpoint.swap(next_checkpoint);
  return !session.cancellation().asked() && !stopping;
}

/// Returns the lent buffer empty if it does not suit a scene that is being created, so that another one is lent
/// before the bodies exist. Called with the lock.
void SimulationThread::Impl::return_unsuited_buffer(std::size_t bodies) {
  if (!is_lent || published || lent.suits(bodies)) return;
  published = PublishedFrame{.scene_serial = state->scene_serial};
  awaits_other_buffer = true;
}

/// As SessionOptions::preview.
bool SimulationThread::Impl::publish_preview(Simulation& scene, const SessionState& news, const PublishedFrame& start) {
  const auto has_buffer = [&] { return is_lent && !published && scene.accepts(lent); };
  {
    std::unique_lock lock(mutex);
    if (!has_lent) return false;
    return_unsuited_buffer(start.count);
    wake.notify_all();
    wake.wait_for(lock, kMaxPreviewWait, [&] { return has_buffer() || stopping || session.cancellation().asked(); });
    if (!has_buffer()) return false;
  }
  publish_state(news);
  const std::scoped_lock writing(publishing);
  VertexTarget buffer;
  {
    const std::scoped_lock lock(mutex);
    if (!has_buffer()) return true;  // recalled: the vertices follow with the first forces
    buffer = lent;
  }
  scene.write_vertices(buffer);
  {
    const std::scoped_lock lock(mutex);
    published = start;
    published->count = vertices_of(start.count, buffer.every);
    published->every = buffer.every;
  }
  wake.notify_all();
  return true;
}

SimulationThread::SimulationThread() : impl_(std::make_unique<Impl>()) {
  impl_->thread = std::thread([impl = impl_.get()] { impl->loop(); });
}

SimulationThread::~SimulationThread() {
  end(0);
  impl_->thread.join();
}

bool SimulationThread::end(double seconds) {
  std::unique_lock lock(impl_->mutex);
  impl_->stopping = true;
  impl_->session.cancellation().ask(CancellationToken::Why::cancelled);
  impl_->wake.notify_all();
  return impl_->wake.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return impl_->ended; });
}

double SimulationThread::scene_waits_seconds() const {
  const std::scoped_lock lock(impl_->mutex);
  const auto waiting = std::ranges::find_if(impl_->requests, loads_scene);
  if (impl_->is_idle || waiting == impl_->requests.end()) return 0;
  return seconds_between(waiting->queued, Impl::Clock::now());
}

std::unique_ptr<SimulationThread> SimulationThread::leave_work(bool leaves_gpu) {
  auto other = std::make_unique<SimulationThread>();
  {
    const std::scoped_lock lock(impl_->mutex, other->impl_->mutex);
    other->impl_->load_instead_of(*impl_, leaves_gpu);
  }
  other->impl_->wake.notify_all();
  swap(*other);
  other->end(0);
  return other;
}

/// Called with the locks of both, before this thread has done any work.
void SimulationThread::Impl::load_instead_of(Impl& left, bool leaves_gpu) {
  const SessionState& shown = *left.state;
  session.continue_serials(shown);
  state = std::make_shared<SessionState>(session.state());
  last_serial = left.last_serial;
  handled = shown.handled_request;
  hidden_settings = left.hidden_settings;
  const auto set = [&](Request request) { requests.push_back({handled, std::move(request)}); };
  Config config = shown.config;
  if (leaves_gpu) config = on_cpu(config);
  set(request::SetConfig{config});
  set(request::ChooseSolver{shown.automatic_solver, shown.automatic_integrator,
                            shown.automatic_backend && !leaves_gpu});
  set(request::SetStepsPerFrame{shown.steps_per_frame});
  if (shown.speed > 0) set(request::SetSpeed{});
  set(request::ShowScalar{shown.scalar, shown.wanted_field});
  set(request::SampleForces{shown.samples_forces});
  set(request::Play{shown.running});
  for (const auto& [kind, request] : hidden_settings) set(request);
  // What was asked of the run before is pointless.
  const auto last = std::find_if(left.requests.rbegin(), left.requests.rend(), loads_scene);
  const auto first = last == left.requests.rend() ? left.requests.end() : std::prev(last.base());
  requests.insert(requests.end(), std::make_move_iterator(first), std::make_move_iterator(left.requests.end()));
  left.requests.clear();
  for (QueuedRequest& waiting : requests)
    if (auto* scene = std::get_if<request::LoadScene>(&waiting.wanted); scene && scene->config && leaves_gpu)
      scene->config = on_cpu(*scene->config);
}

std::uint64_t SimulationThread::request(Request request) {
  std::uint64_t serial = 0;
  {
    const std::scoped_lock lock(impl_->mutex);
    serial = ++impl_->last_serial;
    // While the time slider is dragged only its latest position counts.
    const bool replaces_last = std::holds_alternative<request::Seek>(request) && !impl_->requests.empty() &&
                               std::holds_alternative<request::Seek>(impl_->requests.back().wanted);
    if (replaces_last) impl_->requests.pop_back();
    if (supersedes(request, impl_->work)) impl_->session.cancellation().ask(CancellationToken::Why::superseded);
    if (is_hidden_setting(request)) impl_->hidden_settings.insert_or_assign(request.index(), request);
    impl_->requests.push_back({serial, std::move(request), Impl::Clock::now()});
  }
  impl_->wake.notify_all();
  return serial;
}

void SimulationThread::cancel() {
  const std::scoped_lock lock(impl_->mutex);
  if (impl_->state->busy) impl_->session.cancellation().ask(CancellationToken::Why::cancelled);
}

SessionState SimulationThread::state() const {
  const double share = impl_->session.cancellation().share();
  const auto now = Impl::Clock::now();
  std::shared_ptr<const SessionState> latest;
  std::optional<Impl::Clock::time_point> step_start;
  double silent_seconds = 0, speed_reached = 1;
  {
    const std::scoped_lock lock(impl_->mutex);
    latest = impl_->state;
    speed_reached = impl_->pace.share();
    step_start = impl_->step_start;
    if (std::exchange(impl_->last_share, share) != share) impl_->last_sign = now;
    if (!impl_->is_idle) silent_seconds = seconds_between(impl_->last_sign, now);
  }
  SessionState state = *latest;
  state.speed_reached = speed_reached;
  state.silent_seconds = silent_seconds;
  if (state.computing_forces) state.progress = share;
  if (step_start) {
    state.step_seconds = seconds_between(*step_start, now);
    state.step_progress = share;
  }
  return state;
}

std::shared_ptr<const Snapshot> SimulationThread::checkpoint() const {
  const std::scoped_lock lock(impl_->mutex);
  return impl_->checkpoint;
}

std::vector<StageTimings> SimulationThread::take_timings() {
  const std::scoped_lock lock(impl_->mutex);
  std::vector<StageTimings> taken(impl_->timings.begin(), impl_->timings.end());
  impl_->timings.clear();
  return taken;
}

std::optional<Snapshot> SimulationThread::take_snapshot() {
  const std::scoped_lock lock(impl_->mutex);
  return std::exchange(impl_->snapshot, std::nullopt);
}

std::shared_ptr<const RunCopy> SimulationThread::take_copy() {
  const std::scoped_lock lock(impl_->mutex);
  return std::exchange(impl_->run_copy, nullptr);
}

std::optional<std::vector<TreeBox>> SimulationThread::take_tree_boxes() {
  const std::scoped_lock lock(impl_->mutex);
  return std::exchange(impl_->boxes, std::nullopt);
}

std::optional<std::optional<Probe>> SimulationThread::take_probe() {
  const std::scoped_lock lock(impl_->mutex);
  return std::exchange(impl_->probe, std::nullopt);
}

void SimulationThread::lend(const VertexTarget& buffer, bool ahead) {
  {
    const std::scoped_lock lock(impl_->mutex);
    impl_->lent = buffer;
    impl_->is_lent = impl_->has_lent = true;
    impl_->lends_ahead = ahead;
    impl_->awaits_other_buffer = false;
    impl_->published.reset();
  }
  impl_->wake.notify_all();
}

bool SimulationThread::awaits_buffer() const {
  const std::scoped_lock lock(impl_->mutex);
  return impl_->is_idle && !impl_->is_lent && impl_->requests.empty() &&
         impl_->session.wants_to_publish(impl_->step_credit);
}

std::optional<PublishedFrame> SimulationThread::take_back(double seconds) {
  std::unique_lock lock(impl_->mutex);
  impl_->wake.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return impl_->published.has_value(); });
  if (!impl_->published) return std::nullopt;
  impl_->is_lent = false;
  impl_->lent = {};
  return std::exchange(impl_->published, std::nullopt);
}

void SimulationThread::allow_steps() {
  {
    const std::scoped_lock lock(impl_->mutex);
    // The steps of one frame may be left over, so that a step slightly longer than a frame does not halve the rate.
    const int steps = impl_->state->steps_per_frame;
    if (impl_->state->speed > 0)
      impl_->allow_due_steps();
    else
      impl_->step_credit = std::min(impl_->step_credit + steps, 2 * steps);
  }
  impl_->wake.notify_all();
}

/// Called with the lock. A video waits for all its steps, and a pause has none.
void SimulationThread::Impl::allow_due_steps() {
  constexpr int kAnyNumber = 1'000'000;
  const auto before = std::exchange(last_frame, Clock::now());
  const double seconds = seconds_between(before, last_frame);
  if (!state->running || state->exact_pace) {
    pace.reset();
    step_credit = state->exact_pace ? kAnyNumber : 0;
    return;
  }
  const int begun = step_begun ? 1 : 0, waiting = std::max(0, step_credit - begun);
  pace.pass(seconds, steps_per_second(state->speed, state->params.dt), waiting);
  step_credit = std::min(waiting, static_cast<int>(pace.most())) + begun + pace.take();
}

void SimulationThread::allow_steps(int steps) {
  {
    const std::scoped_lock lock(impl_->mutex);
    impl_->step_credit += steps;
  }
  impl_->wake.notify_all();
}

std::optional<double> SimulationThread::waits_at() const {
  const std::scoped_lock lock(impl_->mutex);
  const Session& session = impl_->session;
  const int credit = impl_->step_credit;
  const bool waits = impl_->is_idle && impl_->requests.empty() && !impl_->published && session.simulation() &&
                     !session.wants_to_step(credit) && !session.wants_to_publish(credit);
  return waits ? std::optional(impl_->state->time) : std::nullopt;
}

void SimulationThread::recall() {
  const std::scoped_lock writing(impl_->publishing);
  const std::scoped_lock lock(impl_->mutex);
  impl_->is_lent = false;
  impl_->awaits_other_buffer = false;
  impl_->lent = {};
  impl_->published.reset();
}

}  // namespace pericenter

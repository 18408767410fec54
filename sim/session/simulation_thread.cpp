#include "sim/session/simulation_thread.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "sim/core/clock.h"
#include "sim/session/simulation_worker.h"

namespace pericenter {
namespace {

constexpr std::size_t kTimingsKept = 512;
/// Where the CPU draws, too, pictures come first. Measured on two cores with Mesa's llvmpipe and 100,000 bodies: 28
/// pictures and 25 steps a second with 0, 33 to 42 and 23 with 3, 43 and 22 with 5, 45 and 21 with 10.
constexpr int kYielding = 3;

/// What the thread is at, as far as it matters for what ends it.
enum class Work {
  other,       ///< steps, and what is computed from them
  saving,      ///< nothing ends it but the end of the program
  rebuilding,  ///< the same bodies with another config
  loading      ///< other bodies
};

template <class... Kinds>
bool is_one_of(const Request& wanted) {
  return (std::holds_alternative<Kinds>(wanted) || ...);
}

Work work_of(const Request& wanted) {
  using namespace request;
  if (is_one_of<LoadScene, LoadSource, Reset>(wanted)) return Work::loading;
  if (is_one_of<SetConfig, ChooseSolver, GoBack, Simulate>(wanted)) return Work::rebuilding;
  return is_one_of<TakeSnapshot>(wanted) ? Work::saving : Work::other;
}

/// Whether what is asked for need not wait for the end of that work, which it makes useless.
bool ends(const Request& wanted, Work work) {
  if (work == Work::saving) return false;
  if (is_one_of<request::LoadScene, request::LoadSource>(wanted)) return true;
  if (is_one_of<request::SetConfig>(wanted)) return work != Work::loading;
  return work == Work::other && (work_of(wanted) == Work::rebuilding || work_of(wanted) == Work::loading);
}

}  // namespace

struct SimulationThread::Impl {
  using Clock = std::chrono::steady_clock;

  // These belong to the simulation thread alone.
  float publish_ms = 0;  ///< since the last step
  SimulationWorker worker{[this](const SessionState& news) { return show(news); }};

  // Shared, under `mutex`.
  mutable std::mutex mutex;
  std::condition_variable wake;
  bool stopping = false, ended = false;
  std::deque<Request> requests;
  SessionState state;
  std::deque<StageTimings> timings;
  std::optional<std::vector<TreeBox>> boxes;
  std::optional<Snapshot> snapshot;
  std::optional<std::optional<Probe>> probe;
  int step_credit = 0;  ///< steps that pictures have asked for and that have not been taken
  VertexTarget lent;
  bool is_lent = false;
  bool is_idle = true;      ///< the thread waits for something to do
  Work work = Work::other;  ///< that is under way
  std::shared_ptr<const Snapshot> rollback_target;
  std::optional<Clock::time_point> step_start;  ///< of the one that is under way
  std::optional<Published> published;

  /// Held while vertices may be written, so that recall() waits for no more than that.
  std::mutex publishing;
  std::thread thread;

  void loop();
  std::optional<Request> take_request();
  void heed_requests(Work next);
  bool can_publish() const { return is_lent && !published && worker.wants_to_publish(step_credit); }
  void step();
  std::optional<VertexTarget> buffer_for_step() const;
  void publish();
  bool show(const SessionState& news);
};

void SimulationThread::Impl::loop() {
  // Linux counts it for this thread alone, and for those of oneTBB that it starts.
  (void)::nice(kYielding);
  std::unique_lock lock(mutex);
  while (!stopping) {
    is_idle = true;
    wake.wait(lock,
              [&] { return stopping || !requests.empty() || can_publish() || worker.wants_to_step(step_credit); });
    is_idle = false;
    if (stopping) break;
    const std::optional<Request> wanted = take_request();
    const bool all_applied = requests.empty();
    const bool publish_now = all_applied && can_publish();
    const bool step_now = !publish_now && !wanted && worker.wants_to_step(step_credit);
    if (step_now) step_start = Clock::now();
    lock.unlock();
    std::optional<std::vector<TreeBox>> cells;
    std::optional<std::optional<Probe>> walk;
    std::optional<Snapshot> taken;
    try {
      if (wanted) worker.apply(*wanted);
      taken = worker.take_snapshot();
      if (publish_now) publish();
      if (step_now) step();
      if (all_applied) {
        cells = worker.new_tree_boxes();
        walk = worker.new_probe();
      }
    } catch (const Cancelled&) {
      // What was asked for meanwhile comes next.
    } catch (const DeviceLost& error) {
      worker.recover(error);
    } catch (const std::exception& error) {
      worker.stop(std::string("The simulation stopped: ") + error.what());
    }
    show(worker.state());
    lock.lock();
    work = Work::other;
    step_start.reset();
    if (cells) boxes = std::move(cells);
    if (walk) probe = std::move(walk);
    if (taken) snapshot = std::move(taken);
  }
  ended = true;
  wake.notify_all();
}

/// The next request, if there is one. Called with the lock.
std::optional<Request> SimulationThread::Impl::take_request() {
  if (requests.empty()) {
    heed_requests(Work::other);
    return std::nullopt;
  }
  Request wanted = std::move(requests.front());
  requests.pop_front();
  // Most are applied at once, and there may be very many of them.
  if (const Work next = work_of(wanted); next != Work::other || requests.empty()) heed_requests(next);
  return wanted;
}

/// Begins work, which is in vain already where a request waits that ends it. Called with the lock.
void SimulationThread::Impl::heed_requests(Work next) {
  work = next;
  const bool in_vain = std::ranges::any_of(requests, [&](const Request& wanted) { return ends(wanted, next); });
  worker.cancellation().ask(in_vain ? CancellationToken::Why::superseded : CancellationToken::Why::nothing);
}

void SimulationThread::Impl::step() {
  std::unique_lock writing(publishing);
  const std::optional<VertexTarget> target = buffer_for_step();
  if (!target) writing.unlock();
  const std::optional<Published> result = worker.step(target ? &*target : nullptr);
  StageTimings stages = worker.state().timings;
  stages[Stage::write_vertices] += std::exchange(publish_ms, 0.0f);
  const std::scoped_lock lock(mutex);
  if (step_credit > 0) --step_credit;
  if (result) published = result;
  timings.push_back(stages);
  if (timings.size() > kTimingsKept) timings.pop_front();
}

/// The lent buffer, when the step that comes should end in filling it.
std::optional<VertexTarget> SimulationThread::Impl::buffer_for_step() const {
  const std::scoped_lock lock(mutex);
  if (!is_lent || published || !worker.publishes_in_step(step_credit, lent)) return std::nullopt;
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
  const Published result = worker.publish(buffer);
  publish_ms = worker.state().timings[Stage::write_vertices];
  {
    const std::scoped_lock lock(mutex);
    published = result;
  }
  wake.notify_all();
}

/// Makes `news` the state that others see; false when the scene that is being made should be given up.
bool SimulationThread::Impl::show(const SessionState& news) {
  const std::scoped_lock lock(mutex);
  if (news.scene_serial != state.scene_serial) timings.clear();
  state = news;
  rollback_target = worker.rollback_target();
  return !worker.cancellation().asked() && !stopping;
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
  impl_->worker.cancellation().ask(CancellationToken::Why::cancelled);
  impl_->wake.notify_all();
  return impl_->wake.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return impl_->ended; });
}

void SimulationThread::request(Request request) {
  {
    const std::scoped_lock lock(impl_->mutex);
    // Of the moments that a drag passes only the newest counts.
    const bool newer = std::holds_alternative<request::Seek>(request) && !impl_->requests.empty() &&
                       std::holds_alternative<request::Seek>(impl_->requests.back());
    if (newer) impl_->requests.pop_back();
    if (ends(request, impl_->work)) impl_->worker.cancellation().ask(CancellationToken::Why::superseded);
    impl_->requests.push_back(std::move(request));
  }
  impl_->wake.notify_all();
}

void SimulationThread::cancel() {
  const std::scoped_lock lock(impl_->mutex);
  if (impl_->state.busy) impl_->worker.cancellation().ask(CancellationToken::Why::cancelled);
}

SessionState SimulationThread::state() const {
  const std::scoped_lock lock(impl_->mutex);
  SessionState state = impl_->state;
  const double share = impl_->worker.cancellation().share();
  if (state.computing_forces) state.progress = share;
  if (impl_->step_start) {
    state.step_seconds = seconds_between(*impl_->step_start, Impl::Clock::now());
    state.step_share = share;
  }
  return state;
}

std::shared_ptr<const Snapshot> SimulationThread::rollback_target() const {
  const std::scoped_lock lock(impl_->mutex);
  return impl_->rollback_target;
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

std::optional<std::vector<TreeBox>> SimulationThread::take_tree_boxes() {
  const std::scoped_lock lock(impl_->mutex);
  return std::exchange(impl_->boxes, std::nullopt);
}

std::optional<std::optional<Probe>> SimulationThread::take_probe() {
  const std::scoped_lock lock(impl_->mutex);
  return std::exchange(impl_->probe, std::nullopt);
}

void SimulationThread::lend(const VertexTarget& buffer) {
  {
    const std::scoped_lock lock(impl_->mutex);
    impl_->lent = buffer;
    impl_->is_lent = true;
    impl_->published.reset();
  }
  impl_->wake.notify_all();
}

bool SimulationThread::awaits_buffer() const {
  const std::scoped_lock lock(impl_->mutex);
  return impl_->is_idle && !impl_->is_lent && impl_->requests.empty() &&
         impl_->worker.wants_to_publish(impl_->step_credit);
}

std::optional<Published> SimulationThread::take_back(double seconds) {
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
    // One picture's steps may be left over, so that a step that takes a little longer than a picture loses no time.
    const int steps = impl_->state.steps_per_frame;
    impl_->step_credit = std::min(impl_->step_credit + steps, 2 * steps);
  }
  impl_->wake.notify_all();
}

void SimulationThread::recall() {
  const std::scoped_lock writing(impl_->publishing);
  const std::scoped_lock lock(impl_->mutex);
  impl_->is_lent = false;
  impl_->lent = {};
  impl_->published.reset();
}

}  // namespace pericenter

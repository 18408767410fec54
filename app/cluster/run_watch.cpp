#include "app/cluster/run_watch.h"

#include <chrono>
#include <exception>
#include <utility>

#include "app/cluster/engine_log.h"

namespace pericenter::app {
namespace {

constexpr std::chrono::seconds kLook(2), kRemoteLook(15);

}  // namespace

RunWatch::RunWatch(RunRecord record, std::optional<std::chrono::milliseconds> period)
    : record_(std::move(record)), period_(period.value_or(record_.host.empty() ? kLook : kRemoteLook)) {
  RunReport first;
  first.record = record_;
  publish(std::move(first));
  thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

RunWatch::~RunWatch() = default;

std::shared_ptr<const RunReport> RunWatch::report() const {
  const std::scoped_lock lock(mutex_);
  return report_;
}

void RunWatch::cancel_run() {
  const std::scoped_lock lock(mutex_);
  cancel_wanted_ = true;
  wake_.notify_all();
}

void RunWatch::publish(RunReport report) {
  auto published = std::make_shared<const RunReport>(std::move(report));
  const std::scoped_lock lock(mutex_);
  report_ = std::move(published);
}

void RunWatch::watch(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const bool goes_on = look(stop);
    std::unique_lock lock(mutex_);
    if (goes_on)
      wake_.wait_for(lock, stop, period_, [this] { return cancel_wanted_; });
    else
      wake_.wait(lock, stop, [this] { return cancel_wanted_; });
  }
}

/// False when there is nothing more to see.
bool RunWatch::look(const std::stop_token& stop) {
  RunReport now = *report();
  bool cancels = false, is_complete = false;
  {
    const std::scoped_lock lock(mutex_);
    std::swap(cancels, cancel_wanted_);
  }
  try {
    const Host host(record_.host, [&stop] { return stop.stop_requested(); });
    if (cancels) {
      now.cancels = true;
      publish(now);
      cancel_engine(record_, host);
    }
    now.cancels = false;
    now.state = state_of(record_, host);
    is_complete = fetch_results(record_, now.state, host);
    now.is_known = true;
    now.problem.clear();
    now.plots = engine_plots(record_);
  } catch (const std::exception& error) {
    now.cancels = false;
    now.problem = error.what();
  }
  const bool is_over = is_complete && now.problem.empty() && now.state.is_over();
  publish(std::move(now));
  return !is_over;
}

}  // namespace pericenter::app

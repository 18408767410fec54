#pragma once

#include <atomic>
#include <csignal>

#include "app/base/process.h"

namespace pericenter::app {

/// Catches SIGINT, SIGTERM and SIGHUP in its scope, so that a run can stop between two steps and finish its files.
///
/// A second SIGINT or SIGTERM ends the process and its children immediately, whatever they do. An inner object takes
/// over from an outer one. Ignored SIGHUP (nohup) stays ignored.
class StopSignals {
 public:
  StopSignals() : outer_(current_.exchange(this)) {
    struct sigaction handler = {};
    handler.sa_handler = &StopSignals::receive;
    handler.sa_flags = SA_RESTART;  // so that libraries see no interrupted calls
    sigemptyset(&handler.sa_mask);
    for (const int other : kSignals) sigaddset(&handler.sa_mask, other);
    sigaction(SIGINT, &handler, &before_[0]);
    sigaction(SIGTERM, &handler, &before_[1]);
    sigaction(SIGHUP, nullptr, &before_[2]);
    if (before_[2].sa_handler != SIG_IGN) sigaction(SIGHUP, &handler, nullptr);
  }
  ~StopSignals() {
    for (int k = 0; k < 3; ++k) sigaction(kSignals[k], &before_[k], nullptr);
    current_ = outer_;
  }
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// True once a signal was received. Any thread may call it.
  bool raised() const { return signal_ != 0; }
  /// The same for the innermost object; false if there is none.
  static bool any_raised() {
    const StopSignals* const stop = current_;
    return stop && stop->raised();
  }

  /// Exit code that shells use: 130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP.
  int exit_code() const { return 128 + signal_; }

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

  static void receive(int signal) {
    if (StopSignals* const stop = current_; stop && stop->signal_ == 0) stop->signal_ = signal;
    // The next one ends the process. A closing terminal sends SIGHUP twice, so that does not count.
    std::signal(SIGINT, &StopSignals::end);
    std::signal(SIGTERM, &StopSignals::end);
  }

  static void end(int signal) {
    kill_children();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }

  static inline std::atomic<StopSignals*> current_ = nullptr;  // a handler has no argument for it
  static_assert(std::atomic<StopSignals*>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

  StopSignals* const outer_;
  struct sigaction before_[3] = {};
  std::atomic<int> signal_ = 0;
};

}  // namespace pericenter::app

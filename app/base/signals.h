#pragma once

#include <csignal>
#include <ctime>

namespace pericenter::app {

/// Blocks SIGINT and SIGTERM in its scope, so that a run can stop between two steps and finish its files.
///
/// Create it before the first thread: threads inherit the signal mask. A second signal ends the program immediately.
class StopSignals {
 public:
  StopSignals() {
    sigemptyset(&blocked_);
    sigaddset(&blocked_, SIGINT);
    sigaddset(&blocked_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &blocked_, &before_);
  }
  ~StopSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// True once a signal was received.
  bool raised() {
    if (signal_ != 0) return true;
    const timespec no_wait = {};
    const int signal = sigtimedwait(&blocked_, nullptr, &no_wait);
    if (signal <= 0) return false;
    signal_ = signal;
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    return true;
  }

  /// Exit code that shells use: 130 for SIGINT, 143 for SIGTERM.
  int exit_code() const { return 128 + signal_; }

 private:
  sigset_t blocked_ = {}, before_ = {};
  int signal_ = 0;
};

}  // namespace pericenter::app

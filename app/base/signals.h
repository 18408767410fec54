#pragma once

#include <csignal>
#include <ctime>

namespace pericenter::app {

/// Holds SIGINT and SIGTERM back while it lives, so that a run can end between two steps and finish its files.
///
/// Make it before the first thread: threads inherit what is held back. After one signal was seen the next ends the
/// program at once.
class StopSignals {
 public:
  StopSignals() {
    sigemptyset(&held_);
    sigaddset(&held_, SIGINT);
    sigaddset(&held_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &held_, &before_);
  }
  ~StopSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// True once one has come.
  bool raised() {
    if (signal_ != 0) return true;
    const timespec at_once = {};
    const int signal = sigtimedwait(&held_, nullptr, &at_once);
    if (signal <= 0) return false;
    signal_ = signal;
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    return true;
  }

  /// What a shell reports for a program that a signal ended: 130 for SIGINT, 143 for SIGTERM.
  int exit_code() const { return 128 + signal_; }

 private:
  sigset_t held_ = {}, before_ = {};
  int signal_ = 0;
};

}  // namespace pericenter::app

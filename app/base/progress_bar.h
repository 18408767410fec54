#pragma once

#include <chrono>
#include <string>

namespace pericenter::app {

/// Progress on stderr: redrawn in place on a terminal, otherwise one line per 10 %.
class ProgressBar {
 public:
  /// `unit`: what is counted ("steps"); empty if only the percentage is known.
  ProgressBar(std::string label, std::string unit, bool shown);
  ~ProgressBar();  ///< ends the current line
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(double done, double total);

 private:
  using Clock = std::chrono::steady_clock;

  bool due(double done, double total);
  std::string line(double done, double total) const;

  std::string label_, unit_;
  bool shown_, terminal_;
  bool line_open_ = false;
  int tenths_shown_ = 0;
  Clock::time_point start_ = Clock::now(), last_drawn_ = {};
};

}  // namespace pericenter::app

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "sim/session/session_state.h"

namespace pericenter::app {

/// The file of --log: what happened and when, for support. Everything that is printed to std::cerr goes into it, too;
/// notices of the window come from add_notice(). Each entry is written at once, so that a crash loses nothing.
/// Functions may be called from any thread.
class Log {
 public:
  Log();
  ~Log();

  /// Appends to the file `path` from now on. Throws FileError.
  void open(const std::string& path);

  /// Appends an entry with the time and a word such as "notice", without personal data. An entry that repeats the last
  /// one within a second is left out. Does nothing without a file. After an error of the file the log ends, a
  /// message is printed, and the program continues.
  void write(std::string_view kind, const std::string& message);
  /// Appends the exit code and, unless it is 0, the last error.
  void end(int exit_code);

  /// A message for the user after an error of the file; empty otherwise. Cleared by this call.
  std::string take_problem();

 private:
  class Tee;
  using Clock = std::chrono::steady_clock;

  bool repeats(const std::string& message);
  void append(const std::string& entry);

  std::mutex mutex_;
  std::string path_, last_text_, last_error_, problem_;
  Clock::time_point start_ = Clock::now(), last_time_;
  int file_ = -1;
  std::unique_ptr<Tee> tee_;
};

/// Writes the scene, the solver and the scene string to the log at the start and when one of the first two changes.
class SessionLog {
 public:
  explicit SessionLog(Log& log) : log_(log) {}

  /// Call it after each change of `state`; `scene_string` is called only for an entry.
  void update(const SessionState& state, const std::function<std::string()>& scene_string);

 private:
  Log& log_;
  std::uint64_t scene_serial_ = 0;
  Config config_;
};

}  // namespace pericenter::app

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pericenter::app {

/// Kills all running children and their children. Only calls that a signal handler may make.
void kill_children() noexcept;

/// A child process with a writable standard input. It leads a process group of its own, so that Ctrl+C in a terminal
/// interrupts only this program.
///
/// Nothing waits forever: a child that stops working is killed. Working means to read, to write or to exit. A patience
/// of kImpatient seconds or less, after a signal, also limits the time of a child that works.
class ChildProcess {
 public:
  static constexpr double kImpatient = 2;
  /// Seconds without work after which the child has stopped; called repeatedly.
  using Patience = std::function<double()>;

  /// Starts the program `words[0]`, found in PATH, with the arguments after it. Throws std::system_error.
  ChildProcess(const std::vector<std::string>& words, Patience patience);
  ~ChildProcess();  ///< kills it and its children unless finish() was called
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Blocks until the child has read all bytes; false if it closed its input or stopped working.
  bool write(std::span<const std::uint8_t> bytes);
  /// Closes its input and waits for it to exit. Returns its exit code, or 128 + signal; nullopt if it stopped working.
  std::optional<int> finish();
  /// Its standard output and error so far.
  std::string output() const;

 private:
  class Watch;
  void close_input();
  void kill();

  Patience patience_;
  int input_ = -1, output_ = -1;
  int id_ = 0;
  bool stopped_ = false;
};

}  // namespace pericenter::app

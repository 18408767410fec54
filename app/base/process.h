#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pericenter::app {

/// A child process with a writable standard input. It is in its own process group, so that Ctrl+C in a terminal
/// interrupts only this program.
class ChildProcess {
 public:
  /// Starts the program `words[0]`, found in PATH, with the arguments after it. Throws std::system_error.
  explicit ChildProcess(const std::vector<std::string>& words);
  ~ChildProcess();  ///< kills it unless finish() was called
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Blocks until the child has read all bytes; false if it closed its input.
  bool write(std::span<const std::uint8_t> bytes);
  /// Closes its input and waits for it to exit. Returns its exit code, or 128 + signal.
  int finish();
  /// Its standard output and error so far.
  std::string output() const;

 private:
  void close_input();

  int input_ = -1, output_ = -1;
  int id_ = 0;
};

}  // namespace pericenter::app

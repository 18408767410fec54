#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pericenter::app {

/// Another program that reads what is written to it. It does not get the signals of the terminal: a Ctrl+C is for this
/// program, which then tells it what to do.
class ChildProcess {
 public:
  /// Starts `words`, the first of which is looked for in PATH. Throws std::system_error.
  explicit ChildProcess(const std::vector<std::string>& words);
  ~ChildProcess();  ///< ends it at once when it was not finished
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Waits until it has read them all; false when it reads no more.
  bool write(std::span<const std::uint8_t> bytes);
  /// Ends its input and waits for its end: its exit code, or 128 + signal.
  int finish();
  /// What it has said on its standard output and error.
  std::string output() const;

 private:
  void close_input();

  int input_ = -1, output_ = -1;
  int id_ = 0;
};

}  // namespace pericenter::app

#pragma once

#include <chrono>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace pericenter::test {

using Names = std::vector<std::string>;
using Words = std::vector<std::string>;

/// A folder of its own, gone with everything in it at the end of the scope.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  Names names() const;  ///< what lies in it, sorted

 private:
  std::filesystem::path path_;
};

std::string text_of(const std::filesystem::path& file);
void write_text(const std::filesystem::path& file, const std::string& text);

/// How the program is started.
struct Start {
  Words arguments;
  std::filesystem::path folder;                                             ///< working folder and picture folder
  unsigned long file_size_limit = 0;                                        ///< bytes; 0: none
  std::function<bool(const std::string& standard_error)> signal_when = {};  ///< the first signal once this is true
  std::vector<std::pair<std::string, std::string>> environment = {};        ///< set on top of the tests' own
  bool has_nothing_else = false;                                            ///< in its environment, not even HOME
  std::string program = {};                                                 ///< empty: the one that was built
  std::vector<int> signals = {SIGINT};                                      ///< half a second apart
  double signal_after = 0;  ///< and once it has computed for so many seconds of processor time, on any machine
};

struct Outcome {
  int exit_code = 0;  ///< 128 + signal when one ended it; 124 when it did not end in a minute
  std::string out, err;
  double seconds = 0;
  double cpu_seconds = 0;      ///< of all its threads, whatever else the machine does
  std::size_t peak_bytes = 0;  ///< of memory that it held
};

/// Runs pericenter, without any display, to its end.
Outcome run_program(const Start& start);

}  // namespace pericenter::test

namespace pericenter::app {

// Tests of the program from inside use these too.
using test::Names;
using test::TemporaryFolder;
using test::text_of;
using test::write_text;

}  // namespace pericenter::app

#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/support/program.h"

namespace pericenter::test {

/// Puts a folder of its own before PATH, or in its place, for as long as it lives.
class ProgramPath {
 public:
  explicit ProgramPath(bool alone) {
    const std::string rest = alone ? "" : ":" + before_;
    ::setenv("PATH", (folder_.path().string() + rest).c_str(), 1);
  }
  ~ProgramPath() { ::setenv("PATH", before_.c_str(), 1); }
  ProgramPath(const ProgramPath&) = delete;
  ProgramPath& operator=(const ProgramPath&) = delete;

  /// A script of this name; `$1` to `$9` are its arguments.
  void add(const std::string& name, const std::string& script) {
    write_text(folder_ / name, "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(folder_ / name, std::filesystem::perms::owner_all);
  }

 private:
  TemporaryFolder folder_;
  std::string before_ = std::getenv("PATH") ? std::getenv("PATH") : "/usr/bin:/bin";
};

/// The beginning of a script that is asked for its encoders and answers.
inline std::string with_encoders(const std::string& names) {
  std::string script = "case \"$*\" in *-encoders*)";
  for (std::size_t begin = 0; begin < names.size();) {
    const std::size_t end = std::min(names.find(' ', begin), names.size());
    script += " echo ' V..... " + names.substr(begin, end - begin) + "   some words';";
    begin = end + 1;
  }
  return script + " exit 0;; esac\n";
}

}  // namespace pericenter::test

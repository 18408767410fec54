#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace pericenter::tests {

/// A unique path for the current test; the file is removed at the end of the scope.
class TemporaryPath {
 public:
  explicit TemporaryPath(const std::string& name)
      : path_(testing::TempDir() + "pericenter-" + std::to_string(::getpid()) + "-" + name) {}
  ~TemporaryPath() { std::remove(path_.c_str()); }
  TemporaryPath(const TemporaryPath&) = delete;
  TemporaryPath& operator=(const TemporaryPath&) = delete;

  const std::string& str() const { return path_; }

 private:
  std::string path_;
};

}  // namespace pericenter::tests

#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "shaders/shaders.h"

#include "tests/support/paths.h"

namespace pericenter::render {

/// A temporary folder with a copy of the shaders, which a test may modify. It is named after the test, so that parallel
/// tests do not collide.
class ShaderCopy {
 public:
  ShaderCopy() {
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::path(test::kOutputFolder) /
            (std::string("shaders_of_") + test.test_suite_name() + "_" + test.name());
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
    for (const ShaderSource& source : shader_sources()) write(std::string(source.name), std::string(source.text));
  }
  ~ShaderCopy() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ShaderCopy(const ShaderCopy&) = delete;
  ShaderCopy& operator=(const ShaderCopy&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void write(const std::string& file, const std::string& words) const { std::ofstream(path_ / file) << words; }

 private:
  std::filesystem::path path_;
};

}  // namespace pericenter::render

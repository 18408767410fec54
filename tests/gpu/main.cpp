#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "sim/core/device.h"

namespace {

/// Exit code that CTest reports as skipped.
constexpr int kSkipped = 77;

}  // namespace

// GoogleTest counts tests skipped by an environment as passed, so this prints the reason and returns the exit code.
int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (const std::string missing = pericenter::cuda_status().missing; !missing.empty() && !GTEST_FLAG_GET(list_tests)) {
    std::printf("[  SKIPPED ] CUDA cannot be used: %s\n", missing.c_str());
    return kSkipped;
  }
  const int result = RUN_ALL_TESTS();
  const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  const bool only_skipped = tests.successful_test_count() == 0 && tests.skipped_test_count() > 0;
  return result == 0 && only_skipped ? kSkipped : result;
}

#include "sim/core/stage_clock.h"

#include <gtest/gtest.h>

#include "tests/support/profiled_step.h"

namespace pericenter::test {
namespace {

TEST(ProfilerRangeDeathTest, StagesOfAStepAreRanges) {
  for (const char* solver : {"octree", "fmm", "direct"}) expect_ranges_are_stages({.solver = solver, .threads = 1});
}

TEST(ProfilerRange, NoProfilerIsAttached) {
  EXPECT_FALSE(profiler_attached());
}

}  // namespace
}  // namespace pericenter::test

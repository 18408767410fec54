// Stages on CUDA in profilers.
#include <gtest/gtest.h>

#include "tests/support/profiled_step.h"

namespace pericenter::test {
namespace {

TEST(CudaProfilerRangeDeathTest, StagesOfAStepAreRanges) {
  for (const char* solver : {"octree", "fmm", "direct", "hybrid"})
    expect_ranges_are_stages({.solver = solver, .backend = Backend::cuda, .threads = 1});
}

}  // namespace
}  // namespace pericenter::test

#include "sim/core/profiler_range.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <set>
#include <sstream>
#include <string>

#include "sim/core/simulation.h"
#include "sim/scenes/registry.h"

namespace pericenter {
namespace {

#ifdef PERICENTER_NVTX_RECORDER
using Ranges = std::set<std::string>;

/// The ranges that tests/support/nvtx_recorder.cpp has seen in this process.
Ranges recorded() {
  void* const recorder = dlopen(PERICENTER_NVTX_RECORDER, RTLD_NOW | RTLD_NOLOAD);
  if (recorder == nullptr) return {"NVTX did not load the recorder"};
  const auto read = reinterpret_cast<const char* (*)()>(dlsym(recorder, "recorded_ranges"));
  std::istringstream lines(read());
  Ranges ranges;
  for (std::string line; std::getline(lines, line);) ranges.insert(line);
  return ranges;
}

/// Runs steps, and exits with 0 if the ranges are the stages whose times were measured.
[[noreturn]] void step_and_compare(const std::string& solver) {
  const Scene scene = find_scene("galaxy")->make({.bodies = 2000});
  const auto simulation = Simulation::create({.solver = solver, .threads = 1}, scene.bodies);
  for (int k = 0; k < 2; ++k) simulation->step(scene.params, true);
  Ranges expected = {"step"};
  for (std::size_t stage = 0; stage < kStageCount; ++stage) {
    if (simulation->timings().ms[stage] > 0) expected.insert("step/" + std::string(kStageNames[stage]));
  }
  simulation->diagnostics(scene.params);
  expected.insert("diagnostics");
  const Ranges ranges = recorded();
  for (const std::string& range : ranges) std::cerr << range << ";";
  std::exit(ranges == expected && expected.size() > 3 ? 0 : 1);
}

// NVTX looks for a profiler once per process, so a child process runs the test.
TEST(ProfilerRangeDeathTest, StagesOfAStepAreRanges) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  setenv("NVTX_INJECTION64_PATH", PERICENTER_NVTX_RECORDER, 1);
  for (const std::string solver : {"octree", "fmm", "direct"}) {
    EXPECT_EXIT(step_and_compare(solver), testing::ExitedWithCode(0), "step/kick and drift") << solver;
  }
}
#endif

}  // namespace
}  // namespace pericenter

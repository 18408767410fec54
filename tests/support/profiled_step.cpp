#include "tests/support/profiled_step.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <set>
#include <sstream>
#include <string>

#include "sim/core/simulation.h"
#include "sim/core/stage_clock.h"
#include "tests/support/measure.h"

namespace pericenter::test {

#ifdef PERICENTER_NVTX_RECORDER
namespace {

using Ranges = std::set<std::string>;

/// The ranges that tests/support/nvtx_recorder.cpp has seen in this process since the last call.
Ranges take_recorded() {
  void* const recorder = dlopen(PERICENTER_NVTX_RECORDER, RTLD_NOW | RTLD_NOLOAD);
  if (recorder == nullptr) return {"NVTX did not load the recorder"};
  const auto take = reinterpret_cast<const char* (*)()>(dlsym(recorder, "take_recorded_ranges"));
  std::istringstream lines(take());
  Ranges ranges;
  for (std::string line; std::getline(lines, line);) ranges.insert(line);
  return ranges;
}

/// Exits with 0 if the ranges of the third step, on CUDA a graph if no profiler is attached, are its stages.
[[noreturn]] void step_and_compare(const Config& config) {
  const Scene scene = make_scene("galaxy", {.bodies = 2000});
  const auto simulation = Simulation::create(config, scene.bodies);
  for (int k = 0; k < 3; ++k) {
    take_recorded();
    simulation->step(scene.params, true);
  }
  Ranges expected = {"step"};
  for (std::size_t stage = 0; stage < kStageCount; ++stage) {
    if (simulation->timings().ms[stage] > 0) expected.insert("step/" + std::string(kStageNames[stage]));
  }
  simulation->diagnostics(scene.params);
  expected.insert("diagnostics");
  const Ranges ranges = take_recorded();
  for (const std::string& range : ranges) std::cerr << range << ";";
  std::exit(profiler_attached() && ranges == expected && expected.size() > 3 ? 0 : 1);
}

}  // namespace

// NVTX looks for a profiler once per process, so a child process runs the steps.
void expect_ranges_are_stages(const Config& config) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  setenv("NVTX_INJECTION64_PATH", PERICENTER_NVTX_RECORDER, 1);
  EXPECT_EXIT(step_and_compare(config), testing::ExitedWithCode(0), "step/kick and drift") << config.solver;
  unsetenv("NVTX_INJECTION64_PATH");
}
#else
void expect_ranges_are_stages(const Config& /*config*/) {}
#endif

}  // namespace pericenter::test

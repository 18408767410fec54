#include "app/ui/comparison_setup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "sim/scenes/registry.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

SessionState encounter_state() {
  SessionState state;
  state.scene = "collision";
  state.scene_serial = 1;
  state.bodies = 20'000;
  state.units = {3.5, 13.8, 248};
  state.suggested = {.dt = 0.03, .theta = 0.7, .softening = 0.1};
  state.params = state.suggested;
  return state;
}

ComparisonSetup setup_of(std::string_view id, const SessionState& state) {
  const auto presets = comparison_presets();
  const auto found = std::ranges::find(presets, id, &ComparisonPreset::id);
  return found->setup(state);
}

std::string problem_of(std::string_view id, const SessionState& state, std::string_view cuda_missing) {
  const auto presets = comparison_presets();
  return std::ranges::find(presets, id, &ComparisonPreset::id)->problem(state, cuda_missing);
}

TEST(ComparisonPresets, DifferOnlyInWhatTheyCompare) {
  const SessionState now = encounter_state();
  const ComparisonSetup theta = setup_of("theta", now);
  EXPECT_EQ(theta.a.params.theta, 0.3);
  EXPECT_EQ(theta.b.params.theta, 1.2);
  EXPECT_EQ(theta.a.params.dt, now.params.dt);
  EXPECT_EQ(theta.a.config, theta.b.config);

  const ComparisonSetup softening = setup_of("softening", now);
  EXPECT_EQ(softening.a.params, now.params);
  SessionState again = now;
  again.params = softening.b.params;
  EXPECT_EQ(setup_of("softening", again).b.params, softening.b.params) << "not 16 times as much";
  EXPECT_DOUBLE_EQ(softening.b.params.softening, 0.4);

  const ComparisonSetup precision = setup_of("precision", now);
  EXPECT_EQ(precision.a.config.precision, Precision::float32);
  EXPECT_EQ(precision.b.config.precision, Precision::float64);

  const ComparisonSetup solver = setup_of("solver", now);
  EXPECT_EQ(solver.a.config.solver, "octree");
  EXPECT_EQ(solver.b.config.solver, "direct");

  const ComparisonSetup backend = setup_of("backend", now);
  EXPECT_EQ(backend.a.config.backend, Backend::cpu);
  EXPECT_EQ(backend.b.config.backend, Backend::cuda);
}

TEST(ComparisonPresets, SpinsRestartTheSameOrbit) {
  const ComparisonSetup spins = setup_of("spins", encounter_state());
  ASSERT_TRUE(spins.a.encounter && spins.b.encounter);
  EXPECT_EQ(*spins.a.encounter, *find_scene("collision")->encounter);
  EXPECT_EQ(*spins.b.encounter, *find_scene("retrograde")->encounter);
  EXPECT_TRUE(spins.side_by_side);
  EXPECT_FALSE(setup_of("theta", encounter_state()).side_by_side);
}

TEST(ComparisonPresets, SpinsMirrorTheInclinationsOfTheRun) {
  SessionState now = encounter_state();
  now.scene_request.encounter = *find_scene("antennae")->encounter;
  const ComparisonSetup spins = setup_of("spins", now);
  EXPECT_EQ(*spins.a.encounter, *now.scene_request.encounter);
  EXPECT_EQ(spins.b.encounter->first, (DiscOrientation{120, 150}));
  EXPECT_EQ(spins.b.encounter->speed_factor, spins.a.encounter->speed_factor);
}

TEST(ComparisonView, IsSideBySideForEncountersUnlessChosen) {
  const SessionState now = encounter_state();
  SceneOptions options;
  options.compare = "theta=1.2";
  EXPECT_FALSE(comparison_setup(now, options).side_by_side);
  options.compare = "scene=retrograde";
  EXPECT_TRUE(comparison_setup(now, options).side_by_side);
  options.side_by_side = false;
  EXPECT_FALSE(comparison_setup(now, options).side_by_side);
}

TEST(ComparisonPresets, AreValidForEverySolver) {
  for (const SolverInfo& solver : solvers()) {
    SessionState now = encounter_state();
    now.config.solver = solver.name;
    if (!solver.cpu) now.config.backend = Backend::cuda;
    for (const ComparisonPreset& preset : comparison_presets()) {
      if (!preset.problem(now, "").empty()) continue;
      const ComparisonSetup setup = preset.setup(now);
      EXPECT_EQ(problem_with(setup.a.config), "") << solver.name << ", " << preset.id;
      EXPECT_EQ(problem_with(setup.b.config), "") << solver.name << ", " << preset.id;
      EXPECT_EQ(problem_with(setup.a.params), "");
      EXPECT_EQ(problem_with(setup.b.params), "");
    }
  }
}

TEST(ComparisonPresets, GiveTheReasonWhyTheyCannotBeUsed) {
  SessionState now = encounter_state();
  EXPECT_EQ(problem_of("backend", now, "this build has no CUDA"), "CUDA cannot be used: this build has no CUDA.");
  EXPECT_EQ(problem_of("theta", now, ""), "");
  now.config.solver = "direct";
  EXPECT_THAT(problem_of("theta", now, ""), HasSubstr("no tree"));
  now.suggested.softening = 0;
  EXPECT_THAT(problem_of("softening", now, ""), HasSubstr("no softening"));
  EXPECT_EQ(problem_of("spins", now, ""), "");
  now.scene = "head-on";
  EXPECT_THAT(problem_of("spins", now, ""), HasSubstr("no discs"));
  now.scene = "plummer";
  EXPECT_THAT(problem_of("spins", now, ""), HasSubstr("encounter"));
}

TEST(Comparison, NamesTheDifferences) {
  SessionState a = encounter_state(), b = a;
  EXPECT_TRUE(differences(a, b).empty());
  EXPECT_THAT(label_lines({}, true), ElementsAre("same settings"));
  a.params.theta = 0.3;
  b.params.theta = 1.2;
  b.config.solver = "fmm";
  b.config.precision = Precision::float64;
  const auto found = differences(a, b);
  EXPECT_THAT(label_lines(found, true), ElementsAre("Octree", "single precision", "θ 0.3"));
  EXPECT_THAT(label_lines(found, false), ElementsAre("Fast multipole", "double precision", "θ 1.2"));
}

TEST(Comparison, NamesTheSpins) {
  SessionState a = encounter_state(), b = a;
  const ComparisonSetup spins = setup_of("spins", a);
  a.scene_request.encounter = spins.a.encounter;
  b.scene_request.encounter = spins.b.encounter;
  const auto found = differences(a, b);
  EXPECT_THAT(label_lines(found, true), ElementsAre("prograde"));
  EXPECT_THAT(label_lines(found, false), ElementsAre("retrograde"));
}

TEST(Comparison, NeedsARunningSceneAtTheEndOfItsTimeline) {
  EXPECT_THAT(problem_with_comparison({}), HasSubstr("no scene"));
  SessionState now = encounter_state();
  EXPECT_EQ(problem_with_comparison(now), "");
  now.timeline.rewound = true;
  EXPECT_THAT(problem_with_comparison(now), HasSubstr("earlier moment"));
  now = encounter_state();
  now.playback = TimeRange{0, 1};
  EXPECT_THAT(problem_with_comparison(now), HasSubstr("playback"));
  now = encounter_state();
  now.busy = true;
  EXPECT_THAT(problem_with_comparison(now), HasSubstr("not ready"));
}

TEST(Comparison, RefusesWithoutEnoughMemory) {
  EXPECT_EQ(problem_with_memory({.host_needed = 2e9, .host_free = 3e9}), "");
  EXPECT_EQ(problem_with_memory({.host_needed = 2e9, .host_free = 0}), "");  // unknown
  EXPECT_EQ(problem_with_memory({.host_needed = 2.5e9, .host_free = 1e9}),
            "Not enough memory to compare: a second simulation needs 2,500 MB of memory, and 1,000 MB are free. Use "
            "fewer bodies.");
  EXPECT_EQ(problem_with_memory({.host_needed = 1, .host_free = 2, .device_needed = 8e9, .device_free = 7.9e9}),
            "Not enough memory to compare: a second simulation needs 8,000 MB of GPU memory, and 7,900 MB are free. "
            "Use fewer bodies.");
}

TEST(Comparison, ASecondSimulationOnAGpuNeedsAsMuchAsTheFirstAndItsVertices) {
  SessionState now = encounter_state();
  now.bodies = 1'000'000;
  now.device_memory = {.used_bytes = 500'000'000, .free_bytes = 600'000'000, .total_bytes = 1'100'000'000};
  Config config;
  EXPECT_EQ(memory_for_second(now, config).device_needed, 0);
  config.backend = Backend::cuda;
  EXPECT_EQ(memory_for_second(now, config).device_needed, 532e6);
  EXPECT_EQ(memory_for_second(now, config).device_free, 600e6);
  now.bodies *= 50;
  EXPECT_GT(memory_for_second(now, config).host_needed, 5e9);
  now.bodies = 1'000'000'000;
  EXPECT_NEAR(memory_for_second(now, config).device_needed, 500e6 + 4.295e9, 1e6) << "one buffer, below 4 GiB";
}

}  // namespace
}  // namespace pericenter::app

#include <gmock/gmock.h>

#include <string>
#include <utility>

#include "app/base/memory_budget.h"
#include "app/settings/command_line.h"
#include "app/settings/command_line_error.h"
#include "app/settings/option_values.h"
#include "sim/core/device_errors.h"
#include "sim/core/fault_injection.h"
#include "sim/scenes/registry.h"
#include "sim/solvers/registry.h"
#include "tests/support/panel_fixture.h"

// GPU in the panels: backend, vertex bridge and memory.

namespace pericenter::app {
namespace {

TEST_F(Panels, DisablesCudaWithReason) {
  choose("backend", "cuda");
  EXPECT_FALSE(asked<request::SetConfig>());
  EXPECT_EQ(ui.edited.config.value().backend, Backend::cpu);
  frame(1);
  frame(1);
  EXPECT_THAT(log.tooltip, testing::HasSubstr("this build has no CUDA"));
}

TEST_F(Panels, SelectsCuda) {
  cuda_missing.clear();
  choose("backend", "cuda");
  ASSERT_TRUE(asked<request::SetConfig>());
  EXPECT_EQ(asked<request::SetConfig>()->config.backend, Backend::cuda);
}

TEST(Fault02, ReportsUnsupportedArchitecture) {
  ASSERT_EQ(plan_fault("no_kernel_image"), "");
  const CudaStatus status = cuda_status();
  plan_fault({});
  EXPECT_FALSE(status.available());
  EXPECT_TRUE(status.fixable);
  EXPECT_THAT(status.missing, testing::HasSubstr("compute capability 3.5"));
}

TEST(Fault03, ReportsRequiredDriver) {
  ASSERT_EQ(plan_fault("old_driver"), "");
  const CudaStatus status = cuda_status();
  plan_fault({});
  EXPECT_FALSE(status.available());
  EXPECT_TRUE(status.fixable);
  EXPECT_THAT(status.missing, testing::HasSubstr("update the driver to 580"));
  EXPECT_THAT(driver_is_too_old(11040, 12020),
              testing::HasSubstr("up to 11.4 and this program needs 12.2; update the driver to 525"));
  EXPECT_TRUE(driver_is_too_old(13000, 99000).ends_with("update the driver"));
}

TEST_F(Panels, Fault10WarnsAboutSlowStep) {
  state.bodies_per_second = static_cast<double>(state.bodies) / 0.25;
  frame();
  const auto quiet = find("vertex-buffer");
  ASSERT_TRUE(quiet);
  stalled_seconds = 12.4;
  frame();
  EXPECT_FALSE(find("vertex-buffer"));
  const auto words = find("slow-step");
  ASSERT_TRUE(words);
  point_at(*words);
  frame(1);
  frame(1);
  EXPECT_THAT(log.tooltip, testing::HasSubstr("Fewer bodies"));
  EXPECT_THAT(log.tooltip, testing::Not(testing::HasSubstr("the GPU")));
  stalled_seconds = 0;
  frame();
  EXPECT_TRUE(find("vertex-buffer"));
}

TEST_F(Panels, DisablesAlgorithmsWithoutBackend) {
  cuda_missing.clear();
  for (const Backend backend : {Backend::cpu, Backend::cuda}) {
    for (const SolverInfo& info : solvers()) {
      state.config = {.backend = backend};
      if (info.name == state.config.solver) continue;
      frame(1);
      choose("algorithm", std::string(info.name));
      const bool runs = info.runs_on(backend);
      EXPECT_EQ(asked<request::SetConfig>() != nullptr, runs) << info.name;
      close_list();
      handle_requests();
    }
  }
}

TEST_F(Panels, StatusLineDescribesVertexBridge) {
  bridge = "staged";
  bridge_reason = "OpenGL runs on another chip than that which computes; " + std::string(100, 'x') + " end";
  frame();
  ASSERT_TRUE(find("vertex-buffer"));
  EXPECT_EQ(find("vertex-buffer")->label, "CPU");
  EXPECT_LT(find("vertex-buffer")->x1, kWidth - 60);  // leaves room for the hint on the right
  const std::string tip = tip_of("vertex-buffer");
  EXPECT_THAT(tip, testing::HasSubstr("Renderer: test"));
  EXPECT_THAT(tip, testing::HasSubstr("staged: the stars are copied"));
  EXPECT_THAT(tip, testing::HasSubstr("Reason: " + bridge_reason));
  EXPECT_THAT(tip, testing::Not(testing::HasSubstr("one body in")));
  every = 4;
  EXPECT_THAT(tip_of("vertex-buffer"), testing::HasSubstr("The window shows one body in 4: CUDA and OpenGL share"));
  every = 1;
  bridge = "interop";
  bridge_reason.clear();
  state.config.backend = Backend::cuda;
  state.device_name = "NVIDIA H200";
  const std::string gpu = tip_of("vertex-buffer");
  EXPECT_EQ(find("vertex-buffer")->label, "GPU");
  EXPECT_THAT(gpu, testing::HasSubstr("NVIDIA H200"));
  EXPECT_THAT(gpu, testing::Not(testing::HasSubstr("Reason")));
}

TEST_F(Panels, DividesTheForcesAmongSeveralGpus) {
  cuda_missing.clear();
  state.config = {.solver = "fmm", .backend = Backend::cuda};
  gpus = 1;
  frame(1);
  EXPECT_FALSE(find("gpus"));
  gpus = 2;
  choose("gpus", "2");
  ASSERT_TRUE(asked<request::SetConfig>());
  EXPECT_EQ(asked<request::SetConfig>()->config.gpus, 2);
  handle_requests();
  state.config.gpus = 2;
  state.device_shares = {
      {.device = 0, .name = "NVIDIA H200", .bodies = 0.54, .ms = 4.25f, .memory = {1'000'000'000, 0, 0}},
      {.device = 1, .name = "NVIDIA H200", .bodies = 0.46, .ms = 4.31f, .direct = false}};
  frame(1);
  EXPECT_THAT(tip_of("gpu-0"), testing::HasSubstr("54 % of bodies, 4.25 ms, 1 GB"));
  EXPECT_THAT(tip_of("gpu-0"), testing::Not(testing::HasSubstr("host memory")));
  EXPECT_THAT(tip_of("gpu-1"), testing::HasSubstr("go to it through host memory"));
}

// The other solvers compute on one GPU, which the list says where it is disabled.
TEST_F(Panels, DoesNotDivideTheForcesOfOtherSolvers) {
  cuda_missing.clear();
  state.config = {.solver = "octree", .backend = Backend::cuda};
  gpus = 2;
  frame(1);
  ASSERT_TRUE(find("gpus"));
  click("gpus");
  frame(1);
  EXPECT_FALSE(find("gpus/2"));
}

TEST(SeveralGpus, AreChosenInOrder) {
  CudaStatus status;
  for (const int index : {0, 1, 3}) status.devices.push_back({.index = index, .name = {}});
  EXPECT_EQ(divided_devices(status, 1, 2), (std::vector{1, 0}));
  EXPECT_EQ(divided_devices(status, 3, 0), (std::vector{3, 0, 1}));
  EXPECT_EQ(divided_devices(status, 0, 1), std::vector{0});
  EXPECT_EQ(problem_with_gpus(status, 3), "");
  EXPECT_EQ(problem_with_gpus(status, 0), "");
  EXPECT_EQ(problem_with_gpus(status, 4),
            "--gpus 4: this machine has 3 GPUs that this program can use. Use --gpus all");
}

TEST_F(Panels, ShowsMemoryForManyBodies) {
  ui.scene.bodies = 9'999'999;
  frame();
  EXPECT_FALSE(find("memory"));
  ui.scene.bodies = 500'000'000;
  state.config.backend = Backend::cuda;
  frame();
  const auto item = find("memory");
  ASSERT_TRUE(item);
  EXPECT_LT(item->x1, ui.layout.panel_width);
  point_at(*item);
  for (int k = 0; k < 3; ++k) frame(1);
  EXPECT_THAT(log.tooltip, testing::HasSubstr("the current scene is kept"));
}

TEST(Memory, LimitsBodies) {
  const Config cpu{}, cuda{.backend = Backend::cuda};
  EXPECT_EQ(max_addressable_bodies(cuda), find_solver(cuda.solver)->max_cuda_bodies);
  EXPECT_LE(max_bodies({cuda}), max_addressable_bodies(cuda));
  EXPECT_GE(max_addressable_bodies(for_many_bodies(cuda, true)), 500'000'000u);
  EXPECT_EQ(max_addressable_bodies(for_many_bodies(cuda, false)), max_addressable_bodies(cuda));
  EXPECT_GE(max_bodies({cpu}), 1u);
  for (const SolverInfo& solver : solvers()) {
    const Config config{.solver = std::string(solver.name)};
    EXPECT_LE(memory_for(max_bodies({config}), {config}), 1.2 * available_memory()) << solver.name;
  }
  const Config large_tree{.solver = "hybrid"};
  EXPECT_GT(memory_for(1'000'000, {large_tree}), 912e6 * 1.024) << "measured peak in the window";
  EXPECT_GT(available_memory(), 0);
}

/// What a machine with one large GPU has.
constexpr double kHost = 125.0 * (1 << 30);
const Config kCuda{.solver = "fmm", .backend = Backend::cuda};

TEST(Memory, OfBodiesThatCudaCreatesIsThatOfTheirVertices) {
  constexpr std::size_t kAll = 1'000'000'000;
  const PlannedRun window{kCuda, true}, image{kCuda, true, 1, 0, kAll}, numbers{kCuda, true, 0},
      saved{kCuda, true, 0, 1};
  for (const std::size_t bodies : {700'000'000u, 1'000'000'000u}) {
    const auto n = static_cast<double>(bodies);
    EXPECT_NEAR(memory_for(bodies, window) - memory_for(bodies, numbers), 2 * 4.295e9, 1e6) << "two of below 4 GiB";
    EXPECT_EQ(memory_for(bodies, image) - memory_for(bodies, numbers), 16 * n);
    EXPECT_EQ(memory_for(bodies, saved) - memory_for(bodies, numbers), 64 * n);
    EXPECT_LT(memory_for(bodies, image), 20 * n);
    EXPECT_GT(memory_for(bodies, {kCuda}), 0.95 * kHost * n / 1e9) << "the CPU creates them";
  }
  EXPECT_GT(memory_for(1'000'000'000, {kCuda}), kHost);
  EXPECT_LT(memory_for(1, window), 1e9);
  EXPECT_EQ(memory_for(1'000'000, window) - memory_for(0, window), (2 * 64 + 2 * 16) * 1e6);
  EXPECT_EQ(memory_for(1'000'000, window), memory_for(1'000'000, {kCuda})) << "the CPU creates so few";
}

TEST(Memory, MostBodiesFitAndOneMoreDoesNot) {
  EXPECT_EQ(max_bodies({kCuda, true}, kHost), 1'000'000'000u) << "what the solver can index";
  EXPECT_EQ(max_bodies({kCuda, true}, 0), 1'000'000'000u) << "the memory is unknown";
  EXPECT_EQ(max_bodies({kCuda, true}, 1), 1u);
  for (const PlannedRun& run : {PlannedRun{kCuda, true}, PlannedRun{kCuda}, PlannedRun{}, PlannedRun{kCuda, true, 2, 1},
                                PlannedRun{kCuda, true, 2, 1, 20'000'000}}) {
    for (const double room : {1e9, 2e9, 3e9, 4e9, 16e9}) {
      const std::size_t most = max_bodies(run, room);
      for (const std::size_t fewer : {most, most / 2, most / 5, most / 20})
        EXPECT_LE(memory_for(fewer, run), room) << fewer << " bodies in " << room;
      if (most < max_addressable_bodies(run.config)) {
        EXPECT_GT(memory_for(most + 1, run), room) << most;
      }
    }
  }
}

TEST(Memory, OfManyBodiesIsCheckedForTheSceneThatCreatesThem) {
  const SceneInfo &collision = *find_scene("collision"), &plummer = *find_scene("plummer");
  EXPECT_NO_THROW(check_bodies(collision, 1'000'000'000, {kCuda, true, 0}));
  EXPECT_THROW(check_bodies(collision, 1'000'000'000, {kCuda, true, 10'000}), CommandLineError);
  EXPECT_THROW(check_bodies(collision, 1'000'000'001, {kCuda, true, 0}), CommandLineError);
  const double by_cpu = memory_for(1'000'000'000, {kCuda, false, 0});
  if (available_memory() > by_cpu) GTEST_SKIP() << "they would fit";
  EXPECT_THROW(check_bodies(plummer, 1'000'000'000, {kCuda, true, 0}), CommandLineError);
}

TEST(Memory, OfARunDependsOnItsPictures) {
  Options options;
  EXPECT_EQ(planned_run(options).vertex_buffers, 2u);
  EXPECT_EQ(planned_run(options).max_vertices, kMaxSharedVertices);
  EXPECT_EQ(planned_run(options).config.solver, "fmm");
  options.bridge = Bridge::interop;
  EXPECT_EQ(planned_run(options).vertex_buffers, 0u) << "never staged";
  options.headless = true;
  EXPECT_EQ(planned_run(options).vertex_buffers, 0u);
  EXPECT_EQ(planned_run(options).whole_copies, 0u);
  options.screenshot = "a.png";
  options.save = "a.hdf5";
  EXPECT_EQ(planned_run(options).vertex_buffers, 1u);
  EXPECT_GE(planned_run(options).max_vertices, 1'000'000'000u);
  EXPECT_EQ(planned_run(options).whole_copies, 1u);
  options.record = "a.mp4";
  EXPECT_EQ(planned_run(options).vertex_buffers, 2u);
}

TEST_F(Panels, ShowsGpuMemory) {
  frame();
  EXPECT_FALSE(find("gpu-memory"));
  state.config.backend = Backend::cuda;
  state.device_name = "NVIDIA H200";
  state.device_memory = {345'600'000, 139'200'000'000, 150'100'000'000};
  frame();
  for (const auto& [label, text] : {std::pair("gpu", "NVIDIA H200"), std::pair("gpu-memory", "346 MB"),
                                    std::pair("gpu-memory-free", "139 GB of 150 GB")}) {
    const auto item = find(label);
    ASSERT_TRUE(item) << label;
    EXPECT_LT(item->x1, ui.layout.panel_width);
    point_at(*item);
    for (int k = 0; k < 3; ++k) frame(1);
    EXPECT_THAT(log.tooltip, testing::HasSubstr(text));
  }
}

}  // namespace
}  // namespace pericenter::app

// Which command lines let the window open before CUDA has started.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "app/settings/command_line.h"
#include "sim/core/fault_injection.h"

namespace pericenter::app {
namespace {

class AwaitedCuda : public testing::Test {
 protected:
  AwaitedCuda() { EXPECT_EQ(plan_fault("slow_cuda"), ""); }  // a driver, on machines without one
  ~AwaitedCuda() override { plan_fault({}); }

  static Options parse(std::vector<const char*> words) {
    words.insert(words.begin(), "pericenter");
    return parse_command_line(static_cast<int>(words.size()), words.data()).options;
  }
};

TEST_F(AwaitedCuda, IsForScenesOfAWindow) {
  using Words = std::vector<const char*>;
  for (const Words& words : {Words{}, Words{"--scene", "plummer", "-n", "1000"}, Words{"--backend", "auto"},
                             Words{"--precision", "double"}, Words{"--bridge", "staged"}, Words{"--theta", "1"}}) {
    const Options options = parse(words);
    EXPECT_TRUE(options.awaits_cuda) << testing::PrintToString(words);
    EXPECT_TRUE(options.early_scene);
    EXPECT_EQ(options.config.backend, Backend::cpu);
  }
}

// Otherwise a wrong option would be reported after the window has opened, or another part of the program needs the
// backend.
TEST_F(AwaitedCuda, IsNotForOthers) {
  using Words = std::vector<const char*>;
  for (const Words& words : {Words{"--headless"}, Words{"--backend", "cpu"}, Words{"--solver", "octree"},
                             Words{"--compare", "theta=1"}, Words{"--lesson", "the-fall"}, Words{"--station"},
                             Words{"--scene-string", "pericenter/1 scene=plummer n=100"}, Words{"-n", "10000001"}}) {
    EXPECT_FALSE(parse(words).awaits_cuda) << testing::PrintToString(words);
  }
}

TEST_F(AwaitedCuda, IsNotWithoutADriver) {
  plan_fault({});
  if (cuda_starts_slowly()) GTEST_SKIP() << "this machine has NVIDIA's driver";
  EXPECT_FALSE(parse({}).awaits_cuda);
  EXPECT_TRUE(parse({}).early_scene);
  EXPECT_TRUE(parse({"--solver", "octree"}).early_scene);
  EXPECT_FALSE(parse({"--lesson", "the-fall"}).early_scene);
  EXPECT_FALSE(parse({"--headless"}).early_scene);
}

// The panel may change to CUDA later, on the GPU that renders, which only the window knows.
TEST_F(AwaitedCuda, CpuBesideADriverIsNotEarly) {
  EXPECT_FALSE(parse({"--backend", "cpu"}).early_scene);
}

TEST_F(AwaitedCuda, DeviceSelectsTheBackend) {
  for (const std::optional<int> device : {std::optional<int>(), std::optional(3)}) {
    Options options = parse({});
    set_awaited_device(options, device);
    EXPECT_FALSE(options.awaits_cuda);
    EXPECT_EQ(options.config.backend, device ? Backend::cuda : Backend::cpu);
    EXPECT_EQ(options.config.device, device.value_or(0));
  }
}

}  // namespace
}  // namespace pericenter::app

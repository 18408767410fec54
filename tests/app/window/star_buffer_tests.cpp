#include "app/window/star_buffer.h"

#include <gtest/gtest.h>

#include "render/headless_context.h"
#include "tests/support/panel_fixture.h"
#include "tests/support/running_simulation.h"

namespace pericenter::app {
namespace {

class StarBuffers : public Panels {
 protected:
  bool shows(std::size_t bodies) {
    return test::eventually([&] {
      const SessionState latest = simulation_.state();
      stars_.update(simulation_, latest, ui);
      return stars_.stars().count == bodies;
    });
  }

  render::HeadlessContext context_;
  Viewport view_{""};
  StarBuffer stars_{view_, {}};
  SimulationThread simulation_;
};

// A direct sum of a million bodies takes minutes.
TEST_F(StarBuffers, TheFirstSceneDisappearsIfItIsCancelled) {
  constexpr std::size_t kMany = 1'000'000;
  simulation_.request(request::LoadScene{"uniform", {.bodies = kMany}, Config{.solver = "direct"}});
  ASSERT_TRUE(shows(kMany));
  EXPECT_EQ(stars_.scene_serial(), 1u);
  simulation_.cancel();
  ASSERT_TRUE(shows(0));
  EXPECT_EQ(stars_.scene_serial(), 0u);
  simulation_.request(request::LoadScene{"plummer", {.bodies = 100}});
  EXPECT_TRUE(shows(100));
}

}  // namespace
}  // namespace pericenter::app

#include "app/window/star_buffer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "render/headless_context.h"
#include "render/star_readback.h"
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

TEST_F(StarBuffers, HaveTheAgeOfTheMomentShown) {
  simulation_.request(request::LoadScene{"galaxy", {.bodies = 500}});
  ASSERT_TRUE(shows(500));
  EXPECT_EQ(stars_.stars().age, 0);
  simulation_.request(request::Step{});
  ASSERT_TRUE(test::eventually([&] { return shows(500) && stars_.time() > 0; }));
  const SessionState latest = simulation_.state();
  EXPECT_FLOAT_EQ(stars_.stars().age, static_cast<float>(stars_.time() * latest.units.time_myr / 1000));
}

// Regression: their dots were drawn where an earlier sample had seen them.
TEST_F(StarBuffers, HaveThePointMassesOfTheirScene) {
  const std::pair<const char*, std::size_t> scenes[] = {
      {"toomre-mice", 2}, {"plummer", 0}, {"solar-system", 9}, {"uniform", 0}, {"small-bodies", 9}};
  for (const auto& [scene, masses] : scenes) {
    simulation_.request(request::LoadScene{scene, {.bodies = 500}});
    const std::uint64_t before = stars_.scene_serial();
    ASSERT_TRUE(test::eventually([&] { return shows(500) && stars_.scene_serial() > before; })) << scene;
    ASSERT_TRUE(test::eventually([&] { return shows(500) && stars_.stars().masses.count == masses; })) << scene;
    EXPECT_EQ(stars_.stars().masses.sun, masses == 9) << scene;
  }
}

// The second star of two is the third of three bodies.
TEST_F(StarBuffers, AClickSelectsTheBodyOfAStar) {
  Interop limited;
  limited.max_vertices = 2;
  StarBuffer half(view_, limited);
  const auto update = [&](std::uint64_t serial) {
    const SessionState latest = simulation_.state();
    half.update(simulation_, latest, ui);
    half.sample(latest, ui);
    return half.scene_serial() == serial && ui.stars.sample && ui.stars.sample->stars.size() == 2;
  };
  simulation_.request(request::LoadScene{"figure-eight", {.bodies = 3}});
  ASSERT_TRUE(test::eventually([&] { return update(1); }));
  EXPECT_EQ(half.bridge().every(), 2u);
  const PixelRect area{0, 0, 320, 180};
  half.draw(ui, area);
  const std::vector<render::SampledStar> stars = render::read_stars(half.stars(), 0, 2);
  ASSERT_EQ(stars.size(), 2u);
  for (const std::uint32_t vertex : {0u, 1u}) {
    const glm::mat4 matrix = view_.camera().projection(320.0f / 180) * view_.camera().view();
    const glm::vec4 seen = matrix * glm::vec4(stars[vertex].position, 1);
    ImGuiIO io;
    io.DisplaySize = {320, 180};
    io.DisplayFramebufferScale = {1, 1};
    io.MousePos = {160 * (1 + seen.x / seen.w), 90 * (1 - seen.y / seen.w)};
    io.MouseClicked[0] = true;
    half.select_clicked(io, ui);
    io.MouseClicked[0] = false;
    io.MouseReleased[0] = true;
    half.select_clicked(io, ui);
    EXPECT_EQ(ui.stars.shown, 2 * vertex);
  }
  for (const std::uint32_t body : {0u, 1u, 2u}) {
    ui.stars.probed = body;
    ui.stars.sample->chosen.reset();
    const auto arrives = [&] { return !half.sampling(); };
    update(1);
    ASSERT_TRUE(test::eventually([&] { return update(1) && arrives(); }));
    ASSERT_EQ(ui.stars.sample->chosen.has_value(), body != 1) << "body 1 has no star";
    if (body != 1) {
      EXPECT_EQ(ui.stars.sample->chosen->position, stars[body / 2].position);
    }
  }
  EXPECT_EQ(ui.stars.sample->first.size(), 1u) << "the second star is not the second body";
}

// Steps of 40 ms and more, frames of a few.
TEST_F(StarBuffers, ShowsTheWayBetweenSteps) {
  const Config slow{.solver = "direct", .precision = Precision::float64, .threads = 1, .simd = Simd::plain};
  simulation_.request(request::LoadScene{"plummer", {.bodies = 4000}, slow});
  ASSERT_TRUE(shows(4000));
  ui.view.trails.show = true;
  simulation_.request(request::Play{});
  double before = 0;
  std::size_t between = 0;
  const auto watch = [&] {
    const SessionState latest = simulation_.state();
    const StarChanges changes = stars_.update(simulation_, latest, ui);
    stars_.sample(latest, ui);
    const double dt = latest.params.dt, time = stars_.time();
    EXPECT_GE(time, before);
    EXPECT_LE(time, latest.time + 2.01 * dt)
        << "at most the step that is being computed, or was when the state was read";
    if (changes.any) before = time;
    const bool whole = std::abs(time / dt - std::round(time / dt)) < 1e-9;
    EXPECT_EQ(stars_.stars().mixed() != 0, !whole);
    between += whole ? 0 : 1;
    return between > 30 && latest.steps > 8;
  };
  ASSERT_TRUE(test::eventually(watch));
  EXPECT_LE(ui.stars.sample->time, stars_.time());

  // Ways are bent while no scalars are shown.
  EXPECT_TRUE(stars_.stars().bends);
  ui.view.image.color = render::ColorMode::speed;
  const std::uint64_t then = simulation_.state().steps;
  ASSERT_TRUE(test::eventually([&] {
    const SessionState latest = simulation_.state();
    stars_.update(simulation_, latest, ui);
    return latest.steps > then + 2 && stars_.stars().mixed() == 1;
  }));

  // Cells of the tree belong to a step, and so do the stars with them.
  ui.view.tree.show = true;
  const std::uint64_t steps = simulation_.state().steps;
  ASSERT_TRUE(test::eventually([&] {
    const SessionState latest = simulation_.state();
    stars_.update(simulation_, latest, ui);
    EXPECT_EQ(stars_.stars().before, 0u);
    return latest.steps > steps + 3;
  }));
  EXPECT_LE(stars_.time(), simulation_.state().time + 1e-9) << "not ahead of the tree";

  // A pause ends at a step, with its own speeds.
  ui.view.tree.show = false;
  ASSERT_TRUE(test::eventually([&] {
    stars_.update(simulation_, simulation_.state(), ui);
    return stars_.stars().mixed() != 0;
  }));
  simulation_.request(request::Play{false});
  ASSERT_TRUE(test::eventually([&] {
    const SessionState latest = simulation_.state();
    stars_.update(simulation_, latest, ui);
    return !latest.running && stars_.time() == latest.time && simulation_.waits_at() == latest.time;
  }));
  EXPECT_EQ(stars_.stars().mixed(), 0u);
}

// Steps of 0.01 at 12 steps per second, in a video of 30 frames per second.
TEST_F(StarBuffers, FramesOfAVideoAreAtEvenMoments) {
  simulation_.request(request::LoadScene{"two-body", {.bodies = 2}});
  ASSERT_TRUE(shows(2));
  ui.output.recording = true;
  const double dt = simulation_.state().params.dt;
  simulation_.request(request::SetSpeed{12 * dt});
  simulation_.request(request::SetExactPace{true, 30});
  simulation_.request(request::Play{});
  std::vector<double> times;
  int ways = 0, bent = 0;
  ASSERT_TRUE(test::eventually([&] {
    const StarChanges changes = stars_.update(simulation_, simulation_.state(), ui);
    for (int frame = 0; changes.new_time && frame < changes.video_frames; ++frame) {
      stars_.show_video_frame();
      times.push_back(stars_.time());
      ways += stars_.stars().mixed() != 0 ? 1 : 0;
      bent += stars_.stars().mixed() == 2 ? 1 : 0;
    }
    return times.size() > 40;
  }));
  for (std::size_t k = 10; k + 1 < times.size(); ++k) EXPECT_NEAR(times[k + 1] - times[k], 0.4 * dt, 1e-6 * dt) << k;
  EXPECT_GT(ways, 25) << "but for those at a step";
  EXPECT_EQ(bent, ways);

  // The run continues after a recording that ends between two steps.
  ui.output.recording = false;
  simulation_.request(request::SetExactPace{false, 30});
  const std::uint64_t then = simulation_.state().steps;
  EXPECT_TRUE(test::eventually([&] {
    stars_.update(simulation_, simulation_.state(), ui);
    return simulation_.state().steps > then + 5;
  }));
}

}  // namespace
}  // namespace pericenter::app

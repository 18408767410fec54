#include "app/window/scene_controller.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include "app/settings/auto_body_count.h"
#include "app/ui/send_requests.h"
#include "render/headless_context.h"
#include "sim/files/stated.h"
#include "tests/support/panel_fixture.h"
#include "tests/support/running_simulation.h"

namespace pericenter::app {
namespace {

class SceneControllers : public Panels {
 protected:
  SceneControllers() {
    options_.paused = true;
    state.highlight_time = 10;
    state.running = true;
  }
  /// Whether the controller pauses when the time is `time`, after it was `before`.
  bool pauses(double before, double time, double dt) {
    state.params.dt = dt;
    state.time = before;
    controller_.update(state);
    ui.requests.clear();
    state.time = time;
    controller_.update(state);
    const auto play = asked<request::Play>();
    return play && !play->running;
  }

  UiFrame view_of_frame() const { return {.simulation = state}; }

  Options options_;
  render::HeadlessContext context_;
  SimulationThread simulation_;
  Viewport view_{""};
  SceneController controller_{options_, simulation_, view_, ui};
};

// Regression: the error of an earlier paste came back after a successful one.
TEST_F(SceneControllers, ASuccessfulPasteClearsEarlierErrors) {
  const UiFrame view{.simulation = state, .now = 1};
  add_notice({"The scene is too large.", true, 0, {}, NoticeSource::simulation}, ui);
  ImGui::SetClipboardText("no scene");
  controller_.paste(view);
  controller_.paste(view);
  EXPECT_TRUE(ui.notices.shown.is_error);
  EXPECT_EQ(ui.notices.older.size(), 1u) << "a second error replaces the first";
  ImGui::SetClipboardText("pericenter/1 scene=plummer n=100");
  controller_.paste(view);
  EXPECT_EQ(ui.notices.shown.text, "Scene string pasted.");
  EXPECT_TRUE(ui.notices.older.empty());
}

TEST_F(SceneControllers, TheFirstSceneHasTheConfigOfTheCommandLine) {
  simulation_.request(request::SetConfig{{.solver = "direct", .dimension = 2}});  // of a lesson
  simulation_.request(request::ChooseSolver{false});
  options_.bodies = 200;
  options_.scene = "plummer";
  controller_.start(options_.config, false);
  while (simulation_.state().scene != "plummer") std::this_thread::yield();
  const SessionState started = simulation_.state();
  EXPECT_EQ(started.config.dimension, 3);
  EXPECT_TRUE(started.automatic_solver);
}

// Regression: after "two-body", the discs of the next scene had no bodies.
TEST_F(SceneControllers, ASceneOfFixedSizeDoesNotChooseTheBodiesOfTheNext) {
  options_.bodies = 2;
  options_.scene = "two-body";
  controller_.start(options_.config, false);
  EXPECT_EQ(ui.scene.bodies, 20'000u);
  options_.bodies = 500;
  options_.scene = "plummer";
  controller_.start(options_.config, false);
  EXPECT_EQ(ui.scene.bodies, 500u);
  options_.bodies = 3;
  options_.scene = "figure-eight";
  controller_.start(options_.config, false);
  EXPECT_EQ(ui.scene.bodies, 500u) << "as before";
}

TEST_F(SceneControllers, WhatTheCommandLineStatesHoldsForItsFile) {
  options_.load = "/data/cluster.std";
  options_.read.stated = {.units = units_from("length=pc mass=Msun velocity=km/s"), .box = 12.5};
  options_.read.selection = {.every = 100, .types = types_from("gas"), .region = Region{{1, 2, 3}, 4}};
  controller_.start(options_.config, false);
  EXPECT_EQ(asked<request::LoadSource>()->source->options.selection, options_.read.selection);
  EXPECT_EQ(ui.files.every, "100");
  EXPECT_EQ(ui.files.types, 1u);
  EXPECT_EQ(ui.files.region, "1,2,3,4");
  EXPECT_EQ(ui.files.read.stated, options_.read.stated);
  EXPECT_EQ(ui.files.units, "length=pc mass=Msun velocity=km/s") << "the panel shows it";
  EXPECT_EQ(ui.files.periodic, "12.5");
  open_files({"/data/other.std"}, ui.files, ui);
  EXPECT_FALSE(ui.files.read.stated.any());
}

TEST_F(SceneControllers, ASceneIsShownBeforeItStartsAndMayBeCancelled) {
  state.scene_serial = 1;
  state.view_radius = 10;
  EXPECT_TRUE(controller_.update(state));
  EXPECT_TRUE(controller_.has_started());
  view_.camera().set_pose({{1, 2, 3}, 0.5f, 0.6f, 7});
  ui.view.follow = {.what = Follow::What::galaxy, .galaxy = 1};
  const SessionState old = state;
  state.scene_serial = 2;
  state.view_radius = 1000;
  state.busy = state.computing_forces = true;
  EXPECT_FALSE(controller_.update(state)) << "its first forces are missing";
  EXPECT_GT(view_.camera().pose().distance, 100) << "the camera fits it";
  EXPECT_EQ(ui.view.follow, (Follow{.what = Follow::What::story}));
  EXPECT_EQ(controller_.scene_serial(), 2u);

  EXPECT_FALSE(controller_.update(old)) << "cancelled";
  EXPECT_EQ(view_.camera().pose(), (render::CameraPose{{1, 2, 3}, 0.5f, 0.6f, 7}));
  EXPECT_EQ(ui.view.follow, (Follow{.what = Follow::What::galaxy, .galaxy = 1}));

  state.scene_serial = 3;
  EXPECT_FALSE(controller_.update(state));
  const render::CameraPose turned = {{}, 1, 1, 500};
  view_.camera().set_pose(turned);
  state.busy = state.computing_forces = false;
  EXPECT_TRUE(controller_.update(state));
  EXPECT_EQ(view_.camera().pose(), turned) << "the camera stays where the user has moved it";
  EXPECT_FALSE(controller_.update(state));
}

TEST_F(SceneControllers, TheFirstSceneStartsAfterItsFirstForces) {
  SessionState shown = state;
  shown.scene_serial = 1;
  shown.busy = shown.computing_forces = true;
  options_.bodies = 50'000;
  options_.scene = "plummer";
  options_.camera = render::CameraPose{{}, 1, 1, 42};
  options_.paused = false;
  controller_.start(options_.config, false);
  simulation_.recall();
  EXPECT_FALSE(controller_.update(shown));
  EXPECT_EQ(view_.camera().pose(), *options_.camera);
  EXPECT_FALSE(controller_.has_started());
  while (simulation_.state().scene_serial == 0) std::this_thread::yield();
  EXPECT_FALSE(simulation_.state().running);
  shown.busy = shown.computing_forces = false;
  EXPECT_TRUE(controller_.update(shown));
  while (!simulation_.state().running) std::this_thread::yield();
}

/// The options of a window that requests its scene before it opens.
class EarlyScenes : public SceneControllers {
 protected:
  EarlyScenes() {
    options_.scene = "plummer";
    options_.early_scene = options_.awaits_cuda = true;
  }
  SessionState until(const std::function<bool(const SessionState&)>& condition) {
    EXPECT_TRUE(test::eventually([&] {
      const SessionState latest = simulation_.state();
      early_->update(latest);
      return condition(latest);
    }));
    return simulation_.state();
  }
  static bool waits(const SessionState& latest) { return latest.awaits_device; }

  std::optional<SceneController> early_;
};

TEST_F(EarlyScenes, AreCreatedAtOnceAndStartOnTheDevice) {
  options_.bodies = 500;
  early_.emplace(options_, simulation_, view_, ui);
  EXPECT_EQ(ui.scene.bodies, 500u);
  EXPECT_EQ(until(waits).scene_serial, 0u);
  EXPECT_FALSE(early_->measuring());
  early_->start(options_.config, false);
  early_->set_device(std::nullopt);
  const SessionState started = until([](const SessionState& latest) { return latest.scene_serial != 0; });
  EXPECT_EQ(started.bodies, 500u);
  EXPECT_EQ(started.config.backend, Backend::cpu);
  EXPECT_TRUE(early_->has_started());
}

// Most GPUs can run the largest number. This is a CPU, on which fewer fit.
TEST_F(EarlyScenes, HaveAnotherNumberOfBodiesIfTheDeviceIsSlow) {
  early_.emplace(options_, simulation_, view_, ui);
  EXPECT_EQ(ui.scene.bodies, most_fitting_bodies("plummer"));
  until(waits);
  early_->start(options_.config, true);
  early_->set_device(std::nullopt);
  EXPECT_TRUE(early_->measuring());
  const SessionState started =
      until([](const SessionState& latest) { return !latest.busy && latest.scene_serial != 0; });
  EXPECT_FALSE(early_->measuring());
  EXPECT_EQ(started.bodies, ui.scene.bodies);
  EXPECT_LE(started.bodies, 200'000u);
}

TEST_F(EarlyScenes, OfACpuStartAfterTheFirstFrame) {
  options_.awaits_cuda = false;
  options_.bodies = 500;
  std::vector<Vertex> shown(500);
  simulation_.lend(host_target(shown));
  early_.emplace(options_, simulation_, view_, ui);
  until([](const SessionState& latest) { return latest.awaits_device && latest.scene_serial == 1; });
  early_->start(options_.config, true);
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_TRUE(simulation_.state().awaits_device);
  early_->set_device(std::nullopt);
  early_->set_device(std::nullopt);  // ignored
  EXPECT_EQ(until([](const SessionState& latest) { return !latest.busy && latest.scene_serial != 0; }).bodies, 500u);
  EXPECT_EQ(simulation_.state().scene_serial, 1u);
  simulation_.recall();
  early_->start(options_.config, true);
  EXPECT_EQ(until([](const SessionState& latest) { return !latest.busy && latest.scene_serial == 2; }).scene, "plummer")
      << "only the first call is done early: a lesson that is left loads the scene again";
}

// Before the window knows what renders.
TEST_F(EarlyScenes, OfACpuAreMeasuredAndRequestedEarly) {
  options_.awaits_cuda = false;
  early_.emplace(options_, simulation_, view_, ui);
  EXPECT_TRUE(early_->measuring());
  const std::size_t bodies = until(waits).next_bodies;
  EXPECT_GE(bodies, 2000u);
  EXPECT_LE(bodies, 200'000u);
  EXPECT_TRUE(early_->measuring());
  early_->start(options_.config, true);
  until([&](const SessionState&) { return !early_->measuring(); });
  EXPECT_EQ(ui.scene.bodies, bodies);
  early_->set_device(std::nullopt);
  const SessionState started =
      until([](const SessionState& latest) { return !latest.busy && latest.scene_serial != 0; });
  EXPECT_EQ(started.bodies, bodies);
  EXPECT_EQ(started.scene_serial, 1u) << "created once";
}

TEST_F(EarlyScenes, OfACpuHaveMoreBodiesIfAGpuRenders) {
  options_.awaits_cuda = false;
  early_.emplace(options_, simulation_, view_, ui);
  const std::size_t in_software = until(waits).next_bodies;
  early_->start(options_.config, false);
  until([&](const SessionState&) { return !early_->measuring(); });
  EXPECT_GE(ui.scene.bodies, in_software);
  until([&](const SessionState& latest) { return latest.awaits_device && latest.next_bodies == ui.scene.bodies; });
  early_->set_device(std::nullopt);
  const SessionState started =
      until([](const SessionState& latest) { return !latest.busy && latest.scene_serial != 0; });
  EXPECT_EQ(started.bodies, ui.scene.bodies);
}

TEST_F(EarlyScenes, OfFixedSizeAreNotCreatedTwice) {
  options_.scene = "holmberg";
  early_.emplace(options_, simulation_, view_, ui);
  std::vector<Vertex> shown(74);
  simulation_.lend(host_target(shown));
  until([](const SessionState& latest) { return latest.awaits_device && latest.scene_serial == 1; });
  early_->start(options_.config, true);
  early_->set_device(std::nullopt);
  EXPECT_EQ(until([](const SessionState& latest) { return !latest.busy && latest.scene_serial != 0; }).scene_serial,
            1u);
  simulation_.recall();
}

TEST_F(SceneControllers, PauseOncePerRunAtTheKeyMoment) {
  EXPECT_TRUE(pauses(9.9, 10, 0.1));
  EXPECT_TRUE(ui.captions.guide.at_key_moment);
  EXPECT_FALSE(ui.view.pause_at_highlight) << "the checkbox says whether it will pause";
  EXPECT_FALSE(pauses(10, 10.1, 0.1)) << "Play continues";
  EXPECT_FALSE(pauses(9.9, 10, 0.1)) << "once";
  ++state.scene_serial;
  EXPECT_TRUE(pauses(9.9, 10, 0.1)) << "another run, such as Reset";
}

// A pause that nobody asked for is not one of the next scene.
TEST_F(SceneControllers, TheNextSceneRunsAfterAPauseAtTheKeyMoment) {
  const auto next_scene_runs = [&] {
    ui.requests.clear();
    ++state.scene_serial;
    controller_.update(state);
    const auto play = asked<request::Play>();
    return play && play->running;
  };
  EXPECT_FALSE(next_scene_runs());
  ASSERT_TRUE(pauses(9.9, 10, 0.1));
  EXPECT_TRUE(next_scene_runs());
  EXPECT_FALSE(next_scene_runs()) << "once";
  ASSERT_TRUE(pauses(9.9, 10, 0.1));
  set_running(true, view_of_frame(), ui);
  update_guide(view_of_frame(), ui);
  controller_.update(state);
  set_running(false, view_of_frame(), ui);
  controller_.update(state);
  EXPECT_FALSE(next_scene_runs()) << "paused by the user";
}

TEST_F(SceneControllers, PauseAtTheHighlightInBothDirections) {
  const auto pauses_again = [&](double before, double time, double dt) {
    controller_.update(state);
    ui.view.pause_at_highlight = true;
    return pauses(before, time, dt);
  };
  EXPECT_TRUE(pauses_again(9.9, 10, 0.1));
  EXPECT_TRUE(pauses_again(10.1, 9.95, -0.1));
  EXPECT_FALSE(pauses_again(10, 9.9, -0.1));
  EXPECT_FALSE(pauses_again(12, 9, 0.1)) << "a jump back, such as Reset";
  EXPECT_FALSE(pauses_again(9, 12, -0.1));
  ui.view.pause_at_highlight = false;
  EXPECT_FALSE(pauses(10.1, 9.95, -0.1));
}

TEST_F(SceneControllers, DoNotPauseWhereItWouldDisturb) {
  const auto pauses_with = [&](auto change) {
    ++state.scene_serial;
    controller_.update(state);
    change(true);
    const bool paused = pauses(9.9, 10, 0.1);
    change(false);
    return paused;
  };
  EXPECT_TRUE(pauses_with([](bool) {}));
  EXPECT_FALSE(pauses_with([&](bool on) {
    if (on) ui.lesson.lesson = std::make_shared<const Lesson>();
    if (!on) ui.lesson = {};
  }));
  EXPECT_FALSE(pauses_with([&](bool on) { ui.presentation.station = on; }));
  EXPECT_FALSE(pauses_with([&](bool on) { ui.output.recording = on; }));
  EXPECT_FALSE(pauses_with([&](bool on) { state.running = !on; })) << "a jump while paused";
  ui.layout.side_bar.pauses_at_key_moments = false;
  EXPECT_FALSE(pauses_with([](bool) {})) << "switched off for good";
}

}  // namespace
}  // namespace pericenter::app

#include "app/window/comparison_controller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <utility>

#include "app/cluster/engine_run.h"
#include "app/ui/send_requests.h"
#include "app/window/commands.h"
#include "render/headless_context.h"
#include "sim/core/fault_injection.h"
#include "tests/support/engine_series.h"
#include "tests/support/running_simulation.h"

namespace pericenter::app {
namespace {

using testing::HasSubstr;

/// The main loop without a window and panels.
class Comparisons : public testing::Test {
 protected:
  using Condition = std::function<bool(const SessionState&)>;

  /// Loads a scene and plays it.
  void play(const std::string& scene = "collision", std::size_t bodies = 600) {
    simulation_.request(request::LoadScene{scene, {.bodies = bodies}});
    simulation_.request(request::Play{true});
    ASSERT_TRUE(until([](const SessionState& state) { return state.steps >= 3; }));
  }
  void frame() {
    const SessionState state = simulation_.state();
    shown_time_ = state.time;
    comparison_.begin_update(state);
    stars_.update(simulation_, state, ui_);
    const bool sampled = stars_.sample(state, ui_);
    comparison_.update(state, {.sampled = sampled});
    const UiFrame view = view_of(state);
    update(view, ui_);
    for (const Command& command : std::exchange(ui_.commands, {}))
      apply_command(command, view, {.ui = ui_, .comparison = &comparison_});
    if (const auto wanted = std::exchange(ui_.comparison.wanted, std::nullopt)) comparison_.start(*wanted, view);
    ui_.requests.send([&](Request request) {
      comparison_.forward(request, state);
      return simulation_.request(std::move(request));
    });
    glFinish();
  }
  UiFrame view_of(const SessionState& state) const {
    return {.simulation = state, .reference = comparison_.reference()};
  }
  bool until(const Condition& condition) {
    return test::eventually([&] {
      frame();
      return condition(simulation_.state());
    });
  }
  void press(Action action) { ui_.commands.push_back({action}); }
  bool compares() {
    return until([&](const SessionState&) { return comparison_.reference() != nullptr; });
  }
  /// Waits until this many differences were measured.
  bool measures(std::size_t count) {
    return until([&](const SessionState&) { return ui_.comparison.meter.history().size() >= count; });
  }
  void set(const std::function<void(Params&)>& change) {
    Params params = simulation_.state().params;
    change(params);
    ui_.requests.push_back(request::SetParams{params});
  }
  /// Compares, with a time step of B that is a third of that of A, until both have taken some steps.
  void compare_with_smaller_steps() {
    press(Action::toggle_comparison);
    ASSERT_TRUE(compares());
    dt_ = simulation_.state().params.dt;
    set([&](Params& params) { params.dt = dt_ / 3; });
    ASSERT_TRUE(until([&](const SessionState& b) {
      return b.params.dt < dt_ && a().timeline.last >= a().timeline.first + 20 &&
             std::abs(a().time - b.time) <= 2.01 * dt_;
    }));
  }
  const SessionState& a() const { return *comparison_.reference(); }
  bool paused(const SessionState& b) const {
    return !b.running && !a().running && std::abs(a().time - b.time) < dt_ / 3.01;
  }
  std::string notice() const { return ui_.notices.shown.text; }

  double shown_time_ = 0;  ///< of B in the last frame
  render::HeadlessContext context_;
  UiState ui_;
  Viewport view_{""};
  Interop interop_;
  StarBuffer stars_{view_, interop_};
  SimulationThread simulation_;
  Comparison comparison_{{simulation_, stars_, view_, interop_, ui_}};
  double dt_ = 0;  ///< time step of A
};

TEST_F(Comparisons, EqualSettingsStayExactlyEqual) {
  play();
  press(Action::toggle_comparison);
  ASSERT_TRUE(compares());
  ASSERT_TRUE(measures(30));
  for (const Divergence& one : ui_.comparison.meter.history()) {
    ASSERT_EQ(one.median, 0);
    ASSERT_EQ(one.p99, 0);
  }
  EXPECT_TRUE(ui_.comparison.differences.empty());
}

TEST_F(Comparisons, SnapshotsOfAnEngineAreAAndOurRunIsB) {
  const TemporaryFolder folder;
  const RunRecord record = test::write_engine_series(folder / "run", 400, 6, 2);
  play();
  const SessionState before = simulation_.state();
  comparison_.start_with_series({.first_snapshot = first_snapshot(record),
                                 .start = record.folder + "/ics.hdf5",
                                 .title = "GADGET-4",
                                 .differences = "Splines soften."},
                                view_of(before));
  ASSERT_TRUE(compares());
  EXPECT_TRUE(a().playback);
  EXPECT_FALSE(simulation_.state().playback);
  EXPECT_EQ(a().time, 0);
  EXPECT_EQ(simulation_.state().time, 0);
  EXPECT_EQ(label_lines(ui_.comparison.differences, true).front(), "GADGET-4");
  EXPECT_EQ(notice(), "Splines soften.");
  ui_.requests.push_back(request::Play{true});
  ASSERT_TRUE(measures(4)) << notice();
  const double size = 10;  // scene units
  for (const Divergence& one : ui_.comparison.meter.history()) EXPECT_LT(one.median, 1e-3 * size) << one.time;
  ASSERT_TRUE(until([&](const SessionState& b) { return !b.running && !a().running; })) << "A has an end";
  EXPECT_THAT(notice(), HasSubstr("GADGET-4 end here"));
  EXPECT_NEAR(simulation_.state().time, a().playback->last, 1.01 * simulation_.state().params.dt);
  press(Action::swap_comparison);
  frame();
  EXPECT_THAT(notice(), HasSubstr("only plays"));
  ui_.requests.push_back(request::Reset{});
  ASSERT_TRUE(until([&](const SessionState& b) { return b.time == 0 && !b.playback && !b.busy && a().time == 0; }));
  EXPECT_TRUE(comparison_.active());
  press(Action::toggle_comparison);
  frame();
  EXPECT_FALSE(comparison_.active());
  EXPECT_THAT(notice(), HasSubstr("has ended"));
}

TEST_F(Comparisons, OtherSettingsOfBDiverge) {
  play();
  press(Action::toggle_comparison);
  ASSERT_TRUE(compares());
  set([](Params& params) { params.softening *= 4; });
  ASSERT_TRUE(measures(40));
  EXPECT_GT(ui_.comparison.meter.latest()->median, 0);
  EXPECT_GE(ui_.comparison.meter.latest()->p99, ui_.comparison.meter.latest()->median);
  EXPECT_EQ(label_lines(ui_.comparison.differences, true).front(), "ε 0.1");
  EXPECT_EQ(label_lines(ui_.comparison.differences, false).front(), "ε 0.4");
}

TEST_F(Comparisons, ShowAChangeOfBUntilBHasHandledIt) {
  play();
  press(Action::toggle_comparison);
  ASSERT_TRUE(compares());
  frame();
  const Params before = simulation_.state().params;
  Params params = before;
  params.softening *= 4;
  ui_.requests.push_back(request::Seek{0});  // also goes to A, whose serials are others
  set_params(params, view_of(simulation_.state()), ui_);
  ASSERT_TRUE(until([&](const SessionState& b) {
    EXPECT_EQ(ui_.edited.params.value(), params);
    return b.params == params;
  }));
  params.theta = -1;  // B refuses it
  ui_.edited.params.edit(params, ui_.requests.push_back(request::SetParams{params}));
  ASSERT_TRUE(until([&](const SessionState& b) { return ui_.edited.params.value() == b.params; }));
  press(Action::swap_comparison);
  frame();
  frame();
  EXPECT_EQ(ui_.edited.params.value(), before) << "B is the old A";
}

TEST_F(Comparisons, TimesStayTogetherWithDifferentTimeSteps) {
  play();
  press(Action::toggle_comparison);
  ASSERT_TRUE(compares());
  set([](Params& params) { params.dt = 0.01; });  // A has 0.03
  // A starts from a copy of B, which may have gone on meanwhile.
  const auto apart = [&] { return std::abs(a().time - shown_time_); };
  ASSERT_TRUE(until([&](const SessionState&) { return comparison_.completed_step() && apart() <= 0.0301; }));
  const double before = shown_time_;
  int completed = 0;
  ASSERT_TRUE(until([&](const SessionState&) {
    if (!comparison_.completed_step()) return false;
    EXPECT_LE(apart(), 0.0301) << shown_time_;
    ++completed;
    return shown_time_ > before + 1;
  }));
  EXPECT_GT(completed, 5);
}

TEST_F(Comparisons, PauseAndStepsApplyToBoth) {
  play();
  press(Action::toggle_comparison);
  ASSERT_TRUE(compares());
  ui_.requests.push_back(request::Play{false});
  ASSERT_TRUE(until([&](const SessionState& b) {
    const SessionState& a = *comparison_.reference();
    return !b.running && !a.running && std::abs(a.time - b.time) < 1e-9;
  }));
  const std::uint64_t steps = simulation_.state().steps;
  ui_.requests.push_back(request::Step{2});
  EXPECT_TRUE(until([&](const SessionState& b) {
    return b.steps == steps + 2 && std::abs(comparison_.reference()->time - b.time) < 1e-9;
  }));
}

TEST_F(Comparisons, AResetAppliesToBoth) {
  play();
  press(Action::toggle_comparison);
  ASSERT_TRUE(compares());
  ASSERT_TRUE(until([](const SessionState& b) { return b.steps > 20; }));
  ui_.requests.push_back(request::Play{false});
  ui_.requests.push_back(request::Reset{});
  EXPECT_TRUE(until([&](const SessionState& b) {
    const SessionState* a = comparison_.reference();
    return a && a->steps == 0 && b.steps == 0 && a->scene_serial == b.scene_serial;
  }));
}

TEST_F(Comparisons, AKeepsTheLengthOfItsTimeStepBackwards) {
  play();
  compare_with_smaller_steps();
  const double turn = simulation_.state().time;
  ui_.requests.push_back(request::RunBackwards{});
  ASSERT_TRUE(until([&](const SessionState& b) { return b.time < turn - 5 * dt_ && a().time < turn - 5 * dt_; }));
  EXPECT_EQ(a().params.dt, -dt_);
  EXPECT_EQ(simulation_.state().params.dt, -dt_ / 3);
  ASSERT_TRUE(until([&](const SessionState& b) { return !b.running && !a().running; })) << "both end at the start";
  EXPECT_NEAR(a().time, simulation_.state().time, 1.01 * dt_);
}

TEST_F(Comparisons, GoBackToTheSameTime) {
  play();
  compare_with_smaller_steps();
  ui_.requests.push_back(request::Play{false});
  ASSERT_TRUE(until([&](const SessionState& b) { return paused(b); }));
  const Timeline& now = simulation_.state().timeline;
  const double target = (a().timeline.time_at(a().timeline.first) + simulation_.state().time) / 2;
  ui_.requests.push_back(request::Seek{now.position_at(target)});
  ASSERT_TRUE(until([&](const SessionState& b) { return a().timeline.rewound && b.timeline.rewound; }));
  EXPECT_NEAR(a().timeline.time_at(a().timeline.shown), target, 1.01 * dt_);
  EXPECT_NEAR(simulation_.state().timeline.time_at(simulation_.state().timeline.shown), target, 1.01 * dt_);
  set([](Params& params) { params.softening *= 2; });
  ASSERT_TRUE(until([&](const SessionState& b) { return b.params.softening != a().params.softening; }));
  ASSERT_TRUE(until([&](const SessionState& b) { return !a().timeline.rewound && !b.timeline.rewound; }));
  EXPECT_NEAR(a().time, target, 1.01 * dt_);
  EXPECT_NEAR(simulation_.state().time, target, 1.01 * dt_);
}

TEST_F(Comparisons, BGoesBackToBeforeTheStartOfA) {
  play();
  ASSERT_TRUE(until([](const SessionState& b) { return b.steps >= 30; }));
  compare_with_smaller_steps();
  ui_.requests.push_back(request::Play{false});
  ASSERT_TRUE(until([&](const SessionState& b) { return paused(b); }));
  const double last = simulation_.state().timeline.last;
  ui_.requests.push_back(request::Seek{0});
  ASSERT_TRUE(until([&](const SessionState& b) { return a().timeline.rewound && b.timeline.rewound; }));
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
  while (std::chrono::steady_clock::now() < end) frame();
  const Timeline now = simulation_.state().timeline;
  EXPECT_TRUE(now.rewound);
  EXPECT_EQ(now.shown, 0);
  EXPECT_EQ(now.last, last);
  EXPECT_EQ(a().timeline.shown, a().timeline.first);
}

TEST_F(Comparisons, AResetOfAFileKeepsTheSettingsOfA) {
  const auto file = std::make_shared<SceneSource>();
  file->name = "bodies";
  file->path = "/bodies.csv";
  file->load = [](const Progress&) {
    LoadedScene loaded;
    loaded.scene = find_scene("plummer")->make({.bodies = 300});
    loaded.scene.params.softening = 0.2;
    return loaded;
  };
  simulation_.request(request::LoadSource{file});
  simulation_.request(request::Play{true});
  ASSERT_TRUE(until([](const SessionState& state) { return state.steps >= 3; }));
  set([](Params& params) { params.softening = 0.3, params.theta = 0.9; });
  ASSERT_TRUE(until([](const SessionState& state) { return state.params.theta == 0.9; }));
  press(Action::toggle_comparison);
  ASSERT_TRUE(compares());
  ASSERT_TRUE(until([&](const SessionState& b) { return a().steps > 3 && b.steps > 3; }));
  ui_.requests.push_back(request::Play{false});
  ui_.requests.push_back(request::Reset{});
  ASSERT_TRUE(until([&](const SessionState& b) {
    return comparison_.reference() && !a().busy && a().steps == 0 && b.steps == 0 && a().params.theta == 0.9;
  }));
  EXPECT_EQ(a().params.softening, 0.3);
  EXPECT_EQ(simulation_.state().params.softening, 0.2) << "B has the settings of the file";
}

TEST_F(Comparisons, LoadingTheSameSceneRestartsBoth) {
  play();
  press(Action::toggle_comparison);
  ASSERT_TRUE(compares());
  ASSERT_TRUE(until([&](const SessionState& b) { return a().steps > 5 && b.steps > 5; }));
  ui_.requests.push_back(request::Play{false});
  ui_.requests.push_back(request::LoadScene{"collision", {.bodies = 600}});
  EXPECT_TRUE(until([&](const SessionState& b) { return comparison_.reference() && a().steps == 0 && b.steps == 0; }));
}

TEST_F(Comparisons, TheRunOfACanContinueInPlaceOfB) {
  play();
  compare_with_smaller_steps();
  ui_.requests.push_back(request::Play{false});
  ASSERT_TRUE(until([&](const SessionState& b) { return paused(b); }));
  const double time = a().time;
  comparison_.continue_with_a();
  ASSERT_TRUE(until([&](const SessionState& b) { return !comparison_.active() && !b.busy && b.params.dt == dt_; }));
  EXPECT_EQ(simulation_.state().time, time);
}

TEST_F(Comparisons, AnOldErrorOfBDoesNotEndItAfterASwap) {
  play();
  press(Action::toggle_comparison);
  ASSERT_TRUE(compares());
  set([](Params& params) { params.theta = -1; });
  ASSERT_TRUE(until([](const SessionState& b) { return b.message_is_error && !b.message.empty(); }));
  press(Action::swap_comparison);
  const std::uint64_t steps = simulation_.state().steps;
  EXPECT_TRUE(until([&](const SessionState& b) { return b.steps > steps + 5; }));
  EXPECT_TRUE(comparison_.reference()) << notice();
}

TEST_F(Comparisons, AnotherSceneEndsIt) {
  play();
  press(Action::toggle_comparison);
  ASSERT_TRUE(compares());
  ui_.requests.push_back(request::LoadScene{"plummer", {.bodies = 300}});
  EXPECT_TRUE(until([&](const SessionState&) { return !comparison_.active(); }));
  EXPECT_THAT(notice(), HasSubstr("other bodies were loaded"));
  const std::uint64_t steps = simulation_.state().steps;
  EXPECT_TRUE(until([&](const SessionState& b) { return b.steps > steps + 5; })) << "B continues alone";
}

TEST_F(Comparisons, EndsWithTheSameKeyAndBContinues) {
  play();
  press(Action::toggle_comparison);
  ASSERT_TRUE(compares());
  press(Action::toggle_comparison);
  frame();
  EXPECT_FALSE(comparison_.active());
  EXPECT_FALSE(comparison_.reference());
  const std::uint64_t steps = simulation_.state().steps;
  EXPECT_TRUE(until([&](const SessionState& b) { return b.steps > steps + 5; }));
  EXPECT_FALSE(view_.frame(stars_.stars(), ui_).split);
}

TEST_F(Comparisons, SwapExchangesTheSimulations) {
  play();
  press(Action::toggle_comparison);
  ASSERT_TRUE(compares());
  set([](Params& params) { params.theta = 1.5; });
  ASSERT_TRUE(until([](const SessionState& b) { return b.params.theta == 1.5; }));
  const std::uint64_t serial = simulation_.state().scene_serial;
  press(Action::swap_comparison);
  frame();
  EXPECT_EQ(comparison_.reference()->params.theta, 1.5);
  EXPECT_NE(simulation_.state().params.theta, 1.5);
  EXPECT_EQ(simulation_.state().scene_serial, serial) << "not a new scene";
  const std::size_t measured = ui_.comparison.meter.history().size();
  EXPECT_TRUE(measures(measured + 5));
  press(Action::toggle_comparison);
  frame();
  EXPECT_NE(simulation_.state().params.theta, 1.5) << "what was A continues as B";
}

TEST_F(Comparisons, SpinsRestartBothScenes) {
  play();
  const auto presets = comparison_presets();
  const auto spins = std::ranges::find(presets, "spins", &ComparisonPreset::id);
  ui_.comparison.wanted = spins->setup(simulation_.state());
  ASSERT_TRUE(until([&](const SessionState& b) {
    const SessionState* a = comparison_.reference();
    return a && a->scene_request.encounter && b.scene_request.encounter &&
           a->scene_request.encounter->first.inclination == 0 && b.scene_request.encounter->first.inclination == 180 &&
           a->steps > 5 && b.steps > 5 && b.steps < a->steps + 3;
  }));
  EXPECT_EQ(label_lines(ui_.comparison.differences, false).front(), "retrograde");
  const auto split = view_.frame(stars_.stars(), ui_).split;
  EXPECT_TRUE(split && split->side_by_side);
  EXPECT_TRUE(until([&](const SessionState&) { return ui_.comparison.sample.has_value(); })) << "for the names in A";
}

TEST_F(Comparisons, AFailureOfAEndsIt) {
  play();
  const SessionState state = simulation_.state();
  ComparedSettings broken{.config = state.config, .params = state.params};
  broken.config.dimension = 4;
  comparison_.start({broken, {.config = state.config, .params = state.params}}, view_of(state));
  EXPECT_TRUE(until([&](const SessionState&) { return !notice().empty(); }));
  EXPECT_FALSE(comparison_.active());
  EXPECT_THAT(notice(), HasSubstr("A has failed"));
  EXPECT_TRUE(ui_.notices.shown.is_error);
}

TEST_F(Comparisons, RefusesAPlayback) {
  SessionState state;
  state.scene = "series";
  state.scene_serial = 1;
  state.playback = TimeRange{0, 1};
  comparison_.toggle(view_of(state));
  EXPECT_FALSE(comparison_.active());
  EXPECT_THAT(notice(), HasSubstr("playback"));
}

TEST_F(Comparisons, RefusesWithoutMemoryInTheWindowAndOnStderr) {
  play();
  SessionState state = simulation_.state();
  state.bodies = std::size_t{1} << 40;
  testing::internal::CaptureStderr();
  comparison_.toggle(view_of(state));
  const std::string printed = testing::internal::GetCapturedStderr();
  EXPECT_FALSE(comparison_.active());
  EXPECT_THAT(notice(), HasSubstr("MB are free"));
  EXPECT_THAT(printed, HasSubstr("MB are free"));
}

}  // namespace
}  // namespace pericenter::app

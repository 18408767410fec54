#include <gmock/gmock.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <ios>
#include <random>

#include "app/base/format.h"
#include "sim/solvers/registry.h"
#include "tests/support/panel_fixture.h"

namespace pericenter::app {
namespace {

TEST_F(Panels, PlaysAndPauses) {
  click("play");
  ASSERT_TRUE(asked<request::Play>());
  EXPECT_TRUE(asked<request::Play>()->running);
  click("play");
  ASSERT_TRUE(asked<request::Play>());
  EXPECT_FALSE(asked<request::Play>()->running);
}

TEST_F(Panels, StepPauses) {
  state.running = true;
  click("step");
  ASSERT_TRUE(asked<request::Step>());
  ASSERT_TRUE(asked<request::Play>());
  EXPECT_FALSE(asked<request::Play>()->running);
}

TEST_F(Panels, TimingsTellWhereAStageRuns) {
  StageTimings timings;
  for (const Stage stage : {Stage::build, Stage::upload, Stage::walk}) timings[stage] = 1;
  timings.set_on_gpu(Stage::walk);
  ui.cost.history.push_back(timings);
  const auto tip = [&](Stage stage) { return tip_of(text("stage-%d", static_cast<int>(stage))); };
  EXPECT_THAT(tip(Stage::build), testing::HasSubstr("Runs on the CPU."));
  EXPECT_THAT(tip(Stage::upload), testing::HasSubstr("(PCIe)"));
  EXPECT_THAT(tip(Stage::walk), testing::HasSubstr("Runs on the GPU."));
}

TEST_F(Panels, Resets) {
  click("reset");
  EXPECT_TRUE(asked<request::Reset>());
}

TEST_F(Panels, DragSetsOnlyTheta) {
  frame();
  const auto item = find("theta");
  ASSERT_TRUE(item);
  point_at(*item, 0.5f);
  frame();
  press_mouse(true);
  frame();
  point_at(*item, 0.9f);
  frame();
  const auto* set = asked<request::SetParams>();
  ASSERT_TRUE(set);
  EXPECT_NEAR(set->params.theta, 0.9 * 1.5, 0.05);
  Params rest = set->params;
  rest.theta = state.params.theta;
  EXPECT_EQ(rest, state.params);
}

TEST_F(Panels, ErrorCriterionReplacesTheta) {
  frame();
  EXPECT_FALSE(find("accuracy"));
  state.config.solver = "fmm";
  state.config.solver_options.set(SolverOption::opening, Opening::error);
  for (int k = 0; k < 120; ++k) frame();
  EXPECT_FALSE(find("theta"));
  const auto item = find("accuracy");
  ASSERT_TRUE(item);
  point_at(*item, 0.4f);
  frame();
  press_mouse(true);
  frame();
  const auto* set = asked<request::SetParams>();
  ASSERT_TRUE(set);
  EXPECT_NEAR(std::log10(set->params.accuracy), -4, 0.2) << "two of five decades";
  EXPECT_EQ(problem_with(set->params), "");
  Params rest = set->params;
  rest.accuracy = state.params.accuracy;
  EXPECT_EQ(rest, state.params);
}

TEST_F(Panels, SofteningByTheNumberOfBodies) {
  state.scene_request.bodies = 100'000;
  frame();
  EXPECT_EQ(find("softening-by-bodies")->label, "By number: 0.23 kpc");
  click("softening-by-bodies");
  ASSERT_TRUE(asked<request::LoadScene>());
  EXPECT_EQ(asked<request::LoadScene>()->scene.softening, 0.0658) << "the velocities depend on it";
  EXPECT_EQ(asked<request::LoadScene>()->scene.bodies, 100'000u);
  state.scene_request.softening = 0.0658;
  ui.requests.clear();
  click("softening-by-bodies");
  ASSERT_TRUE(asked<request::LoadScene>());
  EXPECT_EQ(asked<request::LoadScene>()->scene.softening, 0) << "that of the scene";
  state.scene = "two-body";
  ui.requests.clear();
  click("softening-by-bodies");
  EXPECT_FALSE(asked<request::LoadScene>()) << "disabled";
}

TEST_F(Panels, AdaptiveStepsShowTheirParts) {
  frame();
  ASSERT_FALSE(ui.edited.params.value().adaptive_steps > 0);
  click("adaptive-steps");
  const auto* set = asked<request::SetParams>();
  ASSERT_TRUE(set);
  EXPECT_EQ(set->params.adaptive_steps, 0.025);
  state.suggested.adaptive_steps = 0.001;
  state.params = set->params;
  state.step_parts = 4;
  for (int k = 0; k < 120; ++k) frame();
  EXPECT_EQ(find("adaptive-steps")->label, "Adaptive steps (now 4 × dt/4)");
  click("adaptive-steps");
  ASSERT_TRUE(asked<request::SetParams>());
  EXPECT_EQ(asked<request::SetParams>()->params.adaptive_steps, 0);
}

TEST_F(Panels, ControlKeepsValueDuringSlowStep) {
  frame();
  const auto item = find("theta");
  ASSERT_TRUE(item);
  point_at(*item, 0.9f);
  frame();
  press_mouse(true);
  frame();
  press_mouse(false);
  const double wanted = ui.edited.params.value().theta;
  ASSERT_NE(wanted, state.params.theta);
  for (int k = 0; k < 120; ++k) frame();  // two seconds within one step
  EXPECT_EQ(ui.edited.params.value().theta, wanted);
  state.steps += 2;
  frame();
  EXPECT_EQ(ui.edited.params.value().theta, wanted) << "steps do not acknowledge a request";
  handle_requests();  // the simulation did not apply it
  frame();
  EXPECT_EQ(ui.edited.params.value().theta, state.params.theta);
}

TEST_F(Panels, BackwardsNegatesTimestep) {
  click("backwards");
  ASSERT_TRUE(asked<request::SetParams>());
  EXPECT_DOUBLE_EQ(asked<request::SetParams>()->params.dt, -state.params.dt);
}

TEST_F(Panels, RunsBackwardsToTheStart) {
  state.time = state.start_time = 3;
  click("run-backwards");
  EXPECT_FALSE(asked<request::RunBackwards>());
  EXPECT_EQ(tip_of("run-backwards"), "This is the start of the run.");
  state.time = 3 + 40 * state.params.dt;
  click("run-backwards");
  EXPECT_TRUE(asked<request::RunBackwards>());
  EXPECT_THAT(tip_of("run-backwards"), testing::HasSubstr("the 40 steps back"));
  state.returning = state.running = true;
  click("run-backwards");
  EXPECT_FALSE(asked<request::RunBackwards>());
  EXPECT_THAT(tip_of("run-backwards"), testing::HasSubstr("pauses at its start"));
  state.running = false;
  click("run-backwards");
  EXPECT_TRUE(asked<request::RunBackwards>()) << "a paused return can be continued";
  state.playback = {0, 10};
  click("run-backwards");
  EXPECT_FALSE(asked<request::RunBackwards>());
}

TEST_F(Panels, SceneComboListsAllScenes) {
  open_list("scene");
  for (const SceneInfo& info : scenes()) EXPECT_TRUE(find("scene/" + std::string(info.name))) << info.name;
  const SceneInfo& second = scenes()[1];
  click("scene/" + std::string(second.name));
  ASSERT_TRUE(asked<request::LoadScene>());
  EXPECT_EQ(asked<request::LoadScene>()->name, second.name);
  EXPECT_EQ(asked<request::LoadScene>()->scene.bodies, 20'000u);
}

// Regression: the first seconds named a solver that was not used.
TEST_F(Panels, AutomaticAlgorithmHasNoNameBeforeTheFirstScene) {
  state.automatic_solver = true;
  frame();
  const float with_name = find("algorithm")->needed;
  state.scene_serial = 0;
  frame();
  EXPECT_LT(find("algorithm")->needed, with_name);
}

TEST_F(Panels, AlgorithmComboListsAllSolvers) {
  click("algorithm");
  frame();
  for (const SolverInfo& info : solvers()) EXPECT_TRUE(find("algorithm/" + std::string(info.name))) << info.name;
  click("algorithm/direct");
  ASSERT_TRUE(asked<request::SetConfig>());
  EXPECT_EQ(asked<request::SetConfig>()->config.solver, "direct");
}

TEST_F(Panels, SelectsAlgorithmAutomaticallyOrManually) {
  click("algorithm");
  click("algorithm/automatic");
  ASSERT_TRUE(asked<request::ChooseSolver>());
  EXPECT_TRUE(asked<request::ChooseSolver>()->automatically);
  EXPECT_FALSE(asked<request::SetConfig>());
  ui.requests.clear();
  state.automatic_solver = true;
  click("algorithm");
  click("algorithm/" + state.config.solver);  // the automatic choice
  ASSERT_TRUE(asked<request::ChooseSolver>());
  EXPECT_FALSE(asked<request::ChooseSolver>()->automatically);
}

TEST_F(Panels, ApplyNeedsChange) {
  click("apply-scene");
  EXPECT_FALSE(asked<request::LoadScene>());
  ui.scene.bodies = 50'000;
  click("apply-scene");
  ASSERT_TRUE(asked<request::LoadScene>());
  EXPECT_EQ(asked<request::LoadScene>()->scene.bodies, 50'000u);
}

/// A queue whose requests get the serials 11, 12, …, as if others had used the first ones.
class PendingValues : public testing::Test {
 protected:
  RequestQueue::Number ask() { return queue.push_back(request::Play{}); }
  void send() {
    queue.send([&](const Request&) { return ++serial; });
  }
  /// The value that a control shows when the simulation uses `live` and has handled this many of the requests.
  int shown(int live, std::uint64_t handled) {
    queue.acknowledge(10 + handled);
    value.update(live, queue);
    return value.value();
  }

  std::uint64_t serial = 10;
  RequestQueue queue;
  PendingValue<int> value;
};

TEST_F(PendingValues, FollowTheSimulationUnlessTheyAreEdited) {
  EXPECT_EQ(shown(3, 0), 3);
  ask();
  send();
  EXPECT_EQ(shown(4, 0), 4) << "a request for another value";
}

TEST_F(PendingValues, StayUntilTheRequestIsHandled) {
  value.edit(7, ask());
  EXPECT_EQ(shown(3, 0), 7) << "not sent yet";
  EXPECT_EQ(shown(3, 100), 7) << "requests of others were handled";
  send();
  serial = 1000;
  value.edit(7, ask());
  send();
  for (int frames = 0; frames < 1000; ++frames) ASSERT_EQ(shown(3, 100), 7);
  EXPECT_EQ(shown(7, 991), 7) << "applied";
  EXPECT_EQ(shown(8, 991), 8);
}

TEST_F(PendingValues, RevertAtOnceWhenTheyAreRefused) {
  value.edit(7, ask());
  send();
  EXPECT_EQ(shown(3, 0), 7);
  EXPECT_EQ(shown(3, 1), 3);
}

TEST_F(PendingValues, ShowTheLastOfTwoQuickChanges) {
  value.edit(7, ask());
  send();
  value.edit(8, ask());
  EXPECT_EQ(shown(7, 1), 8) << "the first was applied, the second is not sent";
  send();
  EXPECT_EQ(shown(7, 1), 8) << "the second is queued";
  EXPECT_EQ(shown(7, 2), 7) << "the second was refused";
}

TEST_F(PendingValues, ARequestMayWaitBehindOthers) {
  ask();
  value.edit(7, ask());
  ask();
  send();
  EXPECT_EQ(shown(3, 1), 7);
  EXPECT_EQ(shown(5, 2), 5);
}

TEST_F(PendingValues, AnotherSimulationHasNoneOfTheRequests) {
  value.edit(7, ask());
  send();
  queue.acknowledge_all();
  EXPECT_EQ(shown(3, 0), 3);
  value.edit(8, ask());
  EXPECT_EQ(shown(3, 0), 8);
}

TEST_F(Panels, CancelsLoading) {
  frame();
  EXPECT_FALSE(find("cancel"));
  state.busy = true;
  click("cancel");
  EXPECT_EQ(ui.commands, std::vector<Command>{{Action::cancel}});
}

TEST_F(Panels, ProgressBarReplacesReset) {
  frame();
  frame();
  const auto reset = find("reset"), scene = find("scene");
  ASSERT_TRUE(reset && scene);
  for (const bool forces : {false, true}) {
    state.busy = true;
    state.computing_forces = forces;
    state.progress = 0.034;
    frame();
    ASSERT_TRUE(find("scene") && find("cancel") && find("progress"));
    EXPECT_EQ(find("scene")->y0, scene->y0);
    EXPECT_LE(find("cancel")->x1, reset->x0);
    point_at(*find("progress"));
    frame(1);
    frame(1);
    EXPECT_EQ(log.tooltip.find("direct sum") != std::string::npos, forces) << log.tooltip;
  }
}

TEST_F(Panels, ProgressSaysThatTheDeviceIsAwaited) {
  state.busy = state.computing_forces = state.awaits_device = true;
  frame();
  ASSERT_TRUE(find("progress"));
  point_at(*find("progress"));
  frame(1);
  frame(1);
  EXPECT_THAT(log.tooltip, testing::HasSubstr("when CUDA has started"));
}

TEST_F(Panels, VirialRatioIsUnknownBeforeTheFirstForces) {
  ui.layout.side_bar.simple = false;
  state.diagnostics.mass = 1;
  const auto width = [&] {
    frame();
    const auto item = find("virial-ratio");
    return item ? item->x1 - item->x0 : 0;
  };
  const float known = width();
  state.busy = state.computing_forces = true;
  EXPECT_EQ(width(), known) << "another configuration for the same bodies";
  state.diagnostics = {};
  EXPECT_LT(width(), known) << "–";
}

TEST_F(Panels, ErrorStaysUntilDismissed) {
  state.message = "There is not enough memory.";
  ++state.message_serial;
  state.message_is_error = true;
  for (int k = 0; k < 20; ++k) frame(1);
  ASSERT_TRUE(find("close-notice"));
  click("close-notice");
  frame();
  EXPECT_FALSE(find("close-notice"));
  state.message = "Something else.";
  ++state.message_serial;
  frame();
  EXPECT_TRUE(find("close-notice"));
}

/// Number of glyphs of a window that are drawn left of `right` and inside the display.
std::ptrdiff_t letters_of(const std::string& window, float right, float em) {
  std::ptrdiff_t letters = 0;
  const ImDrawData* drawn = ImGui::GetDrawData();
  for (int list = 0; list < drawn->CmdListsCount; ++list) {
    if (drawn->CmdLists[list]->_OwnerName != window) continue;
    const ImVector<ImDrawVert>& vertices = drawn->CmdLists[list]->VtxBuffer;
    for (int k = 0; k + 2 < vertices.Size; ++k) {
      const ImVec2 low = vertices[k].pos, size{vertices[k + 2].pos.x - low.x, vertices[k + 2].pos.y - low.y};
      const bool is_letter = size.x > 0 && size.y > 0 && size.x < 1.2f * em && size.y < 1.4f * em;
      const bool inside = low.x >= 0 && low.x + size.x <= right && low.y + size.y <= ImGui::GetIO().DisplaySize.y;
      if (is_letter && inside) ++letters;
    }
  }
  return letters;
}

// Regression: in a narrow window or with large text, the button covered the end of the message.
TEST_F(Panels, LongErrorIsFullyVisible) {
  for (int k = 0; k < 20; ++k) state.message += "Some file is of no format that can be read. ";
  ++state.message_serial;
  state.message_is_error = true;
  const auto spaces = std::ranges::count(state.message, ' ');
  for (const float scale : {1.0f, 2.0f}) {
    set_scale(scale);
    for (const bool panel : {true, false}) {
      ui.layout.show_panel = panel;
      for (int k = 0; k < 3; ++k) frame();
      const auto close = find("close-notice");
      ASSERT_TRUE(close) << panel;
      EXPECT_LE(close->x1, kWidth);
      EXPECT_EQ(letters_of(panel ? "Status" : "Readout", close->x0, fonts.text->FontSize),
                std::ssize(state.message) - spaces + (panel ? 1 : 0))  // with the shape of the health level
          << "scale " << scale << ", with panel " << panel;
      // Text over the image ends where the notice begins.
      const float top = ImGui::FindWindowByName(panel ? "Status" : "Readout")->Pos.y;
      EXPECT_EQ(top, kHeight - ui.layout.status_height - ui.layout.notice_height);
      EXPECT_GT(ui.layout.notice_height, 0);
    }
  }
  state.message.clear();
  ui.layout.show_panel = true;
  frame();
  EXPECT_EQ(ui.layout.notice_height, 0);
}

TEST_F(Panels, HiddenPanelFreesWindow) {
  frame();
  EXPECT_GT(ui.layout.panel_width, 0);
  ui.layout.show_panel = false;
  frame();
  EXPECT_EQ(ui.layout.panel_width, 0);
  EXPECT_EQ(ui.layout.status_height, 0);
}

TEST_F(Panels, ScaleRebuildsFontAtlas) {
  for (const float scale : {kMinScale, 1.0f, 2.0f, kMaxScale}) {
    set_scale(scale);
    frame();
    EXPECT_NEAR(ImGui::GetIO().Fonts->Fonts[0]->FontSize, 16 * scale, 0.51f);
    if (embedded_font().empty()) continue;
    for (const ImWchar letter :
         std::initializer_list<ImWchar>{0x3B8, 0x3B5, 0x394, 0x25B6, 0x25AE, 0x2609, 0x2715, 0x2192})
      EXPECT_TRUE(fonts.text->FindGlyphNoFallback(letter)) << std::hex << letter;
  }
}

TEST_F(Panels, ImageKeepsHalfOfWindow) {
  for (const float scale : {kMinScale, 1.0f, 2.0f, kMaxScale}) {
    set_scale(scale);
    frame();
    frame();
    EXPECT_LE(ui.layout.panel_width, kWidth / 2 + 1);
  }
}

TEST_F(Panels, RestoresWidth) {
  ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_HasMouseCursors;  // needed to drag edges
  window_width = 400;
  frame();
  window_width = kWidth;
  frame();
  const float first = ui.layout.panel_width;
  EXPECT_NEAR(first, 25 * ImGui::GetFontSize(), 1);
  move_mouse(first - 1, kHeight / 2);  // right edge
  for (int k = 0; k < 3; ++k) frame();
  press_mouse(true);
  frame();
  for (int k = 1; k <= 80; ++k) {
    move_mouse(first - 1 + static_cast<float>(k), kHeight / 2);
    frame();
  }
  press_mouse(false);
  frame();
  const float dragged = ui.layout.panel_width;
  ASSERT_NEAR(dragged, first + 80, 2);

  window_width = 400;
  frame();
  EXPECT_LE(ui.layout.panel_width, 201);
  window_width = kWidth;
  frame();
  EXPECT_NEAR(ui.layout.panel_width, dragged, 1);

  set_scale(1.25f);
  frame();
  EXPECT_NEAR(ui.layout.panel_width, 1.25f * dragged, 2);
  set_scale(kMaxScale);
  frame();
  EXPECT_LE(ui.layout.panel_width, kWidth / 2 + 1);
  set_scale(1);
  frame();
  EXPECT_NEAR(ui.layout.panel_width, dragged, 1);
}

/// Checks a request and applies it to the session state.
void apply(const Request& request, SessionState& state) {
  if (const auto* set = std::get_if<request::SetParams>(&request)) {
    ASSERT_EQ(problem_with(set->params), "");
    ASSERT_LE(set->params.theta, 1.5);
    ASSERT_LE(set->params.softening, 2);
    ASSERT_LE(std::abs(set->params.dt), 1);
    state.params = set->params;
  } else if (const auto* config = std::get_if<request::SetConfig>(&request)) {
    ASSERT_EQ(problem_with(config->config), "");
    state.config = config->config;
  } else if (const auto* load = std::get_if<request::LoadScene>(&request)) {
    const SceneInfo* info = find_scene(load->name);
    ASSERT_TRUE(info);
    ASSERT_GE(load->scene.bodies, info->min_bodies);
    ASSERT_LE(load->scene.bodies, 20'000'000u);
    state.scene = load->name;
    state.scene_request = load->scene;
    ++state.scene_serial;
  } else if (const auto* steps = std::get_if<request::SetStepsPerFrame>(&request)) {
    ASSERT_GE(steps->steps, 1);
    state.steps_per_frame = steps->steps;
  } else if (const auto* play = std::get_if<request::Play>(&request)) {
    state.running = play->running;
  } else if (const auto* tree = std::get_if<request::ShowTree>(&request)) {
    ASSERT_LE(tree->first_level, tree->last_level);
  }
}

TEST_F(Panels, SurvivesRandomInput) {
  std::mt19937 random(1);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  constexpr char kTyped[] = "0123456789.-+einfa";
  int requests = 0;
  for (int k = 0; k < 20'000; ++k) {
    ImGuiIO& io = ImGui::GetIO();
    if (below(5) == 0) move_mouse(static_cast<float>(below(420) - 20), static_cast<float>(below(1200) - 20));
    if (below(3) == 0) press_mouse(below(2) == 0);
    if (below(5) == 0) io.AddInputCharacter(static_cast<unsigned>(kTyped[below(sizeof(kTyped) - 1)]));
    if (below(500) == 0) set_scale(0.75f + 0.25f * static_cast<float>(below(4)));
#if IMGUI_VERSION_NUM < 18700
    io.KeyCtrl = below(6) == 0;  // Ctrl+click edits a slider as text
#else
    io.AddKeyEvent(ImGuiMod_Ctrl, below(6) == 0);
#endif
    state.steps += static_cast<std::uint64_t>(below(3));
    state.busy = below(50) == 0;
    state.time += 0.01;
    ui.cost.history.push_back({});
    ui.cost.history.back()[Stage::walk] = static_cast<float>(below(20));
    if (ui.cost.history.size() > kHistory) ui.cost.history.pop_front();
    if (k % 50 == 0) ui.widgets.search.words.clear();  // otherwise typed digits hide most controls
    frame();
    for (const Request& request : ui.requests) ASSERT_NO_FATAL_FAILURE(apply(request, state));
    requests += static_cast<int>(ui.requests.size());
    handle_requests();
    ASSERT_TRUE(std::isfinite(ui.view.image.exposure) && std::isfinite(ui.view.image.bloom) &&
                std::isfinite(ui.view.boxes.opacity));
  }
  EXPECT_GT(requests, 50);
}

TEST(Format, WritesNumbersAndTimes) {
  EXPECT_EQ(with_thousands(7), "7");
  EXPECT_EQ(with_thousands(1234567), "1,234,567");
  EXPECT_EQ(short_number(999), "999");
  EXPECT_EQ(short_number(1234567), "1.23 M");
  EXPECT_EQ(time_text(10, {3.5, 13.8, 248}), "138 Myr");
  EXPECT_EQ(time_text(1.5, {}), "t = 1.50");
  EXPECT_EQ(round_time_text(28.3, {3.5, 13.8, 248}), "390 Myr");
  // Units of a star cluster (pc, km/s), of the solar system (AU), and of a close binary.
  EXPECT_EQ(time_text(3, {1e-3, 0.978, 1}), "2.9 Myr");
  EXPECT_EQ(time_text(2 * 3.14159265, {4.848e-9, 1.5915e-7, 29.78}), "1.00 yr");
  EXPECT_EQ(round_time_text(12.5, {4.848e-9, 1.5915e-7, 29.78}), "1.99 yr");
  EXPECT_EQ(time_text(2, {4.848e-11, 1.5915e-9, 297.8}), "1.2 days");
  EXPECT_EQ(time_text(2, {100, 978, 100}), "2.0 Gyr");
  EXPECT_EQ(signed_error(-3.24e-5), "-3.2e-5");
  EXPECT_EQ(signed_error(9.99e-6), "+1.0e-5");
  EXPECT_EQ(signed_error(0), "0");
}

}  // namespace
}  // namespace pericenter::app

#include <algorithm>
#include <memory>
#include <utility>

#include "tests/support/panel_fixture.h"

namespace pericenter::app {
namespace {

class SimpleSideBar : public Panels {
 protected:
  SimpleSideBar() { ui.layout.side_bar.simple = true; }
};

TEST_F(SimpleSideBar, HasAHandfulOfControls) {
  frame();
  for (const char* id : {"play", "step", "reset", "scene", "scene-caption", "bodies", "body-count", "apply-scene",
                         "algorithm", "theta", "color-by", "detail"})
    EXPECT_TRUE(find(id)) << id;
  for (const char* id : {"seed", "timestep", "softening", "precision", "steps-per-frame", "solver-panel", "show-halo"})
    EXPECT_FALSE(find(id)) << id;
  EXPECT_LE(std::ranges::count_if(log.items, in_side_bar), 16);
}

TEST_F(SimpleSideBar, SwitchesToAllSettingsAndBack) {
  click("detail");
  frame();
  EXPECT_FALSE(ui.layout.side_bar.simple);
  EXPECT_TRUE(find("timestep"));
  click("detail");
  frame();
  EXPECT_TRUE(ui.layout.side_bar.simple);
  EXPECT_FALSE(find("timestep"));
  EXPECT_TRUE(find("theta"));
}

TEST_F(SimpleSideBar, ControlsDoTheSame) {
  frame();
  point_at(*find("theta"), 0.9f);
  frame();
  press_mouse(true);
  frame();
  ASSERT_TRUE(asked<request::SetParams>());
  EXPECT_GT(asked<request::SetParams>()->params.theta, 1);
  press_mouse(false);
  frame();
  choose("algorithm", "direct");
  ASSERT_TRUE(asked<request::SetConfig>());
  EXPECT_EQ(asked<request::SetConfig>()->config.solver, "direct");
  choose("color-by", "origin");
  EXPECT_EQ(ui.view.image.color, render::ColorMode::origin);
}

TEST_F(SimpleSideBar, FitsANarrowWindow) {
  ui.layout.side_bar.ems = SideBar::kMinEms;
  for (const SceneInfo& info : scenes()) {
    state.scene = info.name;
    for (int k = 0; k < 3; ++k) frame();
    const float edge = ui.layout.panel_width - ImGui::GetStyle().WindowPadding.x + 1;
    for (const ItemLog::Item& item : log.items) {
      if (!in_side_bar(item)) continue;
      EXPECT_LE(item.x1, edge) << info.name << ": " << item.id;
    }
  }
}

class SceneGuides : public Panels {
 protected:
  std::optional<SceneCaption> words() { return scene_caption({.simulation = state, .now = now}, ui); }
  void run_for(double seconds) {
    state.running = true;
    for (double passed = 0; passed < seconds; passed += 0.1) frame(0.1f);
  }
  void merge() {
    LabRecord record;
    record.events = {{EncounterEventKind::merger, 2000, 60, 0.2}};
    state.record = std::make_shared<const LabRecord>(record);
    state.time = 60;
  }
};

TEST_F(SceneGuides, NameTheSceneUntilItHasRunForTenSeconds) {
  state.running = false;
  for (int k = 0; k < 60; ++k) frame(0.5f);
  ASSERT_TRUE(words()) << "it waits for the start";
  EXPECT_EQ(words()->heading, "Galaxy collision");
  EXPECT_EQ(words()->sentence, scenes().front().caption);
  EXPECT_EQ(words()->keys, "Space: play  ·  →: next  ·  F6: lessons");
  run_for(9);
  ASSERT_TRUE(words());
  EXPECT_EQ(words()->alpha, 1);
  EXPECT_EQ(words()->keys, "Space: pause  ·  →: next  ·  F6: lessons");
  run_for(1.5);
  ASSERT_TRUE(words());
  EXPECT_LT(words()->alpha, 1);
  run_for(1);
  EXPECT_FALSE(words());
  ++state.scene_serial;
  frame();
  EXPECT_TRUE(words()) << "another scene";
}

TEST_F(SceneGuides, AreSilentInLessonsAndFiles) {
  frame();
  ASSERT_TRUE(words());
  ui.lesson.lesson = std::make_shared<const Lesson>();
  EXPECT_FALSE(words());
  ui.lesson = {};
  state.file = "/data/collision.hdf5";
  EXPECT_FALSE(words());
}

// Regression: visitors saw no word.
TEST_F(SceneGuides, SayOnAStationWhatIsSeenAndHowToTurnIt) {
  ui.presentation.station = true;
  run_for(60);
  ASSERT_TRUE(words());
  EXPECT_EQ(words()->heading, "Galaxy collision");
  EXPECT_EQ(words()->sentence, scenes().front().caption);
  EXPECT_EQ(words()->keys, "Drag: turn  ·  Wheel: zoom  ·  →: next");
  EXPECT_EQ(words()->alpha, 1);
  state.time = 1.1 * state.highlight_time;
  EXPECT_EQ(words()->sentence, scenes().front().highlight_caption);
  state.time = 1.5 * state.highlight_time;
  EXPECT_EQ(words()->sentence, "") << "neither is true any more";
  merge();
  frame();
  EXPECT_FALSE(find("offer"));
}

// Regression: it stayed for as long as the scene was paused, and covered the tree.
TEST_F(SceneGuides, TitleMakesRoomForTheTreeAndClosesWithEsc) {
  frame();
  ASSERT_TRUE(words());
  ui.view.tree.show = true;
  EXPECT_FALSE(words());
  ui.view.tree.show = false;
  ASSERT_TRUE(words());
  apply_command({Action::close_dialogs}, UiFrame{.simulation = state, .now = now}, {ui});
  EXPECT_FALSE(words());
  ui.captions.guide.at_key_moment = true;
  EXPECT_TRUE(words()) << "another text";
  apply_command({Action::close_dialogs}, UiFrame{.simulation = state, .now = now}, {ui});
  EXPECT_FALSE(words());
  ++state.scene_serial;
  frame();
  EXPECT_TRUE(words()) << "another run";
}

TEST_F(SceneGuides, SayWhatIsSeenAtTheKeyMomentUntilTheRunContinues) {
  state.time = 28.32;
  frame();
  ui.captions.guide.at_key_moment = true;
  frame();
  ASSERT_TRUE(words());
  EXPECT_EQ(words()->heading, "Paused at 391 Myr");
  EXPECT_EQ(words()->sentence, scenes().front().highlight_caption);
  state.timeline.rewound = true;
  EXPECT_FALSE(words()) << "another moment is shown";
  state.timeline.rewound = false;
  // What is said is not true of other spins.
  state.scene_request.encounter = *scenes().front().encounter;
  state.scene_request.encounter->first.inclination = 180;
  EXPECT_FALSE(words());
  state.scene_request.encounter.reset();
  run_for(0.5);
  EXPECT_FALSE(ui.captions.guide.at_key_moment);
}

TEST_F(SceneGuides, OfferWhatToDoNextAfterTheMerger) {
  frame();
  EXPECT_FALSE(find("watch-again"));
  merge();
  frame();
  ASSERT_TRUE(find("offer"));
  EXPECT_EQ(find("offer")->label, "The galaxies have merged.");
  const Units physical = std::exchange(state.units, {});
  frame();
  EXPECT_EQ(find("offer")->label, "The star clusters have merged.");
  state.units = physical;
  frame();
  for (const char* id : {"watch-again", "next-scene", "earlier-moment", "open-lessons", "compare-next"})
    EXPECT_NE(tip_of(id), "") << id;
  click("watch-again");
  EXPECT_TRUE(asked<request::Reset>());
  click("next-scene");
  EXPECT_EQ(ui.scene.search, "");
  ASSERT_TRUE(asked<request::LoadScene>());
  EXPECT_EQ(asked<request::LoadScene>()->name, scenes()[1].name);
  click("open-lessons");
  EXPECT_TRUE(ui.lessons.open);
  ui.lessons.open = false;
  frame();
  click("compare-next");
  ASSERT_TRUE(ui.comparison.wanted);
  EXPECT_EQ(ui.comparison.wanted->b.encounter->first.inclination, 180);
}

TEST_F(SceneGuides, OfferOncePerRun) {
  merge();
  frame();
  ASSERT_TRUE(ui.captions.guide.offers);
  ui.stars.probed = 3;
  apply_command({Action::close_dialogs}, UiFrame{.simulation = state, .now = now}, {ui});
  frame();
  EXPECT_FALSE(find("offer"));
  EXPECT_EQ(ui.stars.probed, 3u) << "Esc closes one thing at a time";
  state.time = 70;
  frame();
  EXPECT_FALSE(find("offer"));
  ++state.scene_serial;
  frame();
  EXPECT_TRUE(find("offer")) << "another run";
  click("dismiss-offer");
  frame();
  EXPECT_FALSE(find("offer"));
}

TEST_F(SceneGuides, OfferWhenTheKeyMomentIsLongPast) {
  state.time = 2 * state.highlight_time;
  frame();
  EXPECT_FALSE(find("offer"));
  state.time = 2.6 * state.highlight_time;
  frame();
  ASSERT_TRUE(find("offer"));
  EXPECT_EQ(find("offer")->label, "This was “Galaxy collision”.");
  state.highlight_time = 0;
  frame();
  EXPECT_FALSE(find("offer")) << "a scene without a key moment";
}

TEST_F(SceneGuides, CardsFitANarrowImage) {
  merge();
  for (const float width : {640.0f, 1280.0f}) {
    window_width = width, window_height = 720;
    for (int k = 0; k < 3; ++k) frame();
    for (const ItemLog::Item& item : log.items) {
      if (item.window != "Offer") continue;
      EXPECT_GE(item.x0, ui.layout.panel_width) << item.id;
      EXPECT_LE(item.x1, width) << item.id;
    }
  }
}

TEST_F(SceneGuides, BackGoesToTheEventBefore) {
  TimelineDetails details;
  details.points = {{0, 0}, {2000, 60}};
  details.marks = {{TimelineMarkKind::pericenter, 640, "pericentre"},
                   {TimelineMarkKind::parameters, 700, "theta"},
                   {TimelineMarkKind::highlight, 943, "key moment"}};
  state.timeline.last = 2000;
  state.timeline.details = std::make_shared<const TimelineDetails>(details);
  for (const auto& [shown, wanted] : {std::pair{2000, 943}, {943, 640}, {640, 0}}) {
    state.timeline.shown = shown;
    handle_requests();  // the last position is no longer pending
    frame();
    const UiFrame view{.simulation = state, .now = now};
    apply_command({Action::previous}, view, {ui});
    ASSERT_TRUE(asked<request::Seek>()) << shown;
    EXPECT_EQ(asked<request::Seek>()->position, wanted);
    state.timeline.rewound = true;
  }
}

TEST_F(SceneGuides, TheCheckboxOfThePauseIsRemembered) {
  frame();
  ui.view.pause_at_highlight = true;
  click("pause-at-highlight");
  EXPECT_FALSE(ui.view.pause_at_highlight);
  EXPECT_FALSE(ui.layout.side_bar.pauses_at_key_moments);
  click("pause-at-highlight");
  EXPECT_TRUE(ui.layout.side_bar.pauses_at_key_moments);
}

}  // namespace
}  // namespace pericenter::app

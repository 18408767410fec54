#include "app/window/lesson_controller.h"

#include <glad/gl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/lessons/lesson_library.h"
#include "app/overlay/annotations.h"
#include "app/settings/scene_string.h"
#include "app/ui/hidden_results.h"
#include "app/window/lesson_command_filter.h"
#include "render/headless_context.h"
#include "sim/core/display_units.h"
#include "tests/support/program.h"
#include "tests/support/recording_session.h"
#include "tests/support/running_simulation.h"

namespace pericenter::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Phase = LessonState::Phase;

const std::string kCollision = "pericenter/1 scene=collision n=300 theta=0.6";

Slide slide_with(const std::string& scene) {
  Slide slide;
  slide.scene = scene;
  if (!scene.empty()) read_scene_string(scene, slide.options);
  return slide;
}
Slide until(double myr, Slide slide) {
  slide.until = UntilTime{myr};
  return slide;
}
Slide asking(Slide slide) {
  slide.question = {"What will happen?"};
  slide.choices = {{"this"}, {"that"}, {"nothing"}};
  slide.answer = 1;
  slide.explanation = {"That."};
  return slide;
}

/// The main loop with a lesson, without a window and panels.
class LessonControllers : public testing::Test {
 protected:
  void frame() {
    const SessionState state = simulation_.state();
    scenes_.update(state);
    const UiFrame view{
        .simulation = state, .reference = comparison_.reference(), .now = now_, .scene_string = scene_string_};
    lessons_.update(view, last_input_);
    comparison_.begin_update(state);
    stars_.update(simulation_, state, ui_);
    const bool sampled = stars_.sample(state, ui_);
    comparison_.update(state, {.sampled = sampled});
    update(view, ui_);
    for (const Command& command : std::exchange(ui_.commands, {}))
      apply_routed(command, view, {.ui = ui_, .comparison = &comparison_, .lessons = &lessons_, .scenes = &scenes_});
    ui_.requests.send([&](Request request) {
      comparison_.forward(request, state);
      return simulation_.request(std::move(request));
    });
    glFinish();
    now_ += 0.02;
  }
  bool wait_for(const std::function<bool(const SessionState&)>& condition) {
    return test::eventually([&] {
      frame();
      return condition(simulation_.state());
    });
  }
  void frames(int count) {
    for (int k = 0; k < count; ++k) frame();
  }
  void press(Action action, int number = 0) {
    now_ += LessonController::kBounceSeconds;
    ui_.commands.push_back({action, number});
    frame();
  }
  void open(std::vector<Slide> slides, std::size_t slide = 0) {
    Lesson lesson;
    lesson.name = "test";
    lesson.title = {"Test"};
    lesson.slides = std::move(slides);
    for (std::size_t k = 1; k < lesson.slides.size(); ++k)
      if (lesson.slides[k].continues()) lesson.slides[k].options = lesson.slides[k - 1].options;
    const SessionState state = simulation_.state();
    lessons_.open(std::make_shared<const Lesson>(std::move(lesson)), {.simulation = state, .now = now_}, slide);
  }
  /// Opens a lesson and leaves its title card.
  void start(std::vector<Slide> slides) {
    open(std::move(slides));
    press(Action::next);
  }
  void leave() {
    press(Action::leave_lesson);
    EXPECT_TRUE(ui_.lesson.on()) << "Esc is also a button of clickers";
    press(Action::leave_lesson);
    EXPECT_FALSE(ui_.lesson.on());
  }
  /// Waits until this slide is in this phase.
  bool shows(std::size_t slide, Phase phase) {
    return wait_for([&](const SessionState& state) {
      const bool settled = phase == Phase::running ? state.running : !state.running;
      return ui_.lesson.on() && ui_.lesson.slide == slide && ui_.lesson.phase == phase && settled && !state.busy;
    });
  }
  Bodies bodies() {
    simulation_.request(request::TakeSnapshot{});
    std::optional<Snapshot> taken;
    wait_for([&](const SessionState&) { return (taken = simulation_.take_snapshot()).has_value(); });
    return taken ? taken->bodies : Bodies();
  }
  std::string left_path() const { return (folder_.path() / "left.txt").string(); }
  std::size_t left_at() const { return LeftLessons(left_path()).slide("test"); }
  SessionState state() const { return simulation_.state(); }
  double myr() const { return state().time * state().units.time_myr; }

  test::TemporaryFolder folder_;
  std::string scene_string_ = "pericenter/1 scene=collision n=600";
  std::size_t fits_ = 100'000;
  double now_ = 1, last_input_ = 1;
  render::HeadlessContext context_;
  UiState ui_;
  Options options_;
  Viewport view_{""};
  Interop interop_;
  StarBuffer stars_{view_, interop_};
  SimulationThread simulation_;
  Comparison comparison_{{simulation_, stars_, view_, interop_, ui_}};
  SceneController scenes_{options_, simulation_, view_, ui_};
  LessonController lessons_{{scenes_, comparison_, simulation_, view_, ui_},
                            {.config = [] { return Config(); },
                             .fits = [this](const std::string&, const Config&) { return fits_; },
                             .load_first =
                                 [this] {
                                   ui_.scene.bodies = 700;
                                   simulation_.request(request::LoadScene{"plummer", {.bodies = 700}});
                                 },
                             .folder = folder_.path().string(),
                             .left_lessons = left_path()}};
};

// Regression: the plot beside the title card had the forecast of the run about which the first slide asks.
TEST_F(LessonControllers, NothingGivesTheAnswerAwayBesideATitle) {
  open({asking(until(10, slide_with(kCollision)))});
  ASSERT_TRUE(shows(0, Phase::title));
  EXPECT_TRUE(hides_results(ui_));
  open({until(5, slide_with(kCollision))});
  ASSERT_TRUE(shows(0, Phase::title));
  EXPECT_FALSE(hides_results(ui_)) << "nothing is asked";
}

TEST_F(LessonControllers, NextAloneGoesThroughALesson) {
  open({until(5, slide_with(kCollision)), asking(until(10, slide_with(""))),
        slide_with("pericenter/1 scene=plummer n=200")});
  ASSERT_TRUE(shows(0, Phase::title));
  EXPECT_FALSE(ui_.layout.show_panel);
  press(Action::next);
  ASSERT_TRUE(shows(0, Phase::ended)) << "a slide without a question runs at once, until its end";
  EXPECT_GE(myr(), 5);
  EXPECT_LT(myr(), 9);
  press(Action::next);
  ASSERT_TRUE(shows(1, Phase::question));
  press(Action::next);
  ASSERT_TRUE(shows(1, Phase::ended)) << "a show of hands";
  EXPECT_FALSE(ui_.lesson.predicted);
  EXPECT_GE(myr(), 10);
  press(Action::next);
  ASSERT_TRUE(shows(2, Phase::running));
  EXPECT_EQ(state().scene, "plummer");
  press(Action::next);
  EXPECT_TRUE(ui_.lesson.on());
  EXPECT_THAT(ui_.notices.shown.text, HasSubstr("last slide"));
  press(Action::next);
  EXPECT_FALSE(ui_.lesson.on());
  const auto is_first = [](const SessionState& state) { return state.bodies == 700 && !state.busy; };
  ASSERT_TRUE(wait_for(is_first));
  press(Action::next);
  frames(20);
  EXPECT_TRUE(is_first(state())) << "one press too many does not load the next scene";
}

TEST_F(LessonControllers, NothingRunsBeforeThePrediction) {
  start({asking(until(20, slide_with(kCollision)))});
  ASSERT_TRUE(shows(0, Phase::question));
  for (const Action action : {Action::toggle_play, Action::single_step, Action::step_back, Action::run_backwards,
                              Action::continue_from_here, Action::undo}) {
    press(action);
    EXPECT_THAT(ui_.notices.shown.text, HasSubstr("Predict first"));
    frames(20);
    EXPECT_FALSE(state().running);
    EXPECT_EQ(state().steps, 0u);
  }
  press(Action::load_scene, 3);
  frames(5);
  EXPECT_EQ(ui_.lesson.phase, Phase::question) << "there is no fourth choice";
  EXPECT_EQ(state().scene, "collision");
  press(Action::load_scene, 1);
  EXPECT_EQ(ui_.lesson.predicted, 1u);
  EXPECT_TRUE(shows(0, Phase::ended));
}

TEST_F(LessonControllers, NextShowsTheExplanationEarly) {
  start({asking(slide_with(kCollision)), slide_with("")});
  ASSERT_TRUE(shows(0, Phase::question));
  press(Action::next);
  ASSERT_TRUE(shows(0, Phase::running));
  press(Action::next);
  ASSERT_TRUE(shows(0, Phase::ended));
  press(Action::next);
  EXPECT_TRUE(shows(1, Phase::running));
}

TEST_F(LessonControllers, NextDuringARunGoesOnToItsEnd) {
  start({asking(until(200, slide_with(kCollision))), until(400, slide_with("")), until(1e6, slide_with(""))});
  ASSERT_TRUE(shows(0, Phase::question));
  press(Action::next);
  ASSERT_TRUE(shows(0, Phase::running));
  press(Action::next);
  EXPECT_TRUE(ui_.lesson.hurries);
  EXPECT_DOUBLE_EQ(ui_.edited.speed.value(), 4 * default_speed(state()));
  EXPECT_THAT(class_view(ui_, now_).title, HasSubstr("to the end of the run"));
  ASSERT_TRUE(shows(0, Phase::ended));
  EXPECT_GE(myr(), 200) << "the answer is that of the end";
  EXPECT_FALSE(ui_.lesson.skipped);
  EXPECT_DOUBLE_EQ(ui_.edited.speed.value(), default_speed(state()));
  press(Action::next);
  ASSERT_TRUE(shows(1, Phase::running));
  press(Action::next);
  ASSERT_TRUE(shows(2, Phase::running)) << "nothing is asked, so the next slide follows";
  EXPECT_GE(myr(), 400);
  EXPECT_FALSE(ui_.lesson.hurries);
}

TEST_F(LessonControllers, ASecondNextSkipsTheRestOfARun) {
  start({asking(until(1e6, slide_with(kCollision))), slide_with("")});
  ASSERT_TRUE(shows(0, Phase::question));
  press(Action::next);
  ASSERT_TRUE(shows(0, Phase::running));
  press(Action::toggle_play);
  press(Action::next);
  ui_.commands.push_back({Action::next});  // of a clicker that bounces
  frame();
  EXPECT_TRUE(ui_.lesson.hurries);
  ASSERT_TRUE(wait_for([](const SessionState& now) { return now.running; })) << "also after a pause";
  press(Action::next);
  ASSERT_TRUE(shows(0, Phase::ended));
  EXPECT_DOUBLE_EQ(ui_.edited.speed.value(), default_speed(state()));
  EXPECT_TRUE(ui_.lesson.skipped) << "the card says that the picture does not show the answer";
  press(Action::next);
  ASSERT_TRUE(shows(1, Phase::running));
  EXPECT_FALSE(ui_.lesson.skipped);
}

TEST_F(LessonControllers, SpacePausesAndContinues) {
  start({slide_with(kCollision)});
  ASSERT_TRUE(shows(0, Phase::running));
  press(Action::toggle_play);
  ASSERT_TRUE(wait_for([](const SessionState& state) { return !state.running; }));
  EXPECT_EQ(ui_.lesson.phase, Phase::running);
  frames(20);  // the button has a grace period
  press(Action::toggle_play);
  EXPECT_TRUE(wait_for([](const SessionState& state) { return state.running; }));
}

TEST_F(LessonControllers, ContinueAtTheSlideAtWhichTheLessonWasLeft) {
  const std::vector<Slide> slides = {slide_with("pericenter/1 scene=plummer n=200"), until(5, slide_with(kCollision)),
                                     asking(until(10, slide_with(""))), slide_with(""),
                                     asking(until(20, slide_with("")))};
  open(slides, 4);
  EXPECT_EQ(ui_.lesson.phase, Phase::loading) << "the title was seen before";
  ASSERT_TRUE(wait_for([&](const SessionState&) { return ui_.lesson.phase == Phase::running; }));
  EXPECT_EQ(ui_.lesson.slide, 1u) << "the last one before with bodies of its own";
  EXPECT_THAT(class_view(ui_, now_).title, HasSubstr("to slide 5"));
  EXPECT_EQ(left_at(), 4u) << "leaving now loses nothing";
  press(Action::next);
  ASSERT_TRUE(shows(4, Phase::question));
  EXPECT_GE(myr(), 10) << "next does not shorten the way";
  EXPECT_LT(myr(), 19);
  EXPECT_FALSE(ui_.lesson.leads_to);
  EXPECT_DOUBLE_EQ(ui_.edited.speed.value(), default_speed(state()));
  press(Action::previous);
  ASSERT_TRUE(shows(3, Phase::ended));
  leave();
  EXPECT_EQ(left_at(), 3u);
}

TEST_F(LessonControllers, AWayToASlideCanBeLeft) {
  open({until(1e6, slide_with(kCollision)), slide_with("")}, 1);
  ASSERT_TRUE(shows(0, Phase::running));
  press(Action::previous);
  ASSERT_TRUE(shows(0, Phase::running)) << "the slide on the way is shown as usual";
  EXPECT_FALSE(ui_.lesson.leads_to);
  EXPECT_FALSE(ui_.lesson.hurries);
  leave();
}

TEST_F(LessonControllers, ALessonThatWasSeenToItsEndIsNotContinued) {
  start({until(5, slide_with(kCollision)), slide_with("")});
  ASSERT_TRUE(shows(0, Phase::ended));
  press(Action::next);
  ASSERT_TRUE(shows(1, Phase::running));
  EXPECT_EQ(left_at(), 1u) << "also if the program ends now";
  press(Action::next);
  frames(3);
  EXPECT_EQ(left_at(), 0u);
}

TEST_F(LessonControllers, BackShowsTheSlideAsItWasLeft) {
  start({until(5, slide_with(kCollision)), asking(until(10, slide_with("")))});
  ASSERT_TRUE(shows(0, Phase::ended));
  const Bodies first = bodies();
  press(Action::next);
  ASSERT_TRUE(shows(1, Phase::question));
  press(Action::choose, 2);
  ASSERT_TRUE(shows(1, Phase::ended));
  const Bodies second = bodies();
  press(Action::previous);
  ASSERT_TRUE(shows(0, Phase::ended));
  EXPECT_TRUE(test::same_motion(bodies(), first));
  press(Action::next);
  ASSERT_TRUE(shows(1, Phase::question)) << "it can be asked again";
  press(Action::next);
  ASSERT_TRUE(shows(1, Phase::ended));
  EXPECT_GE(myr(), 10);
  EXPECT_TRUE(wait_for([&](const SessionState& now) { return now.timeline.last >= now.timeline.shown; }));
  EXPECT_EQ(bodies().size(), second.size());
}

TEST_F(LessonControllers, BackBringsBackAnEarlierScene) {
  start({until(5, slide_with(kCollision)), until(10, slide_with("")),
         asking(slide_with("pericenter/1 scene=plummer n=200"))});
  ASSERT_TRUE(shows(0, Phase::ended));
  const Bodies first = bodies();
  press(Action::next);
  ASSERT_TRUE(shows(1, Phase::ended));
  const Bodies second = bodies();
  view_.camera().orbit(30, 10, 400);
  const render::CameraPose pose = view_.camera().pose();
  press(Action::next);
  ASSERT_TRUE(shows(2, Phase::question));
  EXPECT_EQ(state().bodies, 200u);
  press(Action::previous);
  ASSERT_TRUE(shows(1, Phase::ended));
  EXPECT_TRUE(test::same_motion(bodies(), second));
  EXPECT_EQ(view_.camera().pose(), pose);
  press(Action::previous);
  ASSERT_TRUE(shows(0, Phase::ended));
  EXPECT_TRUE(test::same_motion(bodies(), first));
  press(Action::next);
  ASSERT_TRUE(shows(1, Phase::ended)) << "forwards it replays";
  press(Action::next);
  ASSERT_TRUE(shows(2, Phase::question));
  EXPECT_EQ(state().scene, "plummer");
}

TEST_F(LessonControllers, WithoutAHistoryTheSceneIsLoadedAgain) {
  simulation_.request(request::SetHistoryBudget{0});
  start({until(5, slide_with(kCollision)), asking(slide_with("pericenter/1 scene=plummer n=200"))});
  ASSERT_TRUE(shows(0, Phase::ended));
  press(Action::next);
  ASSERT_TRUE(shows(1, Phase::question));
  press(Action::previous);
  EXPECT_TRUE(shows(0, Phase::ended)) << "it runs again from its start";
  EXPECT_EQ(state().scene, "collision");
}

TEST_F(LessonControllers, LeavingBringsBackRunAndSettings) {
  simulation_.request(request::LoadScene{"plummer", {.bodies = 123}});
  simulation_.request(request::Play{true});
  ASSERT_TRUE(wait_for([](const SessionState& state) { return state.steps >= 10; }));
  simulation_.request(request::Play{false});
  ASSERT_TRUE(wait_for([](const SessionState& state) { return !state.running; }));
  ui_.scene.bodies = 123;
  ui_.scene.seed = 9;
  ui_.drawer.open = ui_.view.guides.grid = true;
  view_.camera().orbit(30, 10, 400);
  const render::CameraPose pose = view_.camera().pose();
  const Bodies before = bodies();
  const std::uint64_t steps = state().steps;
  start({slide_with(kCollision + " steps-per-frame=3 color-by=density")});
  ASSERT_TRUE(shows(0, Phase::running));
  EXPECT_EQ(ui_.view.image.color, render::ColorMode::density);
  EXPECT_FALSE(ui_.view.guides.grid);
  press(Action::close_dialogs);
  EXPECT_THAT(ui_.notices.shown.text, HasSubstr("Esc again"));
  press(Action::close_dialogs);
  EXPECT_FALSE(ui_.lesson.on());
  EXPECT_EQ(ui_.notices.shown.text, "") << "about the lesson";
  ASSERT_TRUE(wait_for([](const SessionState& now) { return now.scene == "plummer" && now.parked.empty(); }));
  frames(10);
  EXPECT_EQ(state().steps, steps);
  EXPECT_TRUE(test::same_motion(bodies(), before));
  EXPECT_EQ(state().steps_per_frame, 1);
  EXPECT_TRUE(ui_.layout.show_panel && ui_.drawer.open && ui_.view.guides.grid);
  EXPECT_EQ(ui_.scene.bodies, 123u);
  EXPECT_EQ(ui_.scene.seed, 9u);
  EXPECT_EQ(view_.camera().pose(), pose);
  EXPECT_NE(ui_.view.image.color, render::ColorMode::density);
}

TEST_F(LessonControllers, WithoutARunBeforeTheFirstSceneIsLoaded) {
  start({slide_with(kCollision)});
  ASSERT_TRUE(shows(0, Phase::running));
  leave();
  ASSERT_TRUE(wait_for([](const SessionState& now) { return now.scene == "plummer" && now.parked.empty(); }));
  frames(10);
  EXPECT_EQ(ui_.scene.bodies, 700u) << "of the next scenes, too";
}

TEST_F(LessonControllers, AddThePresentStateToALessonOfTheUser) {
  simulation_.request(request::LoadScene{"collision", {.bodies = 600}});
  simulation_.request(request::Step{200});
  ASSERT_TRUE(wait_for([](const SessionState& state) { return state.steps == 200 && !state.busy; }));
  press(Action::add_slide);
  EXPECT_THAT(ui_.notices.shown.text, HasSubstr((folder_ / "my-lesson.lesson.toml").string()));
  const auto lesson = find_lesson("my-lesson", folder_.path().string(), "");
  ASSERT_EQ(lesson->slides.size(), 1u);
  EXPECT_EQ(lesson->slides[0].scene, scene_string_);
  EXPECT_NEAR(std::get<UntilTime>(lesson->slides[0].until).myr, myr(), 0.06);
  ui_.lessons.add_to = "a/b";
  press(Action::add_slide);
  EXPECT_TRUE(ui_.notices.shown.is_error);
  EXPECT_THAT(ui_.notices.shown.text, HasSubstr("cannot be the name of a lesson"));
}

TEST_F(LessonControllers, UseFewerBodiesOnASmallMachine) {
  fits_ = 200;
  open({asking(slide_with("pericenter/1 scene=collision n=5000")), slide_with("pericenter/1 scene=plummer n=150")});
  ASSERT_TRUE(shows(0, Phase::title));
  ASSERT_TRUE(wait_for([](const SessionState& state) { return state.scene_serial > 0; }));
  EXPECT_EQ(state().bodies, 200 * LessonController::kSlower);
  EXPECT_THAT(ui_.lesson.warning, HasSubstr("asks for 5,000 bodies"));
  EXPECT_THAT(ui_.lesson.warning, HasSubstr("uses 600"));
}

TEST_F(LessonControllers, ShowTheBodiesThatTheirTextsName) {
  fits_ = 200;
  Slide slide = slide_with("pericenter/1 scene=plummer n=3000");
  slide.exact_bodies = true;
  open({asking(slide)});
  ASSERT_TRUE(wait_for([](const SessionState& state) { return state.scene_serial > 0; }));
  EXPECT_EQ(state().bodies, 3000u);
  EXPECT_EQ(ui_.lesson.warning, "");
}

TEST_F(LessonControllers, CompareAndContinueWithA) {
  Slide both = slide_with("");
  both.compare = "theta=1.2";
  start({until(5, slide_with(kCollision)), both, slide_with("")});
  ASSERT_TRUE(shows(0, Phase::ended));
  const Bodies first = bodies();
  press(Action::next);
  ASSERT_TRUE(shows(1, Phase::running));
  ASSERT_TRUE(comparison_.reference());
  EXPECT_EQ(comparison_.reference()->params.theta, 0.6);
  EXPECT_EQ(state().params.theta, 1.2);
  press(Action::next);
  ASSERT_TRUE(shows(2, Phase::running));
  EXPECT_FALSE(comparison_.active());
  EXPECT_EQ(state().params.theta, 0.6);
  press(Action::previous);
  ASSERT_TRUE(shows(1, Phase::running)) << "a comparison begins again";
  EXPECT_TRUE(comparison_.active());
  press(Action::previous);
  ASSERT_TRUE(shows(0, Phase::ended));
  EXPECT_FALSE(comparison_.active());
  EXPECT_TRUE(test::same_motion(bodies(), first));
}

TEST_F(LessonControllers, LeavingAfterAComparisonBringsBackTheRun) {
  simulation_.request(request::LoadScene{"plummer", {.bodies = 123}});
  ASSERT_TRUE(wait_for([](const SessionState& now) { return now.scene == "plummer"; }));
  Slide both = slide_with(kCollision);
  both.compare = "theta=1.2";
  start({both, asking(slide_with(""))});
  ASSERT_TRUE(shows(0, Phase::running));
  press(Action::next);
  ASSERT_TRUE(shows(1, Phase::question));
  leave();
  EXPECT_TRUE(wait_for([](const SessionState& now) { return now.bodies == 123 && now.parked.empty(); }));
}

TEST_F(LessonControllers, CompareWithTheRetrogradeTwin) {
  Slide twins = slide_with(kCollision + " camera=1,2,3,0.5,0.4,30");
  twins.compare = "scene=retrograde";
  start({asking(twins), asking(slide_with(""))});
  ASSERT_TRUE(shows(0, Phase::question));
  ASSERT_TRUE(comparison_.reference());
  EXPECT_EQ(state().scene_request.encounter, *find_scene("retrograde")->encounter);
  EXPECT_EQ(comparison_.reference()->scene_request.encounter, *find_scene("collision")->encounter);
  EXPECT_TRUE(ui_.comparison.side_by_side);
  EXPECT_EQ(state().steps, 0u);
  const render::CameraPose pose = view_.camera().pose();
  EXPECT_EQ(pose.distance, 30);
  press(Action::next);
  ASSERT_TRUE(wait_for([](const SessionState& now) { return now.steps >= 5; }));
  press(Action::next);
  press(Action::next);
  ASSERT_TRUE(shows(1, Phase::question));
  EXPECT_EQ(state().scene_request.encounter, *find_scene("collision")->encounter);
  EXPECT_EQ(view_.camera().pose(), pose);
}

TEST_F(LessonControllers, RampsChangeASetting) {
  Slide ramp = slide_with(kCollision);
  ramp.ramp = Ramp{"theta", 0.3, 1.2, 1};
  ramp.until = UntilSeconds{1.1};
  Slide levels = asking(slide_with(""));
  levels.ramp = Ramp{"tree-level", 2, 5, 0.2};
  levels.until = UntilSeconds{0.3};
  start({ramp, levels});
  ASSERT_TRUE(wait_for([](const SessionState& now) { return now.params.theta > 0.31 && now.params.theta < 1.1; }));
  ASSERT_TRUE(shows(0, Phase::ended));
  EXPECT_EQ(state().params.theta, 1.2);
  press(Action::next);
  ASSERT_TRUE(shows(1, Phase::question));
  EXPECT_TRUE(ui_.view.tree.show);
  EXPECT_EQ(ui_.view.tree.first_level, 0) << "the levels above stay";
  EXPECT_EQ(ui_.view.tree.last_level, 2);
  press(Action::next);
  ASSERT_TRUE(shows(1, Phase::ended));
  EXPECT_EQ(ui_.view.tree.first_level, 0);
  EXPECT_EQ(ui_.view.tree.last_level, 5);
}

TEST_F(LessonControllers, SetAndUndo) {
  Slide broken = until(10, slide_with(""));
  broken.set = "dt=0.06";
  Slide undone = slide_with("");
  undone.action = SlideAction::undo;
  start({until(5, slide_with(kCollision)), broken, undone});
  ASSERT_TRUE(shows(0, Phase::ended));
  const double suggested = state().params.dt;
  press(Action::next);
  ASSERT_TRUE(shows(1, Phase::ended));
  EXPECT_EQ(state().params.dt, 0.06);
  press(Action::next);
  ASSERT_TRUE(shows(2, Phase::running));
  EXPECT_TRUE(wait_for([&](const SessionState& now) { return now.params.dt == suggested; }));
}

TEST_F(LessonControllers, RunBackwardsToTheStart) {
  Slide back = asking(slide_with(""));
  back.action = SlideAction::run_backwards;
  back.until = UntilStart{};
  start({until(100, slide_with(kCollision)), back, slide_with("")});
  ASSERT_TRUE(shows(0, Phase::ended));
  press(Action::next);
  ASSERT_TRUE(shows(1, Phase::question));
  press(Action::next);
  ASSERT_TRUE(shows(1, Phase::ended));
  EXPECT_NEAR(state().time, 0, 1e-9);
  press(Action::previous);
  ASSERT_TRUE(shows(0, Phase::ended));
  EXPECT_GE(myr(), 100);
  press(Action::next);
  ASSERT_TRUE(shows(1, Phase::question));
  press(Action::next);
  ASSERT_TRUE(wait_for([](const SessionState& now) { return now.returning; }));
  for (int presses = 0; presses < 3; ++presses) press(Action::next);  // hurry, skip, and the next slide
  ASSERT_TRUE(shows(2, Phase::running));
  EXPECT_GT(state().params.dt, 0) << "the next slide runs forwards";
}

TEST_F(LessonControllers, ProbeFollowPlotAndHighlight) {
  Slide slide = asking(slide_with(kCollision));
  slide.probe = true;
  slide.follow = {.what = Follow::What::galaxy, .galaxy = 1};
  slide.plot = "separation";
  slide.highlight = {.what = Highlight::What::tails};
  start({slide, asking(slide_with(""))});
  ASSERT_TRUE(shows(0, Phase::question));
  ASSERT_TRUE(ui_.stars.probed);
  const Bodies all = bodies();
  EXPECT_EQ(galaxy_of(all[*ui_.stars.probed].tag), 0u);
  EXPECT_EQ(component_of(all[*ui_.stars.probed].tag), Component::disc);
  EXPECT_EQ(ui_.view.follow, slide.follow);
  EXPECT_TRUE(ui_.drawer.open);
  EXPECT_EQ(ui_.drawer.focused, "separation");
  EXPECT_EQ(ui_.stars.highlight.what, Highlight::What::tails);
  press(Action::next);
  ASSERT_TRUE(shows(0, Phase::running));
  press(Action::next);
  press(Action::next);
  ASSERT_TRUE(shows(1, Phase::question));
  EXPECT_FALSE(ui_.stars.probed || ui_.drawer.open);
  EXPECT_EQ(ui_.stars.highlight.what, Highlight::What::nothing);
  press(Action::previous);
  ASSERT_TRUE(shows(0, Phase::ended));
  EXPECT_TRUE(ui_.stars.probed) << "the tree is that of this moment";
  EXPECT_FALSE(state().timeline.rewound);
}

TEST_F(LessonControllers, RepeatBeginsTheSlideAgain) {
  start({until(5, slide_with(kCollision)), asking(until(10, slide_with("")))});
  ASSERT_TRUE(shows(0, Phase::ended));
  press(Action::next);
  ASSERT_TRUE(shows(1, Phase::question));
  press(Action::next);
  ASSERT_TRUE(shows(1, Phase::ended));
  press(Action::reset);
  ASSERT_TRUE(shows(1, Phase::question));
  EXPECT_LT(myr(), 10);
}

TEST_F(LessonControllers, AStationReturnsToTheFirstSlideWhenIdle) {
  ui_.presentation.station = true;
  open({asking(slide_with(kCollision)), asking(slide_with(""))});
  ASSERT_TRUE(shows(0, Phase::question)) << "without a title card";
  press(Action::next);
  ASSERT_TRUE(shows(0, Phase::running));
  press(Action::next);
  press(Action::next);
  ASSERT_TRUE(shows(1, Phase::question));
  press(Action::close_dialogs);
  EXPECT_TRUE(ui_.lesson.on()) << "Esc does not leave";
  last_input_ = now_;
  now_ += LessonController::kIdleSeconds - 1;
  frames(10);
  EXPECT_EQ(ui_.lesson.slide, 1u);
  now_ += 1;
  EXPECT_TRUE(shows(0, Phase::question));
  EXPECT_EQ(state().steps, 0u);
}

TEST_F(LessonControllers, AStationWithoutALessonRestartsTheScene) {
  ui_.presentation.station = true;
  simulation_.request(request::LoadScene{"plummer", {.bodies = 100}});
  simulation_.request(request::Play{true});
  ASSERT_TRUE(wait_for([](const SessionState& state) { return state.steps >= 10; }));
  const std::uint64_t serial = state().scene_serial;
  now_ = last_input_ + LessonController::kIdleSeconds + 1;
  EXPECT_TRUE(wait_for([&](const SessionState& now) { return now.scene_serial > serial && now.running; }));
}

TEST_F(LessonControllers, TheListIsReadWhileFramesAreDrawn) {
  lessons_.read_list();
  lessons_.read_list();
  EXPECT_TRUE(ui_.lessons.reading);
  EXPECT_TRUE(ui_.lessons.entries.empty());
  ASSERT_TRUE(wait_for([&](const SessionState&) { return !ui_.lessons.reading; }));
  EXPECT_GE(ui_.lessons.entries.size(), 12u);
}

TEST_F(LessonControllers, AFileThatIsNoLessonIsReported) {
  ui_.files.lesson = "/none/such.toml";
  testing::internal::CaptureStderr();
  frame();
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("such.toml"));
  EXPECT_TRUE(ui_.notices.shown.is_error);
  EXPECT_FALSE(ui_.lesson.on());
}

}  // namespace
}  // namespace pericenter::app

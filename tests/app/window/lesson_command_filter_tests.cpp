#include "app/window/lesson_command_filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

namespace pericenter::app {
namespace {

using Phase = LessonState::Phase;

class LessonCommands : public testing::Test {
 protected:
  void show(Phase phase) {
    Lesson lesson;
    lesson.slides.resize(1);
    lesson.slides[0].choices = {{"a"}, {"b"}};
    ui.lesson.lesson = std::make_shared<const Lesson>(lesson);
    ui.lesson.phase = phase;
  }
  std::optional<Command> routed(Action action, int number = 0) const {
    return lesson_command({action, number}, ui).command;
  }
  UiState ui;
};

TEST_F(LessonCommands, WithoutALessonStayAsTheyAre) {
  for (const Action action : {Action::load_scene, Action::toggle_keys, Action::reset, Action::close_dialogs})
    EXPECT_EQ(routed(action), Command{action});
}

TEST_F(LessonCommands, MeanSomethingElseInALesson) {
  show(Phase::question);
  EXPECT_EQ(routed(Action::load_scene, 1), (Command{Action::choose, 1}));
  EXPECT_FALSE(routed(Action::load_scene, 2)) << "there are two choices";
  EXPECT_EQ(routed(Action::toggle_keys), Command{Action::toggle_note});
  EXPECT_EQ(routed(Action::toggle_halo), Command{Action::toggle_wording});
  EXPECT_EQ(routed(Action::reset), Command{Action::repeat_slide});
  EXPECT_EQ(routed(Action::next), Command{Action::next});
  EXPECT_EQ(routed(Action::toggle_blank), Command{Action::toggle_blank});
  EXPECT_EQ(routed(Action::step_or_blank), Command{Action::toggle_blank}) << "a clicker's black screen";
  EXPECT_FALSE(routed(Action::reload_shaders)) << "a clicker's start";
}

TEST_F(LessonCommands, DoNotStartTheRunBeforeThePrediction) {
  const auto all = {Action::toggle_play, Action::single_step,   Action::step_back,
                    Action::undo,        Action::run_backwards, Action::continue_from_here};
  for (const Phase phase : {Phase::loading, Phase::title, Phase::question, Phase::running, Phase::ended}) {
    show(phase);
    const bool may_run = phase == Phase::running || phase == Phase::ended;
    for (const Action action : all) {
      EXPECT_EQ(routed(action).has_value(), may_run);
      EXPECT_EQ(lesson_command({action}, ui).notice.empty(), phase != Phase::question);
    }
  }
}

TEST_F(LessonCommands, DoNotReplaceTheScene) {
  show(Phase::running);
  for (const Action action : {Action::load_scene, Action::apply_scene, Action::paste_scene, Action::open_file,
                              Action::toggle_comparison, Action::swap_comparison}) {
    EXPECT_FALSE(routed(action));
    EXPECT_THAT(lesson_command({action}, ui).notice, testing::HasSubstr("leaves the lesson"));
  }
}

TEST_F(LessonCommands, EscapeClosesTheTopmostThingFirst) {
  show(Phase::running);
  ui.lesson.blank = ui.lesson.shows_note = ui.files.browser.open = true;
  EXPECT_EQ(routed(Action::close_dialogs), Command{Action::toggle_blank});
  ui.lesson.blank = false;
  EXPECT_EQ(routed(Action::close_dialogs), Command{Action::close_dialogs});
  ui.files.browser.open = false;
  EXPECT_EQ(routed(Action::close_dialogs), Command{Action::toggle_note});
  ui.lesson.shows_note = false;
  EXPECT_EQ(routed(Action::close_dialogs), Command{Action::leave_lesson});
}

TEST_F(LessonCommands, OfAStationLoseNothing) {
  ui.presentation.station = true;
  for (const bool lesson : {false, true}) {
    if (lesson) show(Phase::running);
    for (const Action action :
         {Action::load_scene, Action::open_file, Action::save_snapshot, Action::close_dialogs, Action::toggle_panel,
          Action::scale_up, Action::toggle_lessons, Action::undo, Action::full_screen, Action::toggle_theme,
          Action::next_solver, Action::screenshot, Action::toggle_recording, Action::toggle_blank})
      EXPECT_FALSE(routed(action)) << static_cast<int>(action);
    for (const Action action : {Action::next, Action::previous, Action::toggle_play, Action::fit, Action::quit})
      EXPECT_EQ(routed(action), Command{action});
  }
  EXPECT_EQ(routed(Action::reset), Command{Action::repeat_slide});
}

}  // namespace
}  // namespace pericenter::app

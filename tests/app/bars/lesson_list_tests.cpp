#include <gmock/gmock.h>
#include <imgui_internal.h>

#include <string>
#include <vector>

#include "tests/support/lesson_example.h"
#include "tests/support/panel_fixture.h"

// The list of lessons (F6), with the keyboard alone.

namespace pericenter::app {
namespace {

using testing::HasSubstr;

class LessonLists : public Panels {
 protected:
  LessonLists() {
    set_window(1920, 1080);
    add("two-discs", "Two discs");
    ui.lessons.entries.push_back({"broken", "/home/teacher/broken.toml", nullptr,
                                  "broken.toml:12: answer: 5 is not a choice; allowed are 1 to 4."});
    add("tails-need-spin", "Tails need spin");
    add("the-fall", "The fall: touch or pass?");
    ui.lessons.open = true;
    frame();
  }

  void add(const std::string& name, const std::string& title) {
    auto lesson = std::make_shared<Lesson>(*example_lesson().lesson);
    lesson->name = name;
    lesson->title = {title};
    ui.lessons.entries.push_back({name, "", lesson, ""});
  }
  void set_window(float width, float height, float projector = 1, float scale = 1) {
    window_width = width;
    window_height = height;
    set_scale(scale, projector_sizes(height, projector));
  }
  std::string selected() const { return ui.lessons.entries[ui.lessons.selected].name; }
  std::string label(const std::string& id) {
    const auto item = find(id);
    return item ? item->label : "no " + id;
  }
  void key(Action action, int number = 0) {
    keyed = {{action, number}};
    frame();
  }
};

TEST_F(LessonLists, BrokenLessonsAreLastAndSayWhy) {
  ASSERT_TRUE(find("lesson-broken"));
  EXPECT_LT(find("lesson-the-fall")->y0, find("lesson-broken")->y0);
  EXPECT_LT(find("lesson-two-discs")->y0, find("lesson-tails-need-spin")->y0);
  EXPECT_THAT(tip_of("lesson-broken"), HasSubstr("broken.toml:12: answer"));
  click("lesson-broken");
  frame();
  EXPECT_EQ(label("detail-problem"), "broken.toml:12: answer: 5 is not a choice; allowed are 1 to 4.");
  EXPECT_EQ(label("detail-path"), "/home/teacher/broken.toml");
  click("start-lesson");
  EXPECT_FALSE(ui.lessons.chosen);
  EXPECT_TRUE(ui.lessons.open);
}

TEST_F(LessonLists, ShowsTheDetailsOfTheSelectedLesson) {
  EXPECT_EQ(label("detail-title"), "Two discs");
  EXPECT_EQ(label("detail-facts"), "3 min  ·  3 slides\nage 14 and up");
  EXPECT_EQ(label("detail-goal"), "You can say why one galaxy grows long tails.");
  EXPECT_EQ(label("detail-misconceptions"), "• Stars of two galaxies hit each other.");
}

TEST_F(LessonLists, ALessonThatWasLeftCanBeContinued) {
  EXPECT_FALSE(find("continue-lesson"));
  ui.lessons.entries[2].left_at = 2;
  key(Action::toggle_comparison);
  EXPECT_TRUE(ui.lessons.open) << "the selected lesson was not left";
  press(ImGuiKey_DownArrow);
  EXPECT_EQ(label("continue-lesson"), "Continue at slide 3 (C)");
  EXPECT_THAT(tip_of("continue-lesson"), HasSubstr("where this lesson was left"));
  key(Action::toggle_comparison);
  EXPECT_EQ(ui.lessons.chosen, 2u);
  EXPECT_TRUE(ui.lessons.continues);
}

TEST_F(LessonLists, ArrowsMoveAndEnterStarts) {
  press(ImGuiKey_DownArrow);
  EXPECT_EQ(selected(), "tails-need-spin");
  press(ImGuiKey_DownArrow);
  press(ImGuiKey_DownArrow);
  EXPECT_EQ(selected(), "broken");
  press(ImGuiKey_Enter);
  EXPECT_FALSE(ui.lessons.chosen) << "it cannot be used";
  EXPECT_TRUE(ui.lessons.open);
  press(ImGuiKey_DownArrow);
  EXPECT_EQ(selected(), "broken") << "the last";
  press(ImGuiKey_UpArrow);
  EXPECT_EQ(selected(), "the-fall");
  press(ImGuiKey_Enter);
  EXPECT_EQ(ui.lessons.chosen, 3u);
  EXPECT_FALSE(ui.lessons.open);
}

TEST_F(LessonLists, AClickerMovesInTheList) {
  key(Action::next);
  EXPECT_EQ(selected(), "tails-need-spin");
  key(Action::previous);
  EXPECT_EQ(selected(), "two-discs");
  EXPECT_TRUE(ui.commands.empty()) << "the lesson behind the list must not move too";
}

TEST_F(LessonLists, DigitsStartALessonInsteadOfAScene) {
  key(Action::load_scene, 2);
  EXPECT_EQ(ui.lessons.chosen, 3u);
  EXPECT_FALSE(ui.lessons.open);
  EXPECT_FALSE(asked<request::LoadScene>());
  ui.lessons.chosen.reset();
  ui.lessons.open = true;
  key(Action::load_scene, 8);
  EXPECT_FALSE(ui.lessons.chosen) << "there are four";
  EXPECT_TRUE(ui.lessons.open);
}

TEST_F(LessonLists, EscapeCloses) {
  key(Action::close_dialogs);
  EXPECT_FALSE(ui.lessons.open);
  frame();
  EXPECT_FALSE(find("lesson-two-discs"));
  ui.lessons.open = true;
  ui.lessons.entries.clear();
  frame();
  EXPECT_EQ(label("no-lessons"), "There are no lessons.");
  ui.lessons.reading = true;
  frame();
  EXPECT_EQ(label("no-lessons"), "Reading the lessons …");
  key(Action::close_dialogs);
  EXPECT_FALSE(ui.lessons.open);
}

TEST_F(LessonLists, ButtonsStartAndClose) {
  click("lesson-the-fall");
  click("start-lesson");
  EXPECT_EQ(ui.lessons.chosen, 3u);
  ui.lessons.open = true;
  EXPECT_THAT(tip_of("start-lesson"), HasSubstr("replace the current run"));
  click("close-lessons");
  EXPECT_FALSE(ui.lessons.open);
}

TEST_F(LessonLists, HasLargeTextThatFits) {
  EXPECT_GE(find("lesson-two-discs")->y1 - find("lesson-two-discs")->y0, 32 + 24);
  for (const ImVec2 size : {ImVec2{640, 360}, ImVec2{1280, 720}, ImVec2{1920, 1080}, ImVec2{3840, 2160}}) {
    for (const float projector : {0.5f, 1.0f, 2.0f}) {
      set_window(size.x, size.y, projector, std::min(2.0f, largest_scale(size.x)));
      for (int k = 0; k < 3; ++k) frame();
      for (const char* id : {"start-lesson", "close-lessons"}) {
        const auto item = find(id);
        ASSERT_TRUE(item) << id;
        EXPECT_LE(item->needed, item->x1 - item->x0) << id << ' ' << size.x << ' ' << projector;
        EXPECT_GE(item->x0, 0) << id << ' ' << size.x << ' ' << projector;
        EXPECT_LE(item->y1, size.y) << id << ' ' << size.x << ' ' << projector;
      }
    }
  }
}

TEST_F(LessonLists, ScrollsToTheSelection) {
  for (int k = 0; k < 20; ++k) add("more-" + std::to_string(k), "More");
  for (int k = 0; k < 22; ++k) key(Action::next);
  frame();
  EXPECT_EQ(selected(), "more-19");
  EXPECT_LE(find("lesson-more-19")->y1, 1080);
}

}  // namespace
}  // namespace pericenter::app

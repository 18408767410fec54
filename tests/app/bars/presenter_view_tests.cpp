#include "app/bars/presenter_view.h"

#include <gmock/gmock.h>

#include <string>

#include "tests/support/lesson_example.h"

// What the teacher sees in the presenter view.

namespace pericenter::app {
namespace {

using testing::HasSubstr;
using Phase = LessonState::Phase;

std::string words_of(const LessonState& lesson, const std::string& heading) {
  for (const PresenterContent::Part& part : presenter_content(lesson, "10:42", 5).parts)
    if (part.heading == heading) return part.words;
  return "no " + heading;
}

TEST(PresenterView, HasNumberOfTheSlideTimeOfDayAndMinutes) {
  EXPECT_EQ(presenter_content(example_lesson(), "10:42", 5).headline, "Slide 1 of 3  ·  10:42  ·  5 of 3 min");
}

TEST(PresenterView, HasNotesQuestionWithTheAnswerAndTheNextSlide) {
  LessonState lesson = example_lesson();
  lesson.predicted = 2;
  EXPECT_EQ(words_of(lesson, "Notes"), lesson.current().notes);
  EXPECT_THAT(words_of(lesson, "Question"), HasSubstr("\n2  the right side  (correct)\n3  both sides  (predicted)"));
  EXPECT_EQ(words_of(lesson, "Next slide"), "Which side grows long tails?");
  EXPECT_EQ(words_of(lesson, "The whole lesson"), "Vote by a show of hands.");
  lesson.slide = 2;
  EXPECT_EQ(words_of(lesson, "Next slide"), "This is the last slide.");
}

TEST(PresenterView, SaysWhetherTheClassSeesTheExplanation) {
  LessonState lesson = example_lesson();
  EXPECT_EQ(words_of(lesson, "Explanation (not shown yet)"), lesson.current().explanation.in(lesson.wording));
  lesson.phase = Phase::ended;
  EXPECT_EQ(words_of(lesson, "Explanation (shown)"), lesson.current().explanation.in(lesson.wording));
}

TEST(PresenterView, ShowsProgressInWholePerCentWhileTheSlideRuns) {
  LessonState lesson = example_lesson();
  lesson.share = 0.4271;
  EXPECT_FALSE(presenter_content(lesson, "10:42", 5).progress);
  lesson.phase = Phase::running;
  EXPECT_DOUBLE_EQ(presenter_content(lesson, "10:42", 5).progress.value(), 0.42);
  lesson.share = 0.4279;
  EXPECT_DOUBLE_EQ(presenter_content(lesson, "10:42", 5).progress.value(), 0.42) << "drawn again for nothing";
}

TEST(PresenterView, SaysWhatItIsForWithoutALesson) {
  const PresenterContent content = presenter_content({}, "10:42", 0);
  EXPECT_THAT(content.run, HasSubstr("F6"));
  EXPECT_TRUE(content.parts.empty());
}

}  // namespace
}  // namespace pericenter::app

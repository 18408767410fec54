#include "app/lessons/lesson_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/lessons/built_in_lessons.h"
#include "app/lessons/lesson_file.h"

namespace pericenter::app {
namespace {

TEST(BuiltInLessons, CanBeReadWithAllTheirTranslations) {
  for (const BuiltInLesson& file : built_in_lessons()) {
    SCOPED_TRACE(file.file);
    const std::string language = language_of(std::string(file.file));
    try {
      const auto lesson = find_lesson(lesson_name(std::string(file.file)), "", language);
      EXPECT_EQ(lesson->language, language);
    } catch (const LessonError& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

}  // namespace
}  // namespace pericenter::app

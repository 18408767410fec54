#pragma once

#include <string>
#include <string_view>

#include "app/base/translation.h"
#include "app/lessons/lesson_player.h"

namespace pericenter::app {

/// Language of the lesson that is shown; empty: English or none.
inline std::string_view language_of(const LessonState& lesson) {
  return lesson.on() ? std::string_view(lesson.lesson->language) : std::string_view();
}

/// Words of the program in the language of the lesson that is shown.
inline std::string lesson_words(std::string_view english, const LessonState& lesson) {
  return translated(english, language_of(lesson));
}

}  // namespace pericenter::app

#pragma once

#include <string>

namespace pericenter::test {

/// The first five lines of a lesson.
inline const std::string kLessonHeader =
    "title = \"Two discs\"\n"
    "minutes = 3\n"
    "audience = \"age 14 and up\"\n"
    "goal = \"You can explain tails.\"\n"
    "\n";

/// A lesson of one slide with these further lines, the first of which is line 8.
inline std::string lesson_with(const std::string& lines) {
  return kLessonHeader + "[[slides]]\nscene = \"pericenter/1 scene=collision n=12000\"\n" + lines;
}

}  // namespace pericenter::test

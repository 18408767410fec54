#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/lesson.h"

namespace pericenter::app {

/// A lesson that cannot be used; what() names the file, the line, the key and what is allowed.
class LessonError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads a lesson. `file` is its path or name, for messages. Throws LessonError.
Lesson read_lesson(std::string_view toml, const std::string& file);
/// Replaces the texts of `lesson` by those of a file NAME.de.toml. Throws LessonError.
void translate(Lesson& lesson, std::string_view toml, const std::string& file);

/// A slide of the running scene as TOML, to append to a lesson: scene string and an empty caption.
std::string slide_text(const std::string& scene_string);

}  // namespace pericenter::app

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "app/lessons/lesson.h"

namespace pericenter::app {

inline constexpr std::size_t kMaxLessonBytes = 1 << 18, kMaxSlides = 200;

/// Finds the lesson of `include`. Throws LessonError if there is none.
using FindIncluded = std::function<std::shared_ptr<const Lesson>(const std::string& name)>;

/// Reads a lesson in the format of assets/lessons/README.md, in time linear in its length. `file` is its path or name,
/// for messages and the name of the lesson. An empty `find` allows no include. Throws LessonError.
Lesson read_lesson(std::string_view toml, const std::string& file, const FindIncluded& find = {});

/// The text of the file of a lesson. Throws LessonError, also for one of more than kMaxLessonBytes.
std::string lesson_text(const std::string& path);

/// Replaces the texts of `lesson`, except those of included slides, by those of a file NAME.de.toml. Throws
/// LessonError.
void translate(Lesson& lesson, std::string_view toml, const std::string& file);

/// "de" for a path that ends in NAME.de.toml; empty for other files.
std::string language_of(const std::string& file);
/// The name of a file without folder, language and .toml.
std::string lesson_name(const std::string& file);

}  // namespace pericenter::app

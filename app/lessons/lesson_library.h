#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/lesson.h"

namespace pericenter::app {

/// A file of assets/lessons.
struct BuiltInLesson {
  std::string_view file;  ///< "two-discs.toml"
  std::string_view text;
};

/// The lessons in the order of teaching, and their translations.
std::span<const BuiltInLesson> built_in_lessons();

/// A lesson of the list, or why it cannot be used.
struct LessonEntry {
  std::string name;
  std::string path;  ///< empty: built in
  std::shared_ptr<const Lesson> lesson = {};
  std::string problem = {};  ///< empty: none
  std::size_t left_at = 0;   ///< slide at which it was left; 0: none
};

/// The built-in lessons in the order of teaching, then those of the folder, by name. A file NAME.toml in the folder
/// replaces the built-in lesson of the same name, and NAME.de.toml its German texts. A file with a problem does not
/// affect the others. An empty or missing folder has no lessons. `language` as in Lesson: the translations that exist
/// are used.
std::vector<LessonEntry> lesson_library(const std::string& folder, std::string_view language);

/// The lesson of --lesson NAME|FILE: a file if there is a / or .toml in it. Throws LessonError.
std::shared_ptr<const Lesson> find_lesson(const std::string& name_or_file, const std::string& folder,
                                          std::string_view language);

/// Language of the environment (LC_ALL, LC_MESSAGES, LANG): "de"; empty: English or none.
std::string system_language();
/// The language of --language, or of the environment if `option` is empty; as in Lesson.
std::string lesson_language(const std::string& option);

}  // namespace pericenter::app

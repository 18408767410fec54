#pragma once

#include <span>
#include <string_view>

namespace pericenter::app {

/// A file of assets/lessons. lesson_library.h reads them.
struct BuiltInLesson {
  std::string_view file;  ///< "two-discs.toml"
  std::string_view text;
};

/// The lessons in the order of teaching, and their translations.
std::span<const BuiltInLesson> built_in_lessons();

}  // namespace pericenter::app

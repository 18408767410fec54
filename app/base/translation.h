#pragma once

#include <span>
#include <string>
#include <string_view>

// The words of the program that a class reads beside the texts of a lesson, in the language of the lesson.
namespace pericenter::app {

/// A row of a table: {} stands for a number or for other words, in the same order in both.
struct Translation {
  std::string_view english, translated;
};

/// The table of a language, such as "de"; empty for English and languages without a table.
std::span<const Translation> translations(std::string_view language);

/// Of the rows whose English matches, the one with the most letters; null: none.
const Translation* find_translation(std::string_view english, std::string_view language);

/// `english` by the row that matches, numbers with the separators of the language: "1.999,5". Without such a row
/// it stays as it is, unless it has only digits and signs.
std::string translated(std::string_view english, std::string_view language);

}  // namespace pericenter::app

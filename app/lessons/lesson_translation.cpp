#include <array>
#include <string>
#include <utility>
#include <vector>

#include "app/lessons/lesson_file.h"
#include "app/lessons/lesson_table.h"
#include "app/lessons/parse_toml.h"

namespace pericenter::app {
namespace {

constexpr std::array<std::string_view, 3> kTranslatedKeys = {"audience", "notes", "slides"};
constexpr std::array<std::string_view, 3> kTranslatedWordings = {"title", "goal", "misconceptions"};
constexpr std::array<std::string_view, 1> kTranslatedSlideKeys = {"notes"};
constexpr std::array<std::string_view, 4> kTranslatedSlideWordings = {"caption", "question", "choices", "explanation"};

void translate_text(const LessonTable& table, std::string_view key, std::string& text) {
  if (!table.has(key)) return;
  if (text.empty()) table.fail(key, "the lesson has no such text here.");
  text = table.text(key);
}

void translate_wording(const LessonTable& table, std::string_view key, LessonText& text) {
  if (!table.has(key)) return;
  if (text.empty()) table.fail(key, "the lesson has no such text here.");
  text = table.wording(key);
}

void translate_list(const LessonTable& table, std::string_view key, std::vector<LessonText>& texts) {
  if (!table.has(key)) return;
  std::vector<LessonText> translated = table.wordings(key);
  if (translated.size() != texts.size())
    table.fail(key, "has " + std::to_string(translated.size()) +
                        " texts; it must have as many as the lesson: " + std::to_string(texts.size()) + ".");
  texts = std::move(translated);
}

void translate_slide(const LessonTable& table, Slide& slide) {
  translate_wording(table, "caption", slide.caption);
  translate_wording(table, "question", slide.question);
  translate_list(table, "choices", slide.choices);
  translate_wording(table, "explanation", slide.explanation);
  translate_text(table, "notes", slide.notes);
}

}  // namespace

void translate(Lesson& lesson, std::string_view toml, const std::string& file) {
  const toml::table root = parse_toml(toml, file);
  const LessonTable table(root, file, {kTranslatedKeys, kTranslatedWordings});
  Lesson result = lesson;
  std::vector<Slide*> own;
  for (Slide& slide : result.slides)
    if (slide.origin.empty()) own.push_back(&slide);
  const std::vector<const toml::table*> slides = table.tables("slides");
  if (slides.size() != own.size())
    table.fail("slides", "there are " + std::to_string(slides.size()) + " slides; there must be as many as in " +
                             lesson.name + ".toml, without those with 'include': " + std::to_string(own.size()) + ".");
  translate_wording(table, "title", result.title);
  translate_wording(table, "goal", result.goal);
  translate_list(table, "misconceptions", result.misconceptions);
  translate_text(table, "audience", result.audience);
  translate_text(table, "notes", result.notes);
  for (std::size_t k = 0; k < own.size(); ++k)
    translate_slide(LessonTable(*slides[k], file, {kTranslatedSlideKeys, kTranslatedSlideWordings}), *own[k]);
  result.language = language_of(file);
  lesson = std::move(result);
}

}  // namespace pericenter::app

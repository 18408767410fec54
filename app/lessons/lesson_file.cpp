#include "app/lessons/lesson_file.h"

#include <array>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "app/base/atomic_file.h"
#include "app/base/format.h"
#include "app/lessons/lesson_table.h"
#include "app/lessons/slide_file.h"

namespace pericenter::app {
namespace {

constexpr std::array<std::string_view, 4> kLessonKeys = {"minutes", "audience", "notes", "slides"};
constexpr std::array<std::string_view, 3> kLessonWordings = {"title", "goal", "misconceptions"};
constexpr double kMaxMinutes = 600;

/// The language of "two-discs.de", with its dot; empty for other names.
std::string language_suffix(const std::filesystem::path& stem) {
  const std::string suffix = stem.extension().string();
  const auto is_letter = [](char letter) { return letter >= 'a' && letter <= 'z'; };
  return suffix.size() == 3 && is_letter(suffix[1]) && is_letter(suffix[2]) ? suffix : std::string();
}

void require_all(const LessonTable& table) {
  table.require("title", R"(title = "Two galaxies meet")");
  table.require("minutes", "minutes = 3");
  table.require("audience", R"(audience = "age 12 and up")");
  table.require("goal", R"(goal = "You can explain why tails form.")");
  table.require("slides", "[[slides]]");
}

// ---- translations

constexpr std::array<std::string_view, 3> kTranslatedKeys = {"audience", "notes", "slides"};
constexpr std::array<std::string_view, 3> kTranslatedWordings = {"title", "goal", "misconceptions"};
constexpr std::array<std::string_view, 1> kTranslatedSlideKeys = {"notes"};
constexpr std::array<std::string_view, 4> kTranslatedSlideWordings = {"caption", "question", "choices", "explanation"};

/// A translation has exactly the texts that the lesson has.
void check_same(const LessonTable& table, const std::string& key, const std::string& text) {
  if (table.has(key) && text.empty()) table.fail(key, "the lesson has no such text here.");
  if (!table.has(key) && !text.empty()) table.fail(key, "is missing; translate \"" + text + "\"");
}

void translate(const LessonTable& table, const std::string& key, std::string& text) {
  check_same(table, key, text);
  text = table.text(key);
}

void translate(const LessonTable& table, const std::string& key, LessonText& text) {
  check_same(table, key, text.pupils);
  check_same(table, key + "_technical", text.technical);
  text = table.wording(key);
}

void translate(const LessonTable& table, const std::string& key, std::vector<LessonText>& texts) {
  const LessonText first = texts.empty() ? LessonText{} : texts.front();
  check_same(table, key, first.pupils);
  check_same(table, key + "_technical", first.technical);
  std::vector<LessonText> translated = table.wordings(key);
  if (translated.size() != texts.size())
    table.fail(key, "has " + counted(translated.size(), "text") +
                        "; it must have as many as the lesson: " + std::to_string(texts.size()) + ".");
  texts = std::move(translated);
}

void translate_slide(const LessonTable& table, Slide& slide) {
  translate(table, "caption", slide.caption);
  translate(table, "question", slide.question);
  translate(table, "choices", slide.choices);
  translate(table, "explanation", slide.explanation);
  translate(table, "notes", slide.notes);
}

}  // namespace

std::string language_of(const std::string& file) {
  const std::filesystem::path path(file);
  const std::string suffix = path.extension() == ".toml" ? language_suffix(path.stem()) : std::string();
  return suffix.empty() ? suffix : suffix.substr(1);
}

std::string lesson_name(const std::string& file) {
  const std::filesystem::path path(file), stem = path.extension() == ".toml" ? path.stem() : path.filename();
  constexpr std::string_view kEnd = ".lesson";  // a double click opens NAME.lesson.toml
  std::string name = stem.string();
  name.resize(name.size() - language_suffix(stem).size());
  if (name.size() > kEnd.size() && name.ends_with(kEnd)) name.resize(name.size() - kEnd.size());
  return name;
}

std::string lesson_text(const std::string& path) {
  std::optional<std::string> text = first_bytes(path, kMaxLessonBytes + 1);
  if (!text) throw LessonError(path + ": cannot be read; check its name and permissions.");
  if (text->size() > kMaxLessonBytes)
    throw LessonError(path + ": is too large for a lesson; the maximum is " + std::to_string(kMaxLessonBytes / 1024) +
                      " KiB.");
  return *std::move(text);
}

Lesson read_lesson(std::string_view toml, const std::string& file, const FindIncluded& find) {
  const toml::table root = parse_toml(toml, file);
  const LessonTable table(root, file, {kLessonKeys, kLessonWordings});
  require_all(table);
  Lesson lesson{.name = lesson_name(file),
                .path = file,
                .title = table.wording("title"),
                .goal = table.wording("goal"),
                .minutes = *table.number("minutes", {0.5, kMaxMinutes}),
                .audience = table.text("audience"),
                .misconceptions = table.wordings("misconceptions"),
                .notes = table.text("notes"),
                .slides = {}};
  lesson.slides = read_slides(table, file, find);
  return lesson;
}

void translate(Lesson& lesson, std::string_view toml, const std::string& file) {
  const toml::table root = parse_toml(toml, file);
  const LessonTable table(root, file, {kTranslatedKeys, kTranslatedWordings});
  Lesson result = lesson;
  std::vector<Slide*> own;
  for (Slide& slide : result.slides)
    if (slide.origin.empty()) own.push_back(&slide);
  const std::vector<const toml::table*> slides = table.tables("slides");
  if (slides.size() != own.size())
    table.fail("slides", "has " + counted(slides.size(), "slide") + "; there must be as many as in " + lesson.name +
                             ".toml, without those with 'include': " + std::to_string(own.size()) + ".");
  translate(table, "title", result.title);
  translate(table, "goal", result.goal);
  translate(table, "misconceptions", result.misconceptions);
  translate(table, "audience", result.audience);
  translate(table, "notes", result.notes);
  for (std::size_t k = 0; k < own.size(); ++k)
    translate_slide(LessonTable(*slides[k], file, {kTranslatedSlideKeys, kTranslatedSlideWordings}), *own[k]);
  result.language = language_of(file);
  lesson = std::move(result);
}

}  // namespace pericenter::app

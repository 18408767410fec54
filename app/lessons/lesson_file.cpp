#include "app/lessons/lesson_file.h"

#include <array>
#include <filesystem>
#include <optional>
#include <utility>

#include "app/base/atomic_file.h"
#include "app/lessons/lesson_table.h"
#include "app/lessons/parse_toml.h"
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

}  // namespace

std::string language_of(const std::string& file) {
  const std::filesystem::path path(file);
  const std::string suffix = path.extension() == ".toml" ? language_suffix(path.stem()) : std::string();
  return suffix.empty() ? suffix : suffix.substr(1);
}

std::string lesson_name(const std::string& file) {
  const std::filesystem::path path(file), stem = path.extension() == ".toml" ? path.stem() : path.filename();
  const std::string name = stem.string();
  return name.substr(0, name.size() - language_suffix(stem).size());
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
  SlideReader reader(file, find);
  for (const toml::table* slide : table.tables("slides")) {
    reader.read(*slide, lesson.slides);
    if (lesson.slides.size() > kMaxSlides)
      table.fail("slides", line_of(*slide), "the lesson has more than " + std::to_string(kMaxSlides) + " slides.");
  }
  if (lesson.slides.empty()) table.fail("slides", "has no slides; write [[slides]] and the keys of a slide.");
  return lesson;
}

}  // namespace pericenter::app

#include "app/lessons/lesson_library.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "app/lessons/lesson_file.h"
#include "app/settings/option_values.h"

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;

/// A file of the folder, or a built-in one.
struct LessonSource {
  std::string name;
  std::string path = {};           ///< empty: built in
  std::string_view built_in = {};  ///< its text
};

std::string file_of(const LessonSource& source) {
  return source.path.empty() ? source.name + ".toml" : source.path;
}

std::string text_of(const LessonSource& source) {
  return source.path.empty() ? std::string(source.built_in) : lesson_text(source.path);
}

/// The lessons that include another one, from the outermost.
using Including = std::vector<std::string>;
constexpr std::size_t kMaxIncluding = 16;  ///< more is a mistake, and a long chain would exhaust the stack

class Library {
 public:
  Library(const std::string& folder, std::string_view language) : language_(language) {
    for (const BuiltInLesson& lesson : built_in_lessons()) add_built_in(std::string(lesson.file), lesson.text);
    std::error_code error;
    std::vector<std::string> paths;
    for (fs::directory_iterator file(folder, error), end; !error && file != end; file.increment(error))
      if (file->path().extension() == ".toml") paths.push_back(file->path().string());
    std::ranges::sort(paths);
    for (const std::string& path : paths) add_file(path);
  }

  const std::vector<LessonSource>& sources() const { return sources_; }

  const LessonSource& source(const std::string& name) const {
    const auto found = std::ranges::find(sources_, name, &LessonSource::name);
    if (found != sources_.end()) return *found;
    std::vector<std::string_view> names;
    for (const LessonSource& lesson : sources_) names.push_back(lesson.name);
    throw LessonError("there is no lesson '" + name + "'" + did_you_mean(name, names) + "; the lessons are " +
                      list_of(names) + ".");
  }

  std::shared_ptr<const Lesson> read(const LessonSource& source, Including including = {}) const {
    if (std::ranges::find(including, source.name) != including.end()) {
      std::string circle;
      for (const std::string& name : including) circle += name + " includes ";
      throw LessonError("the lessons include each other in a circle: " + circle + source.name + ".");
    }
    if (including.size() > kMaxIncluding)
      throw LessonError("lessons that include each other are nested at most " + std::to_string(kMaxIncluding) +
                        " deep: " + including.front() + " includes more of them; include the last ones directly.");
    including.push_back(source.name);
    const FindIncluded find = [&](const std::string& name) { return read(this->source(name), including); };
    Lesson lesson = read_lesson(text_of(source), file_of(source), find);
    lesson.path = source.path;
    use_translation(source, lesson);
    return std::make_shared<const Lesson>(std::move(lesson));
  }

 private:
  void add_built_in(const std::string& file, std::string_view text) {
    if (language_of(file).empty())
      sources_.push_back({.name = lesson_name(file), .built_in = text});
    else if (language_of(file) == language_)
      translations_[lesson_name(file)] = {.name = lesson_name(file) + "." + language_, .built_in = text};
  }

  void add_file(const std::string& path) {
    const LessonSource source{.name = lesson_name(path), .path = path};
    const std::string language = language_of(path);
    if (!language.empty()) {
      if (language == language_) translations_[source.name] = source;
      return;
    }
    const auto same = std::ranges::find(sources_, source.name, &LessonSource::name);
    if (same == sources_.end())
      sources_.push_back(source);
    else
      *same = source;
  }

  /// A file beside the lesson; of a built-in one in the folder of the user, or built in.
  void use_translation(const LessonSource& source, Lesson& lesson) const {
    if (language_.empty()) return;
    const auto known = translations_.find(source.name);
    const std::string beside = fs::path(source.path).replace_extension(language_ + ".toml").string();
    std::error_code error;
    if (!source.path.empty() && fs::exists(beside, error))
      translate(lesson, lesson_text(beside), beside);
    else if (source.path.empty() && known != translations_.end())
      translate(lesson, text_of(known->second), file_of(known->second));
  }

  std::string language_;
  std::vector<LessonSource> sources_;
  std::map<std::string, LessonSource, std::less<>> translations_;
};

}  // namespace

std::vector<LessonEntry> lesson_library(const std::string& folder, std::string_view language) {
  const Library library(folder, language);
  std::vector<LessonEntry> entries;
  for (const LessonSource& source : library.sources()) {
    LessonEntry& entry = entries.emplace_back(LessonEntry{.name = source.name, .path = source.path});
    try {
      entry.lesson = library.read(source);
    } catch (const LessonError& error) {
      entry.problem = error.what();
    }
  }
  return entries;
}

std::shared_ptr<const Lesson> find_lesson(const std::string& name_or_file, const std::string& folder,
                                          std::string_view language) {
  const Library library(folder, language);
  const bool is_file = name_or_file.find('/') != name_or_file.npos || name_or_file.ends_with(".toml");
  if (!is_file) return library.read(library.source(name_or_file));
  std::error_code error;
  const fs::path path = fs::absolute(name_or_file, error);
  return library.read({.name = lesson_name(name_or_file), .path = error ? name_or_file : path.string()});
}

std::string system_language() {
  for (const char* variable : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* value = std::getenv(variable);
    if (!value || *value == '\0') continue;
    const std::string_view locale(value);
    const std::string language(locale.substr(0, locale.find_first_of("_.@")));
    return language.size() == 2 && language != "en" ? language : std::string();
  }
  return {};
}

std::string lesson_language(const std::string& option) {
  if (option.empty()) return system_language();
  return option == "en" ? std::string() : option;
}

}  // namespace pericenter::app

#include "app/lessons/add_slide.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <span>
#include <system_error>

#include "app/base/atomic_file.h"
#include "app/base/format.h"
#include "app/lessons/lesson_file.h"
#include "app/lessons/lesson_library.h"

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxName = 60;

/// A word that is a file name on every system, without the suffix of a language.
void check_name(const std::string& name) {
  const auto is_allowed = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
           letter == '-' || letter == '_';
  };
  if (!name.empty() && name.size() <= kMaxName && std::ranges::all_of(name, is_allowed)) return;
  throw LessonError("'" + name + "' cannot be the name of a lesson; it must have 1 to " + std::to_string(kMaxName) +
                    " letters from a to z, digits, - or _.");
}

bool is_built_in(const std::string& name) {
  return std::ranges::find(built_in_lessons(), name + ".toml", &BuiltInLesson::file) != built_in_lessons().end();
}

std::string new_lesson(const std::string& name) {
  return "# The format is described in assets/lessons/README.md of Pericenter.\n"
         "title = \"" +
         name +
         "\"\n"
         "minutes = 3\n"
         "audience = \"everyone\"\n"
         "goal = \"What a pupil can say or do after the lesson.\"\n";
}

}  // namespace

std::string slide_text(const PresentState& state) {
  std::string slide = "[[slides]]\nscene = \"" + state.scene_string + "\"\ncaption = \"\"\n";
  const double rounded = std::round(state.myr * 10) / 10;
  if (rounded > 0) slide += "until = \"" + exact(rounded) + " Myr\"\n";
  return slide;
}

std::string add_slide(const std::string& name, const PresentState& state, const std::string& folder) {
  check_name(name);
  if (state.scene_string.empty()) throw LessonError("there is no scene yet to add to the lesson.");
  if (folder.empty())
    throw LessonError("there is no folder for lessons: set HOME or XDG_CONFIG_HOME to a folder that can be written.");
  std::error_code error;
  fs::create_directories(folder, error);  // write_file() reports a missing folder
  std::string path = (fs::path(folder) / (name + ".toml")).string();
  if (!fs::exists(path, error)) path = (fs::path(folder) / (name + ".lesson.toml")).string();
  const bool exists = fs::exists(path, error);
  if (!exists && is_built_in(name))
    throw LessonError("'" + name + "' is a built-in lesson, which the new file would replace; use another name.");
  std::string text = exists ? lesson_text(path) : new_lesson(name);
  if (!text.ends_with('\n')) text += '\n';
  text += "\n" + slide_text(state);
  read_lesson(text, path, [&](const std::string& other) { return find_lesson(other, folder, {}); });
  write_file(path, std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
  return path;
}

}  // namespace pericenter::app

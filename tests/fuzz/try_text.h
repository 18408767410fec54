#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/options.h"
#include "app/export/export_options.h"
#include "app/lessons/lesson_file.h"
#include "app/lessons/lesson_library.h"
#include "app/settings/command_line.h"
#include "app/settings/command_line_error.h"
#include "app/settings/scene_string.h"
#include "app/ui/file_browser.h"
#include "app/view/camera_file.h"
#include "sim/core/fault_injection.h"

namespace pericenter::test {

// Text input from users, files and the environment. Each function passes arbitrary bytes to a parser and returns
// whether they were accepted. Any exception other than the error type of the parser is a defect, and so is accepted
// text that does not survive a round trip.

inline void must(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

inline bool try_scene_string(std::string_view text) {
  app::Options options, again;
  try {
    app::read_scene_string(text, options);
  } catch (const app::CommandLineError&) {
    return false;
  }
  app::read_scene_string(app::scene_string(options), again);
  must(app::scene_string(again) == app::scene_string(options), "a scene string changes in a round trip");
  return true;
}

/// Arguments after the program name, each terminated by a zero byte. The requested actions are not started.
inline bool try_command_line(std::string_view bytes) {
  std::vector<std::string> words = {"pericenter"};
  for (std::size_t end; !bytes.empty(); bytes.remove_prefix(end < bytes.size() ? end + 1 : bytes.size())) {
    end = bytes.find('\0');
    words.emplace_back(bytes.substr(0, end));
  }
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  const int count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  const std::string command = count > 1 ? words[1] : "";
  try {
    if (command == "bench") {
      app::parse_bench_command_line(count - 1, arguments.data() + 1);
      return true;
    }
    if (command == "export") {
      app::parse_export_command_line(count - 1, arguments.data() + 1);
      return true;
    }
    const app::CommandLine read = app::parse_command_line(count, arguments.data());
    if (!read.answer && !read.options.reads_a_file())
      must(try_scene_string(app::scene_string(read.options)), "accepted options cannot be expressed as a scene string");
    return true;
  } catch (const app::CommandLineError&) {
    return false;
  }
}

inline bool try_cameras(std::string_view text) {
  try {
    const app::Cameras cameras = app::cameras_of(text, "cameras.csv");
    must(app::cameras_of(app::text_of(cameras), "again") == cameras, "cameras change in a round trip");
    return !(cameras == app::Cameras());
  } catch (const app::CameraFileError&) {
    return false;
  }
}

/// A settings file has no errors: invalid lines are ignored.
inline bool try_recent_files(std::string_view text) {
  const int file = ::memfd_create("recent_files.txt", MFD_CLOEXEC);
  must(file >= 0 && ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()), "no memory file");
  app::RecentFiles recent("/proc/self/fd/" + std::to_string(file));
  ::close(file);
  must(recent.paths().size() <= app::kMaxRecentFiles, "there are more recent files than the limit");
  for (const std::string& path : recent.paths()) must(path.starts_with('/'), "a recent file has no full path");
  return !recent.paths().empty();
}

inline bool try_fault_plan(std::string_view text) {
  const bool accepted = plan_fault(text).empty();
  plan_fault("");
  return accepted;
}

/// Messages name the file and the line.
inline bool try_lesson(std::string_view text) {
  static const app::FindIncluded find = [](const std::string& name) { return app::find_lesson(name, "", ""); };
  try {
    const app::Lesson lesson = app::read_lesson(text, "lesson.toml", find);
    must(!lesson.slides.empty() && lesson.slides.size() <= app::kMaxSlides, "a lesson has no slides, or too many");
    for (const app::Slide& slide : lesson.slides)
      must(slide.choices.empty() || slide.answer < slide.choices.size(), "the answer is none of the choices");
    return true;
  } catch (const app::LessonError& error) {
    const std::string_view what = error.what(), file = "lesson.toml:";
    must(what.starts_with(file) && what[file.size()] >= '1' && what[file.size()] <= '9', "a message names no line");
    return false;
  }
}

/// A translation of a built-in lesson.
inline bool try_translation(std::string_view text) {
  app::Lesson lesson = *app::find_lesson("two-discs", "", "");
  const std::size_t slides = lesson.slides.size();
  try {
    app::translate(lesson, text, "two-discs.de.toml");
    must(lesson.slides.size() == slides && lesson.language == "de", "a translation changes the slides");
    return true;
  } catch (const app::LessonError& error) {
    must(std::string_view(error.what()).starts_with("two-discs.de.toml:"), "a message names no file");
    return false;
  }
}

struct TextTrial {
  std::string_view name;  ///< folder in tests/fuzz/texts
  bool (*accepts)(std::string_view text);
};
inline constexpr std::array<TextTrial, 7> kTextTrials = {{
    {"cameras", try_cameras},
    {"command_line", try_command_line},
    {"fault_plan", try_fault_plan},
    {"lesson", try_lesson},
    {"lesson_translation", try_translation},
    {"recent_files", try_recent_files},
    {"scene_string", try_scene_string},
}};

}  // namespace pericenter::test

#include "app/settings/input_files.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "app/base/atomic_file.h"
#include "app/settings/command_line_error.h"
#include "app/settings/scene_string.h"
#include "sim/playback/series.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {
namespace {

constexpr std::string_view kSceneStringBegin = "pericenter/";
constexpr std::uintmax_t kMaxSceneString = 64 << 10;

/// A word that is neither an option nor the path of a file is a typing error.
void check_is_path(const std::string& word) {
  std::error_code error;
  if (word.find_first_of("./") != word.npos || std::filesystem::exists(word, error)) return;
  const std::string hint = find_scene(word) ? "; for the scene use --scene " + word : "; options begin with --";
  throw CommandLineError("'" + word + "' is neither an option nor a file" + hint + ", see --help.");
}

void check_can_be_read(const Argument& argument) {
  if (::access(argument.text.c_str(), R_OK) == 0) return;
  throw CommandLineError(argument.option + ": cannot read '" + argument.text + "': " + std::strerror(errno) + ".",
                         kNoInput);
}

}  // namespace

std::string checked_input(const Argument& argument, bool plays) {
  check_can_be_read(argument);
  try {
    return file_of_folder(argument.text, plays);
  } catch (const InputError& error) {
    throw CommandLineError(argument.option + ": " + error.what(), kNoInput);
  }
}

std::string scene_string_in(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) || std::filesystem::file_size(path, error) > kMaxSceneString)
    return {};
  const std::string text = first_bytes(path, kMaxSceneString).value_or("");
  return text.starts_with(kSceneStringBegin) ? text : "";
}

bool opens_as_series(const std::string& path) {
  return !std::filesystem::path(path).filename().string().starts_with("pericenter-") && series_of(path).size() > 1;
}

void add_given_file(const std::string& path, Options& options) {
  check_is_path(path);
  check_can_be_read({"FILE", path});
  options.files.push_back(path);
  const std::string text = scene_string_in(path);
  if (text.empty()) return;
  try {
    read_scene_string(text, options);
  } catch (const CommandLineError& error) {
    throw CommandLineError(path + ": " + error.what(), kDataError);
  }
  options.scene_string = text;
}

void open_given_files(Options& options) {
  if (options.files.empty()) return;
  const bool may_play = options.follow || (!options.headless && options.files.size() == 1);
  for (std::string& file : options.files) file = checked_input({"FILE", file}, may_play);
  const std::string& first = options.files.front();
  const bool is_lesson = first.ends_with(".toml"), is_scene = !scene_string_in(first).empty();
  if (!options.play.empty() && !is_scene && !is_lesson) {
    options.files.insert(options.files.begin(), options.play);
    return;
  }
  if (options.reads_a_file() && !is_scene)
    throw CommandLineError("'" + first + "' and --load or --play cannot be combined: both name bodies.");
  if (options.files.size() > 1 && (is_lesson || is_scene))
    throw CommandLineError("'" + options.files[1] +
                           "' is one file too many: only the snapshots of a series can be opened together.");
  if (is_scene) return;
  if (is_lesson) {
    options.lesson = first;
    return;
  }
  const bool plays = options.follow || options.files.size() > 1 || (!options.headless && opens_as_series(first));
  (plays ? options.play : options.load) = first;
}

}  // namespace pericenter::app

#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/compare.h"
#include "app/bench/options.h"
#include "app/cli/command_line.h"
#include "app/cli/scene_string.h"
#include "app/export/export_options.h"
#include "app/ui/recent_files.h"
#include "app/view/camera_file.h"
#include "sim/core/fault_injection.h"

namespace pericenter::tests {

// What people, files and the environment hand to the program as text: each function hands it any bytes, and returns
// whether they were taken. Refused they must be with the error that is meant for it; all else that is thrown, also
// where what was taken does not read back, is a defect.

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
  must(app::scene_string(again) == app::scene_string(options), "a scene string says something else when read back");
  return true;
}

/// What follows the program's name, each argument ended by a zero. Nothing is started with what it asks for.
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
      must(try_scene_string(app::scene_string(read.options)), "options were taken that no scene string can say");
    return true;
  } catch (const app::CommandLineError&) {
    return false;
  }
}

inline bool try_cameras(std::string_view text) {
  try {
    const app::Cameras cameras = app::cameras_of(text, "cameras.csv");
    must(app::cameras_of(app::text_of(cameras), "again") == cameras, "cameras differ when they are read back");
    return !(cameras == app::Cameras());
  } catch (const app::CameraFileError&) {
    return false;
  }
}

/// A file of settings has no errors: lines that mean nothing are left out.
inline bool try_recent_files(std::string_view text) {
  const int file = ::memfd_create("recent_files.txt", MFD_CLOEXEC);
  must(file >= 0 && ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()), "no memory file");
  app::RecentFiles recent("/proc/self/fd/" + std::to_string(file));
  ::close(file);
  must(recent.paths().size() <= app::kMaxRecentFiles, "there are more recent files than are kept");
  for (const std::string& path : recent.paths()) must(path.starts_with('/'), "a recent file has no full path");
  return !recent.paths().empty();
}

inline bool try_measurements(std::string_view text) {
  try {
    const auto rows = app::read_measurements(Bytes{reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    app::comparison(rows, rows);
    return !rows.empty();
  } catch (const InputError&) {
    return false;
  }
}

inline bool try_fault_plan(std::string_view text) {
  const bool taken = plan_fault(text).empty();
  plan_fault("");
  return taken;
}

struct TextTrial {
  std::string_view name;  ///< of its folder in tests/fuzz/texts
  bool (*taken)(std::string_view text);
};
inline constexpr std::array<TextTrial, 6> kTextTrials = {{
    {"cameras", try_cameras},
    {"command_line", try_command_line},
    {"fault_plan", try_fault_plan},
    {"measurements", try_measurements},
    {"recent_files", try_recent_files},
    {"scene_string", try_scene_string},
}};

}  // namespace pericenter::tests

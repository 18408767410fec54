#include "app/window/settings_dir.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;

fs::path path_variable(const char* name) {
  const char* text = std::getenv(name);
  return text ? text : "";
}

std::string settings_file(const char* name) {
  const std::string folder = settings_dir();
  return folder.empty() ? folder : (fs::path(folder) / name).string();
}

}  // namespace

std::string settings_dir() {
  fs::path folder = path_variable("XDG_CONFIG_HOME");
  if (!folder.is_absolute() && path_variable("HOME").is_absolute()) folder = path_variable("HOME") / ".config";
  if (!folder.is_absolute()) return {};
  folder /= "pericenter";
  std::error_code error;
  fs::create_directories(folder, error);
  return error ? std::string() : folder.string();
}

std::string layout_path() {
  return settings_file("imgui.ini");
}

std::string cameras_path() {
  return settings_file("cameras.csv");
}

std::string recent_files_path() {
  return settings_file("recent_files.txt");
}

std::string step_times_path() {
  return settings_file("step_times.txt");
}

std::string left_lessons_path() {
  return settings_file("left_lessons.txt");
}

std::string lessons_folder() {
  return settings_file("lessons");
}

}  // namespace pericenter::app

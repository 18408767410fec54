#include "app/base/home_folder.h"

#include <cstdlib>
#include <filesystem>

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;

bool starts_with_tilde(const std::string& path) {
  return path == "~" || path.starts_with("~/");
}

}  // namespace

std::string home_folder() {
  const char* home = std::getenv("HOME");
  std::error_code error;
  return home && *home ? home : fs::current_path(error).string();
}

std::string expanded_home(const std::string& path) {
  return starts_with_tilde(path) ? home_folder() + path.substr(1) : path;
}

std::string abbreviated_home(const std::string& path) {
  if (starts_with_tilde(path)) return "./" + path;
  std::string home = home_folder();
  while (home.ends_with('/')) home.pop_back();
  if (home.empty() || !path.starts_with(home + "/")) return path;
  return "~" + path.substr(home.size());
}

}  // namespace pericenter::app

#pragma once

#include <string>

namespace pericenter::app {

/// $HOME, or the current folder without it.
std::string home_folder();
/// The path that "~" or "~/FILE" stands for; other paths as they are.
std::string expanded_home(const std::string& path);
/// "~/FILE" for a file of the home folder, which names no user and is right for another user as well. expanded_home()
/// returns a path to the same file.
std::string abbreviated_home(const std::string& path);

}  // namespace pericenter::app

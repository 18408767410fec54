#pragma once

#include <string>

namespace pericenter::app {

/// `path` + `ending`. The file name is shortened, between two characters, if it would be too long for its folder.
std::string path_with_ending(const std::string& path, const std::string& ending);

/// Name `number` of a temporary file of this process next to `target`.
std::string temporary_name(const std::string& target, int number);

/// Removes files with a temporary_name() in the folder of `target` whose processes, on this machine, do not exist.
void remove_abandoned_files(const std::string& target);

}  // namespace pericenter::app

#pragma once

#include <string>

namespace pericenter::app {

/// What --list-scenes prints.
std::string list_of_scenes();
/// What --list-solvers prints.
std::string list_of_solvers();

}  // namespace pericenter::app

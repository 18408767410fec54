#pragma once

#include <string>

namespace pericenter::app {

/// `text` for other people to read: the home folder becomes ~, and the names of the user and of this computer become
/// USER and HOST. Names shorter than three letters are replaced only as a part of a path.
std::string without_personal_data(std::string text);

}  // namespace pericenter::app

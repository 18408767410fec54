#pragma once

#include <string>

namespace pericenter::app {

/// `text` for other people to read: the home folder becomes ~. In paths, the names of the user and of this computer
/// become USER and HOST; elsewhere they may be ordinary words.
std::string without_personal_data(std::string text);

}  // namespace pericenter::app

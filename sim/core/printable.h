#pragma once

#include <string>
#include <string_view>

namespace pericenter {

/// `text` with control characters and bytes that are not UTF-8 as \xNN, so that a file name cannot control a terminal
/// or add lines to a text.
std::string printable(std::string_view text);
/// The same for each line; line breaks stay.
std::string printable_lines(std::string_view text);

}  // namespace pericenter

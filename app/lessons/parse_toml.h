#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

namespace pericenter::app {

/// The table of a file. Throws LessonError, which names the line.
toml::table parse_toml(std::string_view text, const std::string& file);

}  // namespace pericenter::app

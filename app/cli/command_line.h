#pragma once

#include <optional>
#include <string>

#include "app/cli/options.h"

namespace pericenter::app {

struct CommandLine {
  Options options;
  std::optional<std::string> answer;  ///< text of --help, --version or --list-...; print it and exit
};

/// Parses and checks the command line; writes nothing. Throws CommandLineError.
CommandLine parse_command_line(int argc, const char* const* argv);

}  // namespace pericenter::app

#pragma once

#include <optional>
#include <string>

#include "app/settings/option_parser.h"
#include "app/settings/options.h"

namespace pericenter::app {

struct CommandLine {
  Options options;
  std::string generate;               ///< --generate: man, bash, zsh or fish, or empty
  std::optional<std::string> answer;  ///< text of --help, --version or --list-...; print it and exit
};

/// Parses and checks the command line; writes nothing. Throws CommandLineError.
CommandLine parse_command_line(int argc, const char* const* argv);

/// The program without a command.
CommandInfo program_command();

}  // namespace pericenter::app

#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include "app/cli/options.h"

namespace pericenter::app {

/// The command line asks for something wrong (kUsage), missing (kNoInput) or not built in (kUnavailable); what() is one
/// sentence that names the value and what is allowed.
class CommandLineError : public std::runtime_error {
 public:
  explicit CommandLineError(const std::string& message, ExitCode exit_code = kUsage)
      : std::runtime_error(message), code(exit_code) {}
  ExitCode code;
};

struct CommandLine {
  Options options;
  std::optional<std::string> answer;  ///< what --help, --version or --list-... print; there is nothing else to do then
};

/// Reads and checks the command line; nothing is written anywhere. Throws CommandLineError.
CommandLine parse_command_line(int argc, const char* const* argv);

}  // namespace pericenter::app

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/settings/option_parser.h"

namespace pericenter::app {

/// The program without a command, then all its commands; `bench` is before its subcommands. Options and arguments that
/// are lessons offer the names of the built-in ones.
std::vector<CommandInfo> all_commands();

/// Manual page in the man(7) macros, for section 1.
std::string man_page(const std::vector<CommandInfo>& commands);

// Completions of shells. Values of an option are names, files or folders, as its type and its row say.
std::string bash_completion(const std::vector<CommandInfo>& commands);
std::string zsh_completion(const std::vector<CommandInfo>& commands);
std::string fish_completion(const std::vector<CommandInfo>& commands);

/// The answer of --generate; `what` is man, bash, zsh or fish.
std::string generated_text(std::string_view what);

}  // namespace pericenter::app

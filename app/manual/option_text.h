#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/settings/option_parser.h"

namespace pericenter::app {

/// An option or a positional argument, as completions see it.
struct OptionText {
  std::vector<std::string> names;  ///< "-n", "--bodies"; of a positional argument: empty
  std::string type;                ///< empty: a flag
  std::string summary;             ///< first part of the help, in one line
  std::vector<std::string> values;
  bool is_list = false;  ///< several values, separated by commas
  bool files = false, folders = false;
};

OptionText option_text(const OptionRow& row);

/// Options of a command, without positional arguments; these.
std::vector<OptionText> options_of(const CommandInfo& command);
std::vector<OptionText> arguments_of(const CommandInfo& command);

/// Words that follow `command` as a subcommand: "render" follows "bench".
std::vector<std::string> subcommands_of(const CommandInfo& command, const std::vector<CommandInfo>& all);

std::string joined(const std::vector<std::string>& words, std::string_view separator = " ");
/// `text` with all `what` replaced.
std::string replaced(std::string text, std::string_view what, std::string_view with);

}  // namespace pericenter::app

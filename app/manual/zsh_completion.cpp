#include "app/manual/manual.h"
#include "app/manual/option_text.h"

namespace pericenter::app {
namespace {

/// Text inside '...', in which _arguments needs a backslash before brackets and colons.
std::string quoted_for_zsh(std::string text) {
  for (const char* special : {"\\", "[", "]", ":"}) text = replaced(text, special, std::string("\\") + special);
  return replaced(text, "'", "'\\''");
}

/// What completes a value, as the action of _arguments.
std::string action(const OptionText& option) {
  const std::string words = joined(option.values);
  if (option.is_list) return words.empty() ? " " : "_sequence compadd - " + words;
  if (option.files && words.empty()) return "_files";
  // After a space, _arguments adds no arguments of its own.
  if (option.files) return " _pericenter_names_or_files " + words;
  if (option.folders) return "_files -/";
  return words.empty() ? " " : "(" + words + ")";
}

std::string option_specs(const OptionText& option) {
  std::string text;
  for (const std::string& name : option.names) {
    const bool is_long = name.starts_with("--");
    text += " \\\n        '" + name + (option.type.empty() ? "" : is_long ? "=" : "+");
    text += "[" + quoted_for_zsh(option.summary) + "]";
    if (!option.type.empty()) text += ":" + quoted_for_zsh(option.type) + ":" + action(option);
    text += "'";
  }
  return text;
}

std::string argument_spec(const CommandInfo& command, const std::vector<CommandInfo>& all) {
  const std::vector<std::string> subcommands = subcommands_of(command, all);
  std::string text;
  if (command.name.empty())
    text += " \\\n        '1:command or file: _pericenter_names_or_files " + joined(subcommands) + "'";
  else if (!subcommands.empty())
    text += " \\\n        '1:benchmark:(" + joined(subcommands) + ")'";
  for (const OptionText& argument : arguments_of(command))
    text += " \\\n        '" + std::string(argument.type == "FOLDER" || command.name == "worksheet" ? ":" : "*:") +
            argument.type + ":" + action(argument) + "'";
  return text;
}

}  // namespace

std::string zsh_completion(const std::vector<CommandInfo>& commands) {
  std::string text =
      "#compdef pericenter\n# zsh completion, made by `pericenter --generate zsh`.\n"
      "_pericenter_names_or_files() {\n  _alternative \"names:name:($*)\" 'files:file:_files'\n}\n"
      "_pericenter() {\n  local command=''\n  local -a parts\n";
  for (const CommandInfo& command : commands) {
    if (command.name.empty()) continue;
    const bool nested = command.name.find(' ') != command.name.npos;
    text += "  if (( CURRENT > " + std::string(nested ? "3" : "2") + " )) && [[ " +
            (nested ? "\"$words[2] $words[3]\"" : "$words[2]") + " == '" + command.name + "' ]]; then command='" +
            command.name + "'; fi\n";
  }
  text +=
      "  parts=(${=command})\n  if (( $#parts > 0 )); then\n    words[2,$#parts+1]=()\n"
      "    (( CURRENT -= $#parts ))\n  fi\n  case $command in\n";
  for (const CommandInfo& command : commands) {
    text += "    '" + command.name + "')\n      _arguments";
    for (const OptionText& option : options_of(command)) text += option_specs(option);
    text += argument_spec(command, commands) + "\n      ;;\n";
  }
  return text + "  esac\n}\n_pericenter \"$@\"\n";
}

}  // namespace pericenter::app

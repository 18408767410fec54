#include "app/manual/manual.h"
#include "app/manual/option_text.h"

namespace pericenter::app {
namespace {

constexpr const char* kFishBegin = R"(# fish completion for pericenter, made by `pericenter --generate fish`.
function __pericenter_command --description 'The command in the words before the cursor'
    set -l words (commandline -opc)
    switch "$words[2]"
)";

std::string quoted_for_fish(std::string text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

std::string condition(const CommandInfo& command) {
  return "complete -c pericenter -n 'test \"$(__pericenter_command)\" = \"" + command.name + "\"'";
}

/// The arguments of `complete` for a value.
std::string value_arguments(const OptionText& option) {
  if (option.type.empty()) return " -f";
  std::string text = option.files ? " -r -F" : " -x";
  const std::string words = joined(option.values);
  if (option.folders) return text + " -a '(__fish_complete_directories)'";
  if (words.empty()) return text;
  return text + " -a " + quoted_for_fish(option.is_list ? "(__fish_append , " + words + ")" : words);
}

std::string option_line(const CommandInfo& command, const OptionText& option) {
  std::string text = condition(command);
  for (const std::string& name : option.names)
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  return text + value_arguments(option) + " -d " + quoted_for_fish(option.summary) + "\n";
}

std::string argument_lines(const CommandInfo& command, const std::vector<CommandInfo>& all) {
  std::string text;
  const std::vector<std::string> subcommands = subcommands_of(command, all);
  bool files = false;
  for (const OptionText& argument : arguments_of(command)) {
    files = files || argument.files || argument.folders;
    if (!argument.values.empty()) text += condition(command) + " -a " + quoted_for_fish(joined(argument.values)) + "\n";
  }
  if (!files) text += condition(command) + " -f\n";
  if (subcommands.empty()) return text;
  const std::string count = command.name.empty() ? "1" : "2";
  return text + condition(command).substr(0, condition(command).size() - 1) +
         "; and test (count (commandline -opc)) -eq " + count + "' -a " + quoted_for_fish(joined(subcommands)) + "\n";
}

}  // namespace

std::string fish_completion(const std::vector<CommandInfo>& commands) {
  std::string text = kFishBegin;
  for (const CommandInfo& command : commands) {
    if (command.name.empty() || command.name.find(' ') != command.name.npos) continue;
    text += "        case " + command.name + "\n";
    const std::vector<std::string> words = subcommands_of(command, commands);
    if (!words.empty())
      text += "            if contains -- \"$words[3]\" " + joined(words) +
              "\n                echo \"$words[2] $words[3]\"\n"
              "                return\n            end\n";
    text += "            echo " + command.name + "\n";
  }
  text += "    end\nend\n";
  for (const CommandInfo& command : commands) {
    for (const OptionText& option : options_of(command)) text += option_line(command, option);
    text += argument_lines(command, commands);
  }
  return text;
}

}  // namespace pericenter::app

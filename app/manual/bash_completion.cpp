#include "app/manual/manual.h"
#include "app/manual/option_text.h"

namespace pericenter::app {
namespace {

constexpr const char* kBashBegin = R"(# bash completion for pericenter, made by `pericenter --generate bash`.
_pericenter() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command='' options='' words='' kind=''
  # bash makes three words of "--scene=mice".
  if [[ $current == '=' ]]; then
    current=''
  elif [[ $previous == '=' ]] && ((COMP_CWORD > 1)); then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
)";

constexpr const char* kEnd = R"(
  if [[ $kind == text ]]; then return; fi
  if [[ $kind == list ]]; then
    local before=''
    if [[ $current == *,* ]]; then before=${current%,*},; fi
    compopt -o nospace 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -P "$before" -W "$words" -- "${current##*,}")
    return
  fi
  if [[ -z $kind ]]; then
    if [[ $current == -* ]]; then
      mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
      return
    fi
    words=$argument_words
    kind=$argument_kind
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  if [[ $kind == files ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current")
  elif [[ $kind == folders ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$current")
  fi
}
complete -F _pericenter pericenter
)";

std::string kind_of(const OptionText& option) {
  if (option.is_list) return "list";
  if (option.files) return "files";
  if (option.folders) return "folders";
  return option.values.empty() ? "text" : "values";
}

/// The line that finds the command in the first words.
std::string command_case(const CommandInfo& command) {
  const bool nested = command.name.find(' ') != command.name.npos;
  const std::string words = nested ? "\"${COMP_WORDS[1]} ${COMP_WORDS[2]}\"" : "${COMP_WORDS[1]}";
  return "  if ((COMP_CWORD > " + std::string(nested ? "2" : "1") + ")) && [[ " + words + " == '" + command.name +
         "' ]]; then command='" + command.name + "'; fi\n";
}

/// Options, arguments and subcommands of one command.
std::string words_case(const CommandInfo& command, const std::vector<CommandInfo>& all) {
  std::vector<std::string> names, words;
  for (const OptionText& option : options_of(command))
    names.insert(names.end(), option.names.begin(), option.names.end());
  std::string kind = "values";
  for (const OptionText& argument : arguments_of(command)) {
    words.insert(words.end(), argument.values.begin(), argument.values.end());
    if (kind == "values") kind = kind_of(argument);
  }
  const std::vector<std::string> subcommands = subcommands_of(command, all);
  const std::string place = command.name.empty() ? "1" : "2";
  std::string text = "    '" + command.name + "')\n      options='" + joined(names) + "'\n";
  text += "      argument_kind=" + kind + "\n      argument_words='" + joined(words) + "'\n";
  if (!subcommands.empty())
    text += "      if ((COMP_CWORD == " + place + ")); then argument_words+=' " + joined(subcommands) + "'; fi\n";
  return text + "      ;;\n";
}

std::string value_case(const CommandInfo& command, const OptionText& option) {
  std::vector<std::string> patterns;
  for (const std::string& name : option.names) patterns.push_back("'" + command.name + ":" + name + "'");
  std::string text = "    " + joined(patterns, " | ") + ")\n      kind=" + kind_of(option) + "\n";
  if (!option.values.empty()) text += "      words='" + joined(option.values) + "'\n";
  return text + "      ;;\n";
}

}  // namespace

std::string bash_completion(const std::vector<CommandInfo>& commands) {
  std::string text = kBashBegin;
  for (const CommandInfo& command : commands)
    if (!command.name.empty()) text += command_case(command);
  text += "  local argument_words='' argument_kind=''\n  case $command in\n";
  for (const CommandInfo& command : commands) text += words_case(command, commands);
  text += "  esac\n  case $command:$previous in\n";
  for (const CommandInfo& command : commands) {
    for (const OptionText& option : options_of(command))
      if (!option.type.empty()) text += value_case(command, option);
  }
  return text + "  esac\n" + (kEnd + 1);
}

}  // namespace pericenter::app

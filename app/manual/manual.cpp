#include "app/manual/manual.h"

#include <utility>

#include "app/bench/options.h"
#include "app/cluster/submit_options.h"
#include "app/export/export_options.h"
#include "app/headless/lesson_subcommands.h"
#include "app/lessons/lesson_library.h"
#include "app/settings/command_line.h"

namespace pericenter::app {

std::vector<CommandInfo> all_commands() {
  std::vector<CommandInfo> commands = {program_command()};
  for (CommandInfo& bench : bench_commands()) commands.push_back(std::move(bench));
  commands.push_back(export_command());
  commands.push_back(submit_command());
  commands.push_back(check_command());
  commands.push_back(worksheet_command());
  std::vector<std::string> lessons;
  for (const LessonEntry& lesson : lesson_library("", "")) lessons.push_back(lesson.name);
  for (CommandInfo& command : commands) {
    for (OptionRow& row : command.rows)
      if (row.names == "--lesson" || row.names == "LESSON") row.values = lessons;
  }
  return commands;
}

std::string generated_text(std::string_view what) {
  const std::vector<CommandInfo> commands = all_commands();
  if (what == "bash") return bash_completion(commands);
  if (what == "zsh") return zsh_completion(commands);
  return what == "fish" ? fish_completion(commands) : man_page(commands);
}

}  // namespace pericenter::app

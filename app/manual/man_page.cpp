#include <algorithm>
#include <cctype>
#include <sstream>
#include <utility>

#include "app/manual/manual.h"
#include "app/manual/option_text.h"

namespace pericenter::app {
namespace {

/// Text of a line: a backslash, a hyphen and a dot at the beginning have a meaning in roff.
std::string escaped(const std::string& text) {
  const std::string line = replaced(replaced(text, "\\", "\\e"), "-", "\\-");
  return line.starts_with('.') || line.starts_with('\'') ? "\\&" + line : line;
}

/// Breaks a text at spaces into lines of roff of at most 76 bytes, as the man page checkers want them.
std::string wrapped(const std::string& text) {
  constexpr std::size_t kMax = 76;
  std::istringstream words(text);
  std::string line, lines;
  for (std::string word; words >> word;) {
    if (!line.empty() && escaped(line + " " + word).size() > kMax) {
      lines += escaped(line) + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return line.empty() ? lines : lines + escaped(line) + "\n";
}

/// The paragraphs of a footer: indented lines stay as they are, others are filled.
std::string paragraphs(const std::string& text) {
  std::istringstream stream(text);
  std::string result, filled;
  bool fixed = false;
  const auto flush = [&] { result += wrapped(std::exchange(filled, "")); };
  for (std::string line; std::getline(stream, line);) {
    const bool indented = line.starts_with("  ");
    if (indented && !fixed) {
      flush();
      result += ".PP\n.nf\n";
    }
    if (!indented && fixed) result += ".fi\n";
    if (!indented && (fixed || line.empty())) {
      flush();
      if (!result.empty() && !result.ends_with(".PP\n")) result += ".PP\n";
    }
    fixed = indented;
    if (indented)
      result += escaped(line) + "\n";
    else
      filled += line + " ";
  }
  flush();
  return fixed ? result + ".fi\n" : result;
}

std::string option_entry(const OptionRow& row) {
  const OptionText option = option_text(row);
  std::string tag;
  for (const std::string& name : option.names) tag += (tag.empty() ? "\\fB" : ", \\fB") + escaped(name) + "\\fR";
  if (option.names.empty())
    tag = "\\fI" + option.type + "\\fR";
  else if (!option.type.empty())
    tag += " \\fI" + escaped(option.type) + "\\fR";
  return ".TP\n" + tag + "\n" + wrapped(row.help);
}

/// The options of a command, under the headings of --help.
std::string options_text(const CommandInfo& command, const char* heading) {
  std::string text;
  std::vector<std::string> groups;
  for (const OptionRow& row : command.rows)
    if (std::ranges::find(groups, row.group) == groups.end()) groups.push_back(row.group);
  for (const std::string& group : groups) {
    if (!group.empty()) text += std::string(heading) + " \"" + escaped(group) + "\"\n";
    for (const OptionRow& row : command.rows)
      if (row.group == group) text += option_entry(row);
  }
  return text;
}

std::string synopsis(const CommandInfo& command) {
  std::string text = ".B pericenter" + (command.name.empty() ? "" : " " + escaped(command.name)) + "\n";
  text += "[\\fIOPTION\\fR ...]";
  for (const OptionRow& row : command.rows) {
    if (row.names.front() == '-') continue;
    const bool optional = row.many;
    text += (optional ? " [\\fI" : " \\fI") + row.names + (optional ? "\\fR ...]" : "\\fR");
  }
  return text + "\n";
}

}  // namespace

std::string man_page(const std::vector<CommandInfo>& commands) {
  const CommandInfo& program = commands.front();
  std::string text = ".\\\" Made by `pericenter --generate man`.\n";
  text += ".TH PERICENTER 1 " PERICENTER_RELEASE_DATE " \"Pericenter " PERICENTER_VERSION "\" \"User Commands\"\n";
  text += ".SH NAME\npericenter \\- watch galaxies collide, live\n.SH SYNOPSIS\n";
  for (const CommandInfo& command : commands) text += (&command == &program ? "" : ".br\n") + synopsis(command);
  text += ".SH DESCRIPTION\n" + wrapped(program.description);
  text += "A window shows the simulation while it runs; panels change its settings.\n";
  text += "Press ? in the window for all keys.\n";
  text +=
      ".SH OPTIONS\n" + options_text(program, ".SS") + ".SH \"EXAMPLES AND EXIT CODES\"\n" + paragraphs(program.footer);
  for (const CommandInfo& command : commands) {
    if (&command == &program) continue;
    std::string title = command.name;
    std::ranges::transform(title, title.begin(),
                           [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
    text += ".SH \"" + escaped(title) + "\"\n" + wrapped(command.description) + options_text(command, ".SS") + ".PP\n" +
            paragraphs(command.footer);
  }
  return text;
}

}  // namespace pericenter::app

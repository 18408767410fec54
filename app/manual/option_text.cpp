#include "app/manual/option_text.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace pericenter::app {
namespace {

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

bool is_positional(const OptionRow& row) {
  return row.names.front() != '-';
}

/// A type such as "auto|cpu|cuda" has the values themselves; capitals describe a value.
bool is_value(const std::string& word) {
  return std::ranges::none_of(word, [](unsigned char letter) { return std::isupper(letter) != 0; });
}

std::vector<OptionText> texts_of(const CommandInfo& command, bool positional) {
  std::vector<OptionText> texts;
  for (const OptionRow& row : command.rows)
    if (is_positional(row) == positional) texts.push_back(option_text(row));
  return texts;
}

}  // namespace

OptionText option_text(const OptionRow& row) {
  OptionText text;
  const bool positional = is_positional(row);
  text.type = positional ? row.names : row.type;
  if (!positional) text.names = parts_of(replaced(row.names, "!", ""), ',');
  text.summary = replaced(row.help.substr(0, std::min(row.help.find(" (default"), row.help.find(":\n"))), "\n", " ");
  text.is_list = text.type == "LIST";
  for (const std::string& word : parts_of(text.type, '|')) {
    text.files = text.files || word == "FILE" || word == "LESSON";
    text.folders = text.folders || word == "FOLDER";
    if (is_value(word)) text.values.push_back(word);
  }
  for (const std::string& value : row.values)
    if (std::ranges::find(text.values, value) == text.values.end()) text.values.push_back(value);
  return text;
}

std::vector<OptionText> options_of(const CommandInfo& command) {
  return texts_of(command, false);
}

std::vector<OptionText> arguments_of(const CommandInfo& command) {
  return texts_of(command, true);
}

std::vector<std::string> subcommands_of(const CommandInfo& command, const std::vector<CommandInfo>& all) {
  const std::string begin = command.name.empty() ? "" : command.name + " ";
  std::vector<std::string> words;
  for (const CommandInfo& other : all) {
    if (other.name.empty() || !other.name.starts_with(begin)) continue;
    const std::string word = other.name.substr(begin.size());
    if (word.find(' ') == word.npos) words.push_back(word);
  }
  return words;
}

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const std::string& word : words) text.append(text.empty() ? "" : separator).append(word);
  return text;
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

}  // namespace pericenter::app

#include "app/lessons/parse_toml.h"

#include <algorithm>

#include "app/lessons/lesson_error.h"

namespace pericenter::app {
namespace {

/// Each dot of a key is a table in a table, which the library handles recursively, without a limit.
constexpr int kMaxDots = 20;

/// Bytes of the string at the beginning of `text`, with its quotation marks. A line break ends an incomplete one.
std::size_t string_bytes(std::string_view text) {
  const char mark = text[0];
  const std::string triple(3, mark);
  const bool is_long = text.starts_with(triple);
  std::size_t at = is_long ? 3 : 1;
  while (at < text.size()) {
    if (mark == '"' && text[at] == '\\') {
      at += 2;
      continue;
    }
    if (!is_long && text[at] == '\n') return at;
    if (!is_long && text[at] == mark) return at + 1;
    if (is_long && text.substr(at).starts_with(triple))  // up to two more belong to the text
      return std::min(text.find_first_not_of(mark, at), text.size());
    ++at;
  }
  return text.size();
}

/// Throws for a line with many dots outside of strings and comments.
void check_dots(std::string_view text, const std::string& file) {
  int line = 1, dots = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"' || text[at] == '\'') {
      const std::string_view skipped = text.substr(at, string_bytes(text.substr(at)));
      line += static_cast<int>(std::ranges::count(skipped, '\n'));
      at += skipped.size() - 1;
    } else if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size()) - 1;
    } else if (text[at] == '\n') {
      ++line;
      dots = 0;
    } else if (text[at] == '.' && ++dots > kMaxDots) {
      throw LessonError(file + ":" + std::to_string(line) + ": the line has more than " + std::to_string(kMaxDots) +
                        " dots outside of texts; the keys of a lesson have none.");
    }
  }
}

}  // namespace

toml::table parse_toml(std::string_view text, const std::string& file) {
  check_dots(text, file);
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    const std::string description(error.description());
    const bool is_binary = description.find("utf-8") != description.npos;
    throw LessonError(file + ":" + std::to_string(error.source().begin.line) + ": this is not valid TOML: " +
                      (is_binary ? "the text is not UTF-8; save the file with this encoding." : description));
  }
}

}  // namespace pericenter::app

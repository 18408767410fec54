#include "sim/files/table_preamble.h"

#include <algorithm>

#include "sim/files/table_heading.h"
#include "sim/files/text_table.h"
#include "sim/files/trimmed.h"

namespace pericenter {
namespace {

constexpr std::string_view kLineBlanks = " \t\r";

/// The first lines that are not empty, and where they end.
struct StartLine {
  std::string_view text;
  std::size_t end, number;
};

std::vector<StartLine> lines_at_start(std::string_view text) {
  constexpr std::size_t kMost = 3, kLongest = 1 << 16;
  std::vector<StartLine> lines;
  std::size_t at = 0;
  for (std::size_t number = 1; at < text.size() && lines.size() < kMost; ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = trimmed(text.substr(at, std::min(end - at, kLongest)), kLineBlanks);
    at = std::min(end + 1, text.size());
    if (!line.empty()) lines.push_back({line, at, number});
  }
  return lines;
}

bool is_count(std::string_view text) {
  return !text.empty() && text.size() < 16 && text.find_first_not_of("0123456789") == text.npos;
}

/// Five numbers and a word.
bool is_princeton(std::string_view line) {
  const std::vector<std::string> fields = fields_of_comment(line);
  return fields.size() == 6 && !parsed_number(fields.back()) &&
         std::all_of(fields.begin(), fields.end() - 1,
                     [](const auto& field) { return parsed_number(field).has_value(); });
}

}  // namespace

TablePreamble preamble_of(std::string_view text) {
  const std::vector<StartLine> lines = lines_at_start(text);
  if (lines.empty()) return {};
  if (lines[0].text.size() == 5 && lines[0].text.starts_with("sep=")) return {lines[0].end, lines[0].number};
  if (lines.size() < 2 || !is_count(lines[0].text)) return {};
  const std::size_t rows = std::stoull(std::string(lines[0].text));
  if (!parsed_number(lines[1].text)) return {lines[0].end, lines[0].number, rows};
  if (lines.size() < 3 || parsed_number(lines[2].text)) return {};
  TablePreamble both{lines[1].end, lines[1].number, rows, std::string(lines[1].text)};
  if (!is_princeton(lines[2].text)) return both;
  both.time.clear();
  both.names = {"x [m]", "y [m]", "vx [m/s]", "vy [m/s]", "m [kg]", "name"};
  return both;
}

bool is_comment(std::string_view line, char separator) {
  return line.starts_with('#') || line.starts_with('%') || line.starts_with('!') || line.starts_with("//") ||
         (line.starts_with(';') && separator != ';' && std::ranges::count(line, ';') == 1);
}

}  // namespace pericenter

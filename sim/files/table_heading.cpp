#include "sim/files/table_heading.h"

#include <algorithm>

#include "sim/files/trimmed.h"
#include "sim/files/unit_system.h"

namespace pericenter {
namespace {

constexpr std::string_view kAroundNames = " \t\r\"";

/// Removes the blanks around * and /.
std::string with_closed_units(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool after_operator = !result.empty() && (result.back() == '*' || result.back() == '/');
    if (c == ' ' && after_operator) continue;
    while ((c == '*' || c == '/') && result.size() > 1 && result.back() == ' ') result.pop_back();
    result += c;
  }
  return result;
}

std::vector<std::string> numbered_fields(std::string_view text) {
  std::vector<std::string> fields;
  for (std::size_t begin = text.find('['); begin != text.npos; begin = text.find('[', begin)) {
    const std::size_t end = text.find(']', begin);
    if (end == text.npos) break;
    fields.emplace_back(trimmed(text.substr(begin + 1, end - begin - 1), "0123456789 \t"));
    begin = end;
  }
  return fields;
}

}  // namespace

char separator_of(std::string_view line) {
  char best = ' ';
  std::ptrdiff_t most = 0;
  for (const char candidate : {',', ';', '\t'}) {
    bool quoted = false;
    const auto count = std::ranges::count_if(line, [&](char letter) {
      quoted ^= letter == '"';
      return letter == candidate && !quoted;
    });
    if (count > most) {
      most = count;
      best = candidate;
    }
  }
  return best;
}

void join_units(std::vector<std::string>& fields) {
  for (std::size_t k = 1; k < fields.size(); ++k) {
    const bool opens = fields[k].starts_with('[') || fields[k].starts_with('(');
    const bool open = fields[k - 1].find_first_of("[(") != std::string::npos &&
                      fields[k - 1].find_first_of("])") == std::string::npos;
    if (!opens && !open) continue;
    fields[k - 1] += ' ' + fields[k];
    fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(k--));
  }
}

std::vector<std::string> fields_of_comment(std::string_view comment) {
  constexpr std::size_t kMaxFields = 10'000, kLongest = 1 << 16;
  comment = comment.substr(0, kLongest);
  if (comment.starts_with('[')) return numbered_fields(comment);
  const char separator = separator_of(comment);
  const std::string text = separator == ' ' ? with_closed_units(comment) : std::string(comment);
  std::vector<std::string> fields;
  for (std::size_t begin = 0; begin <= text.size() && fields.size() < kMaxFields;) {
    const std::size_t end =
        std::min(text.find_first_of(separator == ' ' ? " \t" : std::string(1, separator), begin), text.size());
    const std::string_view field = trimmed(std::string_view(text).substr(begin, end - begin), kAroundNames);
    if (separator != ' ' || !field.empty()) fields.emplace_back(field);
    begin = end + 1;
  }
  if (separator == ' ') join_units(fields);
  return fields;
}

ColumnHeading heading_of(std::string_view field) {
  const std::size_t open = field.find_first_of("[(");
  if (open == field.npos || open == 0 || (field.back() != ']' && field.back() != ')')) return {std::string(field), ""};
  return {std::string(trimmed(field.substr(0, open), kAroundNames)),
          std::string(trimmed(field.substr(open + 1, field.size() - open - 2), kAroundNames))};
}

bool are_units(std::span<const std::string> fields) {
  const auto known =
      std::ranges::count_if(fields, [](const std::string& field) { return unit_meaning(field) != UnitMeaning::none; });
  return static_cast<std::size_t>(2 * known) > fields.size();
}

bool are_types_or_rules(std::span<const std::string> fields) {
  const auto is_rule = [](const std::string& field) { return field.find_first_not_of('-') == field.npos; };
  const auto is_type = [](const std::string& field) {
    const std::size_t letter = field.find_first_not_of("0123456789");
    return letter + 1 == field.size() && std::string_view("NSMnsm").find(field[letter]) != std::string_view::npos;
  };
  const bool empty = std::ranges::all_of(fields, &std::string::empty);
  return !empty && (std::ranges::all_of(fields, is_rule) || std::ranges::all_of(fields, is_type));
}

}  // namespace pericenter

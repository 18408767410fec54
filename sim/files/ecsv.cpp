#include "sim/files/ecsv.h"

#include <algorithm>
#include <string_view>

namespace pericenter {
namespace {

constexpr std::string_view kSpaces = " \t";

std::string_view stripped(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpaces);
  return first == text.npos ? std::string_view{} : text.substr(first, text.find_last_not_of(kSpaces) + 1 - first);
}

/// Removes a "key: value" from the front of a line such as "{name: x, unit: kpc}", and returns it.
std::pair<std::string_view, std::string_view> next_entry(std::string_view& line) {
  const std::size_t start = std::min(line.find_first_not_of("{},- \t"), line.size());
  const std::size_t colon = line.find(':', start);
  if (colon == line.npos) {
    line = {};
    return {};
  }
  const std::string_view key = stripped(line.substr(start, colon - start));
  line = stripped(line.substr(colon + 1));
  const char quote = line.empty() ? ' ' : line.front();
  if (quote == '\'' || quote == '"') {
    const std::size_t end = std::min(line.find(quote, 1), line.size());
    const std::string_view value = line.substr(1, end - 1);
    line.remove_prefix(std::min(end + 1, line.size()));
    return {key, value};
  }
  const std::size_t end = std::min(line.find_first_of(",}"), line.size());
  const std::string_view value = stripped(line.substr(0, end));
  line.remove_prefix(end);
  return {key, value};
}

}  // namespace

std::map<std::string, std::string> ecsv_units(std::span<const std::string> comments) {
  std::map<std::string, std::string> units;
  if (comments.empty() || !comments.front().starts_with("%ECSV")) return units;
  auto line = std::ranges::find(comments, "datatype:");
  std::string column;
  for (; line != comments.end(); ++line) {
    if (line->starts_with("meta:") || line->starts_with("schema:")) break;
    for (std::string_view rest = *line; !rest.empty();) {
      const auto [key, value] = next_entry(rest);
      if (key == "name") column = value;
      if (key == "unit" && !value.empty()) units[column] = value;
    }
  }
  return units;
}

}  // namespace pericenter

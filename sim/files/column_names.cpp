#include "sim/files/column_names.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "sim/files/text_table.h"

namespace pericenter {
namespace {

constexpr std::string_view kHeadEnds = ".:[";

std::string_view last_word(std::string_view plain) {
  const std::size_t underscore = plain.rfind('_');
  return underscore == plain.npos ? plain : plain.substr(underscore + 1);
}

}  // namespace

std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (std::string_view(" .:-_[](),").find(c) == std::string_view::npos)
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!plain.ends_with('_'))
      plain += '_';
  }
  if (plain.size() > 1 && plain.ends_with('_')) plain.pop_back();
  return plain;
}

ColumnNames::ColumnNames(std::vector<std::string> names) : names_(std::move(names)) {
  for (const std::string& name : names_) plain_.push_back(plain_name(name));
}

std::optional<std::size_t> ColumnNames::column(std::string_view name) const {
  const auto found = std::ranges::find(plain_, name);
  return found == plain_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - plain_.begin()));
}

std::optional<std::size_t> ColumnNames::any(std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names)
    if (const auto found = column(name)) return found;
  return std::nullopt;
}

VectorColumns ColumnNames::vector(std::span<const std::string_view> words) const {
  constexpr std::size_t kShortestBehind = 3;  // of words behind the axis, as in x_pos and xdot
  VectorColumns found;
  const auto all = [&](const auto& name_of, std::string_view axes) {
    for (std::size_t k = 0; k < 3; ++k) found.axes[k] = column(name_of(axes[k]));
    return found.axes[0] && (axes == "xyz" || found.axes[1]);
  };
  for (const std::string_view word : words) {
    for (const std::string_view axes : {"xyz", "012", "123"}) {
      if (word.empty() && axes != "xyz") continue;
      for (const std::string_view between : {"", "_"}) {
        const auto before = [&](char axis) { return std::string(word).append(between) + axis; };
        const auto after = [&](char axis) { return std::string(1, axis).append(between).append(word); };
        if (all(before, axes)) return found;
        if (word.size() >= kShortestBehind && axes == "xyz" && all(after, axes)) return found;
      }
    }
  }
  found = {};
  for (const std::string_view word : words)
    if (!found.list && !word.empty()) found.list = column(word);
  return found;
}

std::vector<std::string> ColumnNames::heads(std::span<const std::string_view> avoided) const {
  constexpr std::size_t kMost = 16;  // a limit for time
  std::vector<std::string> heads;
  for (const std::string& name : names_) {
    for (std::size_t at = name.find_first_of(kHeadEnds); at != name.npos; at = name.find_first_of(kHeadEnds, at + 1)) {
      const std::string head = name.substr(0, at + 1);
      const std::string plain = plain_name(head);
      if (heads.size() < kMost && std::ranges::find(heads, head) == heads.end() &&
          std::ranges::find(avoided, last_word(plain)) == avoided.end())
        heads.push_back(head);
    }
  }
  return heads;
}

ColumnNames ColumnNames::of(const std::string& head) const {
  std::vector<std::string> names;
  for (const std::string& name : names_) names.push_back(name.starts_with(head) ? name.substr(head.size()) : "");
  return ColumnNames(std::move(names));
}

Vec3 VectorColumns::at(const TextTable& table) const {
  Vec3 result;
  if (!list) {
    for (int k = 0; k < 3; ++k)
      if (const auto column = axes[static_cast<std::size_t>(k)]) result[k] = table.number(*column);
    return result;
  }
  std::string_view rest = table.field(*list);
  int k = 0;
  while (!rest.empty()) {
    rest.remove_prefix(std::min(rest.find_first_not_of("[](), "), rest.size()));
    if (rest.empty()) break;
    const std::string_view text = rest.substr(0, rest.find_first_of("[](), "));
    const std::optional<double> number = parsed_number(text);
    if (!number || k == 3) throw table.error(*list, "'" + shown(table.field(*list)) + "' is not a list of 3 numbers.");
    result[k++] = *number;
    rest.remove_prefix(text.size());
  }
  if (k < 2) throw table.error(*list, "'" + shown(table.field(*list)) + "' is not a list of 3 numbers.");
  return result;
}

std::string note_on_columns(const std::string& what, std::span<const std::string> names,
                            const std::function<bool(std::size_t)>& holds) {
  constexpr std::size_t kShown = 8;
  std::string list;
  std::size_t count = 0;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k].empty() || !holds(k)) continue;
    if (++count <= kShown) list += (list.empty() ? "" : ", ") + shown(names[k]);
  }
  if (count > kShown) list += " and " + std::to_string(count - kShown) + " more columns";
  return count == 0 ? "" : what + ": " + list + ".";
}

std::string unused_note(std::span<const std::string> names, std::span<const std::size_t> used) {
  return note_on_columns("Not used", names, [&](std::size_t k) { return std::ranges::find(used, k) == used.end(); });
}

}  // namespace pericenter

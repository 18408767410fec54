#include "sim/playback/decimal_names.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>

namespace pericenter {
namespace {

bool is_numeral(char c) {
  return c >= '0' && c <= '9';
}

std::size_t after_digits(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of("0123456789", at), text.size());
}

/// The last word of `head` in lower case: "time" of snap_time=.
std::string word_before(std::string_view head) {
  while (!head.empty() && (head.back() == '_' || head.back() == '=' || head.back() == '-')) head.remove_suffix(1);
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  std::string word(std::find_if_not(head.rbegin(), head.rend(), is_letter).base(), head.end());
  for (char& c : word) c = static_cast<char>(c | 0x20);
  return word;
}

/// A table has no parts.
bool is_table(std::string_view name) {
  constexpr std::string_view kPacked = ".gz";
  if (name.ends_with(kPacked)) name.remove_suffix(kPacked.size());
  constexpr std::string_view kEndings[] = {".csv", ".ecsv", ".tsv", ".txt", ".fits", ".vot", ".xml"};
  return std::ranges::any_of(kEndings, [&](std::string_view ending) { return name.ends_with(ending); });
}

/// A name split at a decimal number.
struct DecimalName {
  std::string head, number, tail;

  /// Whether the word before it says that it is a time, or as in snap_a0.5 a scale factor or redshift.
  bool is_labelled() const {
    const std::string word = word_before(head);
    return word == "t" || word == "time" || head.ends_with("_a") || head.ends_with("_z");
  }
  double value() const {
    std::string text = number;
    std::ranges::replace(text, 'p', '.');
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  }
};

/// The decimal number that begins at `begin`: digits, a point or p, digits and maybe an exponent. nullopt if there is
/// none, or if it is a counter behind a name, as in g15784.00128 and 000.0.
std::optional<DecimalName> decimal_at(const std::string& name, std::size_t begin) {
  const std::size_t point = after_digits(name, begin);
  if (point == begin || point + 1 >= name.size() || (name[point] != '.' && name[point] != 'p')) return std::nullopt;
  std::size_t end = after_digits(name, point + 1);
  if (end == point + 1) return std::nullopt;
  if (end < name.size() && (name[end] == 'e' || name[end] == 'E')) {
    const std::size_t sign = end + 1, digits = sign < name.size() && (name[sign] == '-' || name[sign] == '+');
    if (const std::size_t last = after_digits(name, sign + digits); last > sign + digits) end = last;
  }
  DecimalName found{name.substr(0, begin), name.substr(begin, end - begin), name.substr(end)};
  if (found.is_labelled()) return found;
  const std::string word = word_before(found.head);
  const bool is_alone = found.head.empty() || found.head.back() == '_' || found.head.back() == '-' || word == "snap" ||
                        word == "snapshot" || word == "out" || word == "output";
  const bool has_ending = found.tail.starts_with('.') && found.tail != ".gz";
  const bool is_padded = name[begin] == '0' && point > begin + 1;
  return is_alone && has_ending && !is_padded && name[point] == '.' ? std::optional(found) : std::nullopt;
}

std::vector<DecimalName> decimals_in(const std::string& name) {
  std::vector<DecimalName> found;
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (!is_numeral(name[at]) || (at > 0 && is_numeral(name[at - 1]))) continue;
    if (auto decimal = decimal_at(name, at)) {
      at = name.size() - decimal->tail.size() - 1;
      found.push_back(std::move(*decimal));
    }
  }
  return found;
}

/// Whether names as run_3.0001.csv and run_4.0001.csv are steps of two runs: all fractions have a zero in front, or
/// they are long and no number is below 1.
bool are_counters(const std::map<double, std::string>& series, const DecimalName& like) {
  constexpr std::size_t kLong = 4;
  if (like.is_labelled()) return false;
  const auto all = [&](const auto& holds) {
    return std::ranges::all_of(series, [&](const auto& row) {
      const std::size_t point = row.second.find('.', like.head.size()) + 1;
      return holds(std::string_view(row.second).substr(point, after_digits(row.second, point) - point));
    });
  };
  return all([](std::string_view digits) { return digits.size() > 1 && digits[0] == '0'; }) ||
         (series.begin()->first >= 1 && all([](std::string_view digits) { return digits.size() >= kLong; }));
}

}  // namespace

bool is_decimal_label(const std::string& name, std::size_t last) {
  std::size_t begin = last + 1;
  while (begin > 0 && is_numeral(name[begin - 1])) --begin;
  const auto decimal = decimal_at(name, begin);
  return decimal && (decimal->is_labelled() || is_table(name));
}

std::vector<std::string> series_of_decimals(const std::string& name, const std::vector<std::string>& names) {
  for (const DecimalName& own : decimals_in(name)) {
    const std::string zero = own.head + own.number.substr(0, own.number.find('.')) + ".0" + own.tail;
    if (!own.is_labelled() && !is_table(name) && std::ranges::find(names, zero) != names.end()) continue;  // parts
    std::map<double, std::string> found;
    for (const std::string& other : names) {
      if (!other.starts_with(own.head) || !other.ends_with(own.tail)) continue;
      const auto decimal = decimal_at(other, own.head.size());
      if (decimal && decimal->tail == own.tail) found.emplace(decimal->value(), other);
    }
    if (found.size() < 2 || are_counters(found, own)) continue;
    std::vector<std::string> series;
    for (const auto& [value, file] : found) series.push_back(file);
    return series;
  }
  return {};
}

}  // namespace pericenter

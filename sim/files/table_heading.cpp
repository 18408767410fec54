#include "sim/files/table_heading.h"

#include <algorithm>
#include <cctype>

#include "sim/files/text_table.h"
#include "sim/files/trimmed.h"
#include "sim/files/unit_system.h"

namespace pericenter {
namespace {

constexpr std::string_view kAroundNames = " \t\r\"", kAroundName = " \t\r\"_";

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

/// Not case-sensitive. `word` is in lower case.
bool starts_with_word(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && std::ranges::equal(text.substr(0, word.size()), word, {}, [](char c) {
           return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
         });
}

/// Without the number of a column before its name: "1:m", "(2)x".
std::string_view without_number(std::string_view field) {
  const std::size_t begin = field.starts_with('(') || field.starts_with('[') ? 1 : 0;
  const std::size_t end = field.find_first_not_of("0123456789", begin);
  if (end == field.npos || end == begin || std::string_view(":)]").find(field[end]) == std::string_view::npos)
    return field;
  const std::string_view name = trimmed(field.substr(end + 1), kAroundNames);
  return name.empty() ? field : name;
}

/// R and others of cylindrical coordinates.
bool is_polar(std::string_view name) {
  constexpr std::string_view kNames[] = {"r", "rho", "vr", "vt", "vphi", "vrho", "v_r", "v_t", "v_phi", "v_rho"};
  return std::ranges::any_of(
      kNames, [&](std::string_view each) { return each.size() == name.size() && starts_with_word(name, each); });
}

/// "x_kpc", "vx_km_s", "phi_deg" and "mass_msun" have a unit: what ends in x, y or z and what is_polar() one of length
/// or velocity, phi and theta one of angle, m and mass one of mass. Those of one letter, and x_cm (centre of mass), may
/// mean something else, but x_m.
ColumnHeading with_unit_behind(std::string_view field) {
  for (std::size_t at = field.find('_'); at != field.npos && at > 0; at = field.find('_', at + 1)) {
    const std::string_view name = field.substr(0, at);
    std::string unit(field.substr(at + 1));
    if (const std::size_t per = unit.find("_per_"); per != unit.npos) unit.erase(per, 4);
    std::ranges::replace(unit, '_', '/');
    const bool is_axis = std::string_view("xyzXYZ").find(name.back()) != std::string_view::npos && unit != "cm";
    const bool is_far = is_axis || (is_polar(name) && unit.size() > 1);
    const bool is_angle = name == "phi" || name == "theta";
    const bool is_mass = name == "m" || name == "M" || name.substr(1) == "ass" || name.substr(1) == "asses";
    if ((is_far && (unit_size("length", unit) > 0 || unit_size("velocity", unit) > 0)) ||
        (is_angle && unit_size("angle", unit) > 0) || (is_mass && unit.size() > 1 && unit_size("mass", unit) > 0))
      return {std::string(name), unit};
  }
  return {std::string(field), ""};
}

}  // namespace

char separator_of(std::string_view line) {
  char best = ' ';
  std::ptrdiff_t most = 0;
  for (const char candidate : {',', ';', '\t', '|'}) {
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
  field = without_number(field);
  const std::size_t open = field.find_first_of("[(");
  if (open == field.npos || open == 0 || (field.back() != ']' && field.back() != ')')) return with_unit_behind(field);
  return {std::string(trimmed(field.substr(0, open), kAroundName)),
          std::string(trimmed(field.substr(open + 1, field.size() - open - 2), kAroundNames))};
}

std::optional<StatedTime> time_in_comment(std::string_view comment) {
  constexpr std::string_view kBetween = " \t=:[](),{}-\"'", kFirst = " \t-{\"'";
  constexpr std::size_t kLongest = 200;
  std::string text(trimmed(comment.substr(0, kLongest), kFirst));
  for (const std::string_view word : {"simulation ", "current ", "snapshot ", "output "})
    if (starts_with_word(text, word)) text.erase(0, word.size());
  const std::size_t length = starts_with_word(text, "time") ? 4 : starts_with_word(text, "t") ? 1 : 0;
  std::string_view rest = std::string_view(text).substr(length);
  if (length == 0 || rest.empty() || std::string_view(" \t=:[(\"'").find(rest.front()) == rest.npos) return {};
  StatedTime stated{};
  const auto word = [&] {
    rest.remove_prefix(std::min(rest.find_first_not_of(kBetween), rest.size()));
    const std::string_view next = rest.substr(0, rest.find_first_of(" \t=:[](),{}\"'"));
    rest.remove_prefix(next.size());
    return next;
  };
  const bool is_negative = rest.find('-') < rest.find_first_of("0123456789");
  std::string_view next = word();
  if (unit_size("time", next) > 0) {
    stated.unit = next;
    next = word();
  }
  const auto number = parsed_number(next);
  if (!number) return {};
  stated.number = is_negative ? -*number : *number;
  next = word();
  if (unit_size("time", next) > 0) stated.unit = next;
  return parsed_number(next) ? std::nullopt : std::optional(stated);
}

bool are_units(std::span<const std::string> fields) {
  const auto known =
      std::ranges::count_if(fields, [](const std::string& field) { return unit_meaning(field) != UnitMeaning::none; });
  return static_cast<std::size_t>(2 * known) > fields.size();
}

bool are_types_or_rules(std::span<const std::string> fields) {
  const auto is_rule = [](const std::string& field) { return field.find_first_not_of("-:+=") == field.npos; };
  const auto is_type = [](const std::string& field) {
    const std::size_t letter = field.find_first_not_of("0123456789");
    return letter != field.npos && letter + 1 == field.size() &&
           std::string_view("NSMnsm").find(field[letter]) != std::string_view::npos;
  };
  const bool empty = std::ranges::all_of(fields, &std::string::empty);
  return !empty && (std::ranges::all_of(fields, is_rule) || std::ranges::all_of(fields, is_type));
}

}  // namespace pericenter

#include "sim/files/csv_units.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/files/stated.h"
#include "sim/files/trimmed.h"
#include "sim/files/unit_system.h"

namespace pericenter {
namespace {

constexpr std::string_view kSpaces = " \t";

/// Removes a "key: value" from the front of a line such as "{name: x, unit: kpc}", and returns it.
std::pair<std::string_view, std::string_view> next_entry(std::string_view& line) {
  const std::size_t start = std::min(line.find_first_not_of("{},- \t"), line.size());
  const std::size_t colon = line.find(':', start);
  if (colon == line.npos) {
    line = {};
    return {};
  }
  const std::string_view key = trimmed(line.substr(start, colon - start), kSpaces);
  line = trimmed(line.substr(colon + 1), kSpaces);
  const char quote = line.empty() ? ' ' : line.front();
  if (quote == '\'' || quote == '"') {
    const std::size_t end = std::min(line.find(quote, 1), line.size());
    const std::string_view value = line.substr(1, end - 1);
    line.remove_prefix(std::min(end + 1, line.size()));
    return {key, value};
  }
  const std::size_t end = std::min(line.find_first_of(",}"), line.size());
  const std::string_view value = trimmed(line.substr(0, end), kSpaces);
  line.remove_prefix(end);
  return {key, value};
}

/// The units of the columns of an ECSV table by column name, from the comments before its rows: YAML that Astropy
/// writes (Aldcroft 2017, Astropy proposal for enhancement 6). Empty if the comments are not ECSV. Columns without
/// units are left out.
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

/// The units of a comment such as "unit length=kpc mass=1e10 Msun".
Stated::Units comment_units(std::string_view comment) {
  try {
    const std::size_t start = std::min(comment.find_first_of(" \t"), comment.size());
    return units_from(comment.substr(start));
  } catch (const InputError& error) {
    throw InputError("The comment '#" + std::string(comment.substr(0, 80)) + "': " + error.what());
  }
}

/// The units of single columns, as text.
class UnitsOfColumns {
 public:
  explicit UnitsOfColumns(const TextTable& table) : table_(table), ecsv_(ecsv_units(table.comments())) {}

  /// The common unit of columns of a kind; 0: not declared.
  double size(std::string_view kind, std::span<const std::optional<std::size_t>> used) {
    std::optional<double> common;
    for (const std::optional<std::size_t>& column : used) {
      if (!column) continue;
      const std::string& name = table_.columns()[*column];
      const std::string unit = text(*column);
      const double size = unit_size(kind, unit);
      if (!unit.empty() && !(size > 0))
        throw InputError("Column '" + name + "' has the unknown unit '" + unit.substr(0, 80) + "'." + known_units());
      if (size != common.value_or(size))
        throw InputError(
            "The columns of one kind, such as x and '" + name +
            "', have different units. Write the table with one unit for positions and one for velocities.");
      common = size;
    }
    return common.value_or(0);
  }
  bool is_n_body() const { return n_body_; }

 private:
  std::string text(std::size_t column) {
    const auto found = ecsv_.find(table_.columns()[column]);
    std::string unit = found == ecsv_.end() ? table_.units()[column] : found->second;
    const bool is_number = unit.find_first_not_of("0123456789") == unit.npos;
    if (is_number || unit == "none" || unit == "-") return "";
    if (unit_meaning(unit) != UnitMeaning::n_body) return unit;
    n_body_ = true;
    return "";
  }

  const TextTable& table_;
  std::map<std::string, std::string> ecsv_;
  bool n_body_ = false;
};

Stated::Units column_units(const TextTable& table, const CsvColumns& columns, Snapshot& snapshot) {
  UnitsOfColumns units(table);
  const auto vector = [&](std::string_view kind, const VectorColumns& used) {
    return used.list ? units.size(kind, {{used.list}}) : units.size(kind, used.axes);
  };
  const Stated::Units declared{.length = vector("length", columns.position),
                               .mass = units.size("mass", {{columns.mass}}),
                               .velocity = vector("velocity", columns.velocity)};
  if (units.is_n_body()) snapshot.notes.emplace_back("The table is in N-body units.");
  return declared;
}

/// Says which unit of the columns was not declared but follows from the others.
std::string completion_note(const Stated::Units& declared, const FileUnits& units, const CsvColumns& columns) {
  if (!units.known()) return {};
  const auto note = [](const char* what, const std::string& size) {
    return std::string("The unit of ") + what + " is not stated: with G = 1, it follows from the others as " + size +
           ".";
  };
  if (columns.mass && !(declared.mass > 0)) return note("mass", shown(units.mass_g / kSunGram) + " Msun");
  if (columns.velocity.any() && !(declared.velocity > 0 || declared.time > 0))
    return note("velocity", shown(units.velocity_cm_s / 1e5) + " km/s");
  if (!(declared.length > 0 || (declared.velocity > 0 && declared.time > 0)))
    return note("length", shown(units.length_cm / kParsecCm) + " pc");
  return {};
}

}  // namespace

double csv_unit_of(const TextTable& table, std::string_view kind, std::size_t column) {
  return UnitsOfColumns(table).size(kind, {{column}});
}

FileUnits csv_units_of(const TextTable& table, const CsvColumns& columns, Snapshot& snapshot) {
  if (columns.sky.any()) {
    const double mass = columns.mass ? csv_unit_of(table, "mass", *columns.mass) : 0;
    if (columns.mass && !(mass > 0)) snapshot.notes.emplace_back("Masses without a unit are taken as solar masses.");
    return {kParsecCm, mass > 0 ? mass : kSunGram, 1e5};
  }
  Stated::Units declared;
  for (const std::string_view comment : table.comments()) {
    if (comment.starts_with("unit") && comment.find('=') != comment.npos) declared = comment_units(comment);
  }
  if (!declared.any()) declared = column_units(table, columns, snapshot);
  // State vectors for Thuering's N-body program have characteristic columns.
  if (!declared.any() && table.column({"class"}) && table.column({"pos_x"}) == columns.position.axes[0]) {
    declared = {.length = kAstronomicalUnitCm, .mass = 1000, .velocity = kAstronomicalUnitCm / 86400};
    snapshot.notes.emplace_back("Units AU, kg and AU/day, recognised from the columns.");
  }
  const FileUnits units = completed({declared.length, declared.mass, declared.velocity}, declared.time);
  if (declared.any() && !units.known())
    snapshot.notes.emplace_back("The declared unit was ignored: two of length, mass, velocity and time are required.");
  if (const std::string note = completion_note(declared, units, columns); !note.empty()) snapshot.notes.push_back(note);
  return units;
}

}  // namespace pericenter

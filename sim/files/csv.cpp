#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/files/body_check.h"
#include "sim/files/csv_labels.h"
#include "sim/files/formats.h"
#include "sim/files/text_table.h"
#include "sim/files/unit_system.h"

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

constexpr std::string_view kExpected =
    " The first line of a table must name the columns m (or mass), x and y; optional columns are z, vx, vy, vz, id, "
    "group and component.";

constexpr std::size_t kRowsPerReport = 1 << 15;
constexpr std::size_t kShortestRow = 6;  // "1,0,0" with its line end

struct CsvColumns {
  std::size_t mass, x, y;
  std::optional<std::size_t> z, vx, vy, vz;
  CsvLabels::Columns labels;
};

std::size_t required(const TextTable& table, std::initializer_list<std::string_view> names) {
  try {
    return table.required(names);
  } catch (const InputError& error) {
    throw InputError(error.what() + std::string(kExpected));
  }
}

CsvColumns columns_of(const TextTable& table) {
  return {.mass = required(table, {"m", "mass"}),
          .x = required(table, {"x", "pos_x", "px"}),
          .y = required(table, {"y", "pos_y", "py"}),
          .z = table.column({"z", "pos_z", "pz"}),
          .vx = table.column({"vx", "vel_x", "v_x"}),
          .vy = table.column({"vy", "vel_y", "v_y"}),
          .vz = table.column({"vz", "vel_z", "v_z"}),
          .labels = {.id = table.column({"id"}),
                     .group = table.column({"group", "galaxy"}),
                     .component = table.column({"component", "type"})}};
}

// Sizes of units in cgs; 0: not declared.
struct DeclaredUnits {
  double length = 0, mass = 0, velocity = 0, time = 0;

  bool any() const { return length > 0 || mass > 0 || velocity > 0 || time > 0; }
  double* of(std::string_view kind) {
    if (kind == "length") return &length;
    if (kind == "mass") return &mass;
    if (kind == "velocity") return &velocity;
    return kind == "time" ? &time : nullptr;
  }
};

std::string known_units() {
  return " Units of length: " + unit_names("length") + "; of mass: " + unit_names("mass") +
         "; of time: " + unit_names("time") + "; of velocity: a length per time.";
}

// Parses "length=kpc mass=1e10 Msun": a value extends to the word before the next equals sign.
void parse_units(std::string_view text, DeclaredUnits& units) {
  constexpr std::string_view kBetween = " \t,;";
  std::size_t equals = text.find('=');
  while (equals != text.npos) {
    std::string_view kind = text.substr(0, equals);
    kind = kind.substr(0, kind.find_last_not_of(kBetween) + 1);
    kind = kind.substr(kind.find_last_of(kBetween) + 1);
    const std::size_t next = text.find('=', equals + 1);
    std::string_view value = text.substr(equals + 1, next == text.npos ? next : next - equals - 1);
    if (next != text.npos) {
      value = value.substr(0, value.find_last_not_of(kBetween) + 1);
      value = value.substr(0, value.find_last_of(kBetween) + 1);
    }
    value.remove_prefix(std::min(value.find_first_not_of(kBetween), value.size()));
    value = value.substr(0, value.find_last_not_of(kBetween) + 1);
    double* unit = units.of(kind);
    const double size = unit ? unit_size(kind, value) : 0;
    if (!(size > 0))
      throw InputError("Unknown unit in the comment '#" + std::string(text.substr(0, 80)) +
                       "'. Write, for example, #unit length=kpc mass=1e10 Msun velocity=km/s." + known_units());
    *unit = size;
    equals = next;
  }
}

/// The unit of the columns of a kind in an ECSV table; 0: not declared.
double ecsv_unit(const TextTable& table, std::string_view kind,
                 std::initializer_list<std::optional<std::size_t>> used) {
  const std::map<std::string, std::string> units = ecsv_units(table.comments());
  std::optional<double> common;
  for (const std::optional<std::size_t>& column : used) {
    if (!column || units.empty()) continue;
    const std::string& name = table.columns()[*column];
    const auto unit = units.find(name);
    const double size = unit == units.end() ? 0 : unit_size(kind, unit->second);
    if (unit != units.end() && !(size > 0))
      throw InputError("Column '" + name + "' has the unknown unit '" + unit->second.substr(0, 80) + "'." +
                       known_units());
    if (size != common.value_or(size))
      throw InputError("The columns of one kind, such as x and '" + name +
                       "', have different units. Write the table with one unit for positions and one for velocities.");
    common = size;
  }
  return common.value_or(0);
}

DeclaredUnits ecsv_units_of(const TextTable& table, const CsvColumns& columns) {
  return {.length = ecsv_unit(table, "length", {columns.x, columns.y, columns.z}),
          .mass = ecsv_unit(table, "mass", {columns.mass}),
          .velocity = ecsv_unit(table, "velocity", {columns.vx, columns.vy, columns.vz})};
}

FileUnits units_of(const TextTable& table, const CsvColumns& columns, Snapshot& snapshot) {
  DeclaredUnits declared;
  for (const std::string_view comment : table.comments()) {
    if (comment.starts_with("unit")) parse_units(comment, declared);
  }
  if (!declared.any()) declared = ecsv_units_of(table, columns);
  // State vectors for Thuering's N-body program have characteristic columns.
  if (!declared.any() && table.column({"class"}) && table.columns()[columns.x] == "pos_x") {
    declared = {.length = kAstronomicalUnitCm, .mass = 1000, .velocity = kAstronomicalUnitCm / 86400};
    snapshot.notes.emplace_back("Units AU, kg and AU/day, recognised from the columns.");
  }
  const FileUnits units = completed({declared.length, declared.mass, declared.velocity}, declared.time);
  if (declared.any() && !units.known())
    snapshot.notes.emplace_back("The declared unit was ignored: two of length, mass, velocity and time are required.");
  return units;
}

Body body_of(const TextTable& table, const CsvColumns& columns, CsvLabels& labels) {
  const auto number = [&](std::optional<std::size_t> column) { return column ? table.number(*column) : 0; };
  Body body;
  body.mass = table.number(columns.mass);
  body.position = {table.number(columns.x), table.number(columns.y), number(columns.z)};
  body.velocity = {number(columns.vx), number(columns.vy), number(columns.vz)};
  if (body.mass < 0) throw table.error(columns.mass, problem_with(body) + ".");
  body.tag = labels.tag(table);
  return body;
}

void read_rows(TextTable& table, const CsvColumns& columns, const ReadOptions& options, Snapshot& snapshot) {
  const std::size_t size = table.bytes_read() + 1;
  CsvLabels labels(columns.labels);
  for (std::size_t row = 0;; ++row) {
    if (options.progress && row % kRowsPerReport == 0 &&
        !options.progress(static_cast<double>(table.bytes_read()) / static_cast<double>(size)))
      throw SceneCancelled{};
    try {
      if (!table.next()) break;
      snapshot.bodies.push_back(body_of(table, columns, labels));
    } catch (const InputError& error) {
      if (!options.skip_bad) throw InputError(std::string(error.what()) + kSkipHint);
      ++snapshot.skipped;
      continue;
    }
    labels.add_id(table);
  }
  std::ranges::move(labels.notes(), std::back_inserter(snapshot.notes));
  snapshot.ids = labels.take_ids();
}

/// Any text. Tried after the other text formats, because the errors of read_csv() explain what a table needs.
bool is_text(const FileHead& head) {
  const Bytes begin = head.first.first(std::min<std::size_t>(head.first.size(), 4096));
  return !begin.empty() &&
         std::ranges::all_of(begin, [](std::uint8_t c) { return c >= ' ' || (c >= '\t' && c <= '\r'); });
}

/// A table of bodies with the columns m (or mass), x, y and optionally z, vx, vy, vz, id, group (the galaxy) and
/// component (disc, bulge, halo, other). Comments such as `#unit length=kpc mass=1e10 Msun velocity=km/s` declare
/// units, or the header of ECSV; two of length, mass, velocity and time are sufficient. Throws InputError,
/// SceneCancelled.
Snapshot read_csv(Bytes bytes, const ReadOptions& options) {
  TextTable table(bytes);
  const CsvColumns columns = columns_of(table);
  Snapshot snapshot;
  snapshot.format = "table of bodies";
  snapshot.units = units_of(table, columns, snapshot);
  if (!columns.vx && !columns.vy && !columns.vz)
    snapshot.notes.emplace_back("No velocities: the bodies start at rest.");
  const auto lines = static_cast<std::size_t>(std::ranges::count(bytes, std::uint8_t{'\n'}));
  snapshot.bodies.reserve(std::min(lines, bytes.size() / kShortestRow) + 1);
  read_rows(table, columns, options, snapshot);
  return snapshot;
}

}  // namespace

FileFormat csv_format() {
  return {
      .name = "csv",
      .title = "table of bodies (CSV)",
      .summary =
          "Text with a header line that names the columns m (or mass), x, y and optionally z, vx, vy, vz, id, group, "
          "component; `#unit length=kpc mass=Msun` or the header of ECSV declares units.",
      .matches = is_text,
      .read = read_csv};
}

}  // namespace pericenter

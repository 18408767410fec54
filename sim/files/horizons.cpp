#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/files/body_check.h"
#include "sim/files/formats.h"
#include "sim/files/small_bodies.h"
#include "sim/files/trimmed.h"

// Vector tables of JPL Horizons (ssd.jpl.nasa.gov/horizons/manual.html, "Vector tables"): one table per body, between
// $$SOE and $$EOE, as CSV or with three numbers per line, with or without the labels X =, Y = ...

namespace pericenter {
namespace {

constexpr std::string_view kStart = "$$SOE", kEnd = "$$EOE", kBlank = " \t\r\n";
constexpr std::string_view kAdvice =
    " Ask Horizons for a \"Vector Table\" of type 2 or 3, with the center 500@10 (Sun) or 500@0 (barycenter).";

/// Takes the next number from the text; nullopt at its end.
std::optional<double> take_number(std::string_view& text) {
  while (!text.empty()) {
    const std::size_t first = text.find_first_of("+-.0123456789");
    if (first == text.npos) break;
    text.remove_prefix(first + (text[first] == '+' ? 1 : 0));
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{}) {
      text.remove_prefix(static_cast<std::size_t>(end - text.data()));
      return value;
    }
    text.remove_prefix(std::min<std::size_t>(1, text.size()));
  }
  text = {};
  return std::nullopt;
}

/// "Ceres" of the line "Target body name: Ceres {source: JPL#48}"; empty if no line begins with this name.
std::string_view entry(std::string_view heading, std::string_view name) {
  for (std::size_t at = heading.rfind(name); at != heading.npos;
       at = at == 0 ? heading.npos : heading.rfind(name, at - 1)) {
    if (at > 0 && heading[at - 1] != '\n') continue;
    std::string_view line = heading.substr(at + name.size());
    line = line.substr(0, line.find_first_of("\n{"));
    const std::size_t colon = line.find(':');
    return colon == line.npos ? std::string_view{} : trimmed(line.substr(colon + 1), kBlank);
  }
  return {};
}

/// GM in km^3/s^2, from lines such as "GM (km^3/s^2) = 126686531.9" or "GM= 62.6284", but not "GM 1-sigma"; 0: none.
double gravity_of(std::string_view heading) {
  for (std::size_t at = heading.find("GM"); at != heading.npos; at = heading.find("GM", at + 1)) {
    std::string_view rest = heading.substr(at + 2);
    const std::string_view label = rest.substr(0, rest.find_first_of("=\n"));
    if (label.find("sigma") != label.npos || label.size() == rest.size() || rest[label.size()] != '=') continue;
    if (!trimmed(label, kBlank).empty() && label.find("km^3/s^2") == label.npos) continue;
    rest = trimmed(rest.substr(label.size() + 1, 40), " \t");
    if (rest.empty() || rest[0] < '0' || rest[0] > '9') continue;  // n.a.
    const std::optional<double> gravity = take_number(rest);
    if (gravity && *gravity > 0 && *gravity < 1e6 * kSunKm3S2) return *gravity;
  }
  return 0;
}

/// A body at one epoch, in the units of its table.
struct Vectors {
  double date = 0;
  Vec3 position, velocity;
};

/// Takes the next row of a table. Each begins with a line that has a Julian date and a calendar date ("A.D.
/// 2026-Jan-01" or "B.C. ..."); the vectors follow behind its second comma, or behind the third in tables of universal
/// time, or on the next lines.
std::optional<Vectors> take_row(std::string_view& table, bool has_delta_t) {
  const auto next_row = [](std::string_view text, std::size_t from) {
    return std::min({text.size(), text.find("A.D.", from), text.find("B.C.", from)});
  };
  const std::size_t era = next_row(table, 0);
  if (era == table.size()) return std::nullopt;
  std::string_view before = table.substr(0, era), rest = table.substr(era + 4);
  table.remove_prefix(era + 4);
  rest = rest.substr(0, next_row(rest, 0));
  rest.remove_prefix(std::min(rest.find_first_of(",\n"), rest.size()));
  if (has_delta_t && rest.starts_with(',')) take_number(rest);
  Vectors row;
  before = trimmed(before, kBlank);
  before.remove_prefix(std::min(before.find_last_of('\n') + 1, before.size()));
  const std::optional<double> date = take_number(before);
  row.date = date.value_or(std::nan(""));
  for (Vec3* vector : {&row.position, &row.velocity}) {
    for (int axis = 0; axis < 3; ++axis) {
      const std::optional<double> value = take_number(rest);
      if (!value) return std::nullopt;
      (*vector)[axis] = *value;
    }
  }
  return row;
}

/// Centimetres and seconds of "AU-D", "KM-S" or "KM-D".
struct TableUnits {
  double length_cm = 0, time_s = 0;
};

std::optional<TableUnits> units_of(std::string_view text) {
  const double length = text.starts_with("AU") ? kAstronomicalUnitCm : text.starts_with("KM") ? 1e5 : 0;
  const double time = text.ends_with("-D") ? kDaySeconds : text.ends_with("-S") ? 1 : 0;
  return length > 0 && time > 0 ? std::optional(TableUnits{length, time}) : std::nullopt;
}

/// The table of one body: what stands before $$SOE, and its rows.
struct Table {
  std::string_view heading, rows;
  std::string name;

  InputError error(const std::string& problem) const {
    return InputError("The table of '" + name + "' " + problem + std::string(kAdvice));
  }
};

std::vector<Table> tables_of(std::string_view text) {
  std::vector<Table> tables;
  for (std::size_t start = text.find(kStart); start != text.npos; start = text.find(kStart)) {
    const std::size_t end = std::min(text.find(kEnd, start), text.size());
    Table table{text.substr(0, start), text.substr(start + kStart.size(), end - start - kStart.size()), {}};
    table.name = entry(table.heading, "Target body name");
    tables.push_back(table);
    text.remove_prefix(std::min(end + kEnd.size(), text.size()));
  }
  return tables;
}

/// The row of this date, or the first row if it is not a number.
Vectors row_at(const Table& table, double date) {
  if (table.heading.find("VX") == table.heading.npos) throw table.error("has no velocities.");
  std::string_view rows = table.rows;
  const bool has_delta_t = table.heading.find("delta-T,") != table.heading.npos;
  while (const std::optional<Vectors> row = take_row(rows, has_delta_t))
    if (std::isnan(date) || row->date == date) return *row;
  if (std::isnan(date)) throw table.error("has no vectors.");
  throw InputError("The table of '" + table.name + "' has no row for the date " + calendar_date(date) +
                   " of the first one. Ask Horizons for all bodies at the same dates.");
}

/// Whether the center of the tables is the Sun, which then is a body; otherwise it is the barycenter.
bool is_heliocentric(const std::vector<Table>& tables) {
  const std::string_view center = entry(tables.front().heading, "Center body name");
  for (const Table& table : tables) {
    if (entry(table.heading, "Center body name") != center) throw table.error("has another center than the first one.");
    for (const std::string_view frame : {"Reference frame", "Coordinate sys"})
      if (entry(table.heading, frame) != entry(tables.front().heading, frame))
        throw table.error("has other axes than the first one.");
  }
  if (center.find("(10)") != center.npos) return true;
  if (center.find("(0)") == center.npos) throw tables.front().error("has the center '" + std::string(center) + "'.");
  return false;
}

Body body_of(const Table& table, double date, std::uint32_t number) {
  const std::optional<TableUnits> units = units_of(entry(table.heading, "Output units"));
  if (!units) throw table.error("has no line 'Output units' with AU-D, KM-S or KM-D. Keep the text above the table.");
  const Vectors row = row_at(table, date);
  const double length = units->length_cm / kAstronomicalUnitCm, speed = length * kDaySeconds / units->time_s;
  return {row.position * length, row.velocity * speed, gravity_of(table.heading) / kSunKm3S2,
          make_tag(number % 16, Component::bulge)};
}

bool is_horizons(const FileHead& head) {
  const std::string_view text(reinterpret_cast<const char*>(head.first.data()), head.first.size());
  return text.find("Target body name") != text.npos && text.find(kStart) != text.npos;
}

/// The bodies at the first date, in AU, solar masses and AU/day. Throws InputError.
Snapshot read_horizons(Bytes bytes, const ReadOptions& options) {
  const std::vector<Table> tables = tables_of({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (tables.empty()) throw InputError("The file has no table between $$SOE and $$EOE." + std::string(kAdvice));
  const double date = row_at(tables.front(), std::nan("")).date;
  if (!(date >= kFirstEpoch && date <= kLastEpoch)) throw tables.front().error("has no Julian date.");
  Snapshot snapshot;
  snapshot.format = "vector tables of JPL Horizons";
  snapshot.units = solar_file_units();
  const auto is_sun = [](const Table& table) { return table.name.find("(10)") != table.name.npos; };
  const bool adds_sun = is_heliocentric(tables) && std::ranges::none_of(tables, is_sun);
  if (adds_sun) snapshot.bodies.push_back({{}, {}, 1, make_tag(0, Component::other)});
  std::string massless;
  for (const Table& table : tables) {
    snapshot.bodies.push_back(body_of(table, date, static_cast<std::uint32_t>(snapshot.bodies.size())));
    if (snapshot.bodies.back().mass == 0) massless += (massless.empty() ? "" : ", ") + table.name;
  }
  snapshot.notes.push_back("Bodies on " + calendar_date(date) + ", the first date of the first table." +
                           (adds_sun ? " The Sun, the center of the tables, was added." : ""));
  if (!adds_sun && std::ranges::none_of(tables, is_sun))
    snapshot.notes.emplace_back("The Sun is not in the file: add its table (10) if it should attract the bodies.");
  if (!massless.empty()) snapshot.notes.push_back("Massless, because their tables state no GM: " + massless + ".");
  check_bodies(snapshot, options, [](std::size_t index) { return "Body " + std::to_string(index + 1); });
  return snapshot;
}

}  // namespace

FileFormat horizons_format() {
  return {
      .name = "horizons",
      .title = "JPL Horizons vectors",
      .summary = "Positions and velocities of bodies of the Solar System from JPL Horizons, one table for each body.",
      .matches = is_horizons,
      .read = read_horizons};
}

}  // namespace pericenter

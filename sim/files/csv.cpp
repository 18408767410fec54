#include <algorithm>
#include <iterator>
#include <optional>
#include <string>

#include "sim/files/body_selector.h"
#include "sim/files/csv_columns.h"
#include "sim/files/csv_labels.h"
#include "sim/files/csv_time.h"
#include "sim/files/csv_units.h"
#include "sim/files/formats.h"
#include "sim/files/text_table.h"

namespace pericenter {
namespace {

constexpr std::size_t kRowsPerReport = 1 << 15;
constexpr std::size_t kShortestRow = 6;  // "1,0,0" with its line end

/// Bodies may have been selected by their ids before one is found to be invalid.
struct InvalidId {
  std::string note;
};

/// nullopt if the row is left out, because its distance is unknown.
std::optional<Body> body_of(const TextTable& table, const CsvColumns& columns, CsvLabels& labels, SkyBodies& sky,
                            CylinderBodies& cylinder) {
  Body body;
  if (columns.sky.any()) {
    if (!sky.place(table, body)) return std::nullopt;
  } else {
    body.position = columns.position.at(table);
    body.velocity = columns.velocity.at(table);
    cylinder.turn(table, body);
  }
  body.mass = columns.mass ? table.number(*columns.mass) : 0;
  if (body.mass < 0) throw table.error(*columns.mass, problem_with(body) + ".");
  body.tag = labels.tag(table);
  return body;
}

void read_rows(TextTable& table, const CsvColumns& columns, const ReadOptions& options, Snapshot& snapshot) {
  const std::size_t size = table.bytes_read() + 1;
  CsvLabels labels(columns.labels);
  SkyBodies sky(table, columns.sky);
  CylinderBodies cylinder(table, columns.cylinder, snapshot.units);
  CsvTime time(columns.time);
  BodySelector selector(options, snapshot.box);
  std::size_t first = 0;  // body to which the selection was not applied yet
  const auto select = [&] {
    selector.apply(snapshot, first);
    first = snapshot.bodies.size();
  };
  for (std::size_t row = 0;; ++row) {
    if (options.progress && row % kRowsPerReport == 0 &&
        !options.progress(static_cast<double>(table.bytes_read()) / static_cast<double>(size)))
      throw SceneCancelled{};
    try {
      if (!table.next()) break;
      if (!time.takes(table)) continue;
      const std::optional<Body> body = body_of(table, columns, labels, sky, cylinder);
      if (!body) continue;
      snapshot.bodies.push_back(*body);
    } catch (const InputError& error) {
      if (!options.skip_bad) throw InputError(std::string(error.what()) + kSkipHint);
      ++snapshot.skipped;
      continue;
    }
    labels.add_id(table, snapshot.ids);
    if (selector.selects() && !labels.id_problem().empty()) throw InvalidId{labels.id_problem()};
    if (snapshot.bodies.size() - first == BodySelector::kBlock) select();
  }
  std::ranges::move(labels.notes(snapshot.ids), std::back_inserter(snapshot.notes));
  std::ranges::move(sky.notes(), std::back_inserter(snapshot.notes));
  std::ranges::move(cylinder.notes(), std::back_inserter(snapshot.notes));
  time.finish(table, snapshot);
  select();
  selector.finish(snapshot);
}

std::string joined(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

/// Any text. Tried after the other text formats, because the errors of read_csv() explain what a table needs.
bool is_text(const FileHead& head) {
  return !head.first.empty() &&
         std::ranges::all_of(head.first, [](std::uint8_t c) { return c >= ' ' || (c >= '\t' && c <= '\r'); });
}

Snapshot read_table(Bytes bytes, const ReadOptions& options, bool with_ids) {
  TextTable table(bytes);
  CsvColumns columns = csv_columns_of(table);
  if (!with_ids) columns.labels.id.reset();
  Snapshot snapshot;
  snapshot.format = "table of bodies";
  snapshot.units = csv_units_of(table, columns, snapshot);
  if (table.assumed())
    snapshot.notes.push_back("The file has no column names. Assumed: " + joined(table.columns()) + ".");
  if (!columns.mass)
    snapshot.notes.emplace_back(
        "No masses: the bodies attract nothing and keep their velocities. Add a column m for their gravity.");
  if (!columns.velocity.any() && !columns.cylinder.spin && !columns.sky.any())
    snapshot.notes.emplace_back("No velocities in columns such as vx, vy, vz: the bodies start at rest.");
  if (!options.selection.any()) {
    const auto lines = static_cast<std::size_t>(std::ranges::count(bytes, std::uint8_t{'\n'}));
    snapshot.bodies.reserve(std::min(lines, bytes.size() / kShortestRow) + 1);
  }
  read_rows(table, columns, options, snapshot);
  if (table.has_rest())
    snapshot.notes.emplace_back("The first line states the number of rows; what follows them is not read.");
  if (const std::string note = unused_note(table.columns(), used_columns(columns)); !note.empty())
    snapshot.notes.push_back(note);
  return snapshot;
}

/// A table of bodies with the columns m (or mass), x, y and optionally z, vx, vy, vz, id, group (the galaxy) and
/// component (disc, bulge, halo, other). Two of the units of length, mass, velocity and time are sufficient. Throws
/// InputError, SceneCancelled.
Snapshot read_csv(Bytes bytes, const ReadOptions& options) {
  try {
    return read_table(bytes, options, true);
  } catch (const InvalidId& invalid) {
    Snapshot snapshot = read_table(bytes, options, false);
    snapshot.notes.push_back(invalid.note);
    return snapshot;
  }
}

}  // namespace

FileFormat csv_format() {
  return {
      .name = "csv",
      .title = "table of bodies (CSV)",
      .summary =
          "Text with a header line that names the columns m (or mass), x, y and optionally z, vx, vy, vz, id, group, "
          "component, or R, phi, z, vR, vT, vz, or ra, dec, parallax, pmra, pmdec, radial_velocity as in Gaia; `#unit "
          "length=kpc mass=Msun`, "
          "headings "
          "such as x [kpc] or the header of ECSV declare units.",
      .matches = is_text,
      .read = read_csv};
}

}  // namespace pericenter

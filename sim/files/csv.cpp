#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/files/body_fields.h"
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

/// A column that is not used otherwise, and has a number in the row.
bool is_field(const TextTable& table, std::size_t column, std::span<const std::size_t> used) {
  return std::ranges::find(used, column) == used.end() && !table.columns()[column].empty() &&
         table.number_or_none(column).has_value();
}

/// Columns of numbers beside those of bodies; the first rows decide which ones have numbers.
class CsvFields {
 public:
  CsvFields(const TextTable& table, const CsvColumns& columns, const std::string& wanted)
      : table_(table), used_(used_columns(columns)) {
    for (std::size_t k = 0; !column_ && !wanted.empty() && k < table.columns().size(); ++k)
      if (shown(table.columns()[k]) == wanted && std::ranges::find(used_, k) == used_.end()) column_ = k;
  }

  /// Adds the value of the row, which made a body.
  void add(Snapshot& snapshot) {
    for (std::size_t k = 0; rows_ < kRowsOfNames && k < table_.columns().size(); ++k)
      if (is_field(table_, k, used_)) list(k, snapshot);
    ++rows_;
    if (!column_) return;
    const std::optional<double> value = table_.number_or_none(*column_);
    if (snapshot.values.empty() && !value) return;
    if (snapshot.values.empty()) list(*column_, snapshot);
    snapshot.values.resize(snapshot.bodies.size() - 1, kNoValue);
    snapshot.values.push_back(value ? static_cast<float>(*value) : kNoValue);
  }

 private:
  void list(std::size_t column, Snapshot& snapshot) const {
    add_field({shown(table_.columns()[column]), table_.units()[column]}, snapshot.fields);
  }

  static constexpr std::size_t kRowsOfNames = 1000;

  const TextTable& table_;
  const std::vector<std::size_t> used_;
  std::optional<std::size_t> column_;  ///< column of the wanted field
  std::size_t rows_ = 0;
};

void read_rows(TextTable& table, const CsvColumns& columns, const ReadOptions& options, Snapshot& snapshot) {
  const std::size_t size = table.bytes_read() + 1;
  CsvLabels labels(columns.labels);
  SkyBodies sky(table, columns.sky);
  CylinderBodies cylinder(table, columns.cylinder, snapshot.units);
  CsvTime time(columns.time);
  CsvFields fields(table, columns, options.field);
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
    fields.add(snapshot);
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

/// Columns of velocities may have names that are not known.
void note_unused(std::span<const std::string> names, std::vector<std::size_t> used, Snapshot& snapshot) {
  const auto is_field = [&](std::size_t k) {
    return std::ranges::find(used, k) == used.end() &&
           std::ranges::find(snapshot.fields, shown(names[k]), &FieldInfo::name) != snapshot.fields.end();
  };
  const std::string colors = note_on_columns(kOnlyColors, names, is_field);
  for (std::size_t k = 0; k < names.size(); ++k)
    if (is_field(k)) used.push_back(k);
  for (const std::string& note : {colors, unused_note(names, used)})
    if (!note.empty()) snapshot.notes.push_back(note);
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
  note_unused(table.columns(), used_columns(columns), snapshot);
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

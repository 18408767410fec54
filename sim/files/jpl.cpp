#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sim/files/formats.h"
#include "sim/files/small_bodies.h"
#include "sim/files/text_table.h"

namespace pericenter {
namespace {

/// The columns that are read, with the names of the Small-Body Database Query.
struct JplColumns {
  explicit JplColumns(const TextTable& table)
      : e(table.required({"e"})),
        i(table.required({"i"})),
        node(table.required({"om"})),
        argument(table.required({"w"})),
        q(table.column({"q"})),
        a(table.column({"a"})),
        anomaly(table.column({"ma"})),
        passage(table.column({"tp"})),
        epoch(table.column({"epoch"})),
        epoch_mjd(table.column({"epoch_mjd"})),
        gm(table.column({"GM"})),
        diameter(table.column({"diameter"})),
        magnitude(table.column({"H"})),
        albedo(table.column({"albedo"})),
        kind(table.column({"class"})) {
    if (!q && !a) table.required({"q"});
    const auto require = [](bool has, const char* columns) {
      if (!has)
        throw InputError(std::string("This table of JPL's Small-Body Database lacks the column ") + columns +
                         ". Select it in the query.");
    };
    require(anomaly || passage, "ma (mean anomaly) or tp (time of perihelion)");
    require(epoch || epoch_mjd, "epoch or epoch_mjd, the date of the elements");
  }

  std::size_t e, i, node, argument;
  std::optional<std::size_t> q, a, anomaly, passage, epoch, epoch_mjd, gm, diameter, magnitude, albedo, kind;
};

std::optional<double> value(const TextTable& table, std::optional<std::size_t> column) {
  return column ? table.number_if_any(*column) : std::nullopt;
}

constexpr double kMaxMass = 1e6;  // solar masses

double pericenter_of(const TextTable& table, const JplColumns& columns, double e) {
  const auto q = value(table, columns.q), a = value(table, columns.a);
  if (!q && (!a || e == 1)) throw table.error(columns.q.value_or(columns.e), "the perihelion distance is missing.");
  const double pericenter = q ? *q : *a * (1 - e);
  if (!(pericenter >= kMinPericenter && pericenter <= kMaxPericenter))
    throw table.error(q ? *columns.q : *columns.a, "the perihelion distance must be from 1e-6 to 1e9 AU.");
  return pericenter;
}

// Most rows have both. On very eccentric ellipses the mean anomaly is too coarse, on near-circular ones the passage.
double time_since_passage(const TextTable& table, const JplColumns& columns, const SolarOrbit& row) {
  constexpr double kHighEccentricity = 0.95;
  const auto anomaly = value(table, columns.anomaly), passage = value(table, columns.passage);
  const double e = row.orbit.eccentricity;
  double days = 0;
  if (passage && (!anomaly || e > kHighEccentricity))
    days = row.epoch - *passage;
  else if (anomaly && e != 1)
    days = time_of_mean_anomaly(*anomaly * kDegree, row.orbit.pericenter, e, kSunMu);
  else
    throw table.error(columns.passage.value_or(columns.e), "the time of perihelion is missing.");
  if (!(std::abs(days) <= kMaxDays)) throw table.error("the perihelion is more than 1e12 days from the epoch.");
  return days;
}

double epoch_of(const TextTable& table, const JplColumns& columns) {
  const auto day = value(table, columns.epoch), modified = value(table, columns.epoch_mjd);
  const std::size_t column = columns.epoch ? *columns.epoch : *columns.epoch_mjd;
  if (!day && !modified) throw table.error(column, "the value is missing.");
  const double epoch = day ? *day : *modified + 2400000.5;
  if (!(epoch >= kFirstEpoch && epoch <= kLastEpoch))
    throw table.error(column, "the epoch must be a Julian date such as 2461000.5.");
  return epoch;
}

double mass_of(const TextTable& table, const JplColumns& columns) {
  const auto gm = value(table, columns.gm);
  const SmallBody measured = {value(table, columns.diameter), value(table, columns.magnitude),
                              value(table, columns.albedo)};
  const double mass = gm && *gm > 0 ? *gm / kSunKm3S2 : small_body_mass(measured);
  if (!(mass <= kMaxMass)) throw table.error("its GM, diameter or H gives a mass above a million solar masses.");
  return mass;
}

SolarOrbit row_of(const TextTable& table, const JplColumns& columns) {
  SolarOrbit row;
  KeplerOrbit& orbit = row.orbit;
  orbit.eccentricity = table.number(columns.e);
  if (!(orbit.eccentricity >= 0 && orbit.eccentricity <= kMaxEccentricity))
    throw table.error(columns.e, "the eccentricity must be from 0 to a million.");
  orbit.pericenter = pericenter_of(table, columns, orbit.eccentricity);
  orbit.inclination = table.number(columns.i) * kDegree;
  orbit.node = table.number(columns.node) * kDegree;
  orbit.pericenter_argument = table.number(columns.argument) * kDegree;
  row.epoch = epoch_of(table, columns);
  orbit.time = time_since_passage(table, columns, row);
  row.mass = mass_of(table, columns);
  row.magnitude = value(table, columns.magnitude).value_or(row.magnitude);
  return row;
}

// Orbit classes are coloured like galaxies, in the order of appearance.
class OrbitClasses {
 public:
  std::uint32_t number_of(std::string_view name) {
    const auto found = std::ranges::find(names_, name);
    if (found != names_.end()) return static_cast<std::uint32_t>(found - names_.begin()) + 1;
    if (names_.size() < kMax) names_.emplace_back(name);
    return static_cast<std::uint32_t>(names_.size());
  }

 private:
  static constexpr std::size_t kMax = 15;
  std::vector<std::string> names_;
};

std::vector<SolarOrbit> rows_of(TextTable& table, const ReadOptions& options, std::size_t size, std::size_t& skipped) {
  const JplColumns columns(table);
  std::vector<SolarOrbit> rows;
  OrbitClasses classes;
  for (std::size_t count = 0;; ++count) {
    const double share = static_cast<double>(table.bytes_read()) / static_cast<double>(size);
    if (count % 4096 == 0 && options.progress && !options.progress(share)) throw SceneCancelled{};
    try {
      if (!table.next()) return rows;
      SolarOrbit row = row_of(table, columns);
      if (columns.kind) row.galaxy = classes.number_of(table.field(*columns.kind));
      rows.push_back(row);
    } catch (const InputError&) {
      if (!options.skip_bad) throw;
      ++skipped;
    }
  }
}

/// CSV tables of JPL's Small-Body Database with osculating elements, also with too few of them: the error names them.
bool is_jpl(const FileHead& head) {
  try {
    const TextTable table(head.first);
    return table.column({"e"}) && table.column({"i"}) && table.column({"om"}) && table.column({"w"}) &&
           !table.column({"x"});
  } catch (const InputError&) {
    return false;
  }
}

/// The bodies, the Sun and the planets at one epoch, in AU, solar masses and AU/day. Throws InputError.
Snapshot read_jpl(Bytes bytes, const ReadOptions& options) {
  TextTable table(bytes);
  std::size_t skipped = 0;
  const std::vector<SolarOrbit> rows = rows_of(table, options, bytes.size(), skipped);
  if (rows.empty()) throw InputError("The table has no rows with orbital elements.");
  Snapshot snapshot = with_sun_and_planets(rows, options.field);
  snapshot.format = "JPL Small-Body Database, CSV";
  snapshot.skipped = skipped;
  select_small_bodies(options, rows.size(), snapshot);
  return snapshot;
}

}  // namespace

FileFormat jpl_format() {
  return {
      .name = "jpl",
      .title = "JPL small bodies (CSV)",
      .summary =
          "Orbital elements of asteroids and comets from JPL's Small-Body Database. The Sun and the planets are added.",
      .matches = is_jpl,
      .read = read_jpl};
}

}  // namespace pericenter

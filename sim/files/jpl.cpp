#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "sim/files/formats.h"
#include "sim/files/text_table.h"
#include "sim/files/unit_system.h"
#include "sim/scenes/model/kepler.h"
#include "sim/scenes/solar_system.h"

namespace pericenter {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kSunMu = 1 / (kSolarDays * kSolarDays);  // AU^3 / day^2
constexpr double kSunKm3S2 = 1.32712440018e11, kDaySeconds = 86400;
constexpr double kSunGrams = kSunKm3S2 * 1e15 / kGravityCgs;

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
    if (!anomaly && !passage) table.required({"ma"});
    if (!epoch && !epoch_mjd) table.required({"epoch"});
  }

  std::size_t e, i, node, argument;
  std::optional<std::size_t> q, a, anomaly, passage, epoch, epoch_mjd, gm, diameter, magnitude, albedo, kind;
};

std::optional<double> value(const TextTable& table, std::optional<std::size_t> column) {
  return column ? table.number_if_any(*column) : std::nullopt;
}

/// A row; orbit.time is the time since perihelion at the epoch.
struct Row {
  KeplerOrbit orbit;
  double epoch = 0;  ///< Julian date
  double mass = 0;   ///< solar masses
  std::uint32_t galaxy = 1;
};

// Wider than any real orbit, and narrow enough that no derived value overflows.
constexpr double kMinPericenter = 1e-6, kMaxPericenter = 1e9, kMaxEccentricity = 1e6, kMaxDays = 1e12;
constexpr double kFirstEpoch = 1e6, kLastEpoch = 1e7, kMaxMass = 1e6;

double pericenter_of(const TextTable& table, const JplColumns& columns, double e) {
  const auto q = value(table, columns.q), a = value(table, columns.a);
  if (!q && (!a || e == 1)) throw table.error(columns.q.value_or(columns.e), "the perihelion distance is missing.");
  const double pericenter = q ? *q : *a * (1 - e);
  if (!(pericenter >= kMinPericenter && pericenter <= kMaxPericenter))
    throw table.error(q ? *columns.q : *columns.a, "the perihelion distance must be from 1e-6 to 1e9 AU.");
  return pericenter;
}

// Most rows have both. On very eccentric ellipses the mean anomaly is too coarse, on near-circular ones the passage.
double time_since_passage(const TextTable& table, const JplColumns& columns, const Row& row) {
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
  const auto kg = estimated_mass_kg(
      {value(table, columns.diameter), value(table, columns.magnitude), value(table, columns.albedo)});
  const double mass = gm && *gm > 0 ? *gm / kSunKm3S2 : kg ? *kg * 1000 / kSunGrams : 0;
  if (!(mass <= kMaxMass)) throw table.error("its GM, diameter or H gives a mass above a million solar masses.");
  return mass;
}

Row row_of(const TextTable& table, const JplColumns& columns) {
  Row row;
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

std::vector<Row> rows_of(TextTable& table, const ReadOptions& options, std::size_t size, std::size_t& skipped) {
  const JplColumns columns(table);
  std::vector<Row> rows;
  OrbitClasses classes;
  for (std::size_t count = 0;; ++count) {
    const double share = static_cast<double>(table.bytes_read()) / static_cast<double>(size);
    if (count % 4096 == 0 && options.progress && !options.progress(share)) throw SceneCancelled{};
    try {
      if (!table.next()) return rows;
      Row row = row_of(table, columns);
      if (columns.kind) row.galaxy = classes.number_of(table.field(*columns.kind));
      rows.push_back(row);
    } catch (const InputError&) {
      if (!options.skip_bad) throw;
      ++skipped;
    }
  }
}

// The epoch of most rows, which then need no propagation.
double common_epoch(const std::vector<Row>& rows) {
  std::vector<double> days(rows.size());
  std::ranges::transform(rows, days.begin(), &Row::epoch);
  std::ranges::sort(days);
  double best = 0;
  std::size_t most = 0;
  for (auto first = days.begin(); first != days.end();) {
    const auto next = std::upper_bound(first, days.end(), *first);
    if (static_cast<std::size_t>(next - first) > most) {
      most = static_cast<std::size_t>(next - first);
      best = *first;
    }
    first = next;
  }
  return best;
}

std::string calendar_date(double julian_date) {
  constexpr double kUnixEpoch = 2440587.5, kMostDays = 1e7;  // beyond the years of a calendar
  if (!(std::abs(julian_date) < kMostDays)) return "JD " + shown(julian_date);
  const std::chrono::days days(static_cast<int>(std::floor(julian_date - kUnixEpoch)));
  const std::chrono::year_month_day date{std::chrono::sys_days(days)};
  static constexpr const char* kMonths[] = {"January", "February", "March",     "April",   "May",      "June",
                                            "July",    "August",   "September", "October", "November", "December"};
  return std::to_string(static_cast<unsigned>(date.day())) + " " + kMonths[static_cast<unsigned>(date.month()) - 1] +
         " " + std::to_string(static_cast<int>(date.year()));
}

/// CSV tables of JPL's Small-Body Database with osculating elements.
bool is_jpl(const FileHead& head) {
  try {
    const TextTable table(head.first);
    JplColumns{table};
    return true;
  } catch (const InputError&) {
    return false;
  }
}

/// The bodies, the Sun and the planets at one epoch, in AU, solar masses and AU/day. Throws InputError.
Snapshot read_jpl(Bytes bytes, const ReadOptions& options) {
  Snapshot snapshot;
  TextTable table(bytes);
  const std::vector<Row> rows = rows_of(table, options, bytes.size(), snapshot.skipped);
  if (rows.empty()) throw InputError("The table has no rows with orbital elements.");
  const double epoch = common_epoch(rows);

  snapshot.format = "JPL Small-Body Database, CSV";
  snapshot.units = {kAstronomicalUnitCm, kSunGrams, kAstronomicalUnitCm / kDaySeconds};
  snapshot.bodies = sun_and_planets(epoch);
  for (Body& body : snapshot.bodies) body.velocity *= 1 / kSolarDays;
  std::size_t moved = 0, massless = 0;
  for (const Row& row : rows) {
    KeplerOrbit orbit = row.orbit;
    orbit.time += epoch - row.epoch;
    moved += row.epoch != epoch;
    massless += row.mass == 0;
    const RelativeState state = kepler_state(orbit, kSunMu);
    snapshot.bodies.push_back(
        {state.position, state.velocity, row.mass, make_tag(row.galaxy, Component::bulge, orbit.pericenter)});
  }
  snapshot.notes.push_back("Orbits at the epoch " + calendar_date(epoch) +
                           ". The Sun and the eight planets, which are not in the file, were added.");
  if (moved > 0)
    snapshot.notes.push_back(std::to_string(moved) +
                             " bodies with another epoch were propagated along their orbits around the Sun.");
  if (massless > 0)
    snapshot.notes.push_back(std::to_string(massless) +
                             " bodies without GM, diameter and H are massless test particles.");
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

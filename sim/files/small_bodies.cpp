#include "sim/files/small_bodies.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "sim/core/counted_bodies.h"
#include "sim/files/body_fields.h"
#include "sim/files/body_selector.h"

namespace pericenter {
namespace {

struct CommonEpoch {
  double day;
  bool is_latest;  ///< no epoch is that of more than half of the orbits
};

// The epoch of most orbits, which then need no propagation, or the latest: comets have an epoch each, since 1811.
CommonEpoch common_epoch(const std::vector<SolarOrbit>& orbits) {
  std::vector<double> days(orbits.size());
  std::ranges::transform(orbits, days.begin(), &SolarOrbit::epoch);
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
  if (2 * most > days.size()) return {best, false};
  return {days.back(), true};
}

struct Element {
  const char *name, *unit;
  double (*of)(const SolarOrbit&);  ///< NaN: unknown
};
/// Unbound orbits have no semimajor axis here, because a negative one is not larger or smaller.
constexpr Element kElements[] = {
    {"eccentricity", "", [](const SolarOrbit& row) { return row.orbit.eccentricity; }},
    {"semimajor axis", "AU",
     [](const SolarOrbit& row) {
       const double e = row.orbit.eccentricity;
       return e < 1 ? row.orbit.pericenter / (1 - e) : std::numeric_limits<double>::quiet_NaN();
     }},
    {"inclination", "°", [](const SolarOrbit& row) { return row.orbit.inclination / kDegree; }},
    {"perihelion distance", "AU", [](const SolarOrbit& row) { return row.orbit.pericenter; }},
    {"absolute magnitude", "mag", [](const SolarOrbit& row) { return row.magnitude; }}};

/// Lists the elements that any orbit has. The bodies before the orbits have none.
void add_elements(const std::vector<SolarOrbit>& orbits, const std::string& wanted, Snapshot& snapshot) {
  for (const auto& [name, unit, of] : kElements) {
    const auto is_known = [of = of](const SolarOrbit& row) { return !std::isnan(of(row)); };
    if (std::ranges::none_of(orbits, is_known)) continue;
    snapshot.fields.push_back({name, unit});
    if (name != wanted) continue;
    snapshot.values.assign(snapshot.bodies.size() - orbits.size(), kNoValue);
    for (const SolarOrbit& row : orbits) snapshot.values.push_back(static_cast<float>(of(row)));
  }
}

}  // namespace

double small_body_mass(const SmallBody& measured) {
  const auto kg = estimated_mass_kg(measured);
  return kg ? *kg * 1000 / kSunGrams : 0;
}

std::string calendar_date(double julian_date) {
  constexpr double kMostDays = 1e7;  // beyond the years of a calendar
  if (!(std::abs(julian_date) < kMostDays)) return "JD " + shown(julian_date);
  const std::chrono::days days(static_cast<int>(std::floor(julian_date - kUnixEpoch)));
  const std::chrono::year_month_day date{std::chrono::sys_days(days)};
  static constexpr const char* kMonths[] = {"January", "February", "March",     "April",   "May",      "June",
                                            "July",    "August",   "September", "October", "November", "December"};
  return std::to_string(static_cast<unsigned>(date.day())) + " " + kMonths[static_cast<unsigned>(date.month()) - 1] +
         " " + std::to_string(static_cast<int>(date.year()));
}

FileUnits solar_file_units() {
  return {kAstronomicalUnitCm, kSunGrams, kAstronomicalUnitCm / kDaySeconds};
}

Snapshot with_sun_and_planets(const std::vector<SolarOrbit>& orbits, const std::string& wanted) {
  Snapshot snapshot;
  const auto [epoch, is_latest] = common_epoch(orbits);
  snapshot.units = solar_file_units();
  snapshot.bodies = sun_and_planets(epoch);
  snapshot.has_planets = true;
  for (Body& body : snapshot.bodies) body.velocity *= 1 / kSolarDays;
  std::size_t moved = 0, massless = 0;
  for (const SolarOrbit& each : orbits) {
    KeplerOrbit orbit = each.orbit;
    orbit.time += epoch - each.epoch;
    moved += each.epoch != epoch;
    massless += each.mass == 0;
    const RelativeState state = kepler_state(orbit, kSunMu);
    snapshot.bodies.push_back(
        {state.position, state.velocity, each.mass, make_tag(each.galaxy, Component::bulge, orbit.pericenter)});
  }
  add_elements(orbits, wanted, snapshot);
  snapshot.notes.push_back("Orbits at the epoch " + calendar_date(epoch) +
                           (is_latest ? ", the latest of the file, because no epoch is that of most orbits" : "") +
                           ". The Sun and the eight planets, which are not in the file, were added.");
  if (moved > 0)
    snapshot.notes.push_back("Propagated along their orbits around the Sun: " + counted_bodies(moved) +
                             " with another epoch.");
  if (massless > 0)
    snapshot.notes.push_back("Massless test particles: " + counted_bodies(massless) + " without GM, diameter and H.");
  return snapshot;
}

void select_small_bodies(const ReadOptions& options, std::size_t count, Snapshot& snapshot) {
  const std::size_t added = snapshot.bodies.size() - count;
  BodySelector selector(options, snapshot.box, snapshot.length_factor);
  if (!selector.selects()) return;
  for (std::size_t i = 0; i < added; ++i) snapshot.ids.push_back(snapshot.bodies.size() + i);
  selector.apply(snapshot, added);
  selector.finish(snapshot, added);
}

}  // namespace pericenter

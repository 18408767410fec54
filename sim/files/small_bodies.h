#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "sim/files/snapshot.h"
#include "sim/files/unit_system.h"
#include "sim/scenes/model/kepler.h"
#include "sim/scenes/solar_system.h"

namespace pericenter {

inline constexpr double kUnixEpoch = 2440587.5;  ///< Julian date of 1 January 1970
inline constexpr double kDaySeconds = 86400;
inline constexpr double kSunMu = 1 / (kSolarDays * kSolarDays);       ///< AU^3 / day^2
inline constexpr double kSunKm3S2 = 1.32712440018e11;                 ///< km^3 / s^2
inline constexpr double kSunGrams = kSunKm3S2 * 1e15 / kGravityCgs;   ///< mass of the Sun
inline constexpr double kFirstEpoch = 1e6, kLastEpoch = 1e7;          ///< Julian dates that are accepted
inline constexpr double kMinPericenter = 1e-6, kMaxPericenter = 1e9;  ///< AU; wider than any real orbit
inline constexpr double kMaxEccentricity = 1e6, kMaxDays = 1e12;      ///< no derived value overflows

/// A body on an orbit around the Sun. Lengths in AU, times in days.
struct SolarOrbit {
  KeplerOrbit orbit;  ///< its time is that since perihelion at the epoch
  double epoch = 0;   ///< Julian date
  double mass = 0;    ///< solar masses
  std::uint32_t galaxy = 1;
  double magnitude = std::numeric_limits<double>::quiet_NaN();  ///< absolute; NaN: unknown
};

/// Mass in solar masses from what was measured; 0 if nothing was.
double small_body_mass(const SmallBody& measured);

/// "1 January 2000"
std::string calendar_date(double julian_date);

/// Units of AU, solar masses and AU/day.
FileUnits solar_file_units();

/// The bodies, the Sun and the planets at the epoch of most of them, or else at the latest, in these units, with notes
/// and with elements of the orbits as fields, of which `wanted` is read.
Snapshot with_sun_and_planets(const std::vector<SolarOrbit>& orbits, const std::string& wanted);

/// Applies the selection to the last `count` bodies; those that were added stay.
void select_small_bodies(const ReadOptions& options, std::size_t count, Snapshot& snapshot);

}  // namespace pericenter

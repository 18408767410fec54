#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sim/files/file_origin.h"
#include "sim/files/snapshot.h"

namespace pericenter {

/// What is allowed as a unit: " Units of length: kpc ...".
std::string known_units();
/// Parses units such as "length=kpc mass=1e10 Msun velocity=km/s"; "time=Myr" can stand for one of them. Throws
/// InputError with what is allowed.
Stated::Units units_from(std::string_view text);
/// The side of a periodic volume; 0: not periodic. Throws InputError.
double periodic_from(std::string_view text);
/// What is stated, completed by what the file declares or by G = 1. Throws InputError if that is too little.
FileUnits stated_units(Stated::Units units, const FileUnits& declared);

/// Replaces what the file declares, or what was assumed, by what the user states, and says so in a note. Throws
/// InputError if units are missing.
void state(const Stated& stated, Snapshot& snapshot);

/// The measures of a snapshot whose centre of mass is there.
FileMeasures measures_of(const Snapshot& snapshot, const Vec3& centre);

/// The systems that codes and people use, for units_from().
std::span<const std::string_view> usual_units();
/// If 2K/|W| is farther than a factor of 30 from 1, the value of equilibrium, but near it in other usual units: a
/// sentence that names these. Empty otherwise, and for bodies at rest.
std::string units_hint(const FileMeasures& measures, const FileUnits& units);

}  // namespace pericenter

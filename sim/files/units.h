#pragma once

#include <string>
#include <string_view>

#include "sim/files/snapshot.h"

namespace pericenter {

// In cgs. That of the sun is its GM (IAU 2015 resolution B3) over CODATA's G of 2018, so that GM is right.
inline constexpr double kGravityCgs = 6.6743e-8;
inline constexpr double kParsecCm = 3.0856775814913673e18;  // IAU 2015 resolution B2
inline constexpr double kKpcCm = 3.0856775814913673e21;
inline constexpr double kAstronomicalUnitCm = 1.495978707e13;
inline constexpr double kSunGram = 1.3271244e26 / kGravityCgs;
inline constexpr double kYearSecond = 365.25 * 86400;

/// What GADGET's own parameter files use (Springel 2005, 10.1111/j.1365-2966.2005.09655.x): kpc/h, 1e10 suns/h and
/// km/s.
FileUnits gadget_units(double hubble);

/// The gravitational constant in units of a file; 1 where they are not known.
double gravity_in(const FileUnits& units);

/// A number in few digits, whatever the locale.
std::string shown(double number);

/// Size in cgs of a unit as people write it: "kpc", "1e10 Msun", "km/s", "2.5 AU", "Myr". 0: no such unit of `kind`,
/// which is one of "length", "mass", "velocity", "time".
double unit_size(std::string_view kind, std::string_view text);

/// Units of which two or more are given, also by a time, and 0 stands for the others: what lacks follows from G = 1.
/// All 0 if it does not.
FileUnits completed(FileUnits units, double time_s);

/// Whether a file of GADGET's is of a cosmological run: its time is a scale factor then.
bool is_comoving(double time, double redshift, double omega_matter);
/// Age of a flat universe at a scale factor, in 1 / H0.
double cosmic_age(double scale_factor, double omega_matter);

}  // namespace pericenter

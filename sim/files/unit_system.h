#pragma once

#include <numbers>
#include <string>
#include <string_view>

#include "sim/files/snapshot.h"

namespace pericenter {

// In cgs. The solar mass is GM of the Sun (IAU 2015 resolution B3) over G of CODATA 2018, so that GM is exact.
inline constexpr double kGravityCgs = 6.6743e-8;
inline constexpr double kParsecCm = 3.0856775814913673e18;  // IAU 2015 resolution B2
inline constexpr double kKpcCm = 3.0856775814913673e21;
inline constexpr double kAstronomicalUnitCm = 1.495978707e13;
inline constexpr double kSunGram = 1.3271244e26 / kGravityCgs;
inline constexpr double kYearSecond = 365.25 * 86400;
inline constexpr double kDegree = std::numbers::pi / 180;  ///< radians

/// Default units of GADGET (Springel 2005, doi:10.1111/j.1365-2966.2005.09655.x): kpc/h, 1e10 solar masses/h and km/s.
FileUnits gadget_units(double hubble);

/// The gravitational constant in the units of a file; 1 if they are unknown.
double gravity_in(const FileUnits& units);

/// A number with four digits, independent of the locale.
std::string shown(double number);

/// Size in cgs of a unit such as "kpc", "1e10 Msun", "km/s", "km s-1", "1000.0 * m * s**-1" or "Myr"; 0 if it is not a
/// unit of `kind`, which is "length", "mass", "velocity" or "time". A velocity is any length per any time.
double unit_size(std::string_view kind, std::string_view text);
/// N-body units are "mass", "length * time**-1" and the like (AMUSE); G is 1 in them.
enum class UnitMeaning { none, physical, n_body };
UnitMeaning unit_meaning(std::string_view text);
/// The names of the units of length, mass or time, one of each size: "Mpc, kpc, pc".
std::string unit_names(std::string_view kind);

/// Completes units of which at least two are given (0: not given), including a time, with G = 1. All 0 if that is
/// impossible.
FileUnits completed(FileUnits units, double time_s);

/// Whether a GADGET file is from a cosmological run, where the time is the scale factor.
bool is_comoving(double time, double redshift, double omega_matter);
/// Age of a universe of matter and a cosmological constant at a scale factor, in 1 / H0 (Weinberg 2008, Cosmology, eq.
/// 1.5.42).
double cosmic_age(double scale_factor, double omega_matter, double omega_lambda);

}  // namespace pericenter

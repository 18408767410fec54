#pragma once

#include <string>

#include "sim/core/units.h"

namespace pericenter {

/// Whether the scene's unit of length is that of a planetary system: less than 200 astronomical units.
bool is_planetary(const Units& units);

struct LengthUnit {
  const char* name;
  double kpc;
};
/// A length unit for a length in kpc: Mpc, kpc, pc, AU or km.
LengthUnit length_unit(double kpc);
/// A length in scene units with three digits, as "16.2 kpc"; a number if the scene has no physical units.
std::string short_length_text(double length, const Units& units);
/// Three digits of a number: "0.0123", "1.23e+06".
std::string three_digits(double number);
/// Numbers from here on are no longer shown with all digits.
inline constexpr double kMostDigits = 1e15;
/// A number with these decimals: "28.30"; with a power of ten from kMostDigits on.
std::string decimal_text(double number, int decimals);

/// The display unit of a scene's times, chosen so that the scene's own unit of time is not a small fraction of it.
struct TimeUnit {
  const char* name;   ///< "Myr"; empty if the scene has no physical units
  double scene_time;  ///< the scene's unit of time in this unit
  int decimals;       ///< enough that the displayed time changes visibly while the scene runs
};
TimeUnit time_unit(const Units& units);
/// A time in scene units as "390 Myr" or "2.35 yr", or "t = 28.30" if the scene has no physical units.
std::string time_text(double time, const Units& units);

}  // namespace pericenter

#pragma once

#include <string>

#include "sim/core/units.h"

namespace pericenter {

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

}  // namespace pericenter

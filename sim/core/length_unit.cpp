#include "sim/core/length_unit.h"

#include <array>
#include <cstdio>

namespace pericenter {

LengthUnit length_unit(double kpc) {
  constexpr double kSlack = 0.9995;  // a length just below is rounded up when printed
  constexpr double kAu = 4.84813681e-9, kKm = 3.24077929e-17;
  if (kpc >= kSlack * 1000) return {"Mpc", 1000};
  if (kpc >= kSlack) return {"kpc", 1};
  if (kpc >= kSlack * 1e-5) return {"pc", 1e-3};
  return kpc >= kSlack * 0.01 * kAu ? LengthUnit{"AU", kAu} : LengthUnit{"km", kKm};
}

std::string short_length_text(double length, const Units& units) {
  const bool physical = units.length_kpc > 0;
  const LengthUnit unit = length_unit(length * units.length_kpc);
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), physical ? "%.3g %s" : "%.3g",
                physical ? length * units.length_kpc / unit.kpc : length, unit.name);
  return text.data();
}

}  // namespace pericenter

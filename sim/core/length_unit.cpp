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

std::string three_digits(double number) {
  std::array<char, 32> digits{};
  std::snprintf(digits.data(), digits.size(), "%.3g", number);
  return digits.data();
}

std::string short_length_text(double length, const Units& units) {
  if (!(units.length_kpc > 0)) return three_digits(length);
  const LengthUnit unit = length_unit(length * units.length_kpc);
  return three_digits(length * units.length_kpc / unit.kpc) + " " + unit.name;
}

}  // namespace pericenter

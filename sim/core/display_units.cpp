#include "sim/core/display_units.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace pericenter {

bool is_planetary(const Units& units) {
  constexpr double kMaxKpc = 1e-6;
  return units.length_kpc > 0 && units.length_kpc < kMaxKpc;
}

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

std::string decimal_text(double number, int decimals) {
  if (!(std::abs(number) < kMostDigits)) return three_digits(number);
  std::array<char, 32> digits{};
  std::snprintf(digits.data(), digits.size(), "%.*f", decimals, number);
  std::string text = digits.data();
  if (text.front() == '-' && text.find_first_not_of("-0.") == text.npos) text.erase(0, 1);  // -0 is 0
  return text;
}

std::string short_length_text(double length, const Units& units) {
  if (!(units.length_kpc > 0)) return three_digits(length);
  const LengthUnit unit = length_unit(length * units.length_kpc);
  return three_digits(length * units.length_kpc / unit.kpc) + " " + unit.name;
}

TimeUnit time_unit(const Units& units) {
  struct Row {
    const char* name;
    double myr, min_myr;  ///< used if the unit of time of the scene is at least min_myr
  };
  constexpr double kDay = 1e-6 / 365.25;
  static constexpr std::array<Row, 6> kRows = {{{"Gyr", 1000, 500},
                                                {"Myr", 1, 0.1},
                                                {"kyr", 1e-3, 1e-4},
                                                {"yr", 1e-6, 1e-7},
                                                {"days", kDay, 0.1 * kDay},
                                                {"s", kDay / 86400, 0}}};
  if (!(units.time_myr > 0)) return {"", 1, 2};
  const Row& row = *std::ranges::find_if(kRows, [&](const Row& unit) { return units.time_myr >= unit.min_myr; });
  const double one = units.time_myr / row.myr;
  return {row.name, one, one >= 5 ? 0 : one >= 0.5 ? 1 : 2};
}

std::string time_text(double time, const Units& units) {
  const TimeUnit unit = time_unit(units);
  const std::string number = decimal_text(time * unit.scene_time, unit.decimals);
  return *unit.name ? number + " " + unit.name : "t = " + number;
}

}  // namespace pericenter

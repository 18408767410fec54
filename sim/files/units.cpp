#include "sim/files/units.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string>

namespace pericenter {
namespace {

struct NamedUnit {
  std::string_view kind, name;
  double cgs;
};

constexpr std::array kUnits = {
    NamedUnit{"length", "mpc", 1e6 * kParsecCm},
    NamedUnit{"length", "kpc", 1e3 * kParsecCm},
    NamedUnit{"length", "pc", kParsecCm},
    NamedUnit{"length", "au", kAstronomicalUnitCm},
    NamedUnit{"length", "km", 1e5},
    NamedUnit{"length", "m", 100},
    NamedUnit{"length", "cm", 1},
    NamedUnit{"mass", "msun", kSunGram},
    NamedUnit{"mass", "msol", kSunGram},
    NamedUnit{"mass", "kg", 1000},
    NamedUnit{"mass", "g", 1},
    NamedUnit{"velocity", "km/s", 1e5},
    NamedUnit{"velocity", "m/s", 100},
    NamedUnit{"velocity", "cm/s", 1},
    NamedUnit{"velocity", "au/day", kAstronomicalUnitCm / 86400},
    NamedUnit{"velocity", "au/d", kAstronomicalUnitCm / 86400},
    NamedUnit{"velocity", "au/yr", kAstronomicalUnitCm / kYearSecond},
    NamedUnit{"velocity", "kpc/myr", 1e3 * kParsecCm / (1e6 * kYearSecond)},
    NamedUnit{"velocity", "kpc/gyr", 1e3 * kParsecCm / (1e9 * kYearSecond)},
    NamedUnit{"velocity", "pc/myr", kParsecCm / (1e6 * kYearSecond)},
    NamedUnit{"time", "gyr", 1e9 * kYearSecond},
    NamedUnit{"time", "myr", 1e6 * kYearSecond},
    NamedUnit{"time", "yr", kYearSecond},
    NamedUnit{"time", "day", 86400},
    NamedUnit{"time", "d", 86400},
    NamedUnit{"time", "h", 3600},
    NamedUnit{"time", "s", 1},
};

}  // namespace

FileUnits gadget_units(double hubble) {
  const double h = hubble > 0 && std::isfinite(hubble) ? hubble : 1;
  return {1e3 * kParsecCm / h, 1e10 * kSunGram / h, 1e5};
}

double gravity_in(const FileUnits& units) {
  if (!units.known()) return 1;
  return kGravityCgs * units.mass_g / units.length_cm / units.velocity_cm_s / units.velocity_cm_s;
}

std::string shown(double number) {
  std::array<char, 32> text;
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::general, 4);
  return {text.data(), error == std::errc() ? end : text.data()};
}

double unit_size(std::string_view kind, std::string_view text) {
  double number = 1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view rest = text;
  if (error == std::errc()) rest.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (error == std::errc::result_out_of_range || !(number > 0)) return 0;
  std::string name;
  for (const char c : rest) {
    if (c != ' ' && c != '*') name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  const auto unit = std::find_if(kUnits.begin(), kUnits.end(),
                                 [&](const NamedUnit& each) { return each.kind == kind && each.name == name; });
  const double size = unit == kUnits.end() ? 0 : number * unit->cgs;
  return std::isfinite(size) ? size : 0;
}

FileUnits completed(FileUnits units, double time_s) {
  auto& [length, mass, velocity] = units;
  if (time_s > 0 && length > 0 && velocity == 0) velocity = length / time_s;
  if (time_s > 0 && velocity > 0 && length == 0) length = velocity * time_s;
  if (time_s > 0 && mass > 0 && length == 0 && velocity == 0) length = std::cbrt(kGravityCgs * mass * time_s * time_s);
  if (length > 0 && mass > 0 && velocity == 0) velocity = std::sqrt(kGravityCgs * mass / length);
  if (length > 0 && velocity > 0 && mass == 0) mass = length * velocity * velocity / kGravityCgs;
  if (mass > 0 && velocity > 0 && length == 0) length = kGravityCgs * mass / velocity / velocity;
  return units.known() && std::isfinite(length * mass * velocity) ? units : FileUnits{};
}

bool is_comoving(double time, double redshift, double omega_matter) {
  return omega_matter > 0 && time > 0 && std::abs(time * (1 + redshift) - 1) < 1e-4;
}

double cosmic_age(double scale_factor, double omega_matter) {
  const double a = std::pow(scale_factor, 1.5);
  const double lambda = 1 - omega_matter;
  if (lambda < 1e-6) return 2.0 / 3 * a / std::sqrt(omega_matter);
  return 2.0 / 3 / std::sqrt(lambda) * std::asinh(std::sqrt(lambda / omega_matter) * a);
}

}  // namespace pericenter

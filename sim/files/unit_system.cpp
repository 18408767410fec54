#include "sim/files/unit_system.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace pericenter {
namespace {

struct NamedUnit {
  std::string_view kind, name;
  double cgs;
};

constexpr std::array kUnits = {
    NamedUnit{"length", "Mpc", 1e6 * kParsecCm},
    NamedUnit{"length", "kpc", 1e3 * kParsecCm},
    NamedUnit{"length", "pc", kParsecCm},
    NamedUnit{"length", "lyr", 9.4607304725808e17},
    NamedUnit{"length", "AU", kAstronomicalUnitCm},
    NamedUnit{"length", "km", 1e5},
    NamedUnit{"length", "m", 100},
    NamedUnit{"length", "cm", 1},
    NamedUnit{"mass", "Msun", kSunGram},
    NamedUnit{"mass", "Msol", kSunGram},
    NamedUnit{"mass", "M_sun", kSunGram},
    NamedUnit{"mass", "solMass", kSunGram},
    NamedUnit{"mass", "kg", 1000},
    NamedUnit{"mass", "g", 1},
    NamedUnit{"time", "Gyr", 1e9 * kYearSecond},
    NamedUnit{"time", "Myr", 1e6 * kYearSecond},
    NamedUnit{"time", "kyr", 1e3 * kYearSecond},
    NamedUnit{"time", "yr", kYearSecond},
    NamedUnit{"time", "day", 86400},
    NamedUnit{"time", "d", 86400},
    NamedUnit{"time", "h", 3600},
    NamedUnit{"time", "s", 1},
};

char lower_case_of(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

double named_size(std::string_view kind, std::string_view name) {
  if (kind == "velocity") {
    const std::size_t slash = name.find('/');
    if (slash == name.npos) return 0;
    const double time = named_size("time", name.substr(slash + 1));
    return time > 0 ? named_size("length", name.substr(0, slash)) / time : 0;
  }
  for (const NamedUnit& unit : kUnits) {
    if (unit.kind == kind && std::ranges::equal(unit.name, name, {}, lower_case_of, lower_case_of)) return unit.cgs;
  }
  return 0;
}

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
    if (c != ' ' && c != '*') name += c;
  }
  const double size = number * named_size(kind, name);
  return std::isfinite(size) ? size : 0;
}

std::string unit_names(std::string_view kind) {
  std::string names;
  for (const NamedUnit& unit : kUnits) {
    if (unit.kind == kind) names += (names.empty() ? "" : ", ") + std::string(unit.name);
  }
  return names;
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

#include "sim/files/unit_system.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <utility>

namespace pericenter {
namespace {

/// Exponents of length, mass, time and angle.
using Dimension = std::array<int, 4>;
constexpr Dimension kLength{1}, kMass{0, 1}, kTime{0, 0, 1}, kVelocity{1, 0, -1}, kAngle{0, 0, 0, 1},
    kAngularVelocity{0, 0, -1, 1};

struct NamedUnit {
  std::string_view name;
  Dimension dimension;
  double cgs;  ///< 0: a unit of N-body units, in which G = 1
};

// Names of equal size follow each other; messages list the first. Those of Astropy 8, unyt 3, pynbody 2.8 and AMUSE
// 2024 are among them. In AMUSE, "ms" is m/s; as a time it is a millisecond, which no file of bodies needs.
constexpr std::array kUnits = {
    NamedUnit{"Gpc", kLength, 1e9 * kParsecCm},
    NamedUnit{"Mpc", kLength, 1e6 * kParsecCm},
    NamedUnit{"kpc", kLength, 1e3 * kParsecCm},
    NamedUnit{"pc", kLength, kParsecCm},
    NamedUnit{"parsec", kLength, kParsecCm},
    NamedUnit{"lyr", kLength, 9.4607304725808e17},
    NamedUnit{"ly", kLength, 9.4607304725808e17},
    NamedUnit{"lightyear", kLength, 9.4607304725808e17},
    NamedUnit{"AU", kLength, kAstronomicalUnitCm},
    NamedUnit{"astronomical_unit", kLength, kAstronomicalUnitCm},
    NamedUnit{"Rsun", kLength, 6.957e10},  // IAU 2015 resolution B3, as the radii and masses of planets below
    NamedUnit{"solRad", kLength, 6.957e10},
    NamedUnit{"R_sun", kLength, 6.957e10},
    NamedUnit{"Rjup", kLength, 7.1492e9},
    NamedUnit{"jupiterRad", kLength, 7.1492e9},
    NamedUnit{"Rearth", kLength, 6.3781e8},
    NamedUnit{"earthRad", kLength, 6.3781e8},
    NamedUnit{"km", kLength, 1e5},
    NamedUnit{"m", kLength, 100},
    NamedUnit{"cm", kLength, 1},
    NamedUnit{"Msun", kMass, kSunGram},
    NamedUnit{"Msol", kMass, kSunGram},
    NamedUnit{"M_sun", kMass, kSunGram},
    NamedUnit{"solMass", kMass, kSunGram},
    NamedUnit{"solarmass", kMass, kSunGram},
    NamedUnit{"Mjup", kMass, 1.2668653e23 / kGravityCgs},
    NamedUnit{"jupiterMass", kMass, 1.2668653e23 / kGravityCgs},
    NamedUnit{"MJupiter", kMass, 1.2668653e23 / kGravityCgs},
    NamedUnit{"M_jup", kMass, 1.2668653e23 / kGravityCgs},
    NamedUnit{"Mearth", kMass, 3.986004e20 / kGravityCgs},
    NamedUnit{"earthMass", kMass, 3.986004e20 / kGravityCgs},
    NamedUnit{"M_earth", kMass, 3.986004e20 / kGravityCgs},
    NamedUnit{"t", kMass, 1e6},
    NamedUnit{"kg", kMass, 1000},
    NamedUnit{"g", kMass, 1},
    NamedUnit{"Gyr", kTime, 1e9 * kYearSecond},
    NamedUnit{"Myr", kTime, 1e6 * kYearSecond},
    NamedUnit{"kyr", kTime, 1e3 * kYearSecond},
    NamedUnit{"yr", kTime, kYearSecond},
    NamedUnit{"julianyr", kTime, kYearSecond},
    NamedUnit{"year", kTime, kYearSecond},
    NamedUnit{"day", kTime, 86400},
    NamedUnit{"d", kTime, 86400},
    NamedUnit{"h", kTime, 3600},
    NamedUnit{"hr", kTime, 3600},
    NamedUnit{"hour", kTime, 3600},
    NamedUnit{"min", kTime, 60},
    NamedUnit{"minute", kTime, 60},
    NamedUnit{"s", kTime, 1},
    NamedUnit{"sec", kTime, 1},
    NamedUnit{"second", kTime, 1},
    NamedUnit{"kms", kVelocity, 1e5},
    NamedUnit{"ms", kVelocity, 100},
    NamedUnit{"cms", kVelocity, 1},
    NamedUnit{"AUd", kVelocity, kAstronomicalUnitCm / 86400},
    NamedUnit{"rad", kAngle, 1},
    NamedUnit{"deg", kAngle, kDegree},
    NamedUnit{"degree", kAngle, kDegree},
    NamedUnit{"degrees", kAngle, kDegree},
    NamedUnit{"hourangle", kAngle, 15 * kDegree},
    NamedUnit{"arcmin", kAngle, kDegree / 60},
    NamedUnit{"arcsec", kAngle, kDegree / 3600},
    NamedUnit{"mas", kAngle, kDegree / 3.6e6},
    NamedUnit{"uas", kAngle, kDegree / 3.6e9},
    NamedUnit{"length", kLength, 0},
    NamedUnit{"mass", kMass, 0},
    NamedUnit{"time", kTime, 0},
    NamedUnit{"speed", kVelocity, 0},
};

Dimension dimension_of(std::string_view kind) {
  if (kind == "length") return kLength;
  if (kind == "mass") return kMass;
  if (kind == "angle") return kAngle;
  if (kind == "angular velocity") return kAngularVelocity;
  return kind == "time" ? kTime : kVelocity;
}

char lower_case_of(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

bool is_letter(char c) {
  return c == '_' || std::isalpha(static_cast<unsigned char>(c));
}

const NamedUnit* unit_named(std::string_view name) {
  const auto found = std::ranges::find_if(kUnits, [&](const NamedUnit& unit) {
    return std::ranges::equal(unit.name, name, {}, lower_case_of, lower_case_of);
  });
  return found == kUnits.end() ? nullptr : &*found;
}

/// The text with signs of other alphabets, LaTeX and superscripts in the form that UnitText reads: "M☉" as "Msun",
/// "s⁻¹" and "$\mathrm{s^{-1}}$" as "s^-1".
std::string plain_unit(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> kPlain[] = {
      {"\xe2\x98\x89", "sun"},    // U+2609
      {"\xe2\x8a\x99", "sun"},    // U+2299, Astropy's form "unicode"
      {"\xe2\x8a\x95", "earth"},  // U+2295
      {"\xe2\x99\x83", "jup"},    // U+2643
      {"\\odot", "sun"},
      {"\\oplus", "earth"},
      {"\xe2\x88\x92", "-"},  // U+2212
      {"\xc2\xb7", "*"},      // U+00B7
      {"\xc3\x97", "*"},      // U+00D7
      {"\\times", "*"},
      {"\\cdot", "*"},
      {"\\mathrm", ""},
      {"\\rm", ""},
      {"\\,", " "},
      {"\\;", " "},
      {"$", ""},
      {"{", ""},
      {"}", ""},
      {"solar masses", "solarmass"},
      {"solar mass", "solarmass"}};
  constexpr std::string_view kRaised[] = {"\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",     "\xc2\xb3",
                                          "\xe2\x81\xb4", "\xe2\x81\xb5", "\xe2\x81\xb6", "\xe2\x81\xb7",
                                          "\xe2\x81\xb8", "\xe2\x81\xb9", "\xe2\x81\xbb"};  // digits and minus
  std::string plain;
  bool raised = false;
  while (!text.empty()) {
    const auto starts = [&](std::string_view sign) { return text.starts_with(sign); };
    const auto* const up = std::ranges::find_if(kRaised, starts);
    const auto* const known = std::ranges::find_if(kPlain, starts, [](const auto& row) { return row.first; });
    const bool is_up = up != std::end(kRaised);
    if (is_up && !raised) plain += '^';
    raised = is_up;
    std::size_t size = 1;
    if (is_up) {
      plain += "0123456789-"[up - kRaised];
      size = up->size();
    } else if (known != std::end(kPlain)) {
      plain += known->second;
      size = known->first.size();
    } else {
      plain += text.front();
    }
    text.remove_prefix(size);
  }
  return plain;
}

/// A product of numbers and units with whole exponents: "1e10 Msun", "km / s", "1000.0 * m * s**-1" (AMUSE), "km s-1"
/// and "km.s-1" (VOTable), "10+10Msun" (CDS), "km rad / (kpc s)" (Astropy), "kms-1", "units.kg" (the Python units of
/// AMUSE).
class UnitText {
 public:
  explicit UnitText(std::string_view text) : text_(plain_unit(text)), rest_(text_) {
    while (valid_ && !rest_.empty()) factor();
    valid_ = valid_ && named_ && !divides_ && std::isfinite(size_);
  }

  bool valid() const { return valid_; }
  const Dimension& dimension() const { return dimension_; }
  double size() const { return size_; }  ///< 0: N-body units

 private:
  void factor() {
    const char c = rest_.front();
    if (std::isdigit(static_cast<unsigned char>(c))) return number();
    if (is_letter(c)) return name();
    valid_ = c == ' ' || c == '*' || c == '.' || c == '(' || c == ')' || (c == '/' && !divides_);
    if (c == '(') inverts_ = std::exchange(divides_, false);
    if (c == ')') inverts_ = false;
    divides_ = divides_ || c == '/';
    rest_.remove_prefix(1);
  }

  void number() {
    double number = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    valid_ = error == std::errc() && number > 0;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    const bool is_cds = number == 10 && (rest_.starts_with('+') || rest_.starts_with('-'));
    size_ *= std::pow(number, exponent(is_cds));
  }

  void name() {
    const auto end = static_cast<std::size_t>(std::ranges::find_if_not(rest_, is_letter) - rest_.begin());
    const NamedUnit* const unit = unit_named(rest_.substr(0, end));
    rest_.remove_prefix(end);
    if (!unit && rest_.starts_with('.')) return;  // a module of Python
    valid_ = unit != nullptr;
    if (!unit) return;
    const bool is_inverted = divides_ || inverts_;
    int power = exponent(true);
    if (power == -1 && unit->dimension == kVelocity && !is_inverted) power = 1;  // "kms-1": the s has the exponent
    named_ = true;
    size_ *= unit->cgs > 0 ? std::pow(unit->cgs, power) : 0;
    for (std::size_t k = 0; k < dimension_.size(); ++k) dimension_[k] += power * unit->dimension[k];
  }

  /// The exponent that follows, such as "**-1", "^2", or without a sign before it as in "s-1".
  int exponent(bool may_be_bare) {
    std::string_view text = rest_.substr(std::min(rest_.find_first_not_of(' '), rest_.size()));
    const std::size_t mark = text.starts_with("**") ? 2 : text.starts_with('^') ? 1 : 0;
    int power = 1;
    if (mark > 0 || may_be_bare) {
      text = (mark > 0 ? text : rest_).substr(mark);
      text.remove_prefix(std::min(text.find_first_not_of(" (+"), text.size()));
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), power);
      valid_ = valid_ && (error == std::errc() || mark == 0) && std::abs(power) < 100;
      if (error == std::errc()) rest_ = text.substr(static_cast<std::size_t>(end - text.data()));
    }
    return std::exchange(divides_, false) != inverts_ ? -power : power;
  }

  std::string text_;
  std::string_view rest_;
  bool valid_ = true, named_ = false;
  bool divides_ = false, inverts_ = false;  ///< the next factor, and those in brackets
  double size_ = 1;
  Dimension dimension_{};
};

}  // namespace

FileUnits gadget_units(double hubble) {
  const double h = hubble > 0 && std::isfinite(hubble) ? hubble : 1;
  return {1e3 * kParsecCm / h, 1e10 * kSunGram / h, 1e5, h};
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
  const UnitText unit(text);
  return unit.valid() && unit.dimension() == dimension_of(kind) ? unit.size() : 0;
}

UnitMeaning unit_meaning(std::string_view text) {
  const UnitText unit(text);
  if (!unit.valid()) return UnitMeaning::none;
  return unit.size() > 0 ? UnitMeaning::physical : UnitMeaning::n_body;
}

std::string unit_names(std::string_view kind) {
  std::string names;
  double last = 0;
  for (const NamedUnit& unit : kUnits) {
    if (unit.dimension != dimension_of(kind) || unit.cgs == last || unit.cgs == 0) continue;
    names += (names.empty() ? "" : ", ") + std::string(unit.name);
    last = unit.cgs;
  }
  return names;
}

FileUnits completed(FileUnits units, double time_s) {
  auto& [length, mass, velocity, hubble] = units;
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

double cosmic_age(double scale_factor, double omega_matter, double omega_lambda) {
  const double a = std::pow(scale_factor, 1.5);
  if (omega_lambda < 1e-6) return 2.0 / 3 * a / std::sqrt(omega_matter);
  return 2.0 / 3 / std::sqrt(omega_lambda) * std::asinh(std::sqrt(omega_lambda / omega_matter) * a);
}

}  // namespace pericenter

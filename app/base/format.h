#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/core/display_units.h"

namespace pericenter::app {

/// 1234567 as "1,234,567", independent of the locale.
std::string with_thousands(std::uint64_t number);
/// "1 in 4 shown", of bodies.
std::string shown_text(std::uint64_t every);
/// "1 frame", "2,000 frames".
std::string counted(std::uint64_t number, const std::string& one);
/// "every step", "every 16 steps".
std::string every(std::uint64_t number, const std::string& one);
/// A number with at most three digits: "250", "3.2·10⁻⁵"; 0 below `least`, "∞", and "–" for NaN, as in the functions
/// below.
std::string number_text(double value, double least = 1e-12);
/// A number with two figures: "2.1·10⁻⁵"; 0 below 1e-12, "–" for NaN.
std::string two_figures(double value);
/// Rounded to a whole number: "1,234,567"; with a power of ten from 10¹⁵ on.
std::string whole_number_text(double value);
/// A share as a percentage with two digits: "0.09 %", "2.3·10⁻⁵ %".
std::string percent_text(double share);
/// 1234567 as "1.23 M": three figures and a decimal prefix.
std::string short_number(double number);
/// A number of bytes as "1.23 MB".
std::string bytes_text(std::uint64_t bytes);
/// A length as "5 kpc" or "2 AU"; "0.5" without physical units.
std::string length_text(double length, const Units& units);
/// time_text() rounded to tens of the unit, for approximate times.
std::string round_time_text(double time, const Units& units);
/// A speed in scene units of time per second, in the unit of the scene's clock per second, rounded to six digits.
double displayed_speed(double speed, const Units& units);
/// Limits of speeds that are chosen, in that unit.
inline constexpr double kMinPace = 1e-9, kMaxPace = 1e9;
/// The unit of that number: "Myr/s", or "/s" without physical units.
std::string pace_unit(const Units& units);
/// Both: "15.6 Myr/s".
std::string pace_text(double speed, const Units& units);
/// A small signed number as "+1.2e-5"; "0" for zero, "–" for NaN.
std::string signed_error(double error);
/// The shortest text that reads back as the same number, independent of the locale.
template <class Number>
std::string exact(Number number) {
  std::array<char, 32> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr};
}
/// `text` as one word of a shell command. Control characters and invalid UTF-8 are escaped ($'...', POSIX 2024).
std::string shell_word(const std::string& text);
/// A path with all characters but letters, digits and /._-~+:@ as %XX (RFC 3986, section 2.1).
std::string url_encoded(const std::string& path);
/// `text` for HTML and XML, also in attributes. Line breaks stay; other control characters, which both forbid, are
/// removed.
std::string markup_text(std::string_view text);
/// The last line of what a program wrote, printable and without its full stop, as the reason for which it failed; empty
/// if it wrote nothing.
std::string last_line(std::string_view output);
/// printf into a string of at most 511 bytes.
[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...);

}  // namespace pericenter::app

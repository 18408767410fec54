#pragma once

#include <cstdint>
#include <string>

#include "sim/scenes/registry.h"

namespace pericenter::app {

/// 1234567 as "1 234 567", whatever the locale.
std::string with_thousands(std::uint64_t number);
/// 1234567 as "1.23 M": three figures and a decimal prefix.
std::string short_number(double number);
/// A time as "390 Myr", or "28.30" when the scene has no physical units.
std::string time_text(double time, const Units& units);
/// The same to ten million years, for a moment that is not exact.
std::string round_time_text(double time, const Units& units);
/// A small signed number as "+1.2e-5"; "0" for zero.
std::string signed_error(double error);
/// printf into a string; for short texts of the panels.
[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...);

}  // namespace pericenter::app

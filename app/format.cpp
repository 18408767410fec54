#include "app/format.h"

#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace pericenter::app {

std::string text(const char* format, ...) {
  std::array<char, 512> buffer;
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(buffer.data(), buffer.size(), format, arguments);
  va_end(arguments);
  return buffer.data();
}

std::string with_thousands(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string spaced;
  for (std::size_t k = 0; k < digits.size(); ++k) {
    if (k > 0 && (digits.size() - k) % 3 == 0) spaced += ' ';
    spaced += digits[k];
  }
  return spaced;
}

std::string short_number(double number) {
  static constexpr std::array<const char*, 5> kPrefixes = {"", " k", " M", " G", " T"};
  std::size_t prefix = 0;
  for (; std::abs(number) >= 999.5 && prefix + 1 < kPrefixes.size(); ++prefix) number /= 1000;
  return text("%.3g%s", number, kPrefixes[prefix]);
}

std::string time_text(double time, const Units& units) {
  return units.time_myr > 0 ? text("%.0f Myr", time * units.time_myr) : text("t = %.2f", time);
}

std::string round_time_text(double time, const Units& units) {
  return units.time_myr > 0 ? text("%.0f Myr", std::round(time * units.time_myr / 10) * 10) : time_text(time, units);
}

std::string signed_error(double error) {
  if (error == 0) return "0";
  std::string number = text("%+.1e", error);
  const std::size_t zero = number.find_first_not_of("+-", number.find('e') + 1);
  if (zero != number.npos && number[zero] == '0') number.erase(zero, 1);
  return number;
}

}  // namespace pericenter::app

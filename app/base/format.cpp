#include "app/base/format.h"

#include <cmath>
#include <cstdarg>
#include <cstdio>

#include "sim/core/printable.h"

namespace pericenter::app {

std::string markup_text(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(letter) >= 0x20 || letter == '\n') result += letter;
    }
  }
  return result;
}

std::string text(const char* format, ...) {
  std::array<char, 512> buffer;
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(buffer.data(), buffer.size(), format, arguments);
  va_end(arguments);
  return buffer.data();
}

std::string shell_word(const std::string& text) {
  const std::string shown = printable(text);
  if (shown == text) {
    std::string word = "'";
    for (const char letter : text) word += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    return word + "'";
  }
  std::string word = "$'";
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '\'' || letter == '\\')
      word += std::string("\\") + letter;
    else
      word += byte < 0x20 || byte > 0x7e ? app::text("\\%03o", byte) : std::string(1, letter);
  }
  return word + "'";
}

std::string with_thousands(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string grouped;
  for (std::size_t k = 0; k < digits.size(); ++k) {
    if (k > 0 && (digits.size() - k) % 3 == 0) grouped += ',';
    grouped += digits[k];
  }
  return grouped;
}

std::string short_number(double number) {
  static constexpr std::array<const char*, 5> kPrefixes = {"", " k", " M", " G", " T"};
  std::size_t prefix = 0;
  for (; std::abs(number) >= 999.5 && prefix + 1 < kPrefixes.size(); ++prefix) number /= 1000;
  return text("%.3g%s", number, kPrefixes[prefix]);
}

std::string length_text(double length, const Units& units) {
  if (!(units.length_kpc > 0)) return text("%g", length);
  const double kpc = length * units.length_kpc;
  const LengthUnit unit = length_unit(kpc);
  const double number = kpc / unit.kpc;
  if (number >= 1000) return with_thousands(static_cast<std::uint64_t>(std::llround(number))) + " " + unit.name;
  return text("%g %s", number, unit.name);
}

std::string bytes_text(std::uint64_t bytes) {
  return short_number(static_cast<double>(bytes)) + (bytes < 1000 ? " B" : "B");
}

std::string round_time_text(double time, const Units& units) {
  const TimeUnit unit = time_unit(units);
  if (!*unit.name || unit.decimals > 0) return time_text(time, units);
  return text("%.0f %s", std::round(time * unit.scene_time / 10) * 10, unit.name);
}

std::string signed_error(double error) {
  if (std::isnan(error)) return "–";
  if (error == 0) return "0";
  std::string number = text("%+.1e", error);
  const std::size_t zero = number.find_first_not_of("+-", number.find('e') + 1);
  if (zero != number.npos && number[zero] == '0') number.erase(zero, 1);
  return number;
}

}  // namespace pericenter::app

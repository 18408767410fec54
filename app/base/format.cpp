#include "app/base/format.h"

#include <cmath>
#include <cstdarg>
#include <cstdio>

#include "sim/core/printable.h"

namespace pericenter::app {
namespace {

std::string power_of_ten(int exponent) {
  static constexpr const char* kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string raised = exponent < 0 ? "⁻" : "";
  for (const char digit : std::to_string(std::abs(exponent))) raised += kDigits[digit - '0'];
  return "10" + raised;
}

}  // namespace

std::string last_line(std::string_view output) {
  const std::size_t end = output.find_last_not_of(" .\r\n");
  if (end == output.npos) return {};
  const std::size_t begin = output.find_last_of("\r\n", end);
  return printable(output.substr(begin + 1, end - begin));  // begin is -1 in a single line
}

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

std::string url_encoded(const std::string& path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF", kPlain = "/._-~+:@";
  std::string text;
  for (const char letter : path) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool plain = (letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'Z') ||
                       (letter >= 'a' && letter <= 'z') || kPlain.find(letter) != kPlain.npos;
    if (plain)
      text += letter;
    else
      text.append({'%', kDigits[byte >> 4], kDigits[byte & 15]});
  }
  return text;
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

std::string shown_text(std::uint64_t every) {
  return "1 in " + std::to_string(every) + " shown";
}

std::string counted(std::uint64_t number, const std::string& one) {
  return with_thousands(number) + " " + one + (number == 1 ? "" : "s");
}

std::string every(std::uint64_t number, const std::string& one) {
  return "every " + (number == 1 ? one : counted(number, one));
}

std::string number_text(double value, double least) {
  const double size = std::abs(value);
  if (std::isnan(value)) return "–";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  if (size < least || size == 0) return "0";
  if (size > 0.0099 && size < 9999.5) return text(size < 999.5 ? "%.3g" : "%.0f", value);
  int exponent = static_cast<int>(std::floor(std::log10(size) + 1e-6));
  const std::string factor = text("%.2g", value / std::pow(10, exponent));
  if (factor == "10") return power_of_ten(exponent + 1);
  return factor == "1" ? power_of_ten(exponent) : factor + "·" + power_of_ten(exponent);
}

std::string percent_text(double share) {
  const double percent = 100 * share;
  if (!(std::abs(percent) > 0) || !std::isfinite(percent)) return number_text(percent) + " %";
  const double unit = std::pow(10, std::floor(std::log10(std::abs(percent))) - 1);
  return number_text(std::round(percent / unit) * unit) + " %";
}

std::string two_figures(double value) {
  const double size = std::abs(value);
  if (std::isnan(value)) return "–";
  if (std::isinf(value)) return "∞";
  if (size < 1e-12) return "0";
  const double unit = std::pow(10, std::floor(std::log10(size)) - 1);
  return number_text(std::round(value / unit) * unit);
}

std::string whole_number_text(double value) {
  const double size = std::abs(value);
  if (!(size < kMostDigits)) return number_text(value);
  return (value <= -0.5 ? "-" : "") + with_thousands(static_cast<std::uint64_t>(std::llround(size)));
}

std::string short_number(double number) {
  if (!std::isfinite(number)) return number_text(number);
  static constexpr std::array<const char*, 5> kPrefixes = {"", " k", " M", " G", " T"};
  std::size_t prefix = 0;
  for (; std::abs(number) >= 999.5 && prefix + 1 < kPrefixes.size(); ++prefix) number /= 1000;
  return text("%.3g%s", number, kPrefixes[prefix]);
}

double displayed_speed(double speed, const Units& units) {
  const std::string digits = text("%.6g", speed * time_unit(units).scene_time);
  double rounded = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), rounded);
  return rounded;
}

std::string pace_unit(const Units& units) {
  return std::string(time_unit(units).name) + "/s";
}

std::string pace_text(double speed, const Units& units) {
  return three_digits(displayed_speed(speed, units)) + " " + pace_unit(units);
}

std::string length_text(double length, const Units& units) {
  if (!(units.length_kpc > 0)) return text("%g", length);
  const double kpc = length * units.length_kpc;
  const LengthUnit unit = length_unit(kpc);
  const double number = kpc / unit.kpc;
  if (!(number < 1000)) return whole_number_text(number) + " " + unit.name;
  return text("%g %s", number, unit.name);
}

std::string bytes_text(std::uint64_t bytes) {
  return short_number(static_cast<double>(bytes)) + (bytes < 1000 ? " B" : "B");
}

std::string round_time_text(double time, const Units& units) {
  const TimeUnit unit = time_unit(units);
  if (!*unit.name || unit.decimals > 0) return time_text(time, units);
  return decimal_text(std::round(time * unit.scene_time / 10) * 10, 0) + " " + unit.name;
}

std::string signed_error(double error) {
  if (!std::isfinite(error)) return error > 0 ? "+∞" : number_text(error);
  if (error == 0) return "0";
  std::string number = text("%+.1e", error);
  const std::size_t zero = number.find_first_not_of("+-", number.find('e') + 1);
  if (zero != number.npos && number[zero] == '0') number.erase(zero, 1);
  return number;
}

}  // namespace pericenter::app

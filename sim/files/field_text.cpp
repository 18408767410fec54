// Text and numbers of the fields of a table.
#include <charconv>
#include <cmath>

#include "sim/files/text_table.h"

namespace pericenter {
namespace {

constexpr std::size_t kShownLength = 40;  // characters of a field quoted in an error message

/// Fortran writes exponents of double precision with D or Q, and leaves the letter out before three digits.
std::string with_e_exponent(std::string_view text) {
  std::string result(text);
  const std::size_t mark = result.find_first_of("dDqQ");
  if (mark != result.npos && mark > 0) result[mark] = 'e';
  const std::size_t sign = result.find_last_of("+-");
  if (mark == result.npos && sign != result.npos && result.size() == sign + 4 && result.find('.') < sign)
    result.insert(sign, "e");
  return result;
}

}  // namespace

std::string shown(std::string_view text) {
  std::string result(text.substr(0, kShownLength));
  for (char& letter : result) {
    if (letter >= 0 && letter < ' ') letter = '?';
  }
  return text.size() > kShownLength ? result + "..." : result;
}

std::optional<double> parsed_number(std::string_view text, bool comma_too) {
  std::string with_point;
  if (const std::size_t comma = text.find(','); comma_too && comma != text.npos) {
    with_point = text;
    with_point[comma] = '.';
    text = with_point;
  }
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem == std::errc{} && end == text.data() + text.size())
    return std::isfinite(number) ? std::optional(number) : std::nullopt;
  if (problem == std::errc{} && std::string_view("dDqQ+-").find(*end) != std::string_view::npos) {
    const std::string fortran = with_e_exponent(text);
    const auto [last, error] = std::from_chars(fortran.data(), fortran.data() + fortran.size(), number);
    if (error == std::errc{} && last == fortran.data() + fortran.size() && std::isfinite(number)) return number;
  }
  return std::nullopt;
}

}  // namespace pericenter

#include "app/lessons/claim_quantities.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace pericenter::app {
namespace {

constexpr const char* kForms =
    "QUANTITY: VALUE UNIT ± TOLERANCE, QUANTITY > VALUE UNIT or QUANTITY < VALUE UNIT, such as 'separation at "
    "pericentre: 16 kpc ± 10 %'";

[[noreturn]] void refuse(const std::string& problem) {
  throw std::invalid_argument(problem + ".");
}

/// Whether the commas separate groups of three digits: "19,999".
bool has_thousands(std::string_view digits) {
  std::size_t comma = digits.find(',');
  if (comma == 0 || comma > 3) return comma == digits.npos;
  const std::size_t end = std::min(digits.find_first_not_of("0123456789,"), digits.size());
  for (; comma < end; comma += 4) {
    const std::size_t next = std::min(digits.find(',', comma + 1), end);
    if (next - comma != 4) return false;
  }
  return digits.find(',', end) == digits.npos;
}

struct Amount {
  double number = 0;
  std::string_view unit;
};

/// "19,999 kpc".
Amount amount_of(std::string_view text) {
  text = trimmed(text);
  const std::size_t end = std::min(text.find_first_not_of("0123456789.,eE+-"), text.size());
  const std::string_view digits = text.substr(0, end);
  std::string plain(digits);
  std::erase(plain, ',');
  Amount amount{.number = 0, .unit = trimmed(text.substr(end))};
  const auto [stop, error] = std::from_chars(plain.data(), plain.data() + plain.size(), amount.number);
  if (error != std::errc() || stop != plain.data() + plain.size() || !has_thousands(digits) ||
      !std::isfinite(amount.number))
    refuse("'" + std::string(text) + "' must begin with a number, such as 16 or 19,999");
  return amount;
}

double value_of(std::string_view text, const ClaimQuantity& quantity) {
  const Amount amount = amount_of(text);
  if (amount.unit == quantity.unit) return amount.number;
  const std::string name = "'" + std::string(quantity.name) + "'";
  if (quantity.unit.empty()) refuse(name + " has no unit; remove '" + std::string(amount.unit) + "'");
  refuse(name + " needs the unit " + std::string(quantity.unit) +
         (amount.unit.empty() ? "" : ", not '" + std::string(amount.unit) + "'"));
}

/// In the unit of the quantity.
double tolerance_of(std::string_view text, double value, const ClaimQuantity& quantity) {
  const Amount amount = amount_of(text);
  if (amount.number < 0) refuse("the tolerance must not be negative");
  if (amount.unit == "%") return std::abs(value) * amount.number / 100;
  if (amount.unit == quantity.unit) return amount.number;
  refuse("the tolerance must be in %" + (quantity.unit.empty() ? " or a number" : " or " + std::string(quantity.unit)) +
         ", not '" + std::string(amount.unit) + "'");
}

/// VALUE UNIT ± TOLERANCE.
void read_about(std::string_view text, const ClaimQuantity& quantity, Claim& claim) {
  const std::size_t at = std::min(text.find("±"), text.find("+-"));  // two bytes each
  if (at == text.npos && !quantity.unit.empty())
    refuse("needs a tolerance, such as ± 10 % or ± 2 " + std::string(quantity.unit));
  claim.value = value_of(text.substr(0, at), quantity);
  if (at != text.npos) claim.tolerance = tolerance_of(text.substr(at + 2), claim.value, quantity);
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n";
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

Claim parse_claim(std::string_view text) {
  const std::size_t at = text.find_first_of(":><");
  if (at == text.npos) refuse("'" + std::string(text) + "' must be " + kForms);
  const ClaimQuantity& quantity = quantity_of(trimmed(text.substr(0, at)));
  Claim claim{.text = std::string(text), .quantity = &quantity};
  const std::string_view rest = text.substr(at + 1);
  if (text[at] == ':') {
    read_about(rest, quantity, claim);
  } else {
    claim.relation = text[at] == '>' ? Claim::Relation::above : Claim::Relation::below;
    claim.value = value_of(rest, quantity);
  }
  return claim;
}

bool holds(const Claim& claim, double measured) {
  switch (claim.relation) {
    case Claim::Relation::above:
      return measured > claim.value;
    case Claim::Relation::below:
      return measured < claim.value;
    case Claim::Relation::about:
      return std::abs(measured - claim.value) <= claim.tolerance;
  }
  return false;
}

}  // namespace pericenter::app

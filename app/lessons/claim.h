#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/lessons/lesson.h"

namespace pericenter::app {

/// What a claim can be about.
struct ClaimQuantity {
  std::string_view name;  ///< "separation at pericentre"
  std::string_view unit;  ///< "kpc", "Myr", "%", "times as long"; empty: a plain number
  std::string_view tip;   ///< tooltip: what is measured, and when
};
std::span<const ClaimQuantity> claim_quantities();

/// QUANTITY: VALUE UNIT ± TOLERANCE (UNIT or %), QUANTITY > VALUE UNIT, QUANTITY < VALUE UNIT. A tolerance in % is
/// relative to the value, also if the unit is %. A plain number without a tolerance must be exact. Throws
/// std::invalid_argument with what is allowed.
Claim parse_claim(std::string_view text);

/// Whether a measured value, in the unit of the quantity, agrees. NaN does not.
bool holds(const Claim& claim, double measured);

}  // namespace pericenter::app

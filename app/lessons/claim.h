#pragma once

#include <string_view>

#include "app/lessons/claim_quantities.h"
#include "app/lessons/lesson.h"

namespace pericenter::app {

/// QUANTITY: VALUE UNIT ± TOLERANCE (UNIT or %), QUANTITY > VALUE UNIT, QUANTITY < VALUE UNIT. A tolerance in % is
/// relative to the value, also if the unit is %. A plain number without a tolerance must be exact. Throws
/// std::invalid_argument with what is allowed.
Claim parse_claim(std::string_view text);

/// Whether a measured value, in the unit of the quantity, agrees. NaN does not.
bool holds(const Claim& claim, double measured);

}  // namespace pericenter::app

#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "sim/files/snapshot.h"

namespace pericenter {

inline constexpr const char* kUnitsOfFile = "units of the file";            ///< a unit that is not known
inline constexpr float kNoValue = std::numeric_limits<float>::quiet_NaN();  ///< value of a body without the field

/// Adds the fields that any format has, if bodies differ in them: type, id and mass. If the field `wanted` is one of
/// them, takes its values, and notes which field the values are of.
void add_common_fields(const std::string& wanted, Snapshot& snapshot);

/// Adds the values of the last `count` bodies; empty if these do not have the field that is read.
void append_values(std::span<const float> values, std::size_t count, Snapshot& snapshot);

/// Adds a field unless there is one of this name.
void add_field(const FieldInfo& field, std::vector<FieldInfo>& fields);

}  // namespace pericenter

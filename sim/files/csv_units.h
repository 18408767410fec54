#pragma once

#include <string_view>

#include "sim/files/csv_columns.h"
#include "sim/files/snapshot.h"

namespace pericenter {

/// The unit of a column in cgs and radians; 0: not declared. `kind`: as in unit_size(). Throws InputError.
double csv_unit_of(const TextTable& table, std::string_view kind, std::size_t column);

/// The units that a table declares: in a comment such as `#unit length=kpc mass=1e10 Msun velocity=km/s`, in the header
/// of ECSV, or of each column in its heading, "x [kpc]", or in a comment of units (AMUSE). Adds notes to `snapshot`.
/// Throws InputError.
FileUnits csv_units_of(const TextTable& table, const CsvColumns& columns, Snapshot& snapshot);

}  // namespace pericenter

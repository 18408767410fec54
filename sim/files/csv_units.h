#pragma once

#include "sim/files/csv_columns.h"
#include "sim/files/snapshot.h"

namespace pericenter {

/// The units that a table declares: in a comment such as `#unit length=kpc mass=1e10 Msun velocity=km/s`, in the header
/// of ECSV, or of each column in its heading, "x [kpc]", or in a comment of units (AMUSE). Adds notes to `snapshot`.
/// Throws InputError.
FileUnits csv_units_of(const TextTable& table, const CsvColumns& columns, Snapshot& snapshot);

}  // namespace pericenter

#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace pericenter {

/// Whether the whole number that ends at `last` in a file name is the beginning of a decimal number, such as the time
/// in snap_t0.10.hdf5 or snap_0.5.csv, rather than a number before that of a part, as in snap_003.1.hdf5: it follows
/// the word t or time, _a or _z, or the file is a table, which has no parts.
bool is_decimal_label(const std::string& name, std::size_t last);

/// The names that differ from `name` in one decimal number only, sorted by it: snap_t0.90.csv, snap_t1.00.csv,
/// snapshot_0.250.hdf5, snap_t1p50.hdf5, out_1.0e-03.csv. Empty if there are no others.
std::vector<std::string> series_of_decimals(const std::string& name, const std::vector<std::string>& names);

}  // namespace pericenter

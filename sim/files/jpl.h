#pragma once

#include "sim/files/formats.h"

namespace pericenter {

/// A table of JPL's Small-Body Database as CSV: rows of osculating elements.
bool is_jpl(const FileHead& head);
/// The bodies and the sun, in astronomical units. Throws InputError.
Snapshot read_jpl(Bytes bytes, const ReadOptions& options);

}  // namespace pericenter

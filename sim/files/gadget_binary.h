#pragma once

#include "sim/files/formats.h"

namespace pericenter {

/// Snapshots and initial conditions of GADGET-1 and -2 (Springel 2005, 10.1111/j.1365-2966.2005.09655.x, and the users'
/// guide of GADGET-2, section 6): Fortran records, in version 2 with a label before each, in either byte order.
bool is_gadget(const FileHead& head);
/// Reads one file. The format does not define units: kpc/h, 1e10 solar masses/h and km/s are assumed. Cosmological
/// snapshots are converted to physical units. Throws InputError, SceneCancelled.
Snapshot read_gadget(Bytes bytes, const ReadOptions& options);

}  // namespace pericenter

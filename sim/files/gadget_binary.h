#pragma once

#include "sim/files/formats.h"

namespace pericenter {

/// Snapshots and initial conditions of GADGET-1 and -2 (Springel 2005, 10.1111/j.1365-2966.2005.09655.x, and the users'
/// guide of GADGET-2, section 6): Fortran records, in version 2 with a label before each; either byte order.
bool is_gadget(const FileHead& head);
/// One file, in kpc, 1e10 suns and km/s over h, as the format does not tell its units; a cosmological one becomes
/// physical. Throws InputError, SceneCancelled.
Snapshot read_gadget(Bytes bytes, const ReadOptions& options);

}  // namespace pericenter

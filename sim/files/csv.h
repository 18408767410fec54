#pragma once

#include "sim/files/formats.h"

namespace pericenter {

/// Any text. Tried after the other text formats, because the errors of read_csv() explain what a table needs.
bool is_text(const FileHead& head);
/// A table of bodies with the columns m (or mass), x, y and optionally z, vx, vy, vz, id, group (the galaxy) and
/// component (disc, bulge, halo, other). Comments such as `#unit length=kpc mass=1e10 Msun velocity=km/s` declare
/// units; two of length, mass, velocity and time are sufficient. Throws InputError, SceneCancelled.
Snapshot read_csv(Bytes bytes, const ReadOptions& options);

}  // namespace pericenter

#pragma once

#include "sim/files/formats.h"

namespace pericenter {

/// Any text: the last guess, as read_csv() says best what a table needs.
bool is_text(const FileHead& head);
/// A table of bodies with the columns m (or mass), x, y and, where there are any, z, vx, vy, vz, id, group (its galaxy)
/// and component (disc, bulge, halo, other). Comments such as `#unit length=kpc mass=1e10 Msun velocity=km/s` tell the
/// units; two of length, mass, velocity and time are enough. Throws InputError, SceneCancelled.
Snapshot read_csv(Bytes bytes, const ReadOptions& options);

}  // namespace pericenter

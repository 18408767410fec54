#pragma once

#include "sim/files/formats.h"

namespace pericenter {

/// CSV tables of JPL's Small-Body Database with osculating elements.
bool is_jpl(const FileHead& head);
/// The bodies, the Sun and the planets at one epoch, in AU, solar masses and AU/day. Throws InputError.
Snapshot read_jpl(Bytes bytes, const ReadOptions& options);

}  // namespace pericenter

#pragma once

#include "sim/files/formats.h"

namespace pericenter {

/// TIPSY (Katz and Quinn; also used by Bonsai): gas, dark matter and stars in one file, "standard" (big endian) or
/// native (little endian), with or without padding after the header.
bool is_tipsy(const FileHead& head);
/// In the units of the file, with G = 1. Throws InputError, SceneCancelled.
Snapshot read_tipsy(Bytes bytes, const ReadOptions& options);

}  // namespace pericenter

#pragma once

#include <cstdint>
#include <vector>

#include "sim/files/snapshot.h"

namespace pericenter {

/// Whether the bytes begin as gzip (RFC 1952).
bool is_gzip(Bytes bytes);

/// The decompressed contents of all members. Throws InputError if they are damaged, or larger than 100 times the file
/// (bodies compress to a tenth at best) or half of the available memory; SceneCancelled.
std::vector<std::uint8_t> gunzip(Bytes bytes, const Progress& progress);

}  // namespace pericenter

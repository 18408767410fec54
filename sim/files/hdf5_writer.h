#pragma once

#include <string>

#include "sim/files/snapshot.h"

namespace pericenter {

/// Writes a snapshot that GADGET-4, SWIFT, AREPO's tools and read_hdf5() read. It is not whole before the function
/// returns: the caller gives a temporary name. With Snapshot::run, a run can go on from it exactly.
/// Throws std::runtime_error that says why it cannot be written, SceneCancelled.
void write_hdf5(const std::string& path, const Snapshot& snapshot, const Progress& progress);

/// Bytes that it will take, at most.
std::uint64_t hdf5_size(const Snapshot& snapshot);

}  // namespace pericenter

#pragma once

#include <string>

#include "sim/files/snapshot.h"

namespace pericenter {

/// A snapshot of GADGET-2, -3, -4, AREPO, SWIFT or Pericenter in HDF5; further files of the same snapshot, which lie
/// beside it, are read with it. Throws InputError, SceneCancelled.
Snapshot read_hdf5(const std::string& path, const ReadOptions& options);

/// The same of the bytes of a single file. Throws InputError.
Snapshot read_hdf5_bytes(Bytes bytes, const ReadOptions& options);

/// The moment of a snapshot, in its own units, without reading its bodies. Throws InputError.
double hdf5_time(const std::string& path);

}  // namespace pericenter

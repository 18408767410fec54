#pragma once

#include <string>

#include "sim/files/snapshot.h"

namespace pericenter {

/// Reads a snapshot of GADGET-2, -3, -4, AREPO, GIZMO, SWIFT, EAGLE or Pericenter in HDF5, including further files of
/// the same snapshot in the same folder. Throws InputError, SceneCancelled.
Snapshot read_hdf5(const std::string& path, const ReadOptions& options);

/// The same for the bytes of a single file. Throws InputError.
Snapshot read_hdf5_bytes(Bytes bytes, const ReadOptions& options);

/// The time of a snapshot in the units of the file, without reading bodies. Throws InputError.
double hdf5_time(const std::string& path);

}  // namespace pericenter

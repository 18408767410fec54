#pragma once

#include <string>

#include "sim/files/snapshot.h"

namespace pericenter {

/// Writes a snapshot that GADGET-4, SWIFT, AREPO's tools and read_hdf5() read. It is not whole before the function
/// returns: the caller gives a temporary name. With Snapshot::run, a run can go on from it exactly, and its bodies are
/// in scene units; else in Snapshot::units.
/// Throws std::runtime_error that says why it cannot be written, SceneCancelled.
void write_hdf5(const std::string& path, const Snapshot& snapshot, const Progress& progress);

/// What other codes want of a file that they start from.
struct InitialConditions {
  bool one_type = false;  ///< all bodies are dark matter, type 1; else their component is their type
  double box_size = 0;    ///< in Snapshot::units
};
/// The same for them.
void write_hdf5(const std::string& path, const Snapshot& snapshot, const InitialConditions& form,
                const Progress& progress);

/// Bytes that it will take, at most.
std::uint64_t hdf5_size(const Snapshot& snapshot);

/// What the units of a scene are in cgs, where `gravity` is its constant of gravitation; all 0 when it has none.
FileUnits file_units(const Units& units, double gravity);

}  // namespace pericenter

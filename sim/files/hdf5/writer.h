#pragma once

#include <string>

#include "sim/files/snapshot.h"

namespace pericenter {

/// Writes a snapshot for GADGET-4, SWIFT, AREPO's tools and read_hdf5(). The file is incomplete until the function
/// returns, so the caller should use a temporary name. With Snapshot::run, the bodies are in scene units and a run can
/// continue exactly from the file, which has the units of SavedRun::origin or else kpc, 1e10 solar masses and km/s;
/// otherwise the bodies are in Snapshot::units. Throws std::runtime_error with the reason if writing fails,
/// SceneCancelled.
void write_hdf5(const std::string& path, const Snapshot& snapshot, const Progress& progress);

/// Requirements of other codes for initial conditions.
struct InitialConditions {
  /// For SWIFT and swiftsimio: all bodies are dark matter, type 1; otherwise the type follows the component.
  bool for_swift = false;
  double box_size = 0;  ///< box size in Snapshot::units
};
/// The same as initial conditions of another code.
void write_hdf5(const std::string& path, const Snapshot& snapshot, const InitialConditions& conditions,
                const Progress& progress);

/// Upper bound of the size of the file in bytes.
std::uint64_t hdf5_size(const Snapshot& snapshot);

/// The units of a scene in cgs for its gravitational constant; all 0 if the scene has no physical units.
FileUnits file_units(const Units& units, double gravity);

}  // namespace pericenter

#pragma once

#include <string>
#include <vector>

#include "sim/files/hdf5/file.h"
#include "sim/files/snapshot.h"

namespace pericenter {

/// HDF5 group of a SavedRun, and the version of its format.
inline constexpr const char* kRunGroup = "Pericenter";
inline constexpr std::uint64_t kRunVersion = 2;

/// Datasets of the bodies in scene units, with all bits. Since version 2, if the file has other units.
struct ExactNames {
  const char *position, *velocity, *mass;
};
inline constexpr ExactNames kExactNames = {"PericenterCoordinates", "PericenterVelocities", "PericenterMasses"};

/// Writes each field as an attribute. Throws std::runtime_error.
void write_run(const Hdf5Session& session, Hdf5Id group, const SavedRun& run);

/// Reads them. Replaces settings that this machine does not support, and adds a message to `notes` for each. Throws
/// InputError that names the attribute.
SavedRun read_run(Hdf5Id group, std::vector<std::string>& notes);

}  // namespace pericenter

#pragma once

#include <string>
#include <vector>

#include "sim/files/hdf5/file.h"
#include "sim/files/snapshot.h"

namespace pericenter {

/// Name of the group that SavedRun is kept in, and the version of what stands there.
inline constexpr const char* kRunGroup = "Pericenter";
inline constexpr std::uint64_t kRunVersion = 1;

/// Writes each field as an attribute of its own. Throws std::runtime_error.
void write_run(const Hdf5Session& session, Hdf5Id group, const SavedRun& run);

/// Reads them. What this machine or this version cannot do as it was saved is replaced, with a sentence in `notes`.
/// Throws InputError that names the attribute.
SavedRun read_run(Hdf5Id group, std::vector<std::string>& notes);

}  // namespace pericenter
